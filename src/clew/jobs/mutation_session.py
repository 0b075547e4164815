"""Mutation of one program, slice by slice: what is kept between them, and what each one shows."""

from __future__ import annotations

from clew.base.dataclass import dataclass
from clew.base.options import Request
from clew.execute.context import GivenInputs
from clew.native.executor import End, NativeExecutor
from clew.report.corpus import CONTENT, LENGTH
from clew.report.records import BranchId

FUEL = 20_000
"""Passes through loops, and calls, of one run: what takes more is too long for the interpreter."""
STALE_RUNS = 200_000
"""Runs in a row without a new branch, after which a slice ends."""
MOST_INPUT = 4096
"""Bytes of an input."""
MOST_LOST = 3
"""Processes that are lost before mutation is given up."""
MOST_SECONDS = 20.0
"""Of a slice."""
_LEADS_NOWHERE = frozenset({End.ASSUMPTION, End.FUEL, End.MEMORY, End.TIMEOUT})


@dataclass(frozen=True, slots=True)
class Mutated:
    """An input that mutation has found."""

    inputs: GivenInputs
    branches: frozenset[BranchId]
    fails: bool


@dataclass(frozen=True, slots=True)
class Slice:
    """What a slice has shown."""

    found: tuple[Mutated, ...]
    """The inputs that take a branch which none after them does, and those that fail; the last ones first."""
    runs: int
    work: int
    """Passes through loops."""


class MutationSession:
    """Of one run of a command."""

    def __init__(self, executor: NativeExecutor, request: Request) -> None:
        self.executor = executor
        self._request = request
        self._most = request.stdin or 0
        """Bytes that a run has asked for."""
        self._kept: dict[bytes, None] = {}
        """All that was fed and found."""
        self._lost = 0
        self._process: int | None = None
        """That knows what is kept."""
        self._supported = False

    @property
    def is_useless(self) -> bool:
        """Whether processes are lost again and again, or no run came to an end that native runs know of."""
        return self._lost >= MOST_LOST or not self._supported

    def slice(self, known: list[bytes], work: int, seconds: float | None) -> Slice:
        """Mutate what is ``known`` now, and what is kept, for so many passes through loops.

        Unsupported where the system has not what it takes.
        """
        begins = not self._kept
        self._keep([b"", *known] if begins else known)
        self._feed(known)
        left = MOST_SECONDS if seconds is None else min(seconds, MOST_SECONDS)
        seed = self._request.seed + self._lost
        shown = self.executor.mutate(seed, max(self._most, 1), FUEL, STALE_RUNS, work, left)
        new = [data for data in shown.found if data not in self._kept]
        self._keep(new)
        return Slice(tuple(self._worth(new + known if begins else new)), shown.runs, shown.work)

    def _keep(self, inputs: list[bytes]) -> None:
        """Keep inputs, and how much of an input the program asks for."""
        for data in inputs:
            shown = self.executor.run(data, FUEL)
            if shown.end in (End.DIED, End.TIMEOUT):
                continue
            self._supported |= shown.end is not End.UNSUPPORTED
            if self._request.stdin is None:
                self._most = max(self._most, min(shown.input_used, MOST_INPUT))
            self._kept[data] = None

    def _feed(self, known: list[bytes]) -> None:
        """Give inputs to the process that mutates: all that are kept, if it is another one than before."""
        if self._process is not None and self._process != self.executor.process_id:
            self._lost += 1
            self._process = None
        for data in known if self._process is not None else self._kept:
            self.executor.add(data, FUEL)
        self._process = self.executor.process_id

    def _worth(self, inputs: list[bytes]) -> list[Mutated]:
        """What is worth to be run by the interpreter."""
        covered: set[BranchId] = set()
        worth: list[Mutated] = []
        for data in reversed(inputs):
            shown = self.executor.run(data, FUEL)
            if shown.end in _LEADS_NOWHERE:
                continue
            fails = shown.end in (End.BUG, End.FAULT)
            if fails or not shown.branches <= covered:
                covered |= shown.branches
                worth.append(Mutated(given_inputs(data, self._request.stdin), shown.branches, fails))
        return worth


def given_inputs(data: bytes, stdin: int | None) -> GivenInputs:
    """The bytes of a native run as the interpreter takes them; ``stdin``: how many of them are standard input at most,
    if they are that."""
    if stdin is None:
        return data
    return {LENGTH: [min(len(data), stdin)], CONTENT: [int.from_bytes(data, "little")]}
