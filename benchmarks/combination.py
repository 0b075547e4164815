"""The table ``combination``: is the default as good as the best configuration, on every program?

Programs by configurations by seeds; each run is a process of its own, one at a time unless ``--jobs`` asks for more.
``clew test`` runs with all techniques, with none, with each alone and with all but one; ``verify`` and ``reach`` with
each strategy. Configurations take turns, so that a slow minute of the machine hits them all. With ``--out`` runs are
kept, and not made again.
"""

from __future__ import annotations

import math
import multiprocessing
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from benchmarks import cases
from benchmarks.case import Case
from benchmarks.comparison import MAIN, Comparison, Ratio, area, compare, horizon, medians
from benchmarks.configurations import DEFAULT, check, configurations
from benchmarks.curve import AXES, BRANCHES, SECONDS, geometric_mean
from benchmarks.curves_plot import Chart, page_of
from benchmarks.kept import Kept, run_json
from benchmarks.request import BenchRequest
from benchmarks.run import Run, Say, command
from benchmarks.subject import Error, Subject
from benchmarks.table import Columns, Row, Table, failures, wrong_verdicts
from benchmarks.tables import machine, tables
from clew.base.errors import UserError

_SEED = ", seed "
_COMPILING = 600.0
"""Seconds for the compiler: a run whose program is not compiled in time would tell nothing."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One run that is to be made."""

    case: Case
    way: str
    seed: int
    options: tuple[str, ...]
    seconds: float
    compiles: bool = False
    """Is it the first one of its program and configuration?"""

    @property
    def key(self) -> str:
        """Its name within a row."""
        return f"{self.way}{_SEED}{self.seed}"

    @property
    def name(self) -> str:
        """Within the table."""
        return f"{self.case.name}, {self.key}"

    @property
    def digest(self) -> str:
        return self.case.digest((*self.options, str(self.seed)), self.seconds)


def attempt(trial: Trial) -> Run:
    """Make a run, in a process of its own; the program is compiled before."""
    case, options = trial.case, (*trial.case.options, *trial.options)
    if trial.compiles:
        command(case.command, case.files, [*options, "--max-instructions", "1"], _COMPILING)  # fills the cache
    return command(case.command, case.files, [*options, "--seed", str(trial.seed)], trial.seconds)


@tables.register("combination", "all techniques together, beside each alone, none, and all but one")
def measure(request: BenchRequest, say: Say) -> CombinationTable:
    if request.plot is not None and not request.plot.resolve().parent.is_dir():
        raise UserError(f"--plot {request.plot}: there is no such folder")
    check(request.ways)
    kept = Kept(request.out)
    with tempfile.TemporaryDirectory(prefix="clew-bench-") as place:
        subjects = cases.chosen(request, Path(place))
        trials = [trial for case in subjects for trial in trials_of(case, request)]
        runs = run_all(trials, kept, request.jobs, say)
    rows = [Row(case, {trial.key: runs[trial.name] for trial in trials if trial.case is case}) for case in subjects]
    table = CombinationTable(tuple(rows), _notes(request), machine(), request.seconds)
    if request.plot is not None:
        request.plot.write_text(plot(table), encoding="utf-8")
        say(f"plotted in {request.plot}")
    return table


def trials_of(case: Case, request: BenchRequest) -> list[Trial]:
    """The runs of a program: all configurations with the first seed, then with the next one."""
    ways = configurations(case.command, request.ways)
    return [Trial(case, way, seed, options, request.seconds) for seed in request.seeds for way, options in ways.items()]


def run_all(
    trials: Sequence[Trial], kept: Kept, jobs: int, say: Say, make: Callable[[Trial], Run] = attempt
) -> dict[str, Run]:
    """By name: those that are kept, and the others as they come; each is kept at once."""
    found, missing = dict[str, Run](), dict[tuple[str, str], list[Trial]]()
    for trial in trials:
        run = kept.get(trial.case, trial.way, trial.seed, trial.digest)
        if run is not None:
            found[trial.name] = run
        else:
            missing.setdefault((trial.case.name, trial.way), []).append(trial)
    if found:
        say(f"{len(found)} of {len(trials)} runs are there already")
    first = {some[0].name for some in missing.values()}
    rest = [replace(trial, compiles=trial.name in first) for trial in trials if trial.name not in found]
    for trial, run in _made(rest, jobs, make):
        found[trial.name] = run
        kept.put(trial.case, trial.way, trial.seed, trial.digest, run)
        say(f"{len(found)} of {len(trials)}: {trial.name}: {run}")
    return found


