"""Object files -> one program: whose definition of a name is taken, as linkers have it, and names that do not clash.

A name that a file defines for itself stays its own: where others have it, too, it gets another one. This happens while
the files' code is restored from bytes, so that linking takes hardly more time than that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.frontend.storage import Changes, restore
from clew.frontend.symbols import STRONG, ObjectFile, Strength, Symbols
from clew.program.ctypes import CTypes
from clew.program.module import Alias, Function, GlobalVariable, Program


@dataclass(frozen=True, slots=True)
class _Resolution:
    """Who defines what."""

    owners: dict[str, int]
    """The file whose definition of a name is taken."""
    renamed: tuple[dict[str, str], ...]
    """For each file, other names for definitions that are its own."""


def link(files: Sequence[ObjectFile], names: Sequence[str], apart: bool) -> Program | None:
    """The program that the files make up; ``names`` is what they are called. None if the bytes of one are no code.

    ``apart``: what several of them define is each one's own; others use that of the first. Raises ``UserError`` if they
    do not fit together.
    """
    symbols = [file.symbols for file in files]
    _check_layouts(symbols, names)
    resolution = _resolve(symbols, names, apart)
    parts, shift = [], 0
    for file, renamed in zip(files, resolution.renamed, strict=True):
        part = restore(file.code, Changes(renamed, shift))
        if part is None:
            return None
        parts.append(part)
        shift += file.symbols.ctypes
    return _joined(parts, symbols, resolution.owners)


def _check_layouts(symbols: Sequence[Symbols], names: Sequence[str]) -> None:
    """They must agree on how data is laid out."""
    known = [(name, each.layout) for name, each in zip(names, symbols, strict=True) if each.layout]
    for name, layout in known[1:]:
        if layout != known[0][1]:
            advice = "compile both for one target (--target or --data-model)"
            raise UserError(f"{known[0][0]} and {name} are for different targets; {advice}")


def _resolve(symbols: Sequence[Symbols], names: Sequence[str], apart: bool) -> _Resolution:
    taken = _Names(symbols)
    owners: dict[str, int] = {}
    strengths: dict[str, Strength] = {}
    renamed: list[dict[str, str]] = []
    for number, each in enumerate(symbols):
        here: dict[str, str] = {}
        for name, strength in each.shared.items():
            if strength[0] == STRONG == strengths.get(name, (0, 0))[0]:
                if not apart:
                    raise UserError(f"cannot link {names[number]} with {names[owners[name]]}: both define {name!r}")
                here[name] = taken.fresh(name)
            elif strength > strengths.get(name, (0, 0)):
                owners[name], strengths[name] = number, strength
        here.update({name: new for name in each.own if (new := taken.given(name)) != name})
        renamed.append(here)
    return _Resolution(owners, tuple(renamed))


class _Names:
    """Names that are given out; those that several files see are taken from the start."""

    def __init__(self, symbols: Sequence[Symbols]) -> None:
        self._taken = {name for each in symbols for name in (*each.shared, *each.declared)}
        self._numbers: dict[str, int] = {}

    def given(self, name: str) -> str:
        """The name, or if that is taken another one."""
        if name in self._taken:
            return self.fresh(name)
        self._taken.add(name)
        return name

    def fresh(self, name: str) -> str:
        """Another name than this one, as linkers make them."""
        for number in count(self._numbers.get(name, 1) + 1):
            new = f"{name}.{number}"
            if new not in self._taken:
                self._numbers[name] = number
                self._taken.add(new)
                return new
        raise AssertionError("there are numbers enough")


def _joined(parts: Sequence[Program], symbols: Sequence[Symbols], owners: Mapping[str, int]) -> Program:
    """All of it, in the order of the files; what is only declared comes last."""
    functions: dict[str, Function] = {}
    variables: dict[str, GlobalVariable] = {}
    aliases: dict[str, Alias] = {}
    for number, (part, names) in enumerate(zip(parts, symbols, strict=True)):
        functions |= {f.name: f for f in part.functions.values() if f.blocks and owners.get(f.name, number) == number}
        left_out = set(names.unused)
        defined = (v for name, v in part.globals.items() if v.initializer is not None and name not in left_out)
        variables |= {v.name: v for v in defined if owners.get(v.name, number) == number}
        aliases |= {a.name: a for a in part.aliases.values() if owners.get(a.name, number) == number}
    defined_names = functions.keys() | variables.keys() | aliases.keys()
    for part in parts:
        for function in part.functions.values():
            if function.name not in defined_names:
                functions.setdefault(function.name, function)
    defined_names |= functions.keys()
    for part in parts:
        for variable in part.globals.values():
            if variable.initializer is None and variable.name not in defined_names:
                variables.setdefault(variable.name, variable)
    files = dict.fromkeys(file for part in parts for file in part.source_files)
    first = next((part for part, each in zip(parts, symbols, strict=True) if each.layout), parts[0])
    return Program(
        first.triple,
        first.layout,
        functions,
        variables,
        aliases,
        CTypes(tuple(entry for part in parts for entry in part.ctypes.entries)),
        _ordered(parts, symbols),
        tuple(files),
        _ordered(parts, symbols, at_the_end=True),
    )


def _ordered(parts: Sequence[Program], symbols: Sequence[Symbols], at_the_end: bool = False) -> tuple[str, ...]:
    """The constructors, or destructors, of all files: by priority, then as listed."""
    found: list[tuple[int, str]] = []
    for part, each in zip(parts, symbols, strict=True):
        listed = each.destructors if at_the_end else each.constructors
        names = part.destructors if at_the_end else part.constructors
        found += [(priority, name) for (priority, _), name in zip(listed, names, strict=True)]
    return tuple(name for _, name in sorted(found, key=lambda pair: -pair[0] if at_the_end else pair[0]))
