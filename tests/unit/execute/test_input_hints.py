"""Hints for inputs, and purposes of paths: generated ones leave exploration as it is."""

from __future__ import annotations

from typing import Any

from clew.base.budget import Budget
from clew.base.location import Location
from clew.base.randomness import Randomness
from clew.execute.context import InputHints, RunOptions
from clew.execute.coverage import Coverage
from clew.execute.engine import Engine
from clew.execute.input_values import input_values
from clew.execute.policy import ExplorePolicy, Finished
from clew.execute.run import Run
from clew.execute.state import State
from clew.jobs.phases.path_purpose import DeferredSiblings, PathPurpose
from clew.jobs.prepare import make_machine
from clew.jobs.reexecution import find_entry
from clew.search.registry import SearchContext, make_searcher
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats
from unit.execute.support import c_program, explore


class Session:
    """A program whose paths are started by hand."""

    def __init__(self, code: str, function: str | None = None) -> None:
        options = RunOptions(None, None, ())
        machine = make_machine(c_program(code), options)
        coverage = Coverage(machine.program, machine.compiler)
        searcher = make_searcher("dfs", SearchContext(machine.program, coverage, Randomness(0)))
        solver = build_chain(SolverOptions(), SolverStats())
        self.run = Run(machine, solver, searcher, coverage, options)
        self.deferred = DeferredSiblings(self.run)
        self.inputs: list[tuple[Any, ...]] = []
        self.engine = Engine(self.run, Budget(seconds=600.0), ExplorePolicy(self._ended))
        self._entry = find_entry(machine.program, function)

    def _ended(self, path: Finished) -> None:
        self.inputs.append(tuple(value.value for value in input_values(path.state)))

    def walk(self, purpose: PathPurpose | None = None, hints: InputHints | None = None) -> tuple[Any, ...]:
        """Run one path to its end, and leave the others waiting; yields its inputs."""
        self.run.input_hints = hints or {}
        state: State = self._entry.start(self.run)
        if purpose is not None:
            state.extend(purpose)
        ended = len(self.inputs)
        self.engine.explore(state, ExplorePolicy(self._ended, pause=lambda: len(self.inputs) > ended))
        self.run.input_hints = {}
        return self.inputs[ended]

    def rest(self) -> list[tuple[Any, ...]]:
        """Run all that waits."""
        ended = len(self.inputs)
        self.engine.explore(None)
        return self.inputs[ended:]

    def places(self) -> dict[tuple[int, int], Location]:
        """Where inputs are read, by line and column."""
        found = {}
        for block in self.run.program.functions["main"].blocks:
            for instruction in block.instructions:
                if "nondet" in str(instruction) and instruction.location is not None:
                    found[instruction.location.line, instruction.location.column] = instruction.location
        return found


TWO = """int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (a == 77) { if (b == 5) return 1; return 2; }
  return 0;
}
"""


def test_an_input_gets_the_value_that_a_hint_gives_for_its_place() -> None:
    session = Session(TWO)
    first, second = sorted(session.places().values(), key=lambda place: place.line)
    assert session.walk(hints={first: [77], second: [5]}) == (77, 5)
    assert session.walk(hints={second: [-3]})[1] == -3
    assert session.walk(hints={"something else": [4]}) != (4, 4)


LOOP = """int main(void) {
  int s = 0;
  for (int i = 0; i < 4; i++) s += __VERIFIER_nondet_int() == 3;
  return s;
}
"""


def test_reads_in_one_place_get_one_value_after_the_other_and_then_the_last() -> None:
    session = Session(LOOP)
    (place,) = session.places().values()
    assert session.walk(hints={place: [9, 3, 8]}) == (9, 3, 8, 8)
    assert session.walk(hints={place: [3]}) == (3, 3, 3, 3)


def test_parameters_and_objects_go_by_name() -> None:
    code = "int f(int n, unsigned char c) { return n > c; }"
    assert Session(code, "f").walk(hints={"n": [-8], "c": [200]}) == (-8, 200)
    code = """void klee_make_symbolic(void *, __SIZE_TYPE__, const char *);
    int main(void) { int x; klee_make_symbolic(&x, sizeof x, "x"); return x == 258; }
    """
    assert Session(code).walk(hints={"x": [258]}) == (258,)


def test_hints_are_a_start_and_no_constraint() -> None:
    session = Session(TWO)
    first, _ = sorted(session.places().values(), key=lambda place: place.line)
    session.walk(hints={first: [77]})
    found = [*session.inputs, *session.rest()]
    assert len(set(found)) == len(explore(TWO).ways) == 3


def test_a_hint_is_cut_to_the_width_of_the_input() -> None:
    code = "int main(void) { return __VERIFIER_nondet_uchar() > 3; }"
    session = Session(code)
    (place,) = session.places().values()
    assert session.walk(hints={place: [-1]}) == (255,)


# Purposes

BRANCHES = """int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), n = 0;
  if (a > 5) n = 1;
  if (a > 100) n = 2;
  if (b > 5) n += 3;
  if (b > 100) n += 6;
  return n;
}
"""


def test_siblings_of_a_path_that_goes_ahead_and_covers_nothing_new_are_not_explored_twice() -> None:
    alone = len(explore(BRANCHES).ways)
    session = Session(BRANCHES)
    session.walk()
    again = session.walk(PathPurpose.GENERATED)
    assert not session.deferred.waiting
    rest = session.rest()
    assert 1 + len(rest) == alone
    assert again == session.inputs[0]


def test_siblings_from_behind_something_new_wait_for_later() -> None:
    session = Session(BRANCHES)
    a, b = sorted(session.places().values(), key=lambda place: place.column)
    session.walk(hints={a: [0], b: [0]})
    waiting = len(session.run.searcher)
    session.walk(PathPurpose.GENERATED, {a: [200], b: [0]})
    assert len(session.run.searcher) == waiting, "nothing more to explore now"
    deferred = session.deferred.waiting
    assert all(pending.state.extension(PathPurpose) is PathPurpose.DEFERRED for pending in deferred)
    assert len(deferred) == 3, "not the one of the first branch: nothing new is covered before that"
    session.deferred.release()
    assert not deferred
    ways = 2 + len(session.rest())
    assert ways > len(explore(BRANCHES).ways), "released, they are paths like others"


def test_siblings_of_exploring_paths_explore() -> None:
    session = Session(BRANCHES)
    session.walk()
    assert not session.deferred.waiting and len(session.run.searcher) > 0
