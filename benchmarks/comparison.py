"""The default beside the best of all other configurations, on one program.

Three kinds of ratios: of the areas under the coverage curves (above 1: the default is better), of the times to the end
or to the verdict, and of the times to each bug (below 1: the default is better); each by the clock, by processor time
and by work. Over several seeds, medians are compared. A run that its limits have stopped did not come to its end: if
the other one did, all that the first one has spent stands for what it would have needed, and the ratio is a bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from benchmarks.configurations import DEFAULT
from benchmarks.curve import AXES, BRANCHES, CPU, LINES, SECONDS
from benchmarks.run import Run
from benchmarks.subject import Error
from clew.base.budget import StopReason

Runs = Mapping[str, Sequence[Run]]
"""Of one program: a run for each seed, by configuration."""

Measure = Callable[[Run], float]

MAIN = CPU
"""The axis that decides what is worst: other things that the machine has to do matter least there."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """Two medians, and what one is of the other."""

    default: float
    best: float
    """Infinite where a run did not come there."""
    way: str
    """Which configuration is the best."""
    value: float
    bound: str = ""
    """``>`` where the default did not come to the end, ``<`` where no other one did; empty where both did."""

    def __str__(self) -> str:
        return f"{self.bound}{self.value:.2f}"

    def to_json(self) -> dict[str, object]:
        figures = {"default": self.default, "best": self.best}
        shown = {name: round(value, 4) if math.isfinite(value) else None for name, value in figures.items()}
        return {**shown, "way": self.way, "ratio": round(self.value, 4), "bound": self.bound}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Of the default with all others, on one program; by axis, empty where there is nothing to compare."""

    curves: Mapping[str, Ratio] = field(default_factory=dict)
    """Areas under the curve of branches."""
    lines: Mapping[str, Ratio] = field(default_factory=dict)
    """The same for lines."""
    ends: Mapping[str, Ratio] = field(default_factory=dict)
    """What it takes to the end, or to the verdict."""
    bugs: Mapping[str, Mapping[Error, Ratio]] = field(default_factory=dict)
    """What it takes to each bug that some configuration has found."""
    covered: Ratio | None = None
    """Branches in the end."""

    @property
    def badness(self) -> float:
        """How many times worse the default is than the best one, in what it does worst; below 1 if it is better."""
        behind = [1 / max(self.curves[MAIN].value, 1e-9)] if MAIN in self.curves else []
        ends = [self.ends[MAIN].value] if MAIN in self.ends else []
        return max([*behind, *ends, *(ratio.value for ratio in self.bugs.get(MAIN, {}).values())], default=1.0)

    def to_json(self) -> dict[str, object]:
        bugs = {
            axis: [{"kind": kind, "file": file, "line": line, **one.to_json()} for (kind, file, line), one in some]
            for axis, some in ((axis, sorted(some.items())) for axis, some in self.bugs.items())
        }
        return {
            "curve": _json(self.curves),
            "curve_lines": _json(self.lines),
            "end": _json(self.ends),
            "bugs": bugs,
            "branches": None if self.covered is None else self.covered.to_json(),
        }


def _json(ratios: Mapping[str, Ratio]) -> dict[str, object]:
    return {axis: ratio.to_json() for axis, ratio in ratios.items()}


def compare(runs: Runs, limit: float, has_verdict: bool) -> Comparison:
    """``limit``: seconds that each run had. Of a command with a verdict only the time to it matters."""
    if len(runs) < 2 or DEFAULT not in runs:
        return Comparison()
    ends = {axis: ratio for axis in AXES if (ratio := _sooner(runs, axis, _end(axis, has_verdict))) is not None}
    if has_verdict:
        return Comparison(ends=ends)
    far = {axis: horizon(runs, axis, limit) for axis in AXES}
    return Comparison(
        {axis: _higher(runs, area(axis, BRANCHES, far[axis])) for axis in AXES},
        {axis: _higher(runs, area(axis, LINES, far[axis])) for axis in AXES},
        ends,
        {axis: _bugs(runs, axis) for axis in AXES},
        _higher(runs, lambda run: run.curve.most(BRANCHES)),
    )


def horizon(runs: Runs, axis: str, limit: float) -> float:
    """Up to where areas are compared: the limit, where what a run has covered when it ends stays covered. On other axes
    than that of the clock, as far as all runs have come that the limit has stopped; of work, where none was, until the
    last one had ended."""
    all_runs = [run for some in runs.values() for run in some if run.curve.points]
    stopped = [run for run in all_runs if run.stopped == StopReason.TIME]
    if axis == SECONDS or (axis == CPU and not stopped):
        return limit
    ends = [run.curve.end(axis) for run in stopped or all_runs]
    return (min if stopped else max)(ends, default=0.0)


def area(axis: str, what: str, far: float) -> Measure:
    """The area under one of the curves of a run."""
    return lambda run: run.curve.area(axis, what, far)


def medians(runs: Runs, measure: Measure) -> dict[str, float]:
    """Of each configuration, over its seeds."""
    return {way: median(map(measure, some)) for way, some in runs.items()}


def spent(axis: str) -> Measure:
    """What a run took in all."""
    return lambda run: {SECONDS: run.seconds, CPU: run.cpu}.get(axis, run.curve.end(axis))


def _end(axis: str, has_verdict: bool) -> Measure:
    """What it took to the end, or to the verdict; infinite where it did not come there."""

    def ended(run: Run) -> bool:
        return run.decided if has_verdict else not run.failed and run.stopped is None

    return lambda run: spent(axis)(run) if ended(run) else math.inf


def _bugs(runs: Runs, axis: str) -> dict[Error, Ratio]:
    def time_to(bug: Error) -> Measure:
        return lambda run: run.curve.found(axis).get(bug, math.inf)

    bugs = {bug for some in runs.values() for run in some for bug in run.curve.bugs}
    return {bug: ratio for bug in bugs if (ratio := _sooner(runs, axis, time_to(bug))) is not None}


def _higher(runs: Runs, measure: Measure) -> Ratio:
    """Where more is better."""
    found = medians(runs, measure)
    default = found.pop(DEFAULT)
    way = max(found, key=lambda one: found[one])
    best = found[way]
    return Ratio(default, best, way, default / best if best else 1.0 + (default > 0))


def _sooner(runs: Runs, axis: str, measure: Measure) -> Ratio | None:
    """Where less is better; None where neither the default nor another one came there."""
    found = medians(runs, measure)
    default = found.pop(DEFAULT)
    way = min(found, key=lambda one: found[one])
    best = found[way]
    if math.isfinite(default) and math.isfinite(best):
        return Ratio(default, best, way, default / best if best else 1.0)
    took = medians(runs, spent(axis))
    if math.isfinite(best):
        return Ratio(default, best, way, max(took[DEFAULT] / best if best else 1.0, 1.0), ">")
    if math.isfinite(default):
        return Ratio(default, best, "", min(default / max(took[other] for other in found), 1.0), "<")
    return None
