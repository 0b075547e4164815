"""One guided executor: a state runs until it is halted, its path ends, or the budget is over."""

from __future__ import annotations

from typing import Any

import pytest

from clew.base.budget import Budget
from clew.base.randomness import Randomness
from clew.execute.context import RunOptions
from clew.execute.coverage import Coverage
from clew.execute.ends import Exited
from clew.execute.guided import GuidedExecutor, OutOfBudget
from clew.execute.pending import Pending
from clew.execute.policy import Finished
from clew.execute.run import Run
from clew.jobs.prepare import make_machine
from clew.jobs.reexecution import find_entry
from clew.search.registry import SearchContext, make_searcher
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats
from unit.execute.support import c_program

CODE = """
int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  if (n < 0) n = 0;
  for (int i = 0; i < 15000; i++) s += n > i;
  return s & 1;
}
"""


class Guide(GuidedExecutor):
    """Halts states at so many edges; keeps what it is told."""

    def __init__(self, run: Run, budget: Budget, edges: int) -> None:
        super().__init__(run, budget)
        self.edges = edges
        self.ends: list[Finished] = []
        self.siblings: list[Pending] = []

    def step(self, choice: Any) -> bool:
        self.edges -= not isinstance(choice, str)
        return self.edges == 0 and self.halt()

    def path_ended(self, path: Finished) -> None:
        self.ends.append(path)

    def add(self, pending: Pending) -> None:
        self.siblings.append(pending)

    def evict(self, count: int) -> list[Pending]:
        return []

    def __len__(self) -> int:
        return len(self.siblings)


def guide(budget: Budget, edges: int) -> tuple[Guide, Any]:
    machine = make_machine(c_program(CODE), RunOptions(), traced=True)
    coverage = Coverage(machine.program, machine.compiler)
    searcher = make_searcher("dfs", SearchContext(machine.program, coverage, Randomness(0)))
    run = Run(machine, build_chain(SolverOptions(), SolverStats()), searcher, coverage, RunOptions())
    return Guide(run, budget, edges), find_entry(machine.program, None).start(run)


def test_a_state_stops_where_it_is_told_to_and_goes_on_from_there() -> None:
    executor, state = guide(Budget(), edges=1)
    executor.run_until_halted(state)
    assert executor.halted and not executor.ends and len(executor.siblings) == 1
    before = state.steps
    executor.run_until_halted(state)
    assert not executor.halted and state.steps > before
    assert [type(path.end) for path in executor.ends] == [Exited]
    assert executor.running is None


def test_a_state_stops_when_it_has_run_for_long() -> None:
    executor, state = guide(Budget(), edges=0)
    executor.run_until_halted(state, most_steps=1000)
    assert executor.halted and not executor.ends and state.steps > 1000


def test_the_budget_ends_it() -> None:
    executor, state = guide(Budget(instructions=1000), edges=0)
    with pytest.raises(OutOfBudget):
        executor.run_until_halted(state)
    assert executor.engine.stopped is not None and not executor.ends
