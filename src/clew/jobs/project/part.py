"""The part of a program that matters to one entry: of ten thousand files, a run is made ready for a few functions.

That is all that the entry may run, or mention, and those functions of the same files that use a static variable of that
part: they may change it, or give its address away, when others call them. Functions beyond are declared only; nothing
that runs calls them.
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
        self._users: dict[str, set[str]] = {}
        """By static variable: the functions that name it, and those that lead to them."""
        callers: dict[str, list[str]] = {}
        for function in program.functions.values():
            if function.blocks:
                for variable in set(named_by(program, function.name)) & program.globals.keys():
                    if program.globals[variable].internal and not program.globals[variable].constant:
                        self._users.setdefault(variable, set()).add(function.name)
                for callee in calls.callees(function.name):
                    callers.setdefault(callee, []).append(function.name)
        for users in self._users.values():
            work = list(users)
            while work:
                more = [name for name in callers.get(work.pop(), ()) if name not in users]
                users.update(more)
                work += more

    def of(self, entry: str) -> Program:
        """What a run of a function needs; the program itself, if that is all of it."""
        program = self._program
        roots = (entry, *program.constructors, *program.destructors)
        kept = set(mentioned(program, {name for root in roots for name in self._calls.reachable(root)}))
        for variable in sorted(self._users.keys() & kept):
            kept |= self._users[variable]
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
        return replace(program, functions=functions, globals=variables, aliases=aliases, whole=program)

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
