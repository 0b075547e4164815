"""What people read: the report, the progress line, warnings, the bench table."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

from clew.base.budget import StopReason
from clew.base.location import Location
from clew.report.listener import Listener, Listeners, ProgramInfo, Snapshot, WorkerStanding
from clew.report.reasons import Reason, WhyNot
from clew.report.records import (
    BEST_EFFORT,
    NOT_SUMMARIZED,
    SOUND,
    Bug,
    Coverage,
    LoopStatement,
    LossKind,
    LossNote,
    StackFrame,
    Summary,
    Test,
    Unreachable,
)
from clew.report.screen import ProgressLine, Screen, fitted, progress_parts, worker_table
from clew.report.statistics import RunStatistics
from clew.report.text import print_lines, report_lines
from clew.techniques.conflicts.statistics import ConflictStatistics
from clew.techniques.invariants.statistics import InvariantStatistics
from clew.techniques.merging.statistics import MergingStatistics
from clew.techniques.summaries.statistics import SummaryStatistics


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _text(summary: Summary, verbose: bool = False) -> str:
    return "\n".join(text for text, _ in report_lines(summary, verbose))


def test_report_of_a_bug(summary: Summary) -> None:
    text = _text(replace(summary, out="clew-out/1"))
    assert "p.c:12:5: assert: assertion 'x > 0' failed" in text
    assert "int x = -5" in text
    assert "tests     3 in clew-out/1/tests" in text
    assert "branches  1 of 2 covered (50%)" in text
    assert "report    clew-out/1/report.html" in text
    assert "solver 0.50 s (25%)" in _text(summary, verbose=True) and "solver" not in text
    assert "  unsupported: not supported: the paths end there\n    inline assembly at p.c:12 (2 paths)" in text
    assert "in check\n      called from main p.c:30\n      int x = -5;" in text
    assert text.startswith("found 1 bug\n\n  p.c:12:5: assert: ")
    assert "      clew explain clew-out/1 1\n" in text
    assert _text(replace(summary, losses=())).startswith("found 1 bug, all paths explored\n")


def test_possible_bugs_stand_apart(summary: Summary) -> None:
    resting = "depends on what f() returns, which is not defined here"
    possible = replace(summary.bugs[0], kind="shift", message="", rests_on=resting)
    both = _text(replace(summary, bugs=(*summary.bugs, possible)))
    assert both.index("12:5: assert") < both.index(f"1 possible bug\n  p.c:12:5: shift (possible: {resting})")
    assert both.startswith("found 1 bug, 1 possible bug\n")
    alone = _text(replace(summary, bugs=(possible,)))
    assert alone.startswith("no bug found in what was explored, 1 possible bug\n\n1 possible bug\n")


def test_bugs_with_one_cause_are_told_once(summary: Summary, bug: Bug) -> None:
    first = replace(
        bug, kind="out-of-bounds", message="write of 1 byte past the end of 'a'", location=Location("p.c", 3)
    )
    second = replace(first, location=Location("p.c", 9, 2), message="read of 8 bytes past the end of 'a'")
    other = replace(second, message="read of 8 bytes past the end of 'b'")
    elsewhere = replace(first, function="other")
    claims = (bug, replace(bug, location=Location("p.c", 40)))
    text = _text(replace(summary, bugs=(first, second, other, elsewhere, *claims), out="o"))
    assert text.startswith("found 6 bugs\n")
    assert text.count(": out-of-bounds: ") == 3 and text.count(": assert: ") == 2
    assert "      clew explain o 1\n      the same at p.c:9:2 (2)\n" in text
    assert "the same" not in _text(replace(summary, bugs=(first, second)), verbose=True)


def test_report_shows_the_source(summary: Summary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text("\n" * 11 + "    assert(x > 0);\n")
    assert "      12 |     assert(x > 0);\n         |     ^" in _text(summary)


def test_report_cuts_deep_stacks(summary: Summary) -> None:
    deep = replace(
        summary, bugs=(replace(summary.bugs[0], stack=tuple(StackFrame("f", Location("p.c", n)) for n in range(40))),)
    )
    assert "... and 31 more calls" in _text(deep)
    assert "more calls" not in _text(deep, verbose=True)


def test_every_loss_is_shown_under_its_reason(summary: Summary) -> None:
    notes = tuple(LossNote(kind, f"what {kind} lost") for kind in reversed(LossKind))
    text = _text(replace(summary, losses=notes))
    for kind in LossKind:
        assert f"\n  {kind}: " in text
        assert f"    what {kind} lost (1 path)" in text


def test_report_of_a_clean_run() -> None:
    assert _text(Summary("test", ("p.c",))) == "no bug found, all paths explored\n\ntests     0"


@pytest.mark.parametrize("reason", list(StopReason))
def test_report_of_an_early_end(reason: StopReason) -> None:
    text = _text(Summary("test", ("p.c",), stopped=reason))
    assert text.startswith("no bug found in what was explored; stopped early: ")


def _loop(line: int, status: str, reason: str = "") -> LoopStatement:
    return LoopStatement("main", Location("p.c", line, 3, "main"), status, reason)


def test_report_of_loops(summary: Summary) -> None:
    assert "\nloops " not in _text(summary, verbose=True), "nothing to say where no loop was looked at"
    loops = (_loop(3, SOUND), _loop(9, NOT_SUMMARIZED, "it reads input"), _loop(6, BEST_EFFORT, "guard p != q"))
    stats = RunStatistics(parts=[SummaryStatistics(constraints_removed=1200)])
    text = _text(replace(summary, loops=loops, stats=stats), verbose=True)
    assert (
        "\nloops     2 of 3 summarized, 1 of them by best effort; 1,200 constraints removed"
        "\n          p.c:3: summarized"
        "\n          p.c:6: best effort (guard p != q)"
        "\n          p.c:9: not summarized (it reads input)\n"
    ) in text
    assert "diverged" not in text
    unknown = LoopStatement("f", None, NOT_SUMMARIZED, "why")
    assert "a loop of f: not summarized (why)" in _text(replace(summary, loops=(unknown,)), verbose=True)


def test_dead_branches_come_with_their_reasons(summary: Summary) -> None:
    dead = (
        Unreachable(Location("p.c", 9, 3), "true", "x == y"),
        Unreachable(Location("p.c", 4, 3), "case 3", "x <= 2"),
    )
    assert (
        "\ndead      2 branch outcomes that no input leads to"
        "\n          p.c:4, case 3: x <= 2\n          p.c:9, true: x == y"
    ) in _text(replace(summary, unreachable=dead), verbose=True)
    assert "\ndead" not in _text(replace(summary, unreachable=()), verbose=True)


def test_branches_that_no_input_takes_are_counted_apart(summary: Summary) -> None:
    taken, open_ = summary.coverage.branches
    never = replace(open_, reason=Reason(WhyNot.NO_PATH, "why"))
    for more, said in (((), "the other one"), ((never,), "the others"), ((open_,), "1 of the others")):
        coverage = replace(summary.coverage, branches=(taken, never, *more))
        assert f"%), no input takes {said}\n" in _text(replace(summary, coverage=coverage))
    assert "no input" not in _text(summary)


def test_lines_for_authors_need_verbose(summary: Summary) -> None:
    parts = [MergingStatistics(merge_formulas=1, merge_checks=40), SummaryStatistics(divergences=2)]
    full = replace(summary, loops=(_loop(3, SOUND),), stats=replace(summary.stats, parts=parts))
    for word in ("paths  ", "loops  ", "merging  ", "diverged  ", "dead  ", "work  "):
        assert f"\n{word}" not in _text(full)
        assert f"\n{word}" in _text(full, verbose=True)


def test_report_of_inputs_from_invariants(summary: Summary) -> None:
    text = _text(
        replace(summary, stats=RunStatistics(parts=[InvariantStatistics(invariant_candidates=3, invariant_tests=1)])),
        verbose=True,
    )
    assert "\nguided    3 inputs from invariants, 1 kept as a test\n" in text
    assert "guided" not in _text(summary, verbose=True)


def test_report_of_merging(summary: Summary) -> None:
    merging = MergingStatistics(merge_formulas=1, merge_checks=40, merge_hits=3)
    stats = RunStatistics(paths_completed=5, paths_merged=3, parts=[merging])
    text = _text(replace(summary, stats=stats), verbose=True)
    assert "\npaths     5 completed, 3 merged\n" in text
    assert "\nmerging   1 formula, 40 comparisons with them, 3 of these successful\n" in text
    assert "merg" not in _text(summary, verbose=True)


def test_report_of_divergences(summary: Summary) -> None:
    text = _text(replace(summary, stats=RunStatistics(parts=[SummaryStatistics(divergences=2)])), verbose=True)
    assert "\ndiverged  2 of the inputs took another path than predicted\n" in text


def test_long_lists_are_cut_unless_verbose(summary: Summary) -> None:
    bugs = tuple(replace(summary.bugs[0], location=Location("p.c", line)) for line in range(1, 31))
    many = replace(
        summary, bugs=bugs, losses=tuple(LossNote(LossKind.BOUNDED, f"bound {n}") for n in range(30)), out="o"
    )
    assert "... and 10 more, see o/bugs" in _text(many)
    assert "... and 22 more, see o/summary.json" in _text(many)
    assert "... and" not in _text(many, verbose=True)


def test_plain_text_where_no_terminal_is(summary: Summary) -> None:
    stream = io.StringIO()
    print_lines(report_lines(summary), stream)
    assert stream.getvalue() == _text(summary) + "\n"


def test_terminal(summary: Summary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = Terminal()
    print_lines(report_lines(summary), stream)
    assert "\x1b[" in stream.getvalue()
    assert "assertion 'x > 0' failed" in stream.getvalue()


SNAPSHOT = Snapshot(
    paths=1234, pending=56, branches_covered=45, branches_total=60, tests=7, bugs=1, instructions=10**6,
    solver_seconds=3.0, wall_seconds=12.0, seconds_left=48.2,
)  # fmt: skip


def _progress(snapshot: Snapshot, room: int = 200) -> str:
    return fitted([*progress_parts(snapshot)], room)


def test_progress_text() -> None:
    assert _progress(SNAPSHOT) == (
        "12 s (48 left) | paths 1,234 +56 | branches 45/60 75% | tests 7 | bugs 1 | solver 25%"
    )
    assert _progress(Snapshot()) == "0 s | paths 0 +0 | tests 0 | bugs 0"
    assert _progress(SNAPSHOT, 79) == "12 s (48 left) | paths 1,234 +56 | branches 45/60 75% | tests 7 | bugs 1"
    assert _progress(SNAPSHOT, 55) == "12 s (48 left) | branches 45/60 75% | tests 7 | bugs 1"
    assert _progress(SNAPSHOT, 30) == "12 s (48 left) | bugs 1"
    assert _progress(SNAPSHOT, 10) == "bugs 1"


def test_progress_of_workers_has_the_rate_of_the_last_seconds() -> None:
    now = [0.0]
    stream = Terminal()
    line = ProgressLine(stream, clock=lambda: now[0])
    for second in range(1, 11):
        now[0] = second
        paths = 100 * second if second < 5 else 500 + 20 * (second - 5)
        workers = (WorkerStanding("0", 31, paths - 200, 12), WorkerStanding("1 far", 25, 200, 3))
        line.show(replace(SNAPSHOT, wall_seconds=float(second), paths=paths, workers=workers))
    first, *others = stream.getvalue().split("\r\x1b[3A\x1b[J")
    assert first.startswith("\r\x1b[K1 s")
    assert others[0].splitlines() == [
        "2 s (48 left) | paths 200, 100/s | branches 45/60 75% | tests 7 | bugs 1",
        "worker      jobs      paths    paths/s   branches",
        "0             31          0        100         12",
        "1 far         25        200          0          3",
    ]
    assert "| paths 600, 20/s |" in others[8]
    line.clear()
    assert stream.getvalue().endswith("\r\x1b[3A\x1b[J")


def test_a_table_of_many_workers_is_cut() -> None:
    workers = tuple(WorkerStanding(str(number)) for number in range(1000))
    rows = worker_table(replace(SNAPSHOT, workers=workers), SNAPSHOT, 22)
    assert len(rows) == 22 and rows[-1] == "... and 980 more"
    assert worker_table(SNAPSHOT, SNAPSHOT, 22) == []


def test_progress_line_is_throttled_and_erased() -> None:
    now = [0.0]
    stream = Terminal()
    line = ProgressLine(stream, clock=lambda: now[0])
    line.show(SNAPSHOT)
    line.clear()
    assert stream.getvalue() == "", "nothing in the first moments"
    now[0] = 1.0
    line.show(SNAPSHOT)
    once = stream.getvalue()
    assert "paths 1,234" in once
    line.show(SNAPSHOT)
    assert stream.getvalue() == once, "too soon"
    line.clear()
    line.clear()
    assert stream.getvalue() == once + "\r\x1b[K"


def test_progress_line_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    stream = Terminal()
    clock = iter([0.0, 1.0])
    ProgressLine(stream, clock=lambda: next(clock)).show(SNAPSHOT)
    assert stream.getvalue() == "\r\x1b[K12 s (48 left) | bugs 1"


def test_no_progress_without_a_terminal() -> None:
    stream = io.StringIO()
    clock = iter([0.0, 1.0])
    ProgressLine(stream, clock=lambda: next(clock)).show(SNAPSHOT)
    assert stream.getvalue() == ""


def _tell(listener: Listener, bug: Bug) -> None:
    listener.loaded(ProgramInfo())
    listener.progress(SNAPSHOT)
    listener.test_found(Test((), reason="coverage"))
    listener.bug_found(bug)
    listener.warning("odd")
    listener.warning("odd")


def test_screen(bug: Bug) -> None:
    said = {}
    for name, quiet, verbose in (("quiet", True, False), ("usual", False, False), ("verbose", False, True)):
        stream = io.StringIO()
        screen = Screen(stream, quiet, verbose)
        _tell(screen, bug)
        screen.close()
        said[name] = stream.getvalue()
    assert said["quiet"] == ""
    assert said["usual"] == "clew: warning: odd\n"
    assert said["verbose"].split("\n") == [
        "clew: running main, 64-bit",
        "clew: test 1 (coverage)",
        "clew: bug: p.c:12:5: assert: assertion 'x > 0' failed",
        "clew: warning: odd",
        "",
    ]


def test_fan_out(bug: Bug) -> None:
    streams = [io.StringIO(), io.StringIO()]
    listeners: list[Listener] = [Screen(stream, verbose=True) for stream in streams]
    _tell(Listeners([*listeners, Listener()]), bug)
    assert streams[0].getvalue() == streams[1].getvalue() != ""


def test_coverage_lines_are_left_out_when_unknown() -> None:
    assert "branches" not in _text(Summary("test", ("p.c",), coverage=Coverage()))


@pytest.mark.parametrize(
    ("clauses", "literals", "conflicts", "line"),
    [
        (1, 2, 1, "learned   1 clause of 2 literals, from 1 conflict"),
        (1, 1, 2, "learned   1 clause of 1 literal, from 2 conflicts"),
        (2, 3, 1, "learned   2 clauses of 1.5 literals, 2 at most, from 1 conflict"),
        (0, 0, 3, "learned   0 clauses, from 3 conflicts"),
    ],
)
def test_one_clause_is_no_plural(clauses: int, literals: int, conflicts: int, line: str) -> None:
    stats = ConflictStatistics(
        learned_clauses=clauses, learned_literals=literals, learned_largest=min(literals, 2), conflicts=conflicts
    )
    assert list(stats.lines("verify")) == [(line, "")]
    assert (line, "") in report_lines(Summary("verify", ("p.c",), stats=RunStatistics(parts=[stats])), verbose=True)
