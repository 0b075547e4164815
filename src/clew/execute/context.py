"""What a state knows of the exploration it belongs to: the machine, the solver, coverage, findings, losses.

The rest, who waits and who listens, is in ``clew.execute.run``, which knows states.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import Any

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.location import Location
from clew.base.options import StartValue
from clew.execute.codegen.plan import PointKind
from clew.execute.coverage import Coverage, Edge
from clew.execute.frame import Frame
from clew.execute.heap.facts import GivenHeap, LazyPointer, RawBytes
from clew.execute.heap.surroundings import Surroundings
from clew.execute.history import Following
from clew.execute.machine import Machine
from clew.execute.sites import CheckId
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.program import instructions as ir
from clew.program.types import VoidType
from clew.report.records import LossKind, LossNote
from clew.report.statistics import RunStatistics
from clew.report.values import InputValue
from clew.solver.chain import SolverChain

InputHints = dict[Location | str, list[int]]
"""Values that inputs should have: by the place of the call that reads them, or by name where there is no call. The
first read there gets the first value, and so on; the last value holds for all that follow."""
GivenInputs = InputHints | bytes
"""Hints, or all inputs as bytes, in the order in which they are read; zeros follow."""


SYMBOLIC_SIZE = 4096
"""Bytes an object of symbolic size may have, unless a run is told otherwise."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How an exploration behaves."""

    checks: frozenset[str] | None = None
    """Kinds of bugs that count; None for all."""
    loop_bound: int | None = None
    start: tuple[StartValue, ...] = ()
    stdin: int | None = None
    """Symbolic bytes of standard input; None: the program is not meant to read any."""
    argv: tuple[bytes | int, ...] = (b"program",)
    """The program's name, and its arguments: known words, and numbers of symbolic bytes."""
    malloc_may_fail: bool = False
    """Whether functions that allocate memory may also return null."""
    any_undefined: bool = False
    """Values the program never defined may be anything; otherwise paths end where one decides something."""
    settle_entropy: bool = False
    """Whether clocks, and random numbers of the system, get a number where they decide which place is accessed."""
    symbolic_size: int = SYMBOLIC_SIZE
    """Bytes an object of symbolic size may have; larger sizes are tried with one value each."""


