"""What a person reads of what was found: bugs by cause, the way to a target."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from clew.report.bugtext import headline, input_lines, spot
from clew.report.causes import cause, grouped
from clew.report.excerpt import Sources
from clew.report.lines import Line, counted, cut, some
from clew.report.records import Arrival, Bug, Summary
from clew.report.told_inputs import told

_MANY_CAUSES = 20
_MANY_PLACES = 6
_MANY_FRAMES = 8
_MANY_INPUTS = 6
_INSIDE = " " * 6

Numbered = tuple[int, Bug]
"""A bug with its number, by which ``clew explain`` knows it."""


def bug_lines(summary: Summary, sources: Sources, verbose: bool) -> Iterable[Line]:
    """All bugs, those with the same cause together; possible ones last, under a line that counts them.

    Without ``verbose`` those are left out that a baseline or a comment sets aside.
    """
    numbered = [item for item in enumerate(summary.bugs, 1) if verbose or not item[1].is_set_aside]
    certain = [item for item in numbered if not item[1].is_possible]
    possible = [item for item in numbered if item[1].is_possible]
    yield from _by_cause(certain, "red", summary.out, sources, verbose)
    if possible:
        yield counted(len(possible), "possible bug"), "bold yellow"
        yield from _by_cause(possible, "yellow", summary.out, sources, verbose)


def arrival_lines(summary: Summary, sources: Sources, verbose: bool) -> Iterable[Line]:
    """How the target is reached."""
    if summary.target is None or summary.target.arrival is None:
        return
    arrival = summary.target.arrival
    if arrival.rests_on:
        yield f"  possibly: {arrival.rests_on}", ""
    yield from _way(arrival, sources, verbose)
    if arrival.test:
        yield f"{_INSIDE}{arrival.test}", "dim"
    yield "", ""


def _by_cause(bugs: Sequence[Numbered], style: str, out: str, sources: Sources, verbose: bool) -> Iterable[Line]:
    if not bugs:
        return
    causes = [[bug] for bug in bugs] if verbose else grouped(bugs, _cause)
    shown = causes if verbose else causes[:_MANY_CAUSES]
    for (number, bug), *others in shown:
        yield f"  {headline(bug)}", style
        yield from _way(bug, sources, verbose)
        shows = [bug.test] if bug.test else []
        shows += [f"clew explain {out} {number}"] if out else []
        if shows:
            yield f"{_INSIDE}{'; '.join(shows)}", "dim"
        yield from _same(others)
    left = sum(map(len, causes[len(shown) :]))
    if left:
        yield f"  ... and {left} more, see {out}/bugs", ""
    yield "", ""


def _cause(item: Numbered) -> Hashable:
    bug = item[1]
    return cause(bug.kind, bug.function, bug.message, bug.rests_on, bug.location)


def _same(others: Sequence[Numbered]) -> Iterable[Line]:
    """Bugs that have most likely the cause of the one before: their places, with their numbers."""
    if others:
        places = [f"{spot(bug.location)} ({number})" for number, bug in others]
        yield f"{_INSIDE}the same at {some(places, _MANY_PLACES)}", ""


def _way(found: Bug | Arrival, sources: Sources, verbose: bool) -> Iterable[Line]:
    """The source line, by which calls, with which inputs."""
    for line in sources.excerpt(found.location):
        yield f"    {line}", ""
    if found.function:
        yield f"{_INSIDE}in {found.function}" + ("" if found.confirmed else " (not confirmed by re-execution)"), ""
    calls = [(f"{_INSIDE}called from {frame}", "") for frame in found.stack[1:]]
    yield from cut(calls, None if verbose else _MANY_FRAMES, _INSIDE, " calls")
    most = 1000 if verbose else _MANY_INPUTS
    for line in input_lines(found, most) if isinstance(found, Bug) else told(found.inputs, most):
        yield f"{_INSIDE}{line}", "dim"
