"""Rows and text of the table ``merging``: a program explored path by path, and with paths merged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.columns import add_columns, aligned
from benchmarks.exploring import Error, Exploration
from clew import __version__

PATH, EVERY, ERROR = "goal path", "no merging", "goal error"
"""A test for each path; every path, with the tests of goal ``error``; that goal."""

GOOD, BAD, WHOLE = "good", "bad", "both"
"""Halves of a program."""


@dataclass(frozen=True, slots=True)
class Row:
    """One program, or one half of it: its runs by way."""

    name: str
    half: str
    """Empty for a program that has none."""
    expected: frozenset[Error]
    runs: Mapping[str, Exploration]

    @property
    def title(self) -> str:
        return f"{self.name}, {self.half}" if self.half else self.name

    def verdict(self, way: str) -> str:
        """``ok`` when every error that is there was found, and no other."""
        run = self.runs[way]
        if run.failed:
            return "failed"
        if set(run.errors) - self.expected:
            return "false alarm"
        if self.expected - set(run.errors):
            return "missed" if run.complete else run.stopped or "lost"
        return "ok"

    def complaints(self) -> list[str]:
        """What is wrong, not merely slow."""
        found = []
        for way, run in self.runs.items():
            verdict = self.verdict(way)
            if verdict == "failed":
                found.append(f"FAILED: {self.title}, {way}: {run.failed}")
            elif verdict == "false alarm":
                found.append(f"FALSE ALARM: {self.title}, {way}: {_places(set(run.errors) - self.expected)}")
            elif verdict == "missed":
                found.append(f"MISSED: {self.title}, {way}: {_places(self.expected - set(run.errors))}")
        merged = self.runs[ERROR]
        for way, run in self.runs.items():
            if way == ERROR or not (run.complete and merged.complete):
                continue
            if merged.explored > run.explored:
                found.append(f"MORE PATHS: {self.title}: {merged.explored:,}, {way}: {run.explored:,}")
            if merged.branches != run.branches:
                found.append(f"WRONG COVERAGE: {self.title}: {merged.branches} branches, {way}: {run.branches}")
        return found

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "half": self.half,
            "expected": [{"kind": kind, "file": file, "line": line} for kind, file, line in sorted(self.expected)],
            "runs": {way: {**run.to_json(), "verdict": self.verdict(way)} for way, run in self.runs.items()},
        }


@dataclass(frozen=True, slots=True)
class MergingTable:
    """A table of ``clew bench``."""

    name: str
    rows: tuple[Row, ...]
    machine: str = ""
    notes: tuple[str, ...] = ()

    def complaints(self) -> list[str]:
        return [line for row in self.rows for line in row.complaints()]

    def findings(self) -> list[str]:
        """What merging gains: where most, and over all."""
        lines = []
        flows = [row for row in self.rows if row.half]
        whole = [row for row in flows if row.half == WHOLE] or flows
        if whole and EVERY in whole[0].runs:
            best = max(whole, key=lambda row: _times(row.runs[EVERY], row.runs[ERROR]))
            lines += [f"largest gain: {best.title}: {_gain(best.runs)}"]
            lines += [f"{row.title}: {_gain(row.runs)}" for row in whole if row.name[:2] == "12" and row is not best]
            lines += [f"all flow variants: {_gain(_sums(flows))}"]
        return lines

    def to_json(self) -> dict[str, object]:
        parts = {title: _sums(rows) for title, rows in self._parts()}
        return {
            "clew": __version__,
            "table": self.name,
            "machine": self.machine,
            "rows": [row.to_json() for row in self.rows],
            "totals": {title: {way: run.to_json() for way, run in sums.items()} for title, sums in parts.items()},
            "summary": self.findings(),
            "complaints": self.complaints(),
            "notes": list(self.notes),
        }

    def lines(self) -> list[str]:
        """Aligned text: a line per program and half, a group of columns per way."""
        head, body = [["", ""], ["program", "half"]], [[row.name, row.half] for row in self.rows]
        parts = self._parts()
        body += [[title, ""] for title, _ in parts]
        ways = list(self.rows[0].runs) if self.rows else []
        for way in ways:
            cells = [_cells(row.runs[way], row.verdict(way), way) for row in self.rows]
            cells += [_cells(_sums(rows)[way], _right(rows, way), way) for _, rows in parts]
            add_columns(head, body, way, ("paths", "merged", "s", "verdict"), cells)
        if EVERY in ways:
            runs = [row.runs for row in self.rows] + [_sums(rows) for _, rows in parts]
            add_columns(
                head, body, "faster", ("path", "none"), [[_ratio(run, PATH), _ratio(run, EVERY)] for run in runs]
            )
        title = self.name + (f" on {self.machine}" if self.machine else "")
        return [title, *aligned([*head, *body]), *self.findings(), *self.notes, *self.complaints()]

    def _parts(self) -> list[tuple[str, list[Row]]]:
        """What there are totals of: flow variants, by half."""
        flows = [row for row in self.rows if row.half]
        halves = [(half, [row for row in flows if row.half == half]) for half in (GOOD, BAD, WHOLE)]
        parts = [(f"total of {len(rows)} {half}", rows) for half, rows in halves if rows]
        return [*parts, (f"total of {len(flows)}", flows)] if len(parts) > 1 else parts


def _sums(rows: Sequence[Row]) -> dict[str, Exploration]:
    """All runs of each way together."""
    sums = {}
    for way in rows[0].runs:
        runs = [row.runs[way] for row in rows]
        sums[way] = Exploration(
            sum(run.seconds for run in runs),
            sum(run.completed for run in runs),
            sum(run.merged for run in runs),
            sum(run.formulas for run in runs),
            sum(run.checks for run in runs),
            sum(run.hits for run in runs),
            sum(run.queries for run in runs),
            sum(run.branches for run in runs),
            sum(run.tests for run in runs),
            stopped=None if all(run.complete for run in runs) else "not all complete",
        )
    return sums


def _cells(run: Exploration, verdict: str, way: str) -> list[str]:
    if run.failed:
        return ["", "", "", verdict]
    more = "" if run.complete else ">"
    merged = f"{run.merged:,}" if way == ERROR else ""
    return [f"{more}{run.explored:,}", merged, f"{more}{run.seconds:.3f}", verdict]


def _right(rows: Sequence[Row], way: str) -> str:
    return f"{sum(row.verdict(way) == 'ok' for row in rows)}/{len(rows)}"


def _times(other: Exploration, merged: Exploration) -> float:
    """How much faster merging is; at least so much, if the other was stopped."""
    return other.seconds / max(merged.seconds, 0.001)


def _ratio(runs: Mapping[str, Exploration], way: str) -> str:
    other, merged = runs[way], runs[ERROR]
    if other.failed or not merged.complete:
        return ""
    return f"{'' if other.complete else '>'}{_times(other, merged):.1f}"


def _gain(runs: Mapping[str, Exploration]) -> str:
    merged = runs[ERROR]
    others = [f"{way} {_amount(runs[way])} ({_ratio(runs, way) or '?'} times)" for way in (PATH, EVERY)]
    return f"{_amount(merged)}, {merged.merged:,} of them merged; {', '.join(others)}"


def _amount(run: Exploration) -> str:
    return f"{'' if run.complete else '>'}{run.explored:,} paths in {run.seconds:.3f} s"


def _places(errors: set[Error] | frozenset[Error]) -> str:
    return ", ".join(f"{kind} at {file}:{line}" for kind, file, line in sorted(errors))
