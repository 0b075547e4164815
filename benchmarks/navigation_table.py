"""Rows and text of the table ``navigation``: plain search and chains on the same program, and what the paper says."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.child import FAILED, Measured
from benchmarks.columns import add_columns, aligned
from benchmarks.published_navigation import TOOLS, Paper
from clew import __version__

REACHED, UNREACHABLE = "REACHED", "UNREACHABLE"
DECIDED = (REACHED, UNREACHABLE)


@dataclass(frozen=True, slots=True)
class Row:
    """One program in one form; None for a run that was not asked for."""

    name: str
    kind: str
    expected: str
    plain: Measured | None
    chains: Measured | None
    paper: Paper | None = None

    def runs(self) -> dict[str, Measured]:
        both = {"plain": self.plain, "chains": self.chains}
        return {way: run for way, run in both.items() if run is not None}

    def wrong(self, run: Measured) -> bool:
        """A verdict that contradicts the right one (no verdict is not wrong)."""
        return run.verdict in DECIDED and run.verdict != self.expected

    def right(self, run: Measured) -> bool:
        return run.verdict == self.expected

    def ratio(self) -> tuple[float, bool] | None:
        """How much faster chains are, and whether that is exact: not where plain search gave no answer."""
        if self.plain is None or self.chains is None or not self.right(self.chains):
            return None
        return self.plain.seconds / max(self.chains.seconds, 0.001), self.plain.verdict in DECIDED

    def to_json(self) -> dict[str, object]:
        ratio = self.ratio()
        return {
            "name": self.name,
            "kind": self.kind,
            "expected": self.expected,
            "runs": {way: self._run_json(run) for way, run in self.runs().items()},
            "ratio": None if ratio is None else {"value": round(ratio[0], 2), "exact": ratio[1]},
            "paper": None if self.paper is None else self.paper.to_json(),
        }

    def _run_json(self, run: Measured) -> dict[str, object]:
        return {**run.to_json(), "wrong": self.wrong(run), "states": states(run), "early": early(run)}


@dataclass(frozen=True, slots=True)
class NavigationTable:
    """A table of ``clew bench``."""

    name: str
    rows: tuple[Row, ...]
    growing: tuple[str, str]
    """Two programs of which the second is one step larger."""
    machine: str = ""
    notes: tuple[str, ...] = ()

    def complaints(self) -> list[str]:
        """One line per verdict that is wrong and per run that failed."""
        found = []
        for row in self.rows:
            for way, run in row.runs().items():
                where = f"{row.name}, {row.kind}, {way}"
                if row.wrong(run):
                    found.append(f"WRONG VERDICT: {where}: {run.verdict}, expected {row.expected}")
                elif run.verdict == FAILED:
                    found.append(f"FAILED: {where}: {run.reason}")
        return found

    def growth(self) -> list[str]:
        """What one word more costs, if both programs were measured."""
        found = {row.name: row for row in self.rows}
        less, more = (found.get(name) for name in self.growing)
        if less is None or more is None or less.chains is None or more.chains is None:
            return []
        before, after = less.chains, more.chains
        factor = after.seconds / max(before.seconds, 0.001)
        return [
            f"growth, {less.name} -> {more.name} with chains: {before.seconds:.2f} -> {after.seconds:.2f} s "
            f"(x {factor:.2f}), chains {_chains(before)} -> {_chains(after)}, "
            f"solver calls {_count(before, 'solver_queries'):,} -> {_count(after, 'solver_queries'):,}"
        ]

    def answered(self) -> str:
        runs = [(row, row.chains) for row in self.rows if row.chains is not None]
        right = sum(row.right(run) for row, run in runs)
        slowest = max((run.seconds for _, run in runs), default=0.0)
        return f"chains: {right} of {len(runs)} answered rightly, the slowest in {slowest:.2f} s"

    def to_json(self) -> dict[str, object]:
        return {
            "clew": __version__,
            "table": self.name,
            "machine": self.machine,
            "rows": [row.to_json() for row in self.rows],
            "summary": [self.answered(), *self.growth()],
            "complaints": self.complaints(),
            "notes": list(self.notes),
        }

    def lines(self) -> list[str]:
        """Aligned text: a line per program and kind; empty columns are left out."""
        head = [["", "", ""], ["program", "kind", "expected"]]
        body = [[row.name, row.kind, row.expected] for row in self.rows]
        names = ("verdict", "s", "states", "calls")
        add_columns(head, body, "plain", names, [_run_cells(row, row.plain) for row in self.rows])
        chains = [[*_run_cells(row, row.chains), *_chain_cells(row.chains)] for row in self.rows]
        add_columns(head, body, "chains", (*names, "root/all", "systems", "early"), chains)
        add_columns(head, body, "", ("ratio",), [[_ratio_cell(row)] for row in self.rows])
        add_columns(head, body, "paper", (*TOOLS, "root/all"), [_paper_cells(row.paper) for row in self.rows])
        title = self.name + (f" on {self.machine}" if self.machine else "")
        text = aligned([*head, *body], names=3)
        return [title, *text, self.answered(), *self.growth(), *self.notes, *self.complaints()]


def states(run: Measured) -> int:
    """How many there were: one, and another with every fork."""
    return _count(run, "forks") + 1


def early(run: Measured) -> bool:
    """Was the target shown to be out of reach before anything was executed?"""
    return run.verdict == UNREACHABLE and run.instructions == 0


def _count(run: Measured, name: str) -> int:
    value = (run.stats or {}).get(name, 0)
    return value if isinstance(value, int) else 0


def _chains(run: Measured) -> str:
    return f"{_count(run, 'chains_root')}/{_count(run, 'chains_all')}"


def _run_cells(row: Row, run: Measured | None) -> list[str]:
    if run is None:
        return [""] * 4
    verdict = run.verdict + ("!" if row.wrong(run) else "")
    if run.verdict == "UNKNOWN" and run.stopped:
        verdict = run.stopped
    return [verdict, f"{run.seconds:.2f}", f"{states(run):,}", f"{_count(run, 'solver_queries'):,}"]


def _chain_cells(run: Measured | None) -> list[str]:
    if run is None:
        return [""] * 3
    shown = "" if run.verdict != UNREACHABLE else "yes" if early(run) else "no"
    return [_chains(run), f"{_count(run, 'systems_solved'):,}", shown]


def _ratio_cell(row: Row) -> str:
    ratio = row.ratio()
    if ratio is None:
        return ""
    value, exact = ratio
    digits = 1 if value < 10 else 0
    return ("" if exact else ">= ") + f"{value:.{digits}f}"


def _paper_cells(paper: Paper | None) -> list[str]:
    if paper is None:
        return [""] * (len(TOOLS) + 1)
    return [*(str(paper.times[tool]) if tool in paper.times else "" for tool in TOOLS), paper.chains]