def _made(trials: Sequence[Trial], jobs: int, make: Callable[[Trial], Run]) -> Iterator[tuple[Trial, Run]]:
    """As they end. With several at once, each has a process that waits for it: processor time is counted there."""
    if jobs == 1:
        for trial in trials:
            yield trial, make(trial)
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        waiting: dict[Future[Run], Trial] = {pool.submit(make, trial): trial for trial in trials}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def _notes(request: BenchRequest) -> tuple[str, ...]:
    several = f"medians of {len(request.seeds)} seeds" if len(request.seeds) > 1 else f"seed {request.seeds[0]}"
    at_once = "one at a time" if request.jobs == 1 else f"{request.jobs} at a time"
    return (
        f"{several}, limit {request.seconds:g} s, runs {at_once}; worst programs first; best: of all but the default",
        "curve: area under the curve of branches, default / best (above 1: the default is better), over seconds, "
        "seconds of the processor, and work (instructions, and 1000 for each question to the solver)",
        "end: what it takes to the end or the verdict; bugs: found by the default, by any, and what the one takes that "
        "it is latest with; default / best (below 1: the default is better; > and <: one of them did not come there)",
    )


def plot(table: CombinationTable) -> str:
    """A page: all ratios, worst first, then the curves of each program."""
    worst = [(row.name, comparison.badness) for row, comparison in table.compared]
    charts = [
        Chart(row.name, {way: [run.curve for run in runs] for way, runs in ways_of(row).items()})
        for row, comparison in table.compared
        if comparison.curves
    ]
    return page_of(table.machine, worst, charts, [*table.findings(), *table.notes])


def ways_of(row: Row) -> dict[str, list[Run]]:
    """The runs of a program by configuration, one for each seed."""
    found: dict[str, list[Run]] = {}
    for key, run in row.runs.items():
        found.setdefault(key.rpartition(_SEED)[0], []).append(run)
    return found


def _of(subject: Subject) -> Case:
    assert isinstance(subject, Case)
    return subject


