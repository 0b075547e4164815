"""Targets: the places of a program that ``clew reach`` is asked about.

A target is a set of spots: a line has one in every block with code of it, a label one wherever it is defined, a
function one at its beginning or, if the program does not define it, one at every call. What does not exist is an error
that names what is close; what exists and no control flow leads to is a target with a reason why it is not reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.location import Location
from clew.base.options import ReachRequest
from clew.base.suggest import unknown_name
from clew.checks.properties import OVERRIDING, Site, addresses_taken, reachable_blocks, reachable_names, through_aliases
from clew.program import instructions as ir
from clew.program.module import Block, Function, Program
from clew.program.values import GlobalRef, InlineAsm

TargetSite = tuple[Site, Location | None]


@dataclass(frozen=True, slots=True)
class ReachTarget:
    """Where to get to."""

    text: str
    """For people: ``p.c:12``, ``label out``, ``f()``."""
    places: tuple[TargetSite, ...]
    cut_off: str = ""
    """Why no control flow leads to any of the places; empty if one might be reached."""
    doubt: str = ""
    """Why it may be reached elsewhere, too."""


def find_target(
    program: Program, entry: Function, request: ReachRequest, outside: Mapping[str, str] | None = None
) -> ReachTarget:
    """What the request names; UserError if there is no such thing.

    ``outside``: functions that code may call which is not known, and why.
    """
    if request.line is not None:
        target = _line(program, request.line, request.file)
    elif request.label is not None:
        target = _label(program, request.label)
    else:
        assert request.call is not None
        target = _call(program, request.call)
    doubt = target.doubt or _doubt(program, target, outside or {})
    return _connected(program, entry, replace(target, doubt=doubt))


def _doubt(program: Program, target: ReachTarget, outside: Mapping[str, str]) -> str:
    """Why a call may lead to the target that no path shows."""
    for spot, _ in target.places:
        function = program.functions[spot.function]
        if spot.function in outside and any(block.name == spot.block for block in reachable_blocks(function)):
            return outside[spot.function]
    return ""


# Lines

Code = dict[str, dict[int, list[TargetSite]]]
"""For every file, for every line with code: the first place of it in each block."""


def _line(program: Program, line: int, file: str | None) -> ReachTarget:
    code = _code(program)
    if not code:
        raise UserError("the program has no line numbers: compile it with -g, or name a --label or --call")
    name = _file(line, code, program.source_files) if file is None else _named_file(file, code)
    if line not in code[name]:
        raise UserError(f"{name}:{line} has no code, or none that can run; nearest lines: {_nearest(line, code[name])}")
    return ReachTarget(f"{name}:{line}", tuple(code[name][line]))


def _code(program: Program) -> Code:
    code: Code = {}
    for function, block in _blocks(program):
        seen: set[tuple[str, int]] = set()
        for index, location in _places(block):
            if not location.line or (location.file, location.line) in seen:
                continue
            seen.add((location.file, location.line))
            places = code.setdefault(location.file, {}).setdefault(location.line, [])
            places.append((Site(function.name, block.name, index), location))
    return code


def _blocks(program: Program) -> Iterator[tuple[Function, Block]]:
    """Those of the user's own functions."""
    for function in program.functions.values():
        if function.name not in program.runtime:
            for block in function.blocks:
                yield function, block


def _places(block: Block) -> list[tuple[int, Location]]:
    """What is where in a block, in order."""
    places = [(landmark.index, landmark.location) for landmark in block.landmarks]
    places += [
        (index, instruction.location)
        for index, instruction in enumerate(block.instructions)
        if instruction.location is not None and not _invisible(instruction)
    ]
    return sorted(places, key=lambda place: place[0])


def _invisible(instruction: ir.Instruction) -> bool:
    """Whether nobody would say that an instruction is code of its line."""
    return isinstance(instruction, ir.Phi) or ir.lifetime_mark(instruction) is not None


def _file(line: int, code: Code, compiled: Sequence[str]) -> str:
    """The file that is meant where none is named: the compiled one that has code on the line."""
    own = [name for name in compiled if name in code] or list(code)
    having = [name for name in own if line in code[name]]
    if len(having) > 1:
        raise UserError(f"line {line} has code in {' and '.join(having)}: say which with --line {having[0]}:{line}")
    if not having and len(own) > 1:
        raise UserError(f"line {line} has no code in any of {', '.join(own)}; name a file: --line FILE:N")
    return having[0] if having else own[0]


