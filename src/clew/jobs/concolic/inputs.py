"""Inputs from concolic runs of the compiled program, for the interpreter to run: what is behind comparisons.

The program is compiled a second time, with shadows, and its runs are traced (``clew.native.trace``), slice by slice:
where neither exploration nor mutation covers anything new, and as far as the account allows. It starts from the inputs
of paths that have covered something, whoever proposed them, and what it finds is run by the interpreter and mutated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from clew.base.errors import PathEnd, Unsupported
from clew.base.options import TestRequest
from clew.execute.context import GivenInputs
from clew.execute.input_values import input_values, of_program
from clew.execute.state import State
from clew.frontend.cache import Cache
from clew.jobs.mutation import plain_bytes, seed_bytes
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats
from clew.techniques.technique import CoverTask

if TYPE_CHECKING:  # where it comes to that only
    from clew.jobs.concolic.search import ConcolicSearch
    from clew.native.trace import TracedExecutor, TracedProgram

CAPITAL, SHARE = 4_000_000, 0.25
STALLED = 20_000
"""Units of work since anything was covered, before a turn."""
COMPILED = 20
"""Units for each instruction that is written as LLVM's text."""
SLICE, LONGEST = 40_000, 1_000_000
"""Units of a slice: the first one, and after slices that have shown nothing."""
PATIENCE = 3
"""After such a slice the run does so many times its work before the next one."""
QUERY_SECONDS = 2.0
MOST_SEEDS = 200
"""Inputs of paths that wait."""


class ConcolicInputs:
    """Proposes inputs of concolic runs, turn by turn."""

    purpose = "concolic"

    def __init__(self, request: TestRequest, task: CoverTask, known: Sequence[GivenInputs]) -> None:
        self.account = task.accounts.open("concolic", CAPITAL, SHARE)
        self._request = request
        self._task = task
        self._known = [data for seed in known if (data := seed_bytes(seed, request.stdin)) is not None]
        self._next = 0
        self._size = SLICE
        self._program: TracedProgram | None = None
        self._executor: TracedExecutor | None = None
        self._search: ConcolicSearch | None = None
        self._is_over = request.function is not None or request.malloc_may_fail
        if not self._is_over:
            task.run.events.path_filed.append(self._filed)

    def is_time(self) -> bool:
        """Whether nothing new was covered for a while, there is something to try, and a turn is affordable."""
        if self._is_over or self._task.accounts.work() < self._next:
            return False
        if self._program is None:
            return True
        if self._search is not None and self._search.is_done and not self._known:
            return False
        stalled = self._task.accounts.expected_price() >= STALLED
        return stalled and self.account.affords(self._size) and bool(self._task.goals.branches(1))

    def proposals(self) -> Iterator[GivenInputs]:
        """Those that still take a branch which is not covered, or fail, when their turn comes."""
        try:
            search = self._search or self._begin()
        except Unsupported:
            self.close()  # mutation says why, and a program that cannot be traced needs no word
            return
        if search is not None:
            yield from self._slice(search)

    def kept(self, tests: int) -> None:
        """How many tests that were is in the account."""

    def close(self) -> None:
        """Nothing is run, or compiled, any more."""
        self._is_over = True
        if self._program is not None:
            self._program.stop()
        if self._executor is not None:
            self._executor.close()
        self._program = self._executor = self._search = None

    def _begin(self) -> ConcolicSearch | None:
        """Begin to compile, or wait for the compiler; None while there is something else to do."""
        from clew.jobs.concolic.search import ConcolicSearch
        from clew.jobs.mutation_session import FUEL, MOST_INPUT
        from clew.native.trace import TracedProgram

        request, task = self._request, self._task
        if self._program is None:
            self._program = TracedProgram(task.source_program, task.entry, request.args, Cache.default())
            self.account.charge(own=COMPILED * task.goals.size)
            return None
        executor = self._executor = self._program.executor(request.stdin)
        options = SolverOptions(time_limit=QUERY_SECONDS, seed=request.seed, stop=self._is_late)
        most = MOST_INPUT if request.stdin is None else request.stdin
        self._search = ConcolicSearch(executor, build_chain(options, SolverStats()), FUEL, most)
        self._search.add(b"")
        if request.stdin is not None:
            self._search.add(bytes(request.stdin))  # flips do not make it longer
        return self._search

    def _is_late(self) -> bool:
        return self._task.budget.time_left() == 0.0

    def _slice(self, search: ConcolicSearch) -> Iterator[GivenInputs]:
        from clew.jobs.mutation_session import given_inputs

        fed, self._known = self._known, []
        taken = self._task.run.coverage.taken()
        search.cover(taken)
        for data in fed:
            search.add(data)
        runs, work, shows = search.statistics.runs, search.statistics.work, False
        try:
            for data in search.run(self._size, self._is_late):
                shows = True
                yield given_inputs(data, self._request.stdin)
        except Unsupported:
            self.close()
            return
        finally:
            self.account.charge(own=search.statistics.work - work)
            self._task.run.statistics.native_runs += search.statistics.runs - runs
        self._size = SLICE if shows else min(2 * self._size, LONGEST)
        self._next = self._task.accounts.work() + (0 if shows else PATIENCE * self._size)

    def _filed(self, state: State, end: PathEnd) -> None:
        """A path that has covered something is worth to be traced."""
        if state.covered_new and not self._is_over and len(self._known) < MOST_SEEDS:
            data = plain_bytes(of_program(input_values(state)), self._request.stdin)
            if data is not None:
                self._known.append(data)