@dataclass(frozen=True)
class CombinationTable(Table):
    """Programs with all configurations, worst ones first."""

    limit: float = 60.0
    """Seconds of each run."""

    name = "combination"

    @cached_property
    def compared(self) -> list[tuple[Row, Comparison]]:
        """The rows in the order of the table."""
        found = [(row, compare(ways_of(row), self.limit, _of(row.subject).has_verdict)) for row in self.rows]
        return sorted(found, key=lambda one: -one[1].badness)

    def judge(self, row: Row) -> Iterator[str]:
        """Failures, wrong verdicts, false alarms; and different coverage where two runs explored everything."""
        case = _of(row.subject)
        yield from failures(row)
        if case.has_verdict:
            yield from wrong_verdicts(row) if case.expected else _contradictions(row)
            return
        for way, run in row.runs.items():
            wrong = set(run.errors) - case.errors if case.errors_known else set()
            yield from (f"FALSE ALARM: {row.name}, {way}: {kind} at {f}:{line}" for kind, f, line in sorted(wrong))
        complete = {way: run.covered for way, run in row.runs.items() if run.complete}
        for way, covered in complete.items():
            if covered != max(complete.values()):
                most = max(complete, key=lambda one: complete[one])
                yield f"WRONG COVERAGE: {row.name}, {way}: {covered} branches, and {complete[most]} with {most}"

    def findings(self) -> list[str]:
        """Geometric means, and where it is worst."""
        said = []
        for axis in AXES:
            curves = [(row.name, one.curves[axis].value) for row, one in self.compared if axis in one.curves]
            said.append(_mean(f"curve over {axis}", curves, min))
        ends = [(row, one.ends[MAIN].value) for row, one in self.compared if MAIN in one.ends]
        for title, wanted in (("to the end", False), ("to the verdict", True)):
            those = [(row.name, value) for row, value in ends if _of(row.subject).has_verdict is wanted]
            said.append(_mean(f"processor time {title}", those, max))
        bugs = [(row.name, ratio.value) for row, one in self.compared for ratio in one.bugs.get(MAIN, {}).values()]
        said += [_mean("processor time to each bug", bugs, max), self._others()]
        return [line for line in said if line]

    def _others(self) -> str:
        """What each configuration is beside the default, by the area under its curves."""
        gains: dict[str, list[float]] = {}
        for row in self.rows:
            runs = ways_of(row)
            if _of(row.subject).has_verdict or len(runs) < 2:
                continue
            areas = medians(runs, area(MAIN, BRANCHES, horizon(runs, MAIN, self.limit)))
            for way, value in areas.items():
                if way != DEFAULT and value and areas[DEFAULT]:
                    gains.setdefault(way, []).append(value / areas[DEFAULT])
        shown = ", ".join(f"{way} {geometric_mean(values):.3f}" for way, values in gains.items())
        return f"curve over {MAIN}, others / default: {shown}" if shown else ""

    def columns(self) -> Iterator[Columns]:
        """A line per program."""
        yield Columns("", ("program", ""), [[row.name, _of(row.subject).command] for row, _ in self.compared])
        found = [one for _, one in self.compared]
        yield Columns("branches", ("default", "best"), [_two(one.covered) for one in found])
        yield Columns("curve", (*AXES, "best"), [_ratio_cells(one.curves) for one in found])
        ends = [[*_two(one.ends.get(SECONDS), ".2f"), *_ratio_cells(one.ends)] for one in found]
        yield Columns("end", ("default s", "best s", *AXES, "best"), ends)
        yield Columns("bugs", ("found", *AXES, "best"), [_bug_cells(one.bugs) for one in found])

    def row_json(self, row: Row) -> dict[str, object]:
        case = _of(row.subject)
        one = compare(ways_of(row), self.limit, case.has_verdict)
        runs = {way: run_json(run) for way, run in row.runs.items()}
        return {
            "name": row.name,
            "command": case.command,
            "badness": round(one.badness, 4),
            **one.to_json(),
            "runs": runs,
        }

    def more_json(self) -> dict[str, object]:
        return {"limit": self.limit, "order": [row.name for row, _ in self.compared]}


def _contradictions(row: Row) -> Iterator[str]:
    """Where nobody knows the right verdict, there is one at most."""
    verdicts = {way: run.verdict for way, run in row.runs.items() if run.decided}
    if len(set(verdicts.values())) > 1:
        yield f"WRONG VERDICT: {row.name}: " + ", ".join(f"{verdict} ({way})" for way, verdict in verdicts.items())


def _mean(title: str, values: Sequence[tuple[str, float]], worst: Callable[..., tuple[str, float]]) -> str:
    """``worst``: ``min`` where more is better."""
    if not values:
        return ""
    name, value = worst(values, key=lambda one: one[1])
    mean = geometric_mean([max(value, 1e-3) for _, value in values])
    return f"{title}, default / best: geometric mean {mean:.3f} of {len(values)}, worst {value:.2f} ({name})"


def _two(ratio: Ratio | None, form: str = ".0f") -> list[str]:
    return ["", ""] if ratio is None else [_number(ratio.default, form), _number(ratio.best, form)]


def _number(value: float, form: str) -> str:
    return "-" if math.isinf(value) else format(value, form)


def _ratio_cells(ratios: Mapping[str, Ratio]) -> list[str]:
    """By axis, and the configuration that is best by the main one."""
    shown = [str(ratios[axis]) if axis in ratios else "" for axis in AXES]
    return [*shown, ratios[MAIN].way if MAIN in ratios else ""]


def _bug_cells(bugs: Mapping[str, Mapping[Error, Ratio]]) -> list[str]:
    """How many the default has found of all, and the one that it finds latest."""
    if not bugs.get(MAIN):
        return [""] * (len(AXES) + 2)
    latest = [max(bugs[axis].values(), key=lambda one: one.value) for axis in AXES]
    found = sum(math.isfinite(one.default) for one in bugs[MAIN].values())
    return [f"{found}/{len(bugs[MAIN])}", *map(str, latest), latest[AXES.index(MAIN)].way]
