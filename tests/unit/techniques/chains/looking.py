"""Small C programs, states along their executions, the systems of these; a call of ``reach_error`` is the target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from clew.base.budget import Budget
from clew.base.errors import PathEnd
from clew.base.options import ReachRequest, StartValue
from clew.checks.targets import find_target
from clew.execute.codegen.plan import Point
from clew.execute.context import RunOptions
from clew.execute.coverage import Coverage, Edge
from clew.execute.ends import Failed
from clew.execute.frame import Frame
from clew.execute.input_values import input_values
from clew.execute.instrument.targets import REACHED, insert_probes, probes_of
from clew.execute.pending import NoSiblings
from clew.execute.policy import Finished
from clew.execute.run import Run
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import Bool, Expr
from clew.frontend.selects import convert
from clew.jobs.prepare import make_machine
from clew.jobs.reexecution import find_entry
from clew.program.module import Program
from clew.report.values import InputValue
from clew.solver.chain import build_chain
from clew.solver.interface import Answer, Result, SolverOptions
from clew.solver.path import conjuncts
from clew.solver.stats import SolverStats
from clew.techniques.chains.constraint_system import System, build_system
from clew.techniques.chains.instances import ClosedLoop
from clew.techniques.chains.limits import USUAL, Limits
from clew.techniques.chains.navigator import navigate
from clew.techniques.chains.program_facts import ProgramFacts
from clew.techniques.chains.queries import IterationQueries
from clew.techniques.tasks import ReachTask
from unit.execute.support import c_program

PROGRAMS = Path(__file__).resolve().parents[4] / "benchmarks" / "programs" / "navigation"


@cache
def marked(code: str, selects: bool = False) -> Program:
    """The program with its target; with ``selects``, after if-conversion."""
    program = c_program(code)
    request = ReachRequest((Path("p.c"),), call="reach_error")
    program = insert_probes(program, find_target(program, find_entry(program, None).function, request).places)
    return convert(program) if selects else program


class Stop(NamedTuple):
    """A state on its way: suspended, and on which choice if it is on one."""

    state: State
    edge: Edge | None


class Looking:
    """A program to look at."""

    def __init__(
        self, program: Program | str, selects: bool = False, seconds: float = 60.0, limits: Limits = USUAL
    ) -> None:
        self.program = marked(program, selects) if isinstance(program, str) else program
        self.machine = make_machine(self.program, RunOptions(), traced=True)
        self.entry = find_entry(self.program, None)
        options = SolverOptions(time_limit=seconds, repair_attempts=0, recent_models=0, second_opinion=False)
        self.solver = build_chain(options, SolverStats())
        self.survey = ProgramFacts(self.machine, limits)
        self.survey.aim(probes_of(self.program))
        self.questions = IterationQueries(self.solver, limits)

    def run(self, inputs: Sequence[int] = (), concrete: bool = False) -> Run:
        """A run whose first state has these inputs: as what its model says, or as plain numbers."""
        start = () if concrete else tuple(StartValue(None, value) for value in inputs)
        options = RunOptions(frozenset((REACHED,)), start=start, any_undefined=True)
        coverage = Coverage(self.program, self.machine.compiler)
        given = [InputValue("", "long long", 64, value) for value in inputs] if concrete else None
        return Run(self.machine, self.solver, NoSiblings(), coverage, options, replayed=given)

    # One execution

    def stops(self, *inputs: int, concrete: bool = False) -> Iterator[Stop | bool]:
        """The states of the execution with these inputs, wherever it can be suspended; at last whether it arrives."""
        state = self.entry.start(self.run(inputs, concrete))
        taken: list[Edge] = []

        def step(choice: Any) -> bool:
            if isinstance(choice, str):
                return False
            assert state.frame is not None
            point = state.frame.function.plan.points[choice]
            taken.append((state.frame.function.name, point.block, point.target))
            return True

        yield Stop(state, None)
        state.step = step
        while True:
            assert state.frame is not None
            frame = state.frame
            taken.clear()
            state.slice, state.stop = 1, state.steps
            code = frame.function.code.get(frame.at) or frame.function.compile(frame.at)
            try:
                code(state, frame)
            except PathEnd as end:
                yield isinstance(end, Failed) and end.kind == REACHED
                return
            yield Stop(state, taken[-1] if taken else None)

    def arrives(self, *inputs: int) -> bool:
        return list(self.stops(*inputs, concrete=True))[-1] is True

    def choices(self, *inputs: int) -> list[Edge]:
        """The choices that the execution takes."""
        stops = self.stops(*inputs, concrete=True)
        return [stop.edge for stop in stops if isinstance(stop, Stop) and stop.edge is not None]

    def at(self, number: int, *inputs: int) -> State:
        """The state at the choice with a number."""
        count = -1
        for stop in self.stops(*inputs):
            if isinstance(stop, Stop) and stop.edge is not None:
                count += 1
                if count == number:
                    return stop.state
        raise AssertionError(f"there are only {count + 1} choices")

    # Systems

    def system(self, state: State | None = None) -> System:
        return build_system(self.survey, state or self.entry.start(self.run()), self.questions)

    def solve(self, state: State | None = None, *more: Bool) -> Result:
        """The answer of the system of a state (the first one, unless given), with what its path says."""
        state = state or self.entry.start(self.run())
        return self.check(state, self.system(state), *more)

    def check(self, state: State, system: System, *more: Bool) -> Result:
        parts = [*state.path, *more, system.formula]
        if any(part is False for part in parts):
            return Result(Answer.UNSAT)
        return self.solver.check(frozenset(c for part in parts if isinstance(part, Expr) for c in conjuncts(part)))

    def satisfiable(self, state: State | None = None, *more: Bool) -> bool:
        answer = self.solve(state, *more).answer
        assert answer is not Answer.UNKNOWN
        return answer is Answer.SAT

    def forms(self, state: State | None = None) -> list[ClosedLoop]:
        """The loops ahead of a state."""
        return list(self.system(state).notes.forms)

    # Searches

    def search(self, confirm: bool = True, **options: Any) -> Searched:
        """Navigate, and see what comes of it; ``confirm``: whether arrivals are said to be real."""
        run = self.run()
        arrivals: list[tuple[int, ...]] = []
        ends: list[PathEnd] = []

        def report(path: Finished) -> bool:
            arrivals.append(tuple(int(value.value) for value in input_values(path.state)))
            return confirm

        quest = ReachTask(
            run=run,
            entry=self.entry.function,
            start=lambda: self.entry.start(run),
            report=report,
            finished=lambda path: ends.append(path.end),
            **{"budget": Budget(seconds=600.0), "spots": probes_of(self.program), **options},
        )
        navigate(quest, self.survey)
        return Searched(quest, arrivals, ends)


class Searched(NamedTuple):
    """What a search has left."""

    quest: ReachTask
    arrivals: list[tuple[int, ...]]
    """The inputs of paths that were reported."""
    ends: list[PathEnd]
    """Of others."""


def pinned(state: State) -> list[Bool]:
    """That the inputs which were read are those of this execution."""
    facts: list[Bool] = []
    record = state.inputs
    while record is not None:
        for value in record.read.values:
            is_flag = isinstance(value, Expr) and value.width == 0
            given = state.model.eval(value)
            facts.append(build.iff(value, given) if is_flag else build.eq(value, given, record.read.bits))
        record = record.previous
    return facts


def point_of(frame: Frame | None) -> Point:
    """Where a frame is suspended."""
    assert frame is not None
    return frame.function.plan.points[frame.at]
