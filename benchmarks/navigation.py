"""The table ``navigation``: ``clew reach`` with chains beside plain directed search, on programs with loops.

Every program runs in processes of its own: with if-conversion (``default``) and, where that matters, without it
(``--keep-branches``). The first line of a program says whether the target, a call of ``reach_error``, is reached.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.papers import paper
from benchmarks.request import BenchRequest
from benchmarks.run import Run, Say, by_turns, command
from benchmarks.subject import PROGRAMS, Subject, nothing
from benchmarks.table import Columns, Row, Table, failures, wrong_verdicts
from benchmarks.tables import machine, tables
from clew.base.errors import UserError

PLAIN, CHAINS = "plain", "chains"

DEFAULT, KEPT = "default", "branches kept"
"""The two kinds of a row."""

ORDER = (
    "hello", "hw", "hwm", "hwm5", "doif", "doifex", "eqcnt", "eqcntex", "oneloop", "twoloops", "fig1", "fig1_17",
)  # fmt: skip
"""The programs of the paper, in its order, and ``hwm5``, which has one word more."""

UNCONVERTIBLE = ("store", "call")
"""Variants whose branches have effects that no if-conversion can take: both kinds would be the same."""

MOVED = ("body", "loops", "check")
"""Variants with a part in a function; only chains are measured there."""

GROWTH = ("hwm", "hwm5")
"""Two programs of which the second is one step larger."""

_CONVERTED = frozenset({"doif", "doifex", "eqcnt", "eqcntex", "fig1", "fig1_17"})
"""Programs whose branches if-conversion can take."""

TARGET = ("--call", "reach_error")
_EXPECTED = re.compile(r"/\* (REACHED|UNREACHABLE)\. ")


@tables.register("navigation", "finding a way to a target below loops, with and without chains")
def measure(request: BenchRequest, say: Say) -> NavigationTable:
    cases = [form for subject in chosen(request) for form in forms(subject)]
    rows = []
    for number, subject in enumerate(cases, 1):

        def reach(strategy: str, *more: str, subject: Subject = subject) -> Run:
            limit = request.plain_limit(request.plain_seconds) if strategy == PLAIN else request.seconds
            return command("reach", subject.files, [*TARGET, "--strategy", strategy, *subject.options, *more], limit)

        if subject.kind == DEFAULT:
            reach(PLAIN, "--max-instructions", "1")  # fills the compile cache
        ways = (CHAINS, PLAIN) if request.plain and has_plain(subject.name) else (CHAINS,)
        runs = by_turns(f"{number} of {len(cases)}: {subject.title}", ways, reach, request.times(), say)
        rows.append(Row(subject, runs, paper("navigation")["programs"].get(subject.name, {})))
    return NavigationTable(tuple(rows), _notes(request), machine())


def chosen(request: BenchRequest) -> list[Subject]:
    """The programs that were asked for: those of the paper, then the variants."""
    kept = [one for one in subjects() if request.wants(one.name) and not (request.quick and parts(one.name)[1])]
    if not kept:
        raise nothing("navigation", request)
    return kept


def subjects() -> list[Subject]:
    """All programs."""
    found = [subject_of(path) for path in (PROGRAMS / "navigation").glob("*.c")]
    variants = ("", *UNCONVERTIBLE, *MOVED)

    def place(one: Subject) -> tuple[bool, int, int]:
        base, variant = parts(one.name)
        return bool(variant), ORDER.index(base), variants.index(variant)

    return sorted(found, key=place)


def subject_of(path: Path) -> Subject:
    """A program, with the right verdict from its first line."""
    with path.open(encoding="utf-8") as file:
        match = _EXPECTED.match(file.readline())
    if match is None:
        raise UserError(f"{path}: the first line does not say REACHED or UNREACHABLE")
    return Subject(path.stem, (path,), expected=match[1])


def parts(name: str) -> tuple[str, str]:
    """``fig1_store`` is the variant ``store`` of ``fig1``, which is none itself."""
    base, _, last = name.rpartition("_")
    return (base, last) if last in (*UNCONVERTIBLE, *MOVED) else (name, "")


def forms(subject: Subject) -> list[Subject]:
    """The kinds in which a program is measured."""
    base, variant = parts(subject.name)
    both = base in _CONVERTED and variant not in UNCONVERTIBLE
    kept = [replace(subject, kind=KEPT, options=("--keep-branches",))] if both else []
    return [replace(subject, kind=DEFAULT), *kept]


def has_plain(name: str) -> bool:
    """Is plain search measured, too?"""
    return parts(name)[1] not in MOVED and name != GROWTH[1]


def _notes(request: BenchRequest) -> tuple[str, ...]:
    plain = f", {request.plain_limit(request.plain_seconds):g} s for plain" if request.plain else ""
    return (
        f"{request.times_text()}, limit {request.seconds:g} s{plain}; s: the whole command, warm compile cache; "
        "calls: of the solver",
        "early: refuted before anything was executed; ratio: seconds of plain / seconds of chains",
        "paper: seconds on its machine, > where stopped, and root/all chains; see benchmarks/papers/navigation.json",
    )


@dataclass(frozen=True)
class NavigationTable(Table):
    """Plain search and chains on the same programs, and what the paper says."""

    name = "navigation"

    def judge(self, row: Row) -> Iterator[str]:
        yield from wrong_verdicts(row)
        yield from failures(row)

    def findings(self) -> list[str]:
        runs = [(row, row.runs[CHAINS]) for row in self.rows if CHAINS in row.runs]
        right = sum(run.verdict == row.subject.expected for row, run in runs)
        slowest = max((run.seconds for _, run in runs), default=0.0)
        return [f"chains: {right} of {len(runs)} answered rightly, the slowest in {slowest:.2f} s", *self._growth()]

    def _growth(self) -> Iterator[str]:
        """What one word more costs, if both programs were measured."""
        found = {row.name: row.runs.get(CHAINS) for row in self.rows}
        before, after = (found.get(name) for name in GROWTH)
        if before is not None and after is not None:
            yield (
                f"growth, {' -> '.join(GROWTH)} with chains: {before.seconds:.2f} -> {after.seconds:.2f} s "
                f"(x {after.seconds / max(before.seconds, 0.001):.2f}), "
                f"chains {before.count(CHAINS)} -> {after.count(CHAINS)}, "
                f"solver calls {before.count('solver_queries'):,} -> {after.count('solver_queries'):,}"
            )

    def columns(self) -> Iterator[Columns]:
        tools = paper("navigation")["tools"]
        names = ("verdict", "s", "states", "calls")
        both = [(row.runs.get(PLAIN), row.runs.get(CHAINS), row.subject.expected) for row in self.rows]
        heads = [[row.name, row.kind, row.subject.expected] for row in self.rows]
        yield Columns("", ("program", "kind", "expected"), heads)
        yield Columns(PLAIN, names, [_run_cells(plain, expected) for plain, _, expected in both])
        chains = [[*_run_cells(run, expected), *_chain_cells(run)] for _, run, expected in both]
        yield Columns(CHAINS, (*names, CHAINS, "systems", "early"), chains)
        yield Columns("", ("ratio",), [[_ratio_cell(row)] for row in self.rows])
        papers = [
            [*(_reported(row.paper.get(tool)) for tool in tools), row.paper.get("chains", "")] for row in self.rows
        ]
        yield Columns("paper", (*tools, "root/all"), papers)

    def row_json(self, row: Row) -> dict[str, object]:
        found, expected = ratio(row), row.subject.expected
        times = {tool: time for tool, time in row.paper.items() if tool != "chains"}
        return {
            "name": row.name,
            "kind": row.kind,
            "expected": expected,
            "runs": {
                way: {**run.verdict_json(), "wrong": run.wrong(expected), "states": states(run), "early": early(run)}
                for way, run in row.runs.items()
            },
            "ratio": None if found is None else {"value": round(found[0], 2), "exact": found[1]},
            "paper": {"times": times, "chains": row.paper["chains"]} if row.paper else None,
        }


def ratio(row: Row) -> tuple[float, bool] | None:
    """How much faster chains are, and whether that is exact: not where plain search gave no answer."""
    plain, chains = row.runs.get(PLAIN), row.runs.get(CHAINS)
    if plain is None or chains is None or chains.verdict != row.subject.expected:
        return None
    return plain.seconds / max(chains.seconds, 0.001), plain.decided


def states(run: Run) -> int:
    """How many there were: one, and another with every fork."""
    return run.count("forks") + 1


def early(run: Run) -> bool:
    """Was the target shown to be out of reach before anything was executed?"""
    return run.verdict == "UNREACHABLE" and run.count("instructions") == 0


def _run_cells(run: Run | None, expected: str) -> list[str]:
    if run is None:
        return [""] * 4
    return [run.shown(expected), f"{run.seconds:.2f}", f"{states(run):,}", f"{run.count('solver_queries'):,}"]


def _chain_cells(run: Run | None) -> list[str]:
    if run is None:
        return [""] * 3
    shown = "" if run.verdict != "UNREACHABLE" else "yes" if early(run) else "no"
    return [str(run.count(CHAINS)), f"{run.count('systems_solved'):,}", shown]


def _ratio_cell(row: Row) -> str:
    found = ratio(row)
    if found is None:
        return ""
    value, exact = found
    return ("" if exact else ">= ") + f"{value:.{1 if value < 10 else 0}f}"


def _reported(time: Mapping[str, Any] | None) -> str:
    """What the paper says of one tool."""
    if time is None:
        return ""
    if time["seconds"] is None:
        return "fail"
    return ("" if time["ended"] else ">") + f"{time['seconds']:.3f}".rstrip("0").rstrip(".")
