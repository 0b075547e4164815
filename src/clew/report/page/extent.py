"""How much of the source a page shows: all of it, or, where that is very much, the functions that were entered.

Nobody reads a hundred thousand lines that did not run, and no browser likes to show them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from clew.report.page.results import Results

MOST_LINES = 15_000
"""Lines of source that a page shows in any case."""
AROUND = 5
"""Lines before and behind a bug that are shown where its function was not entered."""


def shown_lines(results: Results) -> Mapping[str, list[range]]:
    """The numbers of the lines of each file that a page shows, in order; files of which it shows none are left out."""
    sources = results.sources
    if sum(map(len, sources.values())) <= MOST_LINES:
        return {name: [range(1, len(lines) + 1)] for name, lines in sources.items() if lines}
    found = {name: _joined([*_entered(results, name), *_near_bugs(results, name)]) for name in sources}
    return {name: spans for name, spans in found.items() if spans}


def is_whole(results: Results, shown: Mapping[str, list[range]]) -> bool:
    """Whether all of the source is shown."""
    return sum(map(len, results.sources.values())) == sum(len(span) for spans in shown.values() for span in spans)


def _entered(results: Results, name: str) -> Iterator[range]:
    """The functions of a file that were entered, each up to the next one; all of a file that has lines that ran, and no
    functions."""
    end = len(results.sources[name]) + 1
    known = results.files.get(name)
    if known is None:
        return
    if not known.functions:
        if any(known.lines.values()):
            yield range(1, end)
        return
    starts = sorted({line for line, _ in known.functions})
    entered = {line for (line, _), count in known.functions.items() if count}
    yield from (range(start, after) for start, after in pairwise([*starts, end]) if start in entered and start < after)


def _near_bugs(results: Results, name: str) -> Iterator[range]:
    end = len(results.sources[name]) + 1
    for bug in results.bugs:
        line = int(bug.data.get("line") or 0)
        if bug.data.get("file") == name and 0 < line < end:
            yield range(max(1, line - AROUND), min(end, line + AROUND + 1))


def _joined(spans: list[range]) -> list[range]:
    """The same numbers in as few spans as possible."""
    found: list[range] = []
    for span in sorted(spans, key=lambda one: one.start):
        if found and span.start <= found[-1].stop:
            found[-1] = range(found[-1].start, max(found[-1].stop, span.stop))
        else:
            found.append(span)
    return found
