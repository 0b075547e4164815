"""The table ``summaries``: ``clew test`` with and without loop summaries, on programs with input-bounded loops.

Every program runs in processes of its own, once each way, and once more in this one up to generation 1. Comments of a
program say what it starts with (``// start: x=10``), options it needs, how many bugs there are, and whether it is there
to show what summaries cost where there is nothing to summarize (``// overhead``). Merging, navigation and invariants
are off: they find their way through loops by other means, and would hide the difference.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.generations import NAME, explore_first
from benchmarks.papers import paper
from benchmarks.request import RUNS, BenchRequest
from benchmarks.run import LIMIT, Run, Say, by_turns, command
from benchmarks.subject import Subject, comments, count, own
from benchmarks.table import Columns, Row, Table, failures
from benchmarks.tables import machine, tables
from clew.base.options import StartValue

PLAIN, SUMMARIES = "plain", "summaries"

FIRST = {PLAIN: "plain, generation 1", SUMMARIES: "summaries, generation 1"}
"""The runs up to generation 1 of each way."""

ORDER = (
    "fig1", "fig2", "parser", "hundred_thousand", "nest1", "nest2", "nest3", "seq1", "seq2", "seq3", "seq4",
    "concrete", "scanner",
)  # fmt: skip
QUICK = ("fig1", "fig2", "parser", "hundred_thousand", "nest2", "seq2")

OVERHEAD = "overhead"
"""The kind of programs that are here for the cost where nothing can be summarized."""

MAIN = ("bugs", "tests", "gens", "loops", "sums", "removed", "updates", "diverged", "branches", "calls", "s", "MB")
GENERATION = ("first", "all", "new", "bugs")

_OPTIONS = {PLAIN: ("--no-summarize",), SUMMARIES: ()}
_OTHERS_OFF = {"merge": False, "navigate": False, "invariants": False}
_STRING = re.compile(r'"((?:\\.|[^"\\])*)"')


@tables.register("summaries", "test generation for loops bounded by inputs, with and without summaries")
def measure(request: BenchRequest, say: Say) -> SummariesTable:
    subjects, known = chosen(request), paper("summaries")["programs"]
    ways = (PLAIN, SUMMARIES) if request.plain else (SUMMARIES,)
    runs = {
        subject.name: _runs(subject, ways, request, f"{number} of {len(subjects)}: {subject.name}", say)
        for number, subject in enumerate(subjects, 1)
    }
    rows = []
    for subject in subjects:  # last: a process needs at least the memory of the one that starts it, by its own account
        firsts = {} if subject.kind == OVERHEAD else _firsts(subject, ways, request, say)
        rows.append(Row(subject, runs[subject.name] | firsts, known.get(subject.name, {})))
    return SummariesTable(tuple(rows), _notes(request), machine())


def chosen(request: BenchRequest) -> list[Subject]:
    """The programs that were asked for, in the order of ``ORDER``."""
    return own("summaries", [name for name in ORDER if not request.quick or name in QUICK], subject_of, request)


def subject_of(path: Path) -> Subject:
    """A program with what its comments say."""
    text = path.read_text(encoding="utf-8")
    checks = tuple(name for line in comments(text, "check") for name in line.split(","))
    start = _start(" ".join(comments(text, "start")))
    options = ["--no-merge", "--no-navigate", "--no-invariants", "--start", ",".join(map(_written, start))]
    return Subject(
        path.stem,
        (path,),
        OVERHEAD if re.search(r"^// overhead$", text, re.MULTILINE) else "",
        bugs=count(path, text, "bugs"),
        options=(*options, *(("--check", ",".join(checks)) if checks else ())),
        settings={"start": start, "checks": checks or None, **_OTHERS_OFF},
    )


def _start(text: str) -> tuple[StartValue, ...]:
    """``x=10,y=20``, ``4,4`` in call order, or ``name="bytes" "and more"``."""
    name, _, value = text.partition("=")
    if '"' in value:
        pieces: list[bytes] = [ast.literal_eval(f'b"{piece}"') for piece in _STRING.findall(value)]
        return (StartValue(name, b"".join(pieces)),)
    items = [item.rpartition("=") for item in text.split(",")]
    return tuple(StartValue(name or None, int(number, 0)) for name, _, number in items)


def _written(value: StartValue) -> str:
    """As ``--start`` takes it."""
    shown = str(value.value)
    if isinstance(value.value, bytes):
        shown = '"' + "".join(f"\\x{byte:02x}" for byte in value.value) + '"'
    return shown if value.name is None else f"{value.name}={shown}"


def _runs(subject: Subject, ways: tuple[str, ...], request: BenchRequest, title: str, say: Say) -> dict[str, Run]:
    """By processor time."""

    def run(way: str, *more: str) -> Run:
        plain = way == PLAIN and subject.kind != OVERHEAD
        limit = request.plain_limit(request.plain_seconds) if plain else request.seconds
        return command("test", subject.files, [*subject.options, *_OPTIONS[way], *more], limit)

    for way in ways:  # fills the compile cache, which is another one where loops are watched
        run(way, "--max-instructions", "1")
    repeat = request.times(RUNS if subject.kind == OVERHEAD else 1)
    return by_turns(title, ways, run, repeat, say, key=lambda one: one.cpu)


def _firsts(subject: Subject, ways: tuple[str, ...], request: BenchRequest, say: Say) -> dict[str, Run]:
    found = {}
    for way in ways:
        run = explore_first(subject.request(request.seconds, search=NAME, summarize=way == SUMMARIES))
        say(f"{subject.name}, {FIRST[way]}: {run}")
        found[FIRST[way]] = run
    return found


def _notes(request: BenchRequest) -> tuple[str, ...]:
    others = paper("summaries")["icon_files"]
    loops, activations = [one["loops_summarized"] for one in others], [one["summaries"] for one in others]
    plain = f", {request.plain_limit(request.plain_seconds):g} s for plain" if request.plain else ""
    return (
        f"{request.times_text()} (overhead: median of {request.times(RUNS)}), limit {request.seconds:g} s{plain}; "
        "> where stopped; s: the whole command",
        "gens: latest generation that ran; loops, sums: loops, and executions of them, that were summarized; "
        "removed: constraints; updates: symbolic values of variables; calls: of the solver",
        "generation 1: branches covered by the first run, by it and its siblings, by these for the first time; bugs",
        f"the paper's other {len(others)} files: {min(loops)} to {max(loops)} loops (median {median(loops):g}) and "
        f"{min(activations)} to {max(activations)} executions summarized; see benchmarks/papers/summaries.json",
    )


@dataclass(frozen=True)
class SummariesTable(Table):
    """Programs without summaries, with them, and in the paper, line below line."""

    name = "summaries"

    def judge(self, row: Row) -> Iterator[str]:
        yield from failures(row)
        for way, run in ways_of(row).items():
            bugs = len(run.errors)
            if not run.failed and (bugs > row.subject.bugs or (run.complete and bugs < row.subject.bugs)):
                yield f"WRONG BUGS: {row.name}, {way}: {bugs}, expected {row.subject.bugs}"
        complete = {way: run.covered for way, run in ways_of(row).items() if run.complete}
        if len(set(complete.values())) > 1:
            covered = ", ".join(f"{branches} branches ({way})" for way, branches in complete.items())
            yield f"WRONG COVERAGE: {row.name}: {covered}, though both were explored to the end"

    def findings(self) -> list[str]:
        """What summaries gain and cost, beside the paper's figures."""
        known = paper("summaries")
        lines = []
        for row in self.rows:
            gained, costs = gain(row), cost(row)
            if gained is not None and row.name == "parser":
                share = f"{100 * (gained[1] / gained[0] - 1):+.0f} %, " if gained[0] else ""
                lines.append(
                    f"parser: generation 1 covers {gained[0]} new branches without, {gained[1]} with summaries "
                    f"({share}paper: +{known['coverage_gain']} % instructions)"
                )
            if costs is not None:
                lines.append(
                    f"{row.name}: {costs[0]:+.0f} % processor time, {costs[1]:+.0f} % memory "
                    f"(paper: +{known['overhead']} % both)"
                )
        return lines

    def columns(self) -> Iterator[Columns]:
        """A line per program and way."""
        names, main, first = [], [], []
        for row in self.rows:
            for way, run in ways_of(row).items():
                names.append([row.name, way])
                main.append(_run_cells(row, run))
                first.append(_first_cells(row.runs.get(FIRST[way])))
            for way, figures in row.paper.items():
                names.append([row.name, way])
                main.append(_paper_cells(figures))
                first.append([""] * len(GENERATION))
        yield Columns("", ("program", ""), names)
        yield Columns("", MAIN, main)
        yield Columns("generation 1", GENERATION, first)

    def row_json(self, row: Row) -> dict[str, object]:
        gained, costs = gain(row), cost(row)
        return {
            "name": row.name,
            "bugs": row.subject.bugs,
            "runs": {way: _run_json(run) for way, run in ways_of(row).items()},
            "generation1": {way: _first_json(row.runs[name]) for way, name in FIRST.items() if name in row.runs},
            "gain": None if gained is None else {"plain": gained[0], "summaries": gained[1]},
            "overhead_percent": None if costs is None else {"time": round(costs[0], 1), "memory": round(costs[1], 1)},
            "paper": row.paper,
        }


