"""Forward evaluation that records what a description needs: where values come from, and how loops are left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from clew.base.dataclass import dataclass
from clew.expr import build
from clew.expr.node import Bool, Expr
from clew.expr.op import SYMBOL
from clew.program import instructions as ir
from clew.program.module import Function
from clew.techniques.chains.acyclic import Passage
from clew.techniques.chains.forward_evaluation import MergedEvaluator, Notes, Registers, Walk, Way
from clew.techniques.chains.instances import ClosedLoop
from clew.techniques.chains.loop_closing import close
from clew.techniques.chains.memory import Cell, Ground, Memory
from clew.techniques.chains.program_facts import ProgramFacts
from clew.techniques.chains.queries import IterationQueries


@dataclass(slots=True)
class Found:
    """A loop with its closed form, and the jumps that leave it, each with its condition."""

    form: ClosedLoop
    exits: list[tuple[ir.Terminator, Bool]]


class Wide(ProgramFacts):
    """Facts of a program in which every variable matters, also those that only addresses depend on."""

    def matters(self, function: str, place: str | Cell, mask: int) -> bool:
        return True


class DescribedEvaluator(MergedEvaluator):
    """Evaluates a function, and records which instructions made its symbols and how its loops are left."""

    def __init__(self, survey: ProgramFacts, ground: Ground, questions: IterationQueries) -> None:
        super().__init__(survey, ground, close, questions)
        self.origins: dict[Expr, tuple[Function, ir.Instruction]] = {}
        self.exits: dict[int, list[tuple[ir.Terminator, Bool]]] = {}
        """Per body, by the identity of its notes: jumps that leave the loop, and when."""
        self.loops: dict[int, Found] = {}
        self._inside: list[str] = []
        self._version = 0
        """Goes up with everything that may write memory: what is read at the same place before that is the same."""
        self._read: dict[tuple[int, Expr, int], Any] = {}

    @contextmanager
    def inside(self, loop: str, entered: Bool) -> Iterator[Notes]:
        self._inside.append(loop)
        self._version += 1
        try:
            with super().inside(loop, entered) as notes:
                self.exits[id(notes)] = []
                yield notes
        finally:
            self._inside.pop()
            self._version += 1

    def _load(self, function: Function, i: ir.Load, way: Way) -> Any:
        """What is read at an unknown address is the same symbol as long as nothing is written."""
        known = super()._load(function, i, way)
        address = self.value(way.registers, i.pointer)
        if known is not None or i.result is None or i.volatile or not isinstance(address, Expr):
            return known
        key = (self._version, address, self.survey.layout.bits(i.result.type))
        if key not in self._read:
            self._read[key] = self.unknown(i.result.type)
        return self._read[key]

    def _table(self, address: Any, size: int, memory: Memory) -> Any:
        """No look-ups: the name of the table says more."""
        return None

    def _instruction(self, function: Function, i: ir.Instruction, way: Way) -> None:
        super()._instruction(function, i, way)
        self._version += isinstance(i, ir.Store | ir.AtomicUpdate | ir.CompareExchange | ir.VaArg)
        self._note(function, i, way.registers)

    def _call(self, function: Function, i: ir.Call, way: Way) -> Way | None:
        after = super()._call(function, i, way)
        self._version += bool(self.survey.effects.written_by(function.name, i))
        if after is not None:
            self._note(function, i, after.registers)
        return after

    def _note(self, function: Function, i: ir.Instruction, registers: Registers) -> None:
        value = registers.get(i.result.name) if i.result is not None else None
        if isinstance(value, Expr) and len(value.symbols) == 1:
            (made,) = value.symbols  # of a float, a symbol stands for its bits
            if label(made) == "?" or (value.op is SYMBOL and isinstance(i, ir.Alloca)):
                self.origins.setdefault(made, (function, i))

    def _leave(self, walk: Walk, passage: Passage, way: Way) -> None:
        super()._leave(walk, passage, way)
        if not self._inside:
            return
        outline = walk.outline
        function, _, header = self._inside[-1].partition(":")
        if outline.function.name == function:
            terminator = outline.blocks[passage.block].terminator
            leaving = [
                to for to in outline.successors[passage.block] if outline.headed[header] not in outline.around[to]
            ]
            if leaving:
                taken = build.disjunction([when for to, when in self._choices(terminator, way) if to in leaving])
                self.exits[id(self.notes)].append((terminator, build.land(way.condition, taken)))


def label(made: Expr) -> str:
    """The label that an evaluation gave a symbol when it made it."""
    return str(made.value).rpartition("/")[2].partition("#")[0]
