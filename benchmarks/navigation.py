"""The table ``navigation``: ``clew reach`` with chains beside plain directed search, on programs with loops.

Every program runs in processes of its own: with if-conversion (``default``) and, where that matters, without it
(``--keep-branches``). The first line of a program says whether the target, a call of ``reach_error``, is reached.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import child
from benchmarks.child import Measured
from benchmarks.material import folder
from benchmarks.navigation_table import DECIDED, NavigationTable, Row
from benchmarks.published_navigation import published
from benchmarks.request import BenchRequest
from benchmarks.tables import Say, machine, tables
from clew.base.errors import UserError

DEFAULT, KEPT = "default", "branches kept"
"""The two kinds of a row."""

PROGRAMS = (
    "hello", "hw", "hwm", "hwm5", "doif", "doifex", "eqcnt", "eqcntex", "oneloop", "twoloops", "fig1", "fig1_17",
)  # fmt: skip
"""Those of the paper, in its order, and ``hwm5``, which has one word more."""

UNCONVERTIBLE = ("store", "call")
"""Variants whose branches have effects that no if-conversion can take: both kinds would be the same."""

MOVED = ("body", "loops", "check")
"""Variants with a part in a function; only chains are measured there."""

GROWTH = ("hwm", "hwm5")

_CONVERTED = frozenset({"doif", "doifex", "eqcnt", "eqcntex", "fig1", "fig1_17"})
"""Programs whose branches if-conversion can take."""

_QUICK_PLAIN = 20.0
_TARGET = ("--call", "reach_error")
_EXPECTED = re.compile(r"/\* (REACHED|UNREACHABLE)\. ")


@dataclass(frozen=True, slots=True)
class Subject:
    """One program: ``fig1_store`` is the variant ``store`` of ``fig1``."""

    file: Path
    expected: str

    @property
    def name(self) -> str:
        return self.file.stem

    @property
    def variant(self) -> str:
        last = self.name.rpartition("_")[2]
        return last if last in (*UNCONVERTIBLE, *MOVED) else ""

    @property
    def base(self) -> str:
        return self.name.removesuffix(f"_{self.variant}") if self.variant else self.name

    @property
    def kinds(self) -> tuple[str, ...]:
        both = self.base in _CONVERTED and self.variant not in UNCONVERTIBLE
        return (DEFAULT, KEPT) if both else (DEFAULT,)

    @property
    def plain(self) -> bool:
        """Is plain search measured, too?"""
        return self.variant not in MOVED and self.name != GROWTH[1]


@tables.register("navigation", "finding a way to a target below loops, with and without chains")
def measure(request: BenchRequest, say: Say) -> NavigationTable:
    subjects, known = chosen(request), published()
    cases = [(subject, kind) for subject in subjects for kind in subject.kinds]
    rows = []
    for number, (subject, kind) in enumerate(cases, 1):
        if kind == DEFAULT:
            child.reach(
                [subject.file], [*_TARGET, *_options("plain", kind), "--max-instructions", "1"], request.seconds
            )
        runs: dict[str, Measured | None] = {"plain": None, "chains": None}
        for strategy in ("chains", "plain") if request.plain and subject.plain else ("chains",):
            limit = request.seconds if strategy == "chains" else plain_limit(request)
            run = runs[strategy] = _median(subject.file, _options(strategy, kind), limit, request.repeat)
            say(f"{number} of {len(cases)}: {subject.name}, {kind}, {strategy}: {_said(run)}")
        paper = None if subject.variant else known.get(subject.name)
        rows.append(Row(subject.name, kind, subject.expected, runs["plain"], runs["chains"], paper))
    return NavigationTable("navigation", tuple(rows), GROWTH, machine(), _notes(request))


def chosen(request: BenchRequest) -> list[Subject]:
    """The programs that were asked for: those of the paper, then the variants."""
    kept = [one for one in subjects() if request.wants(one.name) and not (request.quick and one.variant)]
    if not kept:
        raise UserError(f"no program of the table navigation is called {' or '.join(request.only)}")
    return kept


def subjects() -> list[Subject]:
    found = [Subject(path, expected(path)) for path in folder("navigation").glob("*.c")]
    kinds = ("", *UNCONVERTIBLE, *MOVED)
    return sorted(found, key=lambda one: (bool(one.variant), PROGRAMS.index(one.base), kinds.index(one.variant)))


def expected(path: Path) -> str:
    """The right verdict, from the first line of a program."""
    with path.open(encoding="utf-8") as file:
        match = _EXPECTED.match(file.readline())
    if match is None:
        raise UserError(f"{path}: the first line does not say REACHED or UNREACHABLE")
    return match[1]


def plain_limit(request: BenchRequest) -> float:
    return min(request.plain_seconds, _QUICK_PLAIN) if request.quick else request.plain_seconds


def _options(strategy: str, kind: str) -> list[str]:
    return ["--strategy", strategy, *(["--keep-branches"] if kind == KEPT else [])]


def _median(file: Path, options: Sequence[str], seconds: float, repeat: int | None) -> Measured:
    """The run in the middle, by time; one run unless more are asked for."""
    runs = [child.reach([file], [*_TARGET, *options], seconds) for _ in range(repeat or 1)]
    return sorted(runs, key=lambda run: run.seconds)[len(runs) // 2]


def _said(run: Measured) -> str:
    why = "" if run.verdict in DECIDED or not run.reason else f" ({run.reason})"
    return f"{run.verdict} in {run.seconds:.2f} s{why}"


def _notes(request: BenchRequest) -> tuple[str, ...]:
    count = "one run each" if (request.repeat or 1) == 1 else f"median of {request.repeat} runs"
    plain = f", {plain_limit(request):g} s for plain" if request.plain else ""
    return (
        f"{count}, limit {request.seconds:g} s{plain}; s: the whole command, warm compile cache; calls: of the solver",
        "early: refuted before anything was executed; ratio: seconds of plain / seconds of chains",
        "paper: seconds on its machine, > where stopped, and root/all chains; see benchmarks.published_navigation",
    )