def ways_of(row: Row) -> dict[str, Run]:
    """The complete runs."""
    return {way: row.runs[way] for way in _OPTIONS if way in row.runs}


def gain(row: Row) -> tuple[int, int] | None:
    """Branches that are new in generation 1, without and with summaries."""
    plain, summaries = (row.runs.get(name) for name in FIRST.values())
    return None if plain is None or summaries is None else (_new(plain), _new(summaries))


def cost(row: Row) -> tuple[float, float] | None:
    """Percent of processor time and of memory that summaries add."""
    plain, summaries = row.runs.get(PLAIN), row.runs.get(SUMMARIES)
    if row.kind != OVERHEAD or plain is None or summaries is None or not (plain.complete and summaries.complete):
        return None
    return _more(plain.cpu, summaries.cpu), _more(_memory(plain), _memory(summaries))


def _more(plain: float, summaries: float) -> float:
    return 100 * (summaries / max(plain, 0.001) - 1)


def _memory(run: Run) -> float:
    return run.stats.get("peak_memory_mb", 0.0)


def _first(run: Run) -> int:
    """Branches that the first run alone covers."""
    return run.marks[LIMIT].branches if run.marks else 0


def _new(run: Run) -> int:
    """Covered by the siblings for the first time."""
    return run.covered - _first(run)


