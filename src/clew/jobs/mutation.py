"""Inputs from native mutation, for the interpreter to run: what is shallow is found at the speed of the machine.

The program is compiled, beside the interpreter, and run natively on inputs that are changed again and again
(``clew.native``), slice by slice: when exploration covers nothing new, and as far as the account allows. Inputs that
take branches nobody has taken, or fail, are proposed; the inputs of paths that cover something are mutated, too. So
both know what the other one has covered. Whatever is reported is what the interpreter finds. Everything is counted in
units of work, passes through loops and runs; the clock only cuts off.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TYPE_CHECKING

from clew.base.cache import Cache
from clew.base.dataclass import dataclass
from clew.base.errors import PathEnd, Unsupported
from clew.base.options import TestRequest
from clew.execute.context import GivenInputs
from clew.execute.input_values import input_values, of_program
from clew.execute.state import State
from clew.report.corpus import CONTENT, LENGTH, standard_input
from clew.report.values import InputValue
from clew.techniques.technique import CoverTask, wants_inputs

if TYPE_CHECKING:  # where it comes to that only: most runs are over before
    from clew.jobs.mutation_session import MutationSession
    from clew.native.program import NativeProgram


@dataclass(frozen=True, slots=True)
class Pace:
    """When mutation gets its turns, in units of the run's work."""

    begin: int
    """Work before the compiler is started."""
    compiling: int
    """Work until the library is asked for, for each instruction: the compiler is at work meanwhile."""
    stalled: int
    """Work since anything was covered, before a turn."""
    slices: int
    """Of native work, of each turn at the most; it ends with one that shows nothing."""
    slice: int
    """Passes through loops of each, at the most."""
    capital: int
    share: float
    """Of its account."""


AUTO = Pace(250_000, 20, 30_000, 1, 8_000_000, 500_000, 0.1)
"""A run that is over soon is over before that pays."""
AT_ONCE = Pace(0, 0, 0, 50, 8_000_000, 2_000_000, 0.2)
"""For who asks for native runs."""
IMPATIENCE, MOST_PATIENCE = 4, 64
"""After a slice that has shown nothing, the next one waits for so many times its work, then for the square of it, up to
so many times."""
COMPILED = 8
"""Units of work for each instruction that is written as LLVM's text; and until the text is asked for."""
LINKING = 50_000
"""Units of work while a program of no instructions is compiled."""
LEAST_SLICE, SLICE = 2_000_000, 1_300
"""Passes through loops of a slice, at the least, and for each instruction of the program: there is more to find in a
larger one."""
NATIVE_WORK = 80
"""Passes through loops of a unit."""
MOST_KNOWN = 1000
"""Inputs of paths that wait to be mutated."""


