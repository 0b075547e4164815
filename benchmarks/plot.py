"""Figures 4 to 6 of the paper for the table ``merging``: one HTML page with inline SVG, nothing to load.

Along the horizontal axis are the flow variants, whole programs; upwards are seconds and paths (logarithmic), and how
many of the paths were merged.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from benchmarks.table import Row, Table

PATH, EVERY, ERROR = "goal path", "no merging", "goal error"
"""A test for each path; every path, with the tests of goal ``error``; that goal."""

WHOLE = "both"
"""Programs with both of their halves."""

_COLOURS = {PATH: "#b2182b", EVERY: "#ef8a62", ERROR: "#2166ac", "completed": "#2166ac", "merged": "#92c5de"}
_LEFT, _TOP, _HEIGHT, _STEP, _BELOW = 64, 16, 240, 22, 52

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>clew bench {table}</title>
<style>
body {{ font: 14px/1.4 sans-serif; margin: 2em; max-width: 75em; }}
svg {{ display: block; overflow: visible; }}
text {{ font: 11px sans-serif; fill: #333; }}
.grid {{ stroke: #ddd; }}
</style>
</head>
<body>
<h1>{title}</h1>
{charts}
<p>{notes}</p>
</body>
</html>
"""


def plot(table: Table) -> str:
    """The page; with a sentence in place of the charts where there is nothing to draw."""
    rows = [row for row in table.rows if row.kind == WHOLE] or list(table.rows)
    rows = [row for row in rows if not any(run.failed for run in row.runs.values())]
    ways = [way for way in (PATH, EVERY, ERROR) if rows and way in rows[0].runs]
    charts = [
        _chart("Seconds, with and without merging", rows, [(way, [r.runs[way].seconds for r in rows]) for way in ways]),
        _chart("Paths, with and without merging", rows, [(way, [r.runs[way].explored for r in rows]) for way in ways]),
        _bars("Paths with merging: completed and merged", rows),
    ]
    body = "\n".join(charts) if rows else "<p>No program was measured.</p>"
    return page("merging", f"Merging of paths, {table.machine}", body, table.notes)


def page(table: str, title: str, charts: str, notes: Sequence[str]) -> str:
    """A page of a table; ``charts`` is HTML."""
    below = "<br>".join(map(escape, notes))
    return _PAGE.format(table=escape(table), title=escape(title), charts=charts, notes=below)


def _chart(title: str, rows: Sequence[Row], series: Sequence[tuple[str, Sequence[float]]]) -> str:
    """Lines over a logarithmic scale."""
    values = [value for _, line in series for value in line if value > 0] or [1]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)

    def y(value: float) -> float:
        return _TOP + _HEIGHT * (high - math.log10(max(value, 10.0**low))) / (high - low)

    parts = [_rule(y(10.0**power), f"{10.0**power:g}", len(rows)) for power in range(low, high + 1)]
    for name, line in series:
        points = [(_x(index), y(value)) for index, value in enumerate(line)]
        path = " ".join(f"{x:.1f},{top:.1f}" for x, top in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{_COLOURS[name]}"/>')
        for (x, top), value, row in zip(points, line, rows, strict=True):
            label = escape(f"{row.name}, {name}: {value:.4g}")
            dot = f'<circle cx="{x:.1f}" cy="{top:.1f}" r="3" fill="{_COLOURS[name]}">'
            parts.append(f"{dot}<title>{label}</title></circle>")
    return _figure(title, rows, parts, [name for name, _ in series])


def _bars(title: str, rows: Sequence[Row]) -> str:
    """Shares of one, since the numbers of paths differ too much."""
    parts = [_rule(_TOP + _HEIGHT * (1 - share / 4), f"{25 * share} %", len(rows)) for share in range(5)]
    for index, row in enumerate(rows):
        run = row.runs[ERROR]
        if not run.explored:
            continue
        completed, merged = run.count("paths_completed"), run.count("paths_merged")
        done = _HEIGHT * completed / run.explored
        label = escape(f"{row.name}: {completed:,} completed, {merged:,} merged")
        for name, top, height in (("merged", _TOP, _HEIGHT - done), ("completed", _TOP + _HEIGHT - done, done)):
            parts.append(
                f'<rect x="{_x(index) - 7:.1f}" y="{top:.1f}" width="14" height="{height:.1f}" '
                f'fill="{_COLOURS[name]}"><title>{label}</title></rect>'
            )
    return _figure(title, rows, parts, ["completed", "merged"])


def _figure(title: str, rows: Sequence[Row], parts: Sequence[str], names: Sequence[str]) -> str:
    """A chart with its axis and legend."""
    width = _x(len(rows))
    bottom = _TOP + _HEIGHT
    ticks = [
        f'<text x="{_x(index):.1f}" y="{bottom + 14}" text-anchor="middle">{escape(_short(row.name))}</text>'
        for index, row in enumerate(rows)
    ]
    legend = [
        f'<rect x="{_LEFT + 130 * place}" y="{bottom + 30}" width="12" height="12" fill="{_COLOURS[name]}"/>'
        f'<text x="{_LEFT + 130 * place + 18}" y="{bottom + 40}">{escape(name)}</text>'
        for place, name in enumerate(names)
    ]
    width = max(width, _LEFT + 130.0 * len(names))
    lines = "\n".join([*parts, *ticks, *legend])
    return f'<h2>{escape(title)}</h2>\n<svg width="{width:.0f}" height="{bottom + _BELOW}">\n{lines}\n</svg>'


def _rule(y: float, label: str, count: int) -> str:
    line = f'<line class="grid" x1="{_LEFT}" y1="{y:.1f}" x2="{_x(count):.1f}" y2="{y:.1f}"/>'
    return f'{line}<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{escape(label)}</text>'


def _x(index: int) -> float:
    return _LEFT + _STEP * (index + 0.75)


def _short(name: str) -> str:
    """The number of a flow variant, or the name of another program."""
    return name[:2] if name[:2].isdigit() else name
