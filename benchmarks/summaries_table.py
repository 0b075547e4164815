"""Rows and text of the table ``summaries``: a program without, with summaries, and in the paper, line below line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.child import Explored
from benchmarks.columns import add_columns, aligned
from benchmarks.generations import Generation
from benchmarks.published_summaries import COVERAGE_GAIN, OVERHEAD, Paper
from clew import __version__

PLAIN, SUMMARIES = "plain", "summaries"

MAIN = ("bugs", "tests", "gens", "loops", "sums", "removed", "updates", "diverged", "branches", "calls", "s", "MB")
FIRST = ("first", "all", "new", "bugs")


@dataclass(frozen=True, slots=True)
class Row:
    """One program: its runs by way, what generation 1 covers, what the paper says."""

    name: str
    bugs: int
    """How many there are."""
    overhead: bool
    """Is it here for the cost where nothing can be summarized?"""
    runs: Mapping[str, Explored]
    firsts: Mapping[str, Generation]
    paper: Mapping[str, Paper]

    def complaints(self) -> list[str]:
        """What is wrong, not merely slow."""
        found = []
        for way, run in self.runs.items():
            if run.failed:
                found.append(f"FAILED: {self.name}, {way}: {run.failed}")
            elif run.bugs > self.bugs or (run.complete and run.bugs < self.bugs):
                found.append(f"WRONG BUGS: {self.name}, {way}: {run.bugs}, expected {self.bugs}")
        complete = {way: run.branches for way, run in self.runs.items() if run.complete}
        if len(set(complete.values())) > 1:
            covered = ", ".join(f"{branches[0]} branches ({way})" for way, branches in complete.items())
            found.append(f"WRONG COVERAGE: {self.name}: {covered}, though both were explored to the end")
        return found

    def gain(self) -> tuple[int, int] | None:
        """Branches that are new in generation 1, without and with summaries."""
        if PLAIN not in self.firsts or SUMMARIES not in self.firsts:
            return None
        return self.firsts[PLAIN].new, self.firsts[SUMMARIES].new

    def cost(self) -> tuple[float, float] | None:
        """Percent of processor time and of memory that summaries add."""
        plain, summaries = self.runs.get(PLAIN), self.runs.get(SUMMARIES)
        if not self.overhead or plain is None or summaries is None or not (plain.complete and summaries.complete):
            return None
        name = "peak_memory_mb"
        return _more(plain.cpu, summaries.cpu), _more(plain.figure(name), summaries.figure(name))

    def to_json(self) -> dict[str, object]:
        gain, cost = self.gain(), self.cost()
        return {
            "name": self.name,
            "bugs": self.bugs,
            "runs": {way: run.to_json() for way, run in self.runs.items()},
            "generation1": {way: first.to_json() for way, first in self.firsts.items()},
            "gain": None if gain is None else {"plain": gain[0], "summaries": gain[1]},
            "overhead_percent": None if cost is None else {"time": round(cost[0], 1), "memory": round(cost[1], 1)},
            "paper": {way: paper.to_json() for way, paper in self.paper.items()},
        }


@dataclass(frozen=True, slots=True)
class SummariesTable:
    """A table of ``clew bench``."""

    name: str
    rows: tuple[Row, ...]
    machine: str = ""
    notes: tuple[str, ...] = ()

    def complaints(self) -> list[str]:
        return [line for row in self.rows for line in row.complaints()]

    def findings(self) -> list[str]:
        """What summaries gain and cost, beside the paper's figures."""
        lines = []
        for row in self.rows:
            gain, cost = row.gain(), row.cost()
            if gain is not None and row.name == "parser":
                share = f"{100 * (gain[1] / gain[0] - 1):+.0f} %, " if gain[0] else ""
                lines.append(
                    f"parser: generation 1 covers {gain[0]} new branches without, {gain[1]} with summaries "
                    f"({share}paper: +{COVERAGE_GAIN} % instructions)"
                )
            if cost is not None:
                lines.append(
                    f"{row.name}: {cost[0]:+.0f} % processor time, {cost[1]:+.0f} % memory (paper: +{OVERHEAD} % both)"
                )
        return lines

    def to_json(self) -> dict[str, object]:
        return {
            "clew": __version__,
            "table": self.name,
            "machine": self.machine,
            "rows": [row.to_json() for row in self.rows],
            "summary": self.findings(),
            "complaints": self.complaints(),
            "notes": list(self.notes),
        }

    def lines(self) -> list[str]:
        """Aligned text: a line per program and way; empty columns are left out."""
        head, names = [["", ""], ["program", ""]], []
        main, first = [], []
        for row in self.rows:
            for way, run in row.runs.items():
                names.append([row.name, way])
                main.append(_run_cells(row, run))
                first.append(_first_cells(row.firsts.get(way)))
            for way, paper in row.paper.items():
                names.append([row.name, way])
                main.append(_paper_cells(paper))
                first.append([""] * len(FIRST))
        add_columns(head, names, "", MAIN, main)
        add_columns(head, names, "generation 1", FIRST, first)
        title = self.name + (f" on {self.machine}" if self.machine else "")
        return [title, *aligned([*head, *names]), *self.findings(), *self.notes, *self.complaints()]


def _more(plain: float, summaries: float) -> float:
    return 100 * (summaries / max(plain, 0.001) - 1)


def _run_cells(row: Row, run: Explored) -> list[str]:
    if run.failed:
        return ["failed", *[""] * (len(MAIN) - 3), f"{run.seconds:.2f}", ""]
    more = "" if run.complete else ">"
    counts = ("loops_summarized", "summaries", "constraints_removed", "symbolic_updates", "divergences")
    return [
        f"{run.bugs}/{row.bugs}",
        f"{run.tests:,}",
        f"{more}{run.count('generations'):,}",
        *(f"{run.count(name):,}" if run.count("summaries") else "" for name in counts),
        f"{run.branches[0]}/{run.branches[1]}",
        f"{run.count('solver_queries'):,}",
        f"{more}{run.seconds:.2f}",
        f"{run.figure('peak_memory_mb'):.0f}",
    ]


def _first_cells(first: Generation | None) -> list[str]:
    if first is None:
        return [""] * len(FIRST)
    more = ">" if first.stopped else ""
    return [str(first.first), f"{more}{first.branches}", str(first.new), str(first.bugs)]


def _paper_cells(paper: Paper) -> list[str]:
    values = (
        paper.bugs, paper.tests, paper.generations, paper.loops, paper.summaries, paper.constraints_removed,
        paper.symbolic_updates, None, None, paper.solver_queries, paper.seconds, paper.memory_mb,
    )  # fmt: skip
    return ["" if value is None else f"{value:,.0f}" for value in values]
