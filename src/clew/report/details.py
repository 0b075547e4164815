"""Figures of a run for those who want to know how it went: ``--verbose`` shows them, ``summary.json`` has them."""

from __future__ import annotations

from collections.abc import Iterable

from clew.report.lines import Line, counted
from clew.report.records import BEST_EFFORT, NOT_SUMMARIZED, SOUND, Summary

_SMALL_SHARE = 0.005
"""Part of the work that is not worth a line."""
_LOOPS = {SOUND: "green", BEST_EFFORT: "", NOT_SUMMARIZED: "dim"}
"""The styles of statements about loops, in the order of the report."""


def detail_lines(summary: Summary) -> Iterable[Line]:
    """Paths, time and work; what techniques have done; loops; branches that no input takes."""
    yield "", ""
    yield from _figures(summary)
    yield from _loops(summary)
    for part in summary.stats.parts:
        yield from part.lines(summary.command)
    yield from _accounts(summary)
    yield from _dead(summary)


def _figures(summary: Summary) -> Iterable[Line]:
    stats = summary.stats
    cut = f", {stats.paths_cut_short:,} cut short" if stats.paths_cut_short else ""
    cut += f"; {stats.paths_repeated:,} before techniques took part" if stats.paths_repeated else ""
    explored = f"{stats.paths_explored:,} explored, " if stats.paths_explored else ""
    merged = f", {stats.paths_merged:,} merged" if stats.paths_merged else ""
    yield f"paths     {explored}{stats.paths_completed:,} completed{merged}{cut}", ""
    if stats.states_pruned:
        yield f"pruned    {counted(stats.states_pruned, 'state')}, from where nothing leads to the target", ""
    share = f" ({stats.solver_seconds / stats.wall_seconds:.0%})" if stats.wall_seconds else ""
    yield f"time      {stats.wall_seconds:.2f} s, solver {stats.solver_seconds:.2f} s{share}", ""
    queries = counted(stats.solver_queries, "solver query", "solver queries")
    yield f"work      {counted(stats.instructions, 'instruction')}, {queries}, {stats.peak_memory_mb:.0f} MB", ""


def _loops(summary: Summary) -> Iterable[Line]:
    """One line of figures, and one for each loop."""
    if not summary.loops:
        return
    counts = {status: sum(loop.status == status for loop in summary.loops) for status in _LOOPS}
    doubtful = f", {counts[BEST_EFFORT]:,} of them by best effort" if counts[BEST_EFFORT] else ""
    figures = f"{counts[SOUND] + counts[BEST_EFFORT]:,} of {len(summary.loops):,} summarized{doubtful}"
    removed = summary.stats.value("constraints_removed")
    yield f"loops     {figures}" + (f"; {counted(removed, 'constraint')} removed" if removed else ""), ""
    for status, style in _LOOPS.items():
        for loop in summary.loops:
            if loop.status == status:
                yield f"          {loop.location or f'a loop of {loop.function}'}: {loop.text}", style


def _accounts(summary: Summary) -> Iterable[Line]:
    """What each technique has cost and brought, where that is worth a line."""
    for account in summary.accounts:
        share = account.spent / max(account.work, 1)
        if share < _SMALL_SHARE and not account.earned:
            continue
        brought = [counted(account.branches, "branch", "branches")] if account.branches else []
        brought += [f"saved {account.earned / max(account.work, 1):.0%} as much"] if account.earned else []
        yield f"cost      {account.name}: {share:.0%} of the work; {', '.join(brought) or 'brought nothing'}", "dim"


def _dead(summary: Summary) -> Iterable[Line]:
    """Outcomes of branches that no test can take, whoever found them out."""
    if summary.unreachable:
        order = sorted(summary.unreachable, key=lambda one: (one.location.file, one.location.line, one.outcome))
        yield f"dead      {counted(len(order), 'branch outcome')} that no input leads to", ""
        yield from ((f"          {branch.text}", "dim") for branch in order)
