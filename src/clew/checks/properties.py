"""Properties: the places of a program where an error that is asked for can show.

Two kinds of errors: some have places of their own in the program's code (a call of ``__assert_fail``, a trap
that Clang put in), which ``properties`` finds without running anything. Others can show at almost any instruction
(accesses of memory, divisions): for each kind of them there is one *collective* property, without places.

Kind and location of a property are those that the engine gives to a failure there: ``Property.key``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.checks.check import trapped
from clew.program import instructions as ir
from clew.program.module import FINISH, Block, Function, Program
from clew.program.operands import function_references, operands, references
from clew.program.traps import DIVISION, trap_number
from clew.program.values import ConstInt, GlobalRef, InlineAsm
from clew.report.kinds import PLACED
from clew.report.records import Property as Judged

INVARIANT = "__clew_invariant"
"""Called where the invariant of a witness does not hold."""
FAILING = {
    "__assert_fail": "assert", "__assert_perror_fail": "assert", "__assert": "assert", "__assert_rtn": "assert",
    "reach_error": "error-call", "__VERIFIER_error": "error-call",
    INVARIANT: "error-call",
    "abort": "abort", "klee_abort": "abort",
    "klee_report_error": "other",
}  # fmt: skip
"""Functions whose call is an error, and of which kind: as their models report it."""
OVERRIDING = frozenset(("reach_error", "__VERIFIER_error", INVARIANT))
"""Those that count even where the program defines them."""

PropertyKey = tuple[str, Location | str]


@dataclass(frozen=True, slots=True)
class Site:
    """One instruction: the function by its name in the program, the block, the position in the block."""

    function: str
    block: str
    index: int


@dataclass(frozen=True, slots=True)
class Property:
    """That no error of this kind shows here. Hashable, ordered as in the program."""

    kind: str
    location: Location | None
    function: str
    """As the source calls it."""
    spots: tuple[Site, ...] = ()
    """Usually one; several for code of a macro, or a function that several files include. None: a collective one."""

    @property
    def collective(self) -> bool:
        return not self.spots

    @property
    def key(self) -> PropertyKey:
        """What a failure of this property has in common with it; see ``key_of``."""
        return key_of(self.kind, self.location, self.function)

    def judged(self, verdict: str, reason: str = "") -> Judged:
        """The record for results."""
        return Judged(self.kind, self.location, self.function, verdict, reason)

    def __str__(self) -> str:
        return f"{self.kind} at {self.location}" if self.location else f"{self.kind} in {self.function}"


def key_of(kind: str, location: Location | None, function: str) -> PropertyKey:
    """Identifies a failure: its kind, and its location or, without debug information, the function."""
    return kind, location or function


def properties(
    program: Program, kinds: frozenset[str], entry: Function, outside: Iterable[str] = ()
) -> tuple[Property, ...]:
    """Everything to check in what can be reached from ``entry``; collective properties come last.

    ``outside``: functions that may also be called by code that is not known.
    """
    found: dict[PropertyKey, Property] = {}
    names = reachable_names(program, entry).union(outside)
    reached = [program.functions[name] for name in sorted(names) if name in program.functions]
    pointed_to = _failing_pointers(program, reached)
    unchecked = False
    for function in reached:
        if function.is_declaration or function.name in program.runtime or function.name in OVERRIDING:
            continue
        for block, index, kind, location in _errors(program, function, kinds, pointed_to):
            item = Property(kind, location, function.source_name, (Site(function.name, block.name, index),))
            known = found.get(item.key)
            found[item.key] = item if known is None else replace(known, spots=known.spots + item.spots)
        unchecked = unchecked or _divides_unchecked(function)
    collective = kinds - PLACED - (frozenset() if unchecked else {"signed-overflow"})
    last = (Property(kind, None, entry.source_name) for kind in sorted(collective))
    return (*sorted(found.values(), key=_order), *last)


def _order(item: Property) -> tuple[str, int, int, str, str]:
    where = item.location
    return (where.file, where.line, where.column, item.kind, "") if where else ("", 0, 0, item.kind, item.function)


def reachable_names(program: Program, entry: Function) -> set[str]:
    """Names of everything that code from the entry on mentions: functions it calls or takes the address of, globals."""
    seen = {entry.name, FINISH, *program.constructors, *program.destructors}
    work = list(seen)
    while work:
        name = work.pop()
        named: Iterator[str] = iter(())
        if name in program.functions and name not in OVERRIDING:
            named = function_references(program.functions[name])
        elif name in program.aliases:
            named = references(program.aliases[name].target)
        elif name in program.globals and (initial := program.globals[name].initializer) is not None:
            named = references(initial)
        fresh = set(named) - seen
        seen |= fresh
        work += fresh
    return seen


def _errors(
    program: Program, function: Function, kinds: frozenset[str], pointed_to: frozenset[str]
) -> Iterator[tuple[Block, int, str, Location | None]]:
    """The instructions of a function that show an error of one of these kinds."""
    for block in reachable_blocks(function):
        previous: ir.Instruction | None = None
        for index, instruction in enumerate(block.instructions):
            for kind in _kinds(program, instruction, previous, pointed_to):
                if kind in kinds:
                    yield block, index, kind, instruction.location
            previous = instruction


def reachable_blocks(function: Function) -> Iterator[Block]:
    """The blocks that control flow leads to from the function's beginning."""
    blocks = {block.name: block for block in function.blocks}
    seen = {function.blocks[0].name}
    work = [function.blocks[0]]
    while work:
        block = work.pop()
        yield block
        for name in ir.successors(block.terminator):
            if name not in seen:
                seen.add(name)
                work.append(blocks[name])


