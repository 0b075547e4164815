"""A program made ready to run: laid out in memory, with its functions compiled as they are needed.

A machine outlives one exploration: re-executing a test uses the same compiled code.
"""

from __future__ import annotations

from collections.abc import Mapping

from clew.analysis.callgraph import mentioned
from clew.execute.codegen.callees import Callees, ModelEntry
from clew.execute.codegen.compiled import Compiler
from clew.execute.helpers import helper_names
from clew.execute.names import Names
from clew.memory.globals import lay_out
from clew.memory.space import AddressSpace
from clew.program.module import Program
from clew.program.target import target_of


class Machine:
    """What all explorations of one program share. Its initial memory is only ever forked."""

    def __init__(self, program: Program, models: Mapping[str, ModelEntry], traced: bool = False) -> None:
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
            helper_names(),
            traced,
        )
        self._in_reach: dict[str, frozenset[str]] = {}

    def in_reach(self, entry: str) -> frozenset[str]:
        """The functions and variables that a run from an entry function can get at."""
        if entry not in self._in_reach:
            program = self.program
            roots = (entry, *program.constructors, *program.destructors, *program.runtime)
            self._in_reach[entry] = mentioned(program, roots)
        return self._in_reach[entry]