def _named_file(file: str, code: Code) -> str:
    """The file that the user means: by its full name, or by the end of it."""
    wanted = PurePath(file).parts
    found = [file] if file in code else [name for name in code if PurePath(name).parts[-len(wanted) :] == wanted]
    if not found:
        raise UserError(unknown_name("file with code", file, code))
    if len(found) > 1:
        raise UserError(f"{file} may be {' or '.join(found)}: give more of its name")
    return found[0]


def _nearest(line: int, lines: Iterable[int]) -> str:
    """The closest line before and the closest one after."""
    before = max((known for known in lines if known < line), default=None)
    after = min((known for known in lines if known > line), default=None)
    return ", ".join(str(known) for known in (before, after) if known is not None)


# Labels


def _label(program: Program, name: str) -> ReachTarget:
    labels: dict[str, list[TargetSite]] = {}
    for function, block in _blocks(program):
        for landmark in block.landmarks:
            if landmark.label:
                place = Site(function.name, block.name, landmark.index), landmark.location
                labels.setdefault(landmark.label, []).append(place)
    if name not in labels:
        raise UserError(unknown_name("label", name, labels))
    return ReachTarget(f"label {name}", tuple(labels[name]))


# Functions


def _call(program: Program, name: str) -> ReachTarget:
    """The beginning of a function, or the calls of one that the program does not define."""
    real = through_aliases(program, name)
    own = [function for function in program.functions.values() if _is_own(program, function)]
    defined = [function for function in own if real in (function.name, function.source_name)]
    if defined:
        return ReachTarget(f"{name}()", tuple(_beginning(function) for function in defined))
    places, called = [], set[str]()
    for function, block in _blocks(program):
        for index, instruction in enumerate(block.instructions):
            if isinstance(instruction, ir.Call) and isinstance(instruction.callee, GlobalRef):
                called.add(instruction.callee.name)
                if through_aliases(program, instruction.callee.name) == real:
                    places.append((Site(function.name, block.name, index), instruction.location))
    taken = addresses_taken(program, (block for _, block in _blocks(program)))
    if not places and real not in taken:
        known = {*called, *(function.source_name for function in own)}
        raise UserError(unknown_name("function", name, (other for other in known if _is_visible(other))))
    return ReachTarget(
        f"{name}()", tuple(places), doubt=f"{name}() may be called through a pointer" if real in taken else ""
    )


def _is_visible(name: str) -> bool:
    """Whether to offer a function: those of headers and of the compiler are not the user's."""
    return not name.startswith(("llvm.", "__")) or name.startswith("__VERIFIER")


def _is_own(program: Program, function: Function) -> bool:
    """Whether a function runs code of the user's."""
    return not function.is_declaration and function.name not in program.runtime and function.name not in OVERRIDING


def _beginning(function: Function) -> TargetSite:
    return Site(function.name, function.blocks[0].name, 0), function.location


# Control flow


def _connected(program: Program, entry: Function, target: ReachTarget) -> ReachTarget:
    """The target with those of its places only that control flow leads to from the entry, if there are such."""
    names = reachable_names(program, entry)
    if any(_opaque(program.functions[name]) for name in names if name in program.functions):
        return target  # what cannot be read may go anywhere
    live: dict[str, set[str]] = {}
    for spot, _ in target.places:
        if spot.function in names and spot.function not in live:
            live[spot.function] = {block.name for block in reachable_blocks(program.functions[spot.function])}
    places = tuple(place for place in target.places if place[0].block in live.get(place[0].function, ()))
    if places or not target.places:
        return replace(target, places=places)
    if live:
        what = f"target is in dead code: nothing leads to it in {next(iter(live))}'s control flow"
    else:
        function = program.functions[target.places[0][0].function]
        what = f"function {function.source_name} is never called from {entry.source_name}"
    return replace(target, cut_off=what)


def _opaque(function: Function) -> bool:
    return any(
        isinstance(instruction, ir.UnsupportedInstruction)
        or (isinstance(instruction, ir.Call) and isinstance(instruction.callee, InlineAsm))
        for block in function.blocks
        for instruction in block.instructions
    )