def _run_json(run: Run) -> dict[str, object]:
    return {
        "seconds": round(run.seconds, 3),
        "failed": run.failed,
        "tests": run.tests,
        "bugs": len(run.errors),
        "branches": {"covered": run.covered, "total": run.branches},
        "stopped": run.stopped,
        "complete": run.complete,
        "cpu_seconds": round(run.cpu, 3),
        "stats": dict(run.stats),
    }


def _first_json(run: Run) -> dict[str, object]:
    return {
        "first": _first(run),
        "branches": run.covered,
        "new": _new(run),
        "runs": sum(run.count(name) for name in ("paths_completed", "paths_pruned", "paths_cut_short")),
        "bugs": len(run.errors),
        "stopped": run.stopped,
    }


def _run_cells(row: Row, run: Run) -> list[str]:
    if run.failed:
        return ["failed", *[""] * (len(MAIN) - 3), f"{run.seconds:.2f}", ""]
    more = "" if run.complete else ">"
    counts = ("loops_summarized", "summaries", "constraints_removed", "symbolic_updates", "divergences")
    return [
        f"{len(run.errors)}/{row.subject.bugs}",
        f"{run.tests:,}",
        f"{more}{run.count('generations'):,}",
        *(f"{run.count(name):,}" if run.count("summaries") else "" for name in counts),
        f"{run.covered}/{run.branches}",
        f"{run.count('solver_queries'):,}",
        f"{more}{run.seconds:.2f}",
        f"{_memory(run):.0f}",
    ]


def _first_cells(run: Run | None) -> list[str]:
    if run is None:
        return [""] * len(GENERATION)
    more = ">" if run.stopped else ""
    return [str(_first(run)), f"{more}{run.covered}", str(_new(run)), str(len(run.errors))]


def _paper_cells(figures: Mapping[str, float]) -> list[str]:
    names = (
        "bugs", "tests", "generations", "loops", "summaries", "constraints_removed", "symbolic_updates", "", "",
        "solver_queries", "seconds", "memory_mb",
    )  # fmt: skip
    return [f"{figures[name]:,.0f}" if name in figures else "" for name in names]
