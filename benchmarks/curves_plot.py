"""The plots of the table ``combination``: one HTML page with inline SVG, nothing to load.

First how much worse the default is than the best configuration, a bar for each program; then, for each of them, covered
branches over processor time, a staircase for each run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from benchmarks.configurations import DEFAULT, OFF
from benchmarks.curve import BRANCHES, CPU, Curve
from benchmarks.plot import page

_COLOURS = ("#2166ac", "#1b7837", "#e08214", "#8073ac", "#01665e", "#c51b7d", "#8c510a", "#666666")
_FIXED = {DEFAULT: "#b2182b", OFF: "#000000"}
_WIDTH, _HEIGHT, _LEFT, _TOP, _BAR, _NAMES = 460, 180, 40, 12, 16, 190
_MOST = 100.0
"""Times worse than which a bar does not get longer."""


@dataclass(frozen=True, slots=True)
class Chart:
    """The curves of a program, by configuration: one for each seed."""

    title: str
    curves: Mapping[str, Sequence[Curve]]


def page_of(machine: str, worst: Sequence[tuple[str, float]], charts: Sequence[Chart], notes: Sequence[str]) -> str:
    """``worst``: programs, and how many times worse the default is there than the best configuration."""
    colours = _colours(charts)
    parts = [_bars(worst), _legend(colours), *(_chart(chart, colours) for chart in charts)]
    body = "\n".join(parts) if worst else "<p>No program was measured.</p>"
    return page("combination", f"The default beside each configuration, {machine}", body, notes)


def _colours(charts: Sequence[Chart]) -> dict[str, str]:
    ways = dict.fromkeys(way for chart in charts for way in chart.curves)
    others = [way for way in ways if way not in _FIXED]
    chosen = {way: _COLOURS[place % len(_COLOURS)] for place, way in enumerate(others)}
    return {way: _FIXED.get(way) or chosen[way] for way in ways}


def _bars(worst: Sequence[tuple[str, float]]) -> str:
    """To the right of the middle: so many times worse, on a logarithmic scale; to the left: better."""
    parts, middle = [], _NAMES + _WIDTH / 2
    for place, (name, value) in enumerate(worst):
        length = math.log(min(max(value, 1 / _MOST), _MOST), _MOST) * _WIDTH / 2
        y, colour = _TOP + _BAR * place, _FIXED[DEFAULT] if value > 1 else _COLOURS[0]
        parts += [
            f'<text x="{_NAMES - 6}" y="{y + 11}" text-anchor="end">{escape(name)}</text>',
            f'<rect x="{min(middle, middle + length):.1f}" y="{y + 2}" width="{abs(length):.1f}" height="{_BAR - 4}" '
            f'fill="{colour}"><title>{escape(name)}: {value:.2f}</title></rect>',
            f'<text x="{_NAMES + _WIDTH + 6}" y="{y + 11}">{value:.2f}</text>',
        ]
    bottom = _TOP + _BAR * len(worst)
    parts.append(f'<line class="grid" x1="{middle:.1f}" y1="{_TOP}" x2="{middle:.1f}" y2="{bottom}"/>')
    return _figure("Times that the default is worse than the best (left: better)", _NAMES + _WIDTH + 60, bottom, parts)


def _legend(colours: Mapping[str, str]) -> str:
    items = (f'<span style="color: {colour}">&#9632; {escape(way)}</span>' for way, colour in colours.items())
    return f"<p>{' &nbsp; '.join(items)}</p>"


def _chart(chart: Chart, colours: Mapping[str, str]) -> str:
    curves = [(way, curve) for way, some in chart.curves.items() for curve in some if curve.points]
    far = max((curve.end(CPU) for _, curve in curves), default=0.0) or 1.0
    most = max((curve.most(BRANCHES) for _, curve in curves), default=0) or 1
    bottom = _TOP + _HEIGHT
    parts = [
        _rule(_TOP, str(most)), _rule(_TOP + _HEIGHT / 2, f"{most / 2:g}"), _rule(bottom, "0"),
        f'<text x="{_LEFT + _WIDTH}" y="{bottom + 14}" text-anchor="end">{far:.3g} s</text>',
    ]  # fmt: skip
    for way, curve in reversed(curves):  # the default comes first, and is drawn last
        steps = " ".join(f"{x:.1f},{y:.1f}" for x, y in _steps(curve, far, most))
        title = f"{way}: {curve.most(BRANCHES)} branches, {curve.end(CPU):.2f} s"
        width = 2 if way == DEFAULT else 1
        parts.append(
            f'<polyline points="{steps}" fill="none" stroke="{colours[way]}" stroke-width="{width}">'
            f"<title>{escape(title)}</title></polyline>"
        )
    return _figure(f"{chart.title}: branches over seconds of the processor", _LEFT + _WIDTH + 20, bottom + 20, parts)


def _steps(curve: Curve, far: float, most: int) -> list[tuple[float, float]]:
    """Corners of the staircase, up to the end of the run."""
    corners, height = [(0.0, 0)], 0
    for point in curve.points:
        corners.append((point.cpu, height))
        height = max(height, point.branches)
        corners.append((point.cpu, height))
    return [(_LEFT + _WIDTH * x / far, _TOP + _HEIGHT * (1 - y / most)) for x, y in corners]


def _rule(y: float, label: str) -> str:
    line = f'<line class="grid" x1="{_LEFT}" y1="{y:.1f}" x2="{_LEFT + _WIDTH}" y2="{y:.1f}"/>'
    return f'{line}<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{escape(label)}</text>'


def _figure(title: str, width: float, height: float, parts: Sequence[str]) -> str:
    lines = "\n".join(parts)
    return f'<h2>{escape(title)}</h2>\n<svg width="{width:.0f}" height="{height:.0f}">\n{lines}\n</svg>'
