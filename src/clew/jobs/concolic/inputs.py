"""Inputs from concolic runs of the compiled program, for the interpreter to run: what is behind comparisons.

The program is compiled a second time, with shadows, and its runs are traced (``clew.native.trace``), slice by slice:
where neither exploration nor mutation covers anything new, and as far as the account allows. It starts from the inputs
of paths that have covered something, whoever proposed them, and what it finds is run by the interpreter and mutated.

A run that nobody asked to be native compiles that variant only if mutation has come to nothing as well, and if either
an open question is left (``open_branches``) or all of it is a small part of what the run has cost so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from clew.base.cache import Cache
from clew.base.dataclass import dataclass
from clew.base.errors import PathEnd, Unsupported
from clew.base.options import TestRequest
from clew.execute.context import GivenInputs
from clew.execute.input_values import input_values, of_program
from clew.execute.state import State
from clew.jobs.concolic.open_branches import OpenBranches
from clew.jobs.mutation import plain_bytes, seed_bytes
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats
from clew.techniques.technique import CoverTask, wants_inputs

if TYPE_CHECKING:  # where it comes to that only
    from clew.jobs.concolic.search import ConcolicSearch
    from clew.native.trace import TracedExecutor, TracedProgram


@dataclass(frozen=True, slots=True)
class Pace:
    """When concolic runs get their turns, in units of the run's work."""

    stalled: int
    """Work since anything was covered, before a turn."""
    library: int
    """Work of the C library, which is written as LLVM's text as well, as far as it counts."""
    compiling: int
    """Work until what is compiled is asked for: the compiler is at work meanwhile."""
    patience: int
    """After a slice that has shown nothing, the run does so many times its work before the next one."""
    capital: int
    share: float
    """Of its account."""


AUTO = Pace(300_000, 150_000, 400_000, 50, 500_000, 0.02)
"""What is gained has to pay for it."""
AT_ONCE = Pace(20_000, 0, 0, 3, 4_000_000, 0.25)
"""For who asks for native runs."""
LOOKS = 10
"""How often it is looked whether a turn is due, while nothing is covered for as long as it takes."""
COMPILED = 20
"""Units for each instruction that is written as LLVM's text."""
SLICE, LONGEST = 40_000, 1_000_000
"""Units of a slice: the first one, and after slices that have shown nothing."""
QUERY_SECONDS = 4.0
"""What cuts a query off that its work does not."""
LETTER = b"a"
"""A text of it is as long as the input, so that loops which look for the end of a text go round."""
MOST_SEEDS = 200
"""Inputs of paths that wait."""


class ConcolicInputs:
    """Proposes inputs of concolic runs, turn by turn."""

    purpose = "concolic"

    def __init__(
        self,
        request: TestRequest,
        task: CoverTask,
        known: Sequence[GivenInputs],
        is_mutation_stuck: Callable[[], bool],
    ) -> None:
        self._asked_for = request.engine == "native"
        self._pace = AT_ONCE if self._asked_for else AUTO
        self.account = task.accounts.open("concolic", self._pace.capital, self._pace.share)
        self._request = request
        self._task = task
        self._known = [data for seed in known if (data := seed_bytes(seed, request.stdin)) is not None]
        self._next = 0
        self._size = SLICE
        self._program: TracedProgram | None = None
        self._executor: TracedExecutor | None = None
        self._search: ConcolicSearch | None = None
        self._is_mutation_stuck = is_mutation_stuck
        self._is_over = request.function is not None or request.malloc_may_fail
        self._is_over |= not self._asked_for and not wants_inputs(request)
        if not self._is_over:
            task.run.events.path_filed.append(self._filed)
            self._open = OpenBranches(task)

    def is_time(self) -> bool:
        """Whether nothing new was covered for a while, there is something to try, and a turn is affordable."""
        if self._is_over or self._task.accounts.work() < self._next:
            return False
        if self._program is None and self._asked_for:
            return True
        if not self.has_more() or self._task.accounts.expected_price() < self._pace.stalled:
            return False
        affords = self.account.affords(self._size) if self._program is not None else self._is_worth_compiling()
        if affords and self._task.goals.are_left():
            return True
        self._next = self._task.accounts.work() + self._pace.stalled // LOOKS  # to look takes a while
        return False

    def has_more(self) -> bool:
        """Whether a turn may show something, whatever it costs."""
        if self._is_over or not self._task.run.has_inputs:
            return False
        return self._search is None or not self._search.is_done or bool(self._known)

    def _is_worth_compiling(self) -> bool:
        """Whether there is something for concolic runs to find, or the program has been run for so long that they cost
        little."""
        if not self._task.run.has_inputs or not self._is_mutation_stuck():
            return False
        price = self._price()
        if price <= self._pace.share * self._task.accounts.work():
            return True
        return self.account.affords(price) and self._open.any(self._pace.stalled)

    def _price(self) -> int:
        """Of the program as LLVM's text."""
        return self._pace.library + COMPILED * self._task.goals.size

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
            self.account.charge(own=self._price())
            self._next = task.accounts.work() + self._pace.compiling
            return None
        executor = self._executor = self._program.executor(request.stdin)
        options = SolverOptions(QUERY_SECONDS, request.seed, second_opinion=False, stop=self._is_query_over)
        most = MOST_INPUT if request.stdin is None else request.stdin
        self._search = ConcolicSearch(executor, build_chain(options, SolverStats()), FUEL, most)
        self._search.add(LETTER * most)
        self._search.add(b"")
        if request.stdin is not None:
            self._search.add(bytes(request.stdin))  # flips do not make it longer
        return self._search

    def _is_query_over(self) -> bool:
        return self._is_late() or (self._search is not None and self._search.is_too_dear())

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
        self._next = self._task.accounts.work() + (0 if shows else self._pace.patience * self._size)

    def _filed(self, state: State, end: PathEnd) -> None:
        """A path that has covered something is worth to be traced."""
        if state.covered_new and not self._is_over and len(self._known) < MOST_SEEDS:
            data = plain_bytes(of_program(input_values(state)), self._request.stdin)
            if data is not None:
                self._known.append(data)
