"""Inputs from native mutation, for the interpreter to run: what is shallow is found at the speed of the machine.

The program is compiled and run natively, on inputs that are changed again and again (``clew.native``); those that take
branches no other one takes, or fail, are proposed. Whatever is reported is what the interpreter finds with them.
How long that goes on is counted in runs and passes through loops; the clock only cuts off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from clew.base.budget import Budget
from clew.base.dataclass import dataclass
from clew.base.errors import Unsupported
from clew.base.options import TestRequest
from clew.execute.arguments import LENGTH
from clew.execute.context import GivenInputs
from clew.frontend.cache import Cache
from clew.native.executor import End, NativeExecutor
from clew.native.program import native_executor
from clew.report.records import BranchId
from clew.techniques.technique import CoverTask

FUEL = 20_000
"""Passes through loops, and calls, of one run: what takes more is too long for the interpreter."""
STALE_RUNS = 200_000
"""Runs in a row without a new branch, after which mutation ends."""
ROUND_WORK = 20_000_000
MOST_WORK = 400_000_000
"""Passes through loops of a round, and of all of them."""
TIME_SHARE = 0.2
MOST_SECONDS = 20.0
MOST_INPUT = 4096
"""Bytes of an input."""
MOST_LOST = 3
"""Processes that are lost before mutation is given up."""


class MutationInputs:
    """Proposes inputs of native mutation, once, as soon as exploration has begun."""

    purpose = "mutation"

    def __init__(
        self, request: TestRequest, task: CoverTask, known: Sequence[GivenInputs], warn: Callable[[str], None]
    ) -> None:
        self.account = task.accounts.open("mutation", 0, 0.0)
        self._request = request
        self._task = task
        self._known = known
        self._warn = warn
        self._is_over = False

    def is_time(self) -> bool:
        """At once, and never again."""
        return not self._is_over

    def proposals(self) -> Iterator[GivenInputs]:
        """Those that still take a branch which is not covered, or fail, when their turn comes.

        A program that cannot run natively is the interpreter's alone, with a warning that says why.
        """
        self._is_over = True
        taken = self._task.run.coverage.taken()
        for found in self._mutated():
            if found.fails or not found.branches <= taken:
                yield found.inputs

    def kept(self, tests: int) -> None:
        """How many tests that were is in the account."""

    def _mutated(self) -> list[Mutated]:
        request, task = self._request, self._task
        if request.function is not None or request.malloc_may_fail:
            what = "functions" if request.function is not None else "programs whose allocations may fail"
            self._warn(f"--engine native: {what} are run by the interpreter alone")
            return []
        try:
            with native_executor(
                task.source_program, task.entry, request.args, request.stdin, Cache.default()
            ) as executor:
                rounds = _Rounds(executor, request, task.budget)
                found = rounds.run([seed for seed in self._known if isinstance(seed, bytes)])
        except Unsupported as problem:
            self._warn(f"--engine native: no {problem.feature}; the interpreter runs alone")
            return []
        task.run.statistics.native_runs += rounds.runs
        return found


@dataclass(frozen=True, slots=True)
class Mutated:
    """An input that mutation has found."""

    inputs: GivenInputs
    branches: frozenset[BranchId]
    fails: bool


class _Rounds:
    """Mutation of one program, round after round."""

    def __init__(self, executor: NativeExecutor, request: TestRequest, budget: Budget) -> None:
        self._executor = executor
        self._request = request
        left = budget.time_left()
        self._end = budget.elapsed() + min(MOST_SECONDS, MOST_SECONDS if left is None else left * TIME_SHARE)
        self._budget = budget
        self._most = request.stdin or 0
        """Bytes that a run has asked for."""
        self._found: list[bytes] = []
        self.runs = 0

    def run(self, known: list[bytes]) -> list[Mutated]:
        """All rounds; what is worth to be run by the interpreter."""
        self._begin(known)
        work = lost = 0
        while work < MOST_WORK and lost < MOST_LOST and self._left() > 0.0:
            shown = self._executor.mutate(
                self._request.seed + lost, max(self._most, 1), FUEL, STALE_RUNS, ROUND_WORK, self._left()
            )
            self.runs += shown.runs
            work += shown.work
            before = len(self._found), self._most
            self._take(list(shown.found))
            if shown.died is not None:
                lost += 1
                self._begin(list(self._found))
            elif shown.work < ROUND_WORK and (len(self._found), self._most) == before:
                break
        return self._worth()

    def _left(self) -> float:
        return self._end - self._budget.elapsed()

    def _begin(self, inputs: list[bytes]) -> None:
        """The first inputs: nothing at all, and what is known."""
        for data in (b"", *inputs):
            self._executor.add(data, FUEL)
            self._take([data])

    def _take(self, inputs: list[bytes]) -> None:
        """Keep inputs, and how much of an input the program asks for."""
        for data in inputs:
            shown = self._executor.run(data, FUEL)
            if self._request.stdin is None:
                self._most = max(self._most, min(shown.input_used, MOST_INPUT))
            if data not in self._found:
                self._found.append(data)

    def _worth(self) -> list[Mutated]:
        """The inputs that take a branch which none after them does, and those that fail; the last ones first."""
        covered: set[BranchId] = set()
        kept: list[Mutated] = []
        for data in reversed(self._found):
            shown = self._executor.run(data, FUEL)
            if shown.end in (End.ASSUMPTION, End.FUEL, End.MEMORY, End.TIMEOUT):
                continue
            fails = shown.end in (End.BUG, End.FAULT)
            if fails or not shown.branches <= covered:
                covered |= shown.branches
                kept.append(Mutated(self._inputs(data), shown.branches, fails))
        return kept

    def _inputs(self, data: bytes) -> GivenInputs:
        if self._request.stdin is None:
            return data
        return {LENGTH: [min(len(data), self._request.stdin)], "stdin": [int.from_bytes(data, "little")]}
