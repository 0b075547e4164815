"""A program made ready to run: laid out in memory, with its functions compiled as they are needed.

A machine outlives one exploration: re-executing a test uses the same compiled code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.analysis.callees import Callees, LibraryModel
from clew.analysis.callgraph import changed, is_special, mentioned
from clew.execute.codegen.compiled import Compiler
from clew.execute.names import Names
from clew.memory.globals import lay_out
from clew.memory.space import AddressSpace
from clew.program.module import Program
from clew.program.target import target_of


class Machine:
    """What all explorations of one program share. Its initial memory is only ever forked."""

    def __init__(
        self, program: Program, models: Mapping[str, LibraryModel], helpers: dict[str, Any], traced: bool
    ) -> None:
        self.program = program
        self.layout = program.layout
        self.models = models
        self.target = target_of(program)
        self.architecture = self.target.architecture
        self.initial_memory = AddressSpace(program.layout)
        self.globals = lay_out(program, self.initial_memory)
        self.callees = Callees(program, models)
        self.names = Names()
        self.compiler = Compiler(
            program,
            self.callees,
            self.globals.evaluate_constant,
            self.initial_memory.page_bits,
            helpers,
            traced,
        )
        self._in_reach: dict[str, frozenset[str]] = {}
        self._changed_by: dict[str, frozenset[str]] = {}
        self._changed_outside: dict[str, frozenset[str]] = {}

    def in_reach(self, entry: str) -> frozenset[str]:
        """The functions and variables that a run from an entry function can get at."""
        if entry not in self._in_reach:
            program = self.program
            roots = (entry, *program.constructors, *program.destructors, *program.runtime)
            self._in_reach[entry] = mentioned(program, roots)
        return self._in_reach[entry]

    def changed_by(self, function: str) -> frozenset[str]:
        """The variables that a call of a function may change."""
        if function not in self._changed_by:
            self._changed_by[function] = changed(self.program, (function,))
        return self._changed_by[function]

    def changed_outside(self, entry: str) -> frozenset[str]:
        """The variables that code which knows the program's external names can change; it does not call the entry."""
        if entry not in self._changed_outside:
            own = (f for f in self.program.functions.values() if not f.internal and not f.is_declaration)
            roots = [f.name for f in own if f.name != entry and f.name not in self.program.runtime]
            named = {name for name, v in self.program.globals.items() if not v.internal and not is_special(name)}
            self._changed_outside[entry] = changed(self.program, roots) | named
        return self._changed_outside[entry]
