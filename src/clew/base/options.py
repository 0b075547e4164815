"""Requests: what the command line (or a Python caller) asks a job to do, as plain typed data.

Options are declared here, beside nothing that interprets them; ``cli`` fills them in and ``jobs``
reads them. A request checks itself as far as that needs no other layer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from clew.base.budget import Budget, Interrupt, default_memory_mb, positive
from clew.base.errors import UserError

GOALS = ("branch", "error", "context", "path")
"""Of ``clew test``, from what leaves out most to what leaves out nothing; each covers what the ones before it cover."""
DATA_MODELS = ("ILP32", "LP64")
MOST_INPUT = 4096
"""Symbolic bytes of standard input or of one argument."""
STRATEGIES = ("auto", "conflicts", "plain")
"""Of ``clew verify``."""
WAYS = ("auto", "chains", "plain")
"""Strategies of ``clew reach``."""
LOOP_SOURCES = ("ir", "dynamic")
"""Where summaries have the loops of a program from: its code, or the blocks that a run went through."""
_DECIDE = re.compile(r"blackbox|guide|learn(:0*[1-9][0-9]{0,5})?")


@dataclass(frozen=True, slots=True)
class StartValue:
    """One concrete input of the first run: by ``name``, or in call order when that is None."""

    name: str | None
    value: int | float | bytes


@dataclass(frozen=True, slots=True)
class Request:
    """What every command that runs a program is asked: which program, its inputs, the checks, the budget."""

    files: tuple[Path, ...]
    function: str | None = None
    """Entry given with --function; None means ``main``, run as a program."""
    seconds: float | None = None
    memory_mb: float | None = None
    max_instructions: int | None = None
    array_length: int | None = None
    """Elements behind a pointer parameter of --function; None leaves the choice to the harness."""
    no_alias: bool = False
    """Whether pointers that --function makes up never point to the same object."""
    no_null: bool = False
    """Whether they are never null."""
    depth: int | None = None
    """Pointers behind more pointers than this are null."""
    checks: tuple[str, ...] | None = None
    """Names for --check; None means the default set."""
    stdin: int | None = None
    """Symbolic bytes of standard input; None makes reading it meet its end at once."""
    args: tuple[bytes | int, ...] = ()
    """Arguments of the program: known words; a number stands for a symbolic string of at most so many bytes."""
    malloc_may_fail: bool = False
    """Whether functions that allocate memory may also return null: an input for each call says which."""
    seed: int = 0
    compiler_flags: tuple[str, ...] = ()
    target: str | None = None
    data_model: str | None = None
    clang: str | None = None
    validate: bool = False
    verbose: bool = False
    interrupt: Interrupt = field(default_factory=Interrupt)
    began: float | None = field(default=None, compare=False)
    """When the command began, by ``time.monotonic``: its time counts from there. None: from the first budget."""

    def __post_init__(self) -> None:
        if not self.files:
            raise UserError("no input file: name one or more .c, .ll or .bc files")
        if self.data_model is not None and self.data_model not in DATA_MODELS:
            raise UserError(f"unknown data model {self.data_model!r} (there are: {', '.join(DATA_MODELS)})")
        if self.data_model is not None and self.target is not None:
            raise UserError("--target and --data-model both choose the target: give one of them")
        positive("--time", self.seconds)
        positive("--memory", self.memory_mb)
        positive("--max-instructions", self.max_instructions)
        if self.array_length is not None and self.array_length < 0:
            raise UserError(f"--array-length must be 0 or more, not {self.array_length}")
        if self.depth is not None and self.depth < 0:
            raise UserError(f"--depth must be 0 or more, not {self.depth}")
        if self.stdin is not None and not 0 <= self.stdin <= MOST_INPUT:
            raise UserError(f"--stdin must be 0 to {MOST_INPUT} bytes, not {self.stdin}")
        if self.args and self.function is not None:
            raise UserError("--args are for a program that starts at main: leave out --function, or --args")

    def budget(self) -> Budget:
        """A budget whose clock starts now, or when the command began, and that listens to the request's interrupt.

        Without a memory limit the machine's is taken: a run that the system kills has lost its results.
        """
        memory_mb = self.memory_mb if self.memory_mb is not None else default_memory_mb()
        return Budget(self.seconds, memory_mb, self.max_instructions, self.interrupt, self.began)


@dataclass(frozen=True, slots=True)
class TestRequest(Request):
    """Everything ``clew test`` was asked for."""

    __test__ = False  # pytest must not take this class for a test case

    goal: str = "error"
    """What must not be missed, one of ``GOALS``: ``branch``, every outcome of a branch; ``error``, every error, too;
    ``context``, both in every state a place is reached in; ``path``, every path, and a test for each."""
    merge: bool = True
    """Whether to cut paths that can show nothing new, as far as the goal allows; otherwise every path is explored."""
    search: str | None = None
    start: tuple[StartValue, ...] = ()
    loop_bound: int | None = None
    loop_bounds: bool = False
    """Whether each loop has a bound of its own: the iterations that branches need, by invariants."""
    """At most this many passes through each loop on a path; None means no bound."""
    navigate: bool = True
    """Whether to look for branches below loops that stay uncovered, with chains and counters."""
    summarize: bool = True
    """Whether to generalize executions of loops to all iteration counts."""
    loops: str = "ir"
    """One of ``LOOP_SOURCES``."""
    invariants: bool = True
    """Whether to look for inputs of uncovered branches, and for dead ones, with linear invariants."""

    def __post_init__(self) -> None:
        Request.__post_init__(self)  # not super(): a class with slots is made anew, after this body was compiled
        if self.goal not in GOALS:
            raise UserError(f"unknown goal {self.goal!r} for --goal (there are: {', '.join(GOALS)})")
        if self.loops not in LOOP_SOURCES:
            raise UserError(f"unknown source {self.loops!r} for --loops (there are: {', '.join(LOOP_SOURCES)})")
        positive("--loop-bound", self.loop_bound)


@dataclass(frozen=True, slots=True)
class LoopsRequest(Request):
    """Everything ``clew loops`` was asked for; ``function`` names the only one whose loops are described."""

    run: bool = True
    """Whether to run the program for a moment, to see which loops can be summarized."""


@dataclass(frozen=True, slots=True)
class InvariantsRequest(Request):
    """Everything ``clew invariants`` was asked for; ``function`` names one to start at instead of ``main``."""

    domain: str = "polyhedra"
    """The name of an abstract domain: what invariants are made of."""


@dataclass(frozen=True, slots=True)
class VerdictRequest(Request):
    """What commands are asked that answer with a verdict: they need not see every path for itself."""

    keep_branches: bool = False
    """Leave branches that only compute values as they are; otherwise one instruction takes the place of each."""


@dataclass(frozen=True, slots=True)
class VerifyRequest(VerdictRequest):
    """Everything ``clew verify`` was asked for."""

    strategy: str = "auto"
    """``plain``: run every path; ``conflicts``: learn from paths that cannot fail; ``auto`` chooses."""
    decide: str = "learn:10"
    """How ``conflicts`` decides: ``blackbox``, ``guide``, or ``learn`` with the largest clause it keeps."""
    unroll: int | None = None
    """At most this many passes through each loop; None means as many as it takes."""
    invariants: bool = True
    """Whether linear invariants may prove what holds, and stand for the rest of unrolled loops."""

    def __post_init__(self) -> None:
        Request.__post_init__(self)
        if self.strategy not in STRATEGIES:
            raise UserError(f"unknown strategy {self.strategy!r} for --strategy (there are: {', '.join(STRATEGIES)})")
        if self.malloc_may_fail and self.strategy == "conflicts":
            raise UserError("--malloc-may-fail needs every path to be run: leave out --strategy, or make it plain")
        if not _DECIDE.fullmatch(self.decide):
            raise UserError(f"--decide must be blackbox, guide, learn or learn:K with K above 0, not {self.decide!r}")
        positive("--unroll", self.unroll)


@dataclass(frozen=True, slots=True)
class ReachRequest(VerdictRequest):
    """Everything ``clew reach`` was asked for: one target, given in one of three ways."""

    line: int | None = None
    file: str | None = None
    """The file of ``line``; None where that is clear."""
    label: str | None = None
    call: str | None = None
    """A function: its first instruction, or the calls of it if the program does not define it."""
    strategy: str = "auto"
    """``plain``: run paths, those closest to the target first; ``chains``: navigate loops; ``auto`` chooses."""

    def __post_init__(self) -> None:
        Request.__post_init__(self)
        if sum(target is not None for target in (self.line, self.label, self.call)) != 1:
            raise UserError("name one target: --line [FILE:]N, --label NAME or --call NAME")
        if self.line is not None and self.line < 1:
            raise UserError(f"--line must be 1 or more, not {self.line}")
        if self.strategy not in WAYS:
            raise UserError(f"unknown strategy {self.strategy!r} for --strategy (there are: {', '.join(WAYS)})")
        if self.malloc_may_fail and self.strategy == "chains":
            raise UserError("--malloc-may-fail needs every path to be run: leave out --strategy, or make it plain")
