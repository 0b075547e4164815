"""What ``clew bench`` was asked for, as plain typed data; each table reads the fields that concern it."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from clew.base.budget import positive
from clew.base.errors import UserError

STRATEGIES = ("blackbox", "guide", "learn:10")
"""The ways to decide that are compared unless the user names others."""

QUICK_SECONDS = 20.0
"""Plain search is stopped then, with --quick."""

RUNS = 3
"""Runs per figure where one would say little, unless the user asks for another number."""


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """Options of ``clew bench``."""

    repeat: int | None = None
    """Runs per figure; None leaves the number to the table."""
    tasks: Path | None = None
    """A folder of verification tasks; None means Clew's own programs."""
    only: tuple[str, ...] = ()
    """Names of tasks or programs, as globs; ``thesis`` stands for the tasks of the thesis. Empty means all."""
    bound: int | None = None
    """Passes through each ``while (1)``, after which the program exits; None leaves the tasks as they are."""
    unroll: str | None = None
    """For --unroll of ``clew verify``; None leaves it to the command."""
    decide: tuple[str, ...] = STRATEGIES
    plain: bool = True
    """Also the search without the technique that is measured."""
    seconds: float = 60.0
    """Time limit of one run."""
    plain_seconds: float = 300.0
    """The same for plain search in the tables navigation and summaries, where it is expected not to end."""
    juliet: Path | None = None
    """A folder with the Juliet test suite, for the table merging; None means Clew's own programs."""
    plot: Path | None = None
    """Where the tables merging and combination draw their figures, as HTML."""
    quick: bool = False
    """Fewer programs, and plain search stopped early, to see that all is well."""
    targets: Path | None = None
    """A folder with real libraries, for the table combination; None leaves them out."""
    seeds: tuple[int, ...] = (0,)
    """Of the runs of that table: each program in each way is run with each of them."""
    ways: tuple[str, ...] = ()
    """Configurations that the default is compared with there, as globs. Empty means all."""
    jobs: int = 1
    """How many runs of that table go on at the same time."""
    out: Path | None = None
    """Where that table keeps its runs, so that none is repeated; None keeps nothing."""

    def __post_init__(self) -> None:
        positive("--bound", self.bound)
        positive("--time", self.seconds)
        positive("--plain-time", self.plain_seconds)
        positive("--jobs", self.jobs)
        if not self.decide and not self.plain:
            raise UserError("--no-plain and an empty --decide leave nothing to measure")

    def times(self, usual: int = 1) -> int:
        """Runs per figure."""
        return self.repeat or usual

    def times_text(self, usual: int = 1) -> str:
        """The same for a note."""
        return "one run each" if self.times(usual) == 1 else f"median of {self.times(usual)} runs"

    def plain_limit(self, seconds: float) -> float:
        """The time limit of plain search that would have so many seconds."""
        return min(seconds, QUICK_SECONDS) if self.quick else seconds

    def wants(self, name: str) -> bool:
        """Whether a program of that name is to be measured."""
        return not self.only or any(fnmatchcase(name, pattern) for pattern in self.only)