class MutationInputs:
    """Proposes inputs of native mutation, turn by turn."""

    purpose = "mutation"

    def __init__(
        self, request: TestRequest, task: CoverTask, known: Sequence[GivenInputs], warn: Callable[[str], None]
    ) -> None:
        self._asked_for = request.engine == "native"
        self._pace = AT_ONCE if self._asked_for else AUTO
        self.account = task.accounts.open("mutation", self._pace.capital, self._pace.share)
        self._request = request
        self._task = task
        self._known = [data for seed in known if (data := seed_bytes(seed, request.stdin)) is not None]
        self._warn = warn
        self._next = self._pace.begin
        """The work at which something is to be done again."""
        self._patience = 1
        """Times the work of a slice that the last one waited for."""
        self._length = 0
        """Passes through loops of the next slice; 0 for as many as they have at first."""
        self._program: NativeProgram | None = None
        self._is_compiling = False
        self._session: MutationSession | None = None
        self._is_over = not self._applies()
        if not self._is_over:
            task.run.events.path_filed.append(self._filed)

    def is_time(self) -> bool:
        """Whether exploration has come to nothing new for a while, and a turn is affordable."""
        if self._is_over or (self._task.accounts.work() < self._next and not self._is_fed()):
            return False
        if self._asked_for and self._session is None:
            return True
        if not self._task.run.has_inputs or not self.account.affords(self._price()):
            return False
        return self._task.accounts.expected_price() >= self._pace.stalled

    def proposals(self) -> Iterator[GivenInputs]:
        """Those that still take a branch which is not covered, or fail, when their turn comes.

        A program that cannot run natively is the interpreter's alone; a warning says why, where native runs were asked
        for.
        """
        try:
            ready = self._session is not None or self._is_ready()
        except Unsupported as problem:
            self._give_up(f"no {problem.feature}; the interpreter runs alone")
            return
        if ready:
            for _ in range(self._pace.slices):
                if (yield from self._slice()):
                    break

    def has_more(self) -> bool:
        """Whether a turn may show something, whatever it costs."""
        return not self._is_over and self._task.run.has_inputs

    def is_stuck(self) -> bool:
        """Whether the last slice has shown nothing."""
        return self._session is not None and self._patience > 1

    def kept(self, tests: int) -> None:
        """How many tests that were is in the account."""

    def close(self) -> None:
        """Nothing is run natively, or compiled, any more."""
        self._is_over = True
        if self._program is not None:
            self._program.stop()
        if self._session is not None:
            self._session.executor.close()
        self._program = self._session = None

    # Turns

    def _is_fed(self) -> bool:
        """Whether paths have covered something since the last slice."""
        return self._session is not None and bool(self._known)

    def _price(self) -> int:
        if self._session is not None:
            return self._slice_length() // NATIVE_WORK
        return 0 if self._program is not None else COMPILED * self._task.goals.size

    def _slice_length(self) -> int:
        return self._length or min(max(LEAST_SLICE, SLICE * self._task.goals.size), self._pace.slice)

    def _is_ready(self) -> bool:
        """Have the code written, then compiled, or wait for that; whether the program can be run now."""
        from clew.jobs.mutation_session import MutationSession
        from clew.native.program import NativeProgram

        request, task = self._request, self._task
        if self._program is None:
            self._program = NativeProgram(task.source_program, task.entry, request.args, Cache.default())
            self.account.charge(own=COMPILED * task.goals.size)
            if self._pace.compiling and not self._program.is_written:
                self._next = task.accounts.work() + COMPILED * task.goals.size
                return False
        if not self._is_compiling:
            self._is_compiling = True
            self._program.compile()
            if self._pace.compiling:
                self._next = task.accounts.work() + LINKING + self._pace.compiling * task.goals.size
                return False
        self._session = MutationSession(self._program.executor(request.stdin), request)
        return True

    def _slice(self) -> Generator[GivenInputs, None, bool]:
        """One slice of mutation; gives whether it has shown nothing."""
        session, task = self._session, self._task
        assert session is not None
        fed, self._known = self._known, []
        try:
            shown = session.slice(fed, self._slice_length(), task.budget.time_left())
        except Unsupported as problem:
            self._give_up(f"no {problem.feature}; the interpreter runs alone")
            return True
        self.account.charge(own=shown.work // NATIVE_WORK)
        task.run.statistics.native_runs += shown.runs
        taken, shows = task.run.coverage.taken(), False
        for found in shown.found:
            if found.fails or not found.branches <= taken:
                shows = True
                yield found.inputs
        if session.is_useless:
            self.close()
            return True
        self._patience = 1 if shows else min(IMPATIENCE * self._patience, MOST_PATIENCE)
        self._next = task.accounts.work() + (0 if shows else self._patience * self._price())
        self._length = 0 if shows else min(max(LEAST_SLICE, self._slice_length() // 2), self._pace.slice)
        return not shows

    def _give_up(self, why: str) -> None:
        self.close()
        if self._asked_for:
            self._warn(f"--engine native: {why}")

    def _applies(self) -> bool:
        request = self._request
        if not self._asked_for and not wants_inputs(request):
            return False
        if request.function is None and not request.malloc_may_fail:
            return True
        what = "functions" if request.function is not None else "programs whose allocations may fail"
        self._give_up(f"{what} are run by the interpreter alone")
        return False

    # Inputs of paths

    def _filed(self, state: State, end: PathEnd) -> None:
        """A path that has covered something is worth to be mutated."""
        if state.covered_new and not self._is_over and len(self._known) < MOST_KNOWN:
            data = plain_bytes(of_program(input_values(state)), self._request.stdin)
            if data is not None:
                self._known.append(data)


def plain_bytes(inputs: Sequence[InputValue], stdin: int | None) -> bytes | None:
    """Inputs as native runs take them: the bytes of standard input, or of all that the program reads; None if there is
    no such form."""
    return standard_input(inputs) if stdin is not None else b"".join(value.to_bytes() for value in inputs)


def seed_bytes(seed: GivenInputs, stdin: int | None) -> bytes | None:
    """The same for a seed."""
    if isinstance(seed, bytes):
        return seed
    if stdin is None or seed.keys() != {LENGTH, CONTENT}:
        return None
    return seed[CONTENT][0].to_bytes(stdin, "little")[: seed[LENGTH][0]]
