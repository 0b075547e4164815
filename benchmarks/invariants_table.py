"""Rows and text of the table ``invariants``: a program without and with them and in the paper, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

from benchmarks.columns import add_columns, aligned
from benchmarks.covering import Covering
from benchmarks.published_invariants import MOST_RUNS, Published
from benchmarks.scaling import Scaling
from clew import __version__

ALONE, ALL = "alone", "all"
"""Kinds of rows: no other technique is on; all are."""

ORDER = SOONER, SAME, LATER = "sooner", "as soon", "later"

_NOISE = 0.1
_CLOCK = 0.002
"""Two times are the same if they differ by less than this part, or by fewer seconds."""
_FIGURES = ("tests", "cover", "runs", "s")


@dataclass(frozen=True, slots=True)
class Row:
    """One program, with or without help of other techniques."""

    name: str
    kind: str
    branches: int
    """How many can be covered."""
    plain: Covering | None
    invariants: Covering
    paper: Published | None = None

    def complaints(self) -> list[str]:
        """What is wrong, not merely slow."""
        runs = [("without", self.plain), ("with", self.invariants)]
        return [line for way, run in runs if run is not None for line in self._complaints(way, run)]

    def _complaints(self, way: str, run: Covering) -> list[str]:
        of = f"{self.name}, {self.kind}, {way} invariants"
        if run.failed:
            return [f"FAILED: {of}: {run.failed}"]
        if run.unreachable:
            return [f"WRONG CLAIM: {of}: {run.unreachable} of the branches said to be unreachable, none is"]
        if not run.covered and not run.stopped:
            return [f"WRONG COVERAGE: {of}: {run.end.branches} of {self.branches} branches, and nothing left to run"]
        return []

    def compared(self) -> str:
        """Whether everything is covered sooner with invariants: one of ``ORDER``, empty if that is not known."""
        plain, invariants = self.plain, self.invariants
        if plain is None or not (plain.covered or invariants.covered):
            return ""
        if not (plain.covered and invariants.covered):
            return SOONER if invariants.covered else LATER
        difference = invariants.end.seconds - plain.end.seconds
        if abs(difference) <= max(_NOISE * plain.end.seconds, _CLOCK):
            return SAME
        return SOONER if difference < 0 else LATER

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "kind": self.kind,
            "branches": self.branches,
            "plain": None if self.plain is None else self.plain.to_json(),
            "invariants": self.invariants.to_json(),
            "paper": None if self.paper is None else self.paper.to_json(),
        }


@dataclass(frozen=True, slots=True)
class InvariantsTable:
    """A table of ``clew bench``."""

    name: str
    rows: tuple[Row, ...]
    scaling: Scaling = field(default_factory=Scaling)
    machine: str = ""
    notes: tuple[str, ...] = ()

    def complaints(self) -> list[str]:
        return [line for row in self.rows for line in row.complaints()] + self.scaling.complaints()

    def findings(self) -> list[str]:
        """A line per kind, and one with the paper's averages."""
        found = [self._finding(kind) for kind in (ALONE, ALL)]
        papers = [row.paper for row in self.rows if row.kind == ALONE and row.paper is not None]
        if papers:
            plain, invariants = [paper.plain for paper in papers], [paper.invariants for paper in papers]
            found.append(
                f"paper, mean: {fmean(one.coverage for one in plain):.0f} -> "
                f"{fmean(one.coverage for one in invariants):.0f} % covered, "
                f"{fmean(one.seconds for one in plain):.2f} -> {fmean(one.seconds for one in invariants):.2f} s"
            )
        return [line for line in found if line]

    def _finding(self, kind: str) -> str:
        rows = [row for row in self.rows if row.kind == kind]
        before = [(row, row.plain) for row in rows if row.plain is not None]
        after = [(row, row.invariants) for row in rows if row.plain is not None]
        if not before:
            return ""
        compared = [row.compared() for row in rows]
        order = ", ".join(f"{word} on {compared.count(word)}" for word in ORDER if word in compared)
        return (
            f"{kind}, without -> with: {_mean(before):.0f} -> {_mean(after):.0f} % covered within {MOST_RUNS} runs "
            f"(mean), all within them on {_complete(before)} -> {_complete(after)} of {len(before)}; "
            f"{_seconds(before)} -> {_seconds(after)} s in all: {order}"
        )

    def to_json(self) -> dict[str, object]:
        return {
            "clew": __version__,
            "table": self.name,
            "machine": self.machine,
            "most_runs": MOST_RUNS,
            "rows": [row.to_json() for row in self.rows],
            "scaling": self.scaling.to_json(),
            "summary": self.findings(),
            "complaints": self.complaints(),
            "notes": list(self.notes),
        }

    def lines(self) -> list[str]:
        """Aligned text: a line per program and kind; then the series."""
        title = self.name + (f" on {self.machine}" if self.machine else "")
        return [title, *self._rows(), *self.findings(), *self.scaling.lines(), *self.notes, *self.complaints()]

    def _rows(self) -> list[str]:
        if not self.rows:
            return []
        head = [["", ""], ["program", ""]]
        body = [[row.name, row.kind] for row in self.rows]
        add_columns(head, body, "without", _FIGURES, [_cells(row, row.plain) for row in self.rows])
        both = [[*_cells(row, row.invariants), *_own_cells(row.invariants)] for row in self.rows]
        add_columns(head, body, "with invariants", (*_FIGURES, "inv s", "tried", "kept"), both)
        papers = [row.paper if row.kind == ALONE else None for row in self.rows]
        pex = [[""] * 4 if paper is None else paper.plain.cells() for paper in papers]
        add_columns(head, body, "paper, without", _FIGURES, pex)
        more = [
            [""] * 5 if paper is None else [*paper.invariants.cells(), f"{paper.invariant_seconds:.2f}"]
            for paper in papers
        ]
        add_columns(head, body, "paper, with", (*_FIGURES, "inv s"), more)
        return aligned([*head, *body])


_Runs = Sequence[tuple[Row, Covering]]


def _mean(runs: _Runs) -> float:
    return 100 * fmean(run.limit.branches / row.branches for row, run in runs)


def _complete(runs: _Runs) -> int:
    return sum(run.covered and run.end.runs <= MOST_RUNS for _, run in runs)


def _seconds(runs: _Runs) -> str:
    more = "" if all(run.covered for _, run in runs) else "> "
    return f"{more}{sum(run.end.seconds for _, run in runs):.2f}"


def _cells(row: Row, run: Covering | None) -> list[str]:
    """Tests and coverage within the limit; paths and time until everything was covered."""
    if run is None:
        return [""] * 4
    if run.failed:
        return ["failed", "", "", ""]
    more = "" if run.covered else ">"
    covered = f"{run.limit.branches}/{row.branches}"
    return [f"{run.limit.tests:,}", covered, f"{more}{run.end.runs:,}", f"{more}{run.end.seconds:.3f}"]


def _own_cells(run: Covering) -> list[str]:
    if run.failed:
        return [""] * 3
    return [f"{run.invariant_seconds:.3f}", f"{run.candidates:,}", f"{run.tests:,}"]
