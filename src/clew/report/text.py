"""The report a person reads at the end of a run.

``report_lines`` turns a summary into styled lines; printing them in colour (on a terminal) is all
that needs ``rich``, which is slow to import and is therefore imported only then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TextIO

from clew.base.budget import StopReason
from clew.base.printable import printable
from clew.report.bugtext import headline, input_lines
from clew.report.csyntax import c_lines
from clew.report.excerpt import Sources
from clew.report.lines import Line, counted, cut
from clew.report.records import BEST_EFFORT, NOT_SUMMARIZED, SOUND, Arrival, Bug, Coverage, LossKind, LossNote, Summary
from clew.report.verdict import property_lines, see, verdict_lines

_MANY_BUGS = 20
_MANY_NOTES = 8
_MANY_FRAMES = 8
_MANY_LOOPS = 6
_SMALL_SHARE = 0.005
"""Part of the work that is not worth a line."""
_LOOPS = {SOUND: "green", BEST_EFFORT: "", NOT_SUMMARIZED: "dim"}
"""The styles of statements about loops, in the order of the report."""
END_TEXTS = {
    StopReason.TIME: "the time budget was used up",
    StopReason.MEMORY: "the memory budget was used up",
    StopReason.INSTRUCTIONS: "the instruction budget was used up",
    StopReason.INTERRUPTED: "interrupted",
    StopReason.FAILED: "an internal error",
}
LOSS_MEANINGS = {
    LossKind.BOUNDED: "a bound was hit: behaviour beyond it was not looked at",
    LossKind.UNSUPPORTED: "not supported: the paths end there",
    LossKind.EVICTED: "dropped to stay within the memory budget",
    LossKind.SOLVER_UNKNOWN: "the solver could not decide: either way may be missing",
    LossKind.UNDEFINED_FUNCTION: "without a definition: taken to return, and to leave alone what has a value",
    LossKind.UNDEFINED_VARIABLE: "without a definition: taken to have any value",
    LossKind.UNEXPLORED: "paths still waiting when the run ended",
    LossKind.FAILED: "an internal error ended a technique: others went on",
}
"""What each kind of loss means for the result; the order is that of the report."""


def report_lines(summary: Summary, verbose: bool = False, sources: Sources | None = None) -> list[Line]:
    """The whole report. ``verbose`` leaves nothing out. Lines of source are read from ``sources``."""
    sources = sources or Sources()
    of_techniques = [line for part in summary.stats.parts for line in part.lines(summary.command)]
    if summary.command == "verify":
        return [
            *property_lines(summary, verbose),
            *_bugs(summary, sources, verbose),
            *_figures(summary),
            *of_techniques,
            *_losses(summary, verbose),
            *verdict_lines(summary),
        ]
    if summary.command == "reach":
        return [
            *_arrival(summary, sources, verbose),
            *_figures(summary),
            *of_techniques,
            *_pruned(summary),
            *_losses(summary, verbose),
            *verdict_lines(summary),
        ]
    return [
        *_bugs(summary, sources, verbose),
        *_figures(summary),
        *_loops(summary, verbose),
        *of_techniques,
        *_accounts(summary),
        *_dead(summary, verbose),
        *_losses(summary, verbose),
        *_ending(summary),
    ]


def print_report(summary: Summary, stream: TextIO, verbose: bool = False) -> None:
    """Write the report of a run; what a baseline or a comment sets aside is counted, unless ``verbose``."""
    aside = () if verbose else tuple(bug for bug in summary.bugs if bug.is_set_aside)
    told = replace(summary, bugs=tuple(bug for bug in summary.bugs if bug not in aside)) if aside else summary
    print_lines([*report_lines(told, verbose), *aside_lines(len(aside))], stream)


def aside_lines(count: int) -> list[Line]:
    """That there are bugs which are not told."""
    if not count:
        return []
    return [(f"not told: {counted(count, 'bug')} that the baseline has or a comment suppresses (--verbose)", "dim")]


def print_lines(lines: Iterable[Line], stream: TextIO) -> None:
    """Write styled lines, in colour where a person looks at them; what they quote cannot steer the terminal."""
    lines = ((printable(text), style) for text, style in lines)
    if stream.isatty():
        from rich.console import Console
        from rich.text import Text

        console = Console(file=stream, highlight=False, soft_wrap=True)
        for text, style in lines:
            console.print(Text(text, style))
    else:
        stream.writelines(f"{text}\n" for text, _ in lines)


def _bugs(summary: Summary, sources: Sources, verbose: bool) -> Iterable[Line]:
    yield from _reports(summary.certain, "bug", "red", summary.out, sources, verbose)
    yield from _reports(summary.possible, "possible bug", "yellow", summary.out, sources, verbose)


def _reports(bugs: Sequence[Bug], noun: str, style: str, out: str, sources: Sources, verbose: bool) -> Iterable[Line]:
    """Bugs of one class."""
    if not bugs:
        return
    shown = bugs if verbose else bugs[:_MANY_BUGS]
    yield counted(len(bugs), noun), f"bold {style}"
    for bug in shown:
        yield f"  {headline(bug)}", style
        yield from _way(bug, sources, verbose)
    if len(shown) < len(bugs):
        yield f"  ... and {len(bugs) - len(shown)} more, see {out}/bugs", ""
    yield "", ""


def _arrival(summary: Summary, sources: Sources, verbose: bool) -> Iterable[Line]:
    """How the target is reached."""
    if summary.target is None or summary.target.arrival is None:
        return
    arrival = summary.target.arrival
    resting = f" (possibly: {arrival.rests_on})" if arrival.rests_on else ""
    yield f"{summary.target.text} is reached{resting}", "bold"
    yield from _way(arrival, sources, verbose)
    yield "", ""


def _way(found: Bug | Arrival, sources: Sources, verbose: bool) -> Iterable[Line]:
    """The source line, by which calls, with which inputs."""
    for line in sources.excerpt(found.location):
        yield f"    {line}", ""
    if found.function:
        yield f"      in {found.function}" + ("" if found.confirmed else " (not confirmed by re-execution)"), ""
    calls = [(f"      called from {frame}", "") for frame in found.stack[1:]]
    yield from cut(calls, None if verbose else _MANY_FRAMES, "      ", " calls")
    most = 1000 if verbose else 6
    for line in input_lines(found, most) if isinstance(found, Bug) else c_lines(found.inputs, most):
        yield f"      {line}", "dim"
    if found.test:
        yield f"      {found.test}", "dim"


def _figures(summary: Summary) -> Iterable[Line]:
    stats = summary.stats
    cut = f", {stats.paths_cut_short:,} cut short" if stats.paths_cut_short else ""
    explored = f"{stats.paths_explored:,} explored, " if stats.paths_explored else ""
    merged = f", {stats.paths_merged:,} merged" if stats.paths_merged else ""
    yield f"paths     {explored}{stats.paths_completed:,} completed{merged}{cut}", ""
    yield f"tests     {summary.tests:,}" + (f" in {summary.out}/tests" if summary.out and summary.tests else ""), ""
    if summary.command not in ("verify", "reach"):
        yield from _coverage(summary.coverage)
    share = f" ({stats.solver_seconds / stats.wall_seconds:.0%})" if stats.wall_seconds else ""
    yield f"time      {stats.wall_seconds:.2f} s, solver {stats.solver_seconds:.2f} s{share}", ""
    queries = counted(stats.solver_queries, "solver query", "solver queries")
    yield f"work      {counted(stats.instructions, 'instruction')}, {queries}, {stats.peak_memory_mb:.0f} MB", ""


def _coverage(coverage: Coverage) -> Iterable[Line]:
    for name, covered, total in (
        ("branches", coverage.branches_covered, len(coverage.branches)),
        ("lines", coverage.lines_covered, len(coverage.lines)),
    ):
        if total:
            style = "green" if covered == total else ""
            yield f"{name:<9} {covered:,} of {total:,} covered ({covered / total:.0%})", style


def _accounts(summary: Summary) -> Iterable[Line]:
    """What each technique has cost and brought, where that is worth a line."""
    for account in summary.accounts:
        share = account.spent / max(account.work, 1)
        if share < _SMALL_SHARE and not account.earned:
            continue
        brought = [counted(account.branches, "branch", "branches")] if account.branches else []
        brought += [f"saved {account.earned / max(account.work, 1):.0%} as much"] if account.earned else []
        yield f"cost      {account.name}: {share:.0%} of the work; {', '.join(brought) or 'brought nothing'}", "dim"


def _loops(summary: Summary, verbose: bool) -> Iterable[Line]:
    """One line of figures, and one for each loop that is not soundly summarized; ``verbose``: for every loop."""
    if not summary.loops:
        return
    counts = {status: sum(loop.status == status for loop in summary.loops) for status in _LOOPS}
    doubtful = f", {counts[BEST_EFFORT]:,} of them by best effort" if counts[BEST_EFFORT] else ""
    figures = f"{counts[SOUND] + counts[BEST_EFFORT]:,} of {len(summary.loops):,} summarized{doubtful}"
    removed = summary.stats.value("constraints_removed")
    yield f"loops     {figures}" + (f"; {counted(removed, 'constraint')} removed" if removed else ""), ""
    lines = [
        (f"          {loop.location or f'a loop of {loop.function}'}: {loop.text}", style)
        for status, style in _LOOPS.items()
        for loop in summary.loops
        if loop.status == status and (verbose or status != SOUND)
    ]
    yield from cut(lines, None if verbose else _MANY_LOOPS, " " * 10, see(summary), "dim")


def _dead(summary: Summary, verbose: bool) -> Iterable[Line]:
    """Outcomes of branches that no test can take, whoever found them out."""
    if summary.unreachable:
        order = sorted(summary.unreachable, key=lambda one: (one.location.file, one.location.line, one.outcome))
        yield f"dead      {counted(len(order), 'branch outcome')} that no input leads to", ""
        lines = [(f"          {branch.text}", "dim") for branch in order]
        yield from cut(lines, None if verbose else _MANY_NOTES, " " * 10, see(summary), "dim")


def _pruned(summary: Summary) -> Iterable[Line]:
    if summary.stats.states_pruned:
        states = counted(summary.stats.states_pruned, "state")
        yield f"pruned    {states}, from where nothing leads to the target", ""


def _losses(summary: Summary, verbose: bool) -> Iterable[Line]:
    """What was not explored, by reason."""
    for text in summary.narrowed:
        yield f"left out  {text}", ""
    for text in summary.assumed:
        yield f"assumed   {text}", ""
    if not summary.losses:
        return
    yield "", ""
    yield "not explored:", "yellow"
    shown = summary.losses if verbose else summary.losses[:_MANY_NOTES]
    for kind in dict.fromkeys([*LOSS_MEANINGS, *(note.kind for note in shown)]):
        notes = [note for note in shown if note.kind is kind]
        if notes:
            yield f"  {kind}: {LOSS_MEANINGS.get(kind, 'not followed')}", "yellow"
        for note in notes:
            yield f"    {_loss(note)}", "yellow"
    if len(shown) < len(summary.losses):
        yield f"  ... and {len(summary.losses) - len(shown)} more{see(summary)}", "yellow"


def _loss(note: LossNote) -> str:
    where = f" at {note.location}" if note.location else ""
    return f"{note.what}{where} ({counted(note.count, 'path')})"


def _ending(summary: Summary) -> Iterable[Line]:
    yield "", ""
    if summary.stopped is not None:
        yield f"stopped early: {END_TEXTS[summary.stopped]}", "yellow"
    complete = summary.stopped is None and not summary.losses
    possible = f", {counted(len(summary.possible), 'possible bug')}" if summary.possible else ""
    if summary.certain:
        found = f"found {counted(len(summary.certain), 'bug')}{possible}"
        yield found + (", all paths explored" if complete else ""), "bold red"
    elif not complete:
        yield f"no bug found in what was explored{possible}", "bold"
    else:
        yield f"no bug found{possible}, all paths explored", "bold green"
