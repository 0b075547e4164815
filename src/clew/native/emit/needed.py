"""Which functions of a program can be reached at all: what is named from the entry on, in code or in variables."""

from __future__ import annotations

from collections.abc import Collection

from clew.native.library import PREFIX, native_functions
from clew.program.module import FINISH, Function, Program
from clew.program.operands import function_references, references


def needed(program: Program, entry: Function, library: Collection[str] = ()) -> dict[str, None]:
    """The names of functions with code, in the order of the program. ``library``: those of the runtime that are called
    in place of the C library's."""
    waiting = [
        entry.name,
        *program.constructors,
        *program.destructors,
        *([FINISH] if FINISH in program.runtime else []),
    ]
    seen = set(waiting)
    while waiting:
        name = waiting.pop()
        function, variable, alias = program.functions.get(name), program.globals.get(name), program.aliases.get(name)
        found: set[str] = set()
        native = native_functions().get(name)
        if native is not None and PREFIX + native.symbol in library:
            found.add(PREFIX + native.symbol)
        if function is not None:
            found.update(function_references(function))
        if variable is not None and variable.initializer is not None:
            found.update(references(variable.initializer))
        if alias is not None:
            found.update(references(alias.target))
        waiting += sorted(found - seen)
        seen |= found
    return {name: None for name, function in program.functions.items() if function.blocks and name in seen}
