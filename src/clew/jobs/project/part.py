"""The part of a program that matters to one entry: of ten thousand files, a run is made ready for a few.

That is all that the entry may run, or mention, and the files in which these functions are: what is static there may be
shared with functions that others call. Functions beyond are declared only; nothing that runs calls them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from clew.analysis.callgraph import CallGraph, mentioned, named_by, referenced
from clew.program.module import Program


class Parts:
    """Of one program."""

    def __init__(self, program: Program, calls: CallGraph) -> None:
        self._program = program
        self._calls = calls
        self._of_file: dict[str, list[str]] = {}
        """The functions of the files that were compiled; those of headers belong to whoever calls them."""
        files = frozenset(program.source_files)
        for function in program.functions.values():
            if function.location is not None and function.location.file in files and function.blocks:
                self._of_file.setdefault(function.location.file, []).append(function.name)

    def of(self, entry: str) -> Program:
        """What a run of a function needs; the program itself, if that is all of it."""
        program = self._program
        roots = (entry, *program.constructors, *program.destructors)
        kept = set(mentioned(program, {name for root in roots for name in self._calls.reachable(root)}))
        places = (program.functions[name].location for name in kept if name in program.functions)
        for file in {place.file for place in places if place is not None}:
            kept.update(self._of_file.get(file, ()))
        named = self._named(kept)
        functions = {
            name: function if name in kept else replace(function, blocks=())
            for name, function in program.functions.items()
            if name in kept or name in named
        }
        if len(functions) == len(program.functions) and all(name in kept for name in functions):
            return program
        variables = {name: variable for name, variable in program.globals.items() if name in kept or name in named}
        aliases = {
            name: alias
            for name, alias in program.aliases.items()
            if all(target in functions or target in variables for target in referenced(alias.target, program))
        }
        return replace(program, functions=functions, globals=variables, aliases=aliases)

    def _named(self, kept: Iterable[str]) -> set[str]:
        """What is named there, and by what variables start with."""
        found: set[str] = set()
        work = list(kept)
        while work:
            for name in named_by(self._program, work.pop()):
                if name not in found:
                    found.add(name)
                    if name in self._program.globals:
                        work.append(name)
        return found