class RunContext(ABC):
    """The context of one exploration, or of one re-execution (``replayed`` gives its inputs)."""

    events: Any
    """Who listens: ``clew.execute.events``, in which there are states."""

    def __init__(
        self,
        machine: Machine,
        solver: SolverChain,
        coverage: Coverage,
        options: RunOptions | None,
        replayed: Sequence[InputValue] | None,
    ) -> None:
        self.machine = machine
        self.program = machine.program
        self.layout = machine.layout
        self.pointer_bits = machine.layout.pointer_bits
        self.target = machine.target
        self.architecture = machine.architecture
        self.globals = machine.globals
        self.compiler = machine.compiler
        self.callees = machine.callees
        self.names = machine.names
        self.solver = solver
        self.options = options or RunOptions()
        self.replayed = replayed
        self.anything_made_up = False
        """Of a re-execution: what is made up is any value; ``replayed`` gives the other inputs only."""
        self.coverage = coverage
        self.statistics = RunStatistics()
        self.undefined: set[Expr] = set()
        """Symbols for values the program never defined."""
        self.entropy: set[Expr] = set()
        """Symbols for clocks and random numbers of the system, where these are to be settled."""
        self.lazy: dict[Expr, LazyPointer | RawBytes] = {}
        """Symbols of pointers that a function is given, which need not be bound to an object yet."""
        self.surroundings: Surroundings | None = None
        """What a function is given by those who call it; None for programs."""
        self.given: GivenHeap | None = None
        """Of a re-execution: the memory that the test gives to the function."""
        self.made_up: set[Expr] = set()
        """Symbols for what nobody defines: see ``execute.made_up``."""
        self.losses: dict[tuple[LossKind, str, Location | None], int] = {}
        self.reported: set[CheckId] = set()
        self.refuted: Counter[Edge | None] = Counter()
        """Siblings that the solver has refuted, by the branch edges that they would have taken."""
        self.has_inputs = False
        """Whether any path has read an input: without one, there is nothing that could be different."""
        self.started: set[int] = set()
        """Which of the user's start values some input has got."""
        self.switches: dict[tuple[Any, ...], list[Any]] = {}
        """Conditions of switches, by value and cases: see ``execute.decide``."""
        self.loop_bounds: dict[str, int] = {}
        """Of loops that have bounds of their own, by name; the others have that of the options."""
        self.input_hints: GivenInputs = {}
        """Values that inputs get which the running state reads, unless its model has others: see ``execute.inputs``."""
        self.following: Following | None = None
        """The history that new first states are to follow."""
        self._last_id = 0

    def next_state_id(self) -> int:
        self._last_id += 1
        return self._last_id

    # Forks

    @abstractmethod
    def add_pending(
        self, state: Any, constraint: Expr | bool | None, model: Model | None = None, check: CheckId | None = None
    ) -> None:
        """Queue a sibling, unless it is of no use, or a listener objects."""

    @staticmethod
    def edge_at(frame: Frame, number: int) -> Edge | None:
        """The branch edge that a point is on, if it is."""
        point = frame.function.plan.points[number]
        if point.kind is not PointKind.EDGE:
            return None
        return (frame.function.name, point.block, point.target)

    # Findings and losses

    def is_reported(self, kind: str, frame: Frame, point: int) -> bool:
        """Whether a failing check was already reported for this instruction."""
        return self.check_id(kind, frame, point) in self.reported

    def check_id(self, kind: str, frame: Frame, point: int) -> CheckId:
        """An error of the instruction at a point."""
        where = frame.function.plan.points[point]
        return (kind, self.called_as(frame), where.block, where.index)

    def called_as(self, frame: Frame) -> str:
        """The name of a frame's function; for one of our runtime, with the place in the program that it works for."""
        name = frame.function.name
        at: Frame | None = frame
        while at is not None and at.function.name in self.program.runtime:
            at = at.parent
        return name if at is frame or at is None else f"{name} for {at.function.name}:{at.at}"

    def note_loss(
        self,
        kind: LossKind | str,
        what: str,
        state: object | None,
        location: Location | None = None,
        count: int = 1,
    ) -> None:
        """Some behaviour is not explored, of so many paths."""
        key = (LossKind(kind), what, location)
        if state is not None:
            for listener in self.events.loss:
                listener(state, key[0])
        self.losses[key] = self.losses.get(key, 0) + count

    def note_unknown(self, state: object, reason: str) -> None:
        """The solver could not answer."""
        self.statistics.solver_unknowns += 1
        self.note_loss(LossKind.SOLVER_UNKNOWN, reason, state)

    def note_undefined_function(self, state: object, frame: Frame, name: str, call: ir.Call) -> None:
        does = "what it might do"
        if not isinstance(call.type.result, VoidType):
            does = "it returns any value, and what else it might do"
        what = f"{name}() is not defined anywhere: {does} is not explored"
        self.note_loss(LossKind.UNDEFINED_FUNCTION, what, state, call.location)

    def loss_notes(self) -> tuple[LossNote, ...]:
        return tuple(LossNote(kind, what, location, count) for (kind, what, location), count in self.losses.items())

    # Inputs

    def start_value(self, name: str, position: int, floating: int = 0) -> int | None:
        """The user's value for an input of the first run, by name or by place; its bits if it is ``floating``."""
        value = None
        for place, start in enumerate(self.options.start):
            if start.name == name or (start.name is None and place == position):
                value = start.value
                self.started.add(place)
        if value is None:
            return None
        if isinstance(value, bytes):
            return int.from_bytes(value, "little")
        try:
            if floating:
                return int.from_bytes(InputValue(name, "double", floating, float(value)).to_bytes(), "little")
            return int(value)
        except (OverflowError, ValueError):
            raise UserError(f"--start: {value} does not fit the input {name}") from None
