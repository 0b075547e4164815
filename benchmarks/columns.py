"""Text in columns, some of them grouped under a title: two lines of head, then a line per row.

plain             KLEE
verdict     s        s
   TRUE  1.50     0.25
"""

from __future__ import annotations

from collections.abc import Sequence


def add_columns(
    head: list[list[str]], body: list[list[str]], title: str, names: Sequence[str], cells: list[list[str]]
) -> None:
    """Another group of columns, without those that are empty throughout."""
    used = [column for column in range(len(names)) if any(line[column] for line in cells)]
    for position, column in enumerate(used):
        head[0].append(title if position == 0 else "")
        head[1].append(names[column])
        for line, more in zip(body, cells, strict=True):
            line.append(more[column])


def aligned(lines: list[list[str]], names: int = 2) -> list[str]:
    """The first columns, which hold names, to the left, figures to the right; the title of a group reaches over all its
    columns."""
    titles, *rest = lines
    widths = [max(len(line[column]) for line in rest) for column in range(len(titles))]
    starts = [column for column, title in enumerate(titles) if title]
    for start, end in zip(starts, [*starts, len(titles)][1:], strict=True):
        there = sum(widths[start:end]) + 2 * (end - start - 1)
        widths[start] += max(0, len(titles[start]) - there)
    text = []
    for line in rest:
        cells = [
            cell.ljust(width) if column < names else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        text.append("  ".join(cells).rstrip())
    return [_title_line(titles, widths), *text]


def _title_line(titles: Sequence[str], widths: Sequence[int]) -> str:
    line, start = "", 0
    for title, width in zip(titles, widths, strict=True):
        line = line.ljust(start) + title if title else line
        start += width + 2
    return line
