"""What a person reads about summaries of loops: how many there are, which loops have none or a doubtful one, why."""

from __future__ import annotations

from collections.abc import Iterable

from clew.report.records import BEST_EFFORT, NOT_SUMMARIZED, SOUND, LoopStatement, Summary

Line = tuple[str, str]

_MANY = 6
_STYLES = {SOUND: "green", BEST_EFFORT: "", NOT_SUMMARIZED: "dim"}


def loop_lines(summary: Summary, verbose: bool) -> Iterable[Line]:
    """One line of figures, and one for each loop that is not soundly summarized; ``verbose``: for every loop."""
    if summary.loops:
        yield f"loops     {_figures(summary)}", ""
        told = [loop for loop in summary.loops if verbose or loop.status != SOUND]
        told.sort(key=lambda loop: (NOT_SUMMARIZED, BEST_EFFORT, SOUND).index(loop.status), reverse=True)
        shown = told if verbose or len(told) <= _MANY + 1 else told[:_MANY]
        for loop in shown:
            yield f"          {_place(loop)}: {loop.text}", _STYLES[loop.status]
        if len(shown) < len(told):
            yield f"          ... and {len(told) - len(shown):,} more, see {summary.out}/summary.json", "dim"
    if summary.stats.divergences:
        yield f"diverged  {summary.stats.divergences:,} of the inputs took another path than predicted", "yellow"


def _figures(summary: Summary) -> str:
    """How many loops of each kind, and what summaries did."""
    counts = {status: sum(loop.status == status for loop in summary.loops) for status in _STYLES}
    done = counts[SOUND] + counts[BEST_EFFORT]
    doubtful = f", {counts[BEST_EFFORT]:,} of them by best effort" if counts[BEST_EFFORT] else ""
    text = f"{done:,} of {len(summary.loops):,} summarized{doubtful}"
    removed = summary.stats.constraints_removed
    return f"{text}; {removed:,} constraint{'' if removed == 1 else 's'} removed" if removed else text


def _place(loop: LoopStatement) -> str:
    return str(loop.location) if loop.location else f"a loop of {loop.function}"