def _kinds(
    program: Program, instruction: ir.Instruction, previous: ir.Instruction | None, pointed_to: frozenset[str]
) -> tuple[str, ...]:
    """The kinds of errors an instruction shows when it is executed."""
    if isinstance(instruction, ir.Unreachable):
        after_the_end = isinstance(previous, ir.Call) and previous.noreturn
        return () if after_the_end or _ends(program, previous) else ("unreachable",)
    if not isinstance(instruction, ir.Call):
        return ()
    match instruction.callee:
        case GlobalRef(name="llvm.trap" | "llvm.debugtrap"):
            return ("abort",)
        case GlobalRef(name="llvm.ubsantrap"):
            number = trap_number(instruction)
            return () if number is None else (trapped(number)[0],)
        case GlobalRef(name=name):
            kind = failing_kind(program, name)
            return () if kind is None else (kind,)
        case InlineAsm():
            return ()
    return tuple(sorted(pointed_to))


def _ends(program: Program, instruction: ir.Instruction | None) -> bool:
    """Whether control never comes back from an instruction."""
    if not isinstance(instruction, ir.Call) or not isinstance(instruction.callee, GlobalRef):
        return False
    name = instruction.callee.name
    if name in ("llvm.trap", "llvm.ubsantrap") or failing_kind(program, name) is not None:
        return True
    called = program.functions.get(name)
    return called is not None and called.noreturn


def failing_kind(program: Program, name: str) -> str | None:
    """The kind of error that a call of this function is; None if it is none."""
    if name in OVERRIDING:
        return FAILING[name]
    name = through_aliases(program, name)
    defined = program.functions.get(name)
    return FAILING.get(name) if defined is None or defined.is_declaration else None


def through_aliases(program: Program, name: str) -> str:
    """The function or variable that a name stands for."""
    seen: set[str] = set()
    while name in program.aliases and name not in seen:
        seen.add(name)
        target = program.aliases[name].target
        name = target.name if isinstance(target, GlobalRef) else name
    return name


def _failing_pointers(program: Program, reached: list[Function]) -> frozenset[str]:
    """Kinds of errors that a call through a pointer can be: of failing functions whose address is taken."""
    taken = addresses_taken(program, (block for function in reached for block in function.blocks))
    return frozenset(kind for name in taken if (kind := failing_kind(program, name)) is not None)


def addresses_taken(program: Program, blocks: Iterable[Block]) -> set[str]:
    """Names that code uses for more than to call them, and those in what variables start with."""
    taken: set[str] = set()
    for block in blocks:
        for instruction in block.instructions:
            direct = isinstance(instruction, ir.Call) and isinstance(instruction.callee, GlobalRef)
            taken.update(name for value in operands(instruction)[int(direct) :] for name in references(value))
    for variable in program.globals.values():
        if variable.initializer is not None:
            taken.update(references(variable.initializer))
    return taken


def _divides_unchecked(function: Function) -> bool:
    """Whether a quotient may overflow where Clang put no check before it (programs that come as LLVM code)."""
    instructions = [instruction for block in function.blocks for instruction in block.instructions]
    divides = any(
        isinstance(i, ir.Binary) and i.op in ("sdiv", "srem") and not isinstance(i.right, ConstInt)
        for i in instructions
    )
    return divides and not any(trap_number(i) == DIVISION for i in instructions)


def trap_in(function: Function, block: str) -> tuple[str, str, str, int] | None:
    """The error that a block is there for: its kind, and where it shows; None if it is no block of Clang's checks."""
    for found in function.blocks:
        if found.name == block:
            for index, instruction in enumerate(found.instructions):
                number = trap_number(instruction)
                if number is not None:
                    return (trapped(number)[0], function.name, block, index)
    return None
