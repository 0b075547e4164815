"""``history.csv``: a line for all that is new, whole files only, and the end of the run."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from clew.base.budget import StopReason
from clew.base.options import TestRequest
from clew.jobs.test import run_test
from clew.report.folder import OutputFolder
from clew.report.history import COLUMNS, NAME, History
from clew.report.listener import Snapshot
from clew.report.recorder import Recorder
from clew.report.records import Bug
from clew.report.statistics import RunStatistics


@pytest.fixture
def folder(tmp_path: Path) -> OutputFolder:
    return OutputFolder.claim(tmp_path / "out")


def rows(folder: OutputFolder) -> list[dict[str, float]]:
    with (folder.path / NAME).open(encoding="utf-8", newline="") as file:
        return [{name: float(text) for name, text in row.items()} for row in csv.DictReader(file)]


def column(folder: OutputFolder, name: str) -> list[float]:
    return [row[name] for row in rows(folder)]


def test_a_line_for_what_is_new_only(folder: OutputFolder) -> None:
    history = History(folder)
    first = Snapshot(paths=1, branches_covered=2, lines_covered=5, wall_seconds=0.5, instructions=10, solver_queries=3)
    history.note(first, 0)
    history.note(replace(first, paths=2, wall_seconds=0.6), 0)
    history.note(replace(first, paths=3, lines_covered=6, wall_seconds=0.7), 0)
    history.note(replace(first, paths=4, lines_covered=6, wall_seconds=0.8), 1)
    history.finish(RunStatistics(paths_completed=9, paths_merged=4, instructions=70, wall_seconds=2.0), 3, 1)
    assert tuple(rows(folder)[0]) == COLUMNS
    assert column(folder, "paths") == [1, 3, 4, 9] and column(folder, "seconds") == [0.5, 0.7, 0.8, 2.0]
    assert column(folder, "lines") == [5, 6, 6, 6] and column(folder, "bugs") == [0, 0, 1, 1]
    assert column(folder, "instructions") == [10, 10, 10, 70] and column(folder, "merged")[-1] == 4
    assert column(folder, "tests")[-1] == 3 and column(folder, "solver_queries") == [3] * 4, "none is lost"
    assert column(folder, "cpu_seconds") == sorted(column(folder, "cpu_seconds"))


def test_the_file_is_written_once_in_a_while(folder: OutputFolder) -> None:
    history = History(folder)
    for number in range(5):
        if history.note(Snapshot(branches_covered=number, wall_seconds=number / 10), 0):
            history.write()
    assert column(folder, "branches") == [0]
    assert history.note(Snapshot(branches_covered=4, wall_seconds=1.5), 0), "though nothing is new"
    history.write()
    assert column(folder, "branches") == [0, 1, 2, 3, 4]
    assert not history.note(Snapshot(branches_covered=4, wall_seconds=9.5), 0)


def test_without_a_run_there_is_no_file(folder: OutputFolder) -> None:
    History(folder).finish(RunStatistics(), 0, 0)
    assert not (folder.path / NAME).exists()


def test_who_finishes_the_job_of_another_process_leaves_its_history_alone(folder: OutputFolder, bug: Bug) -> None:
    request = TestRequest((Path("p.c"),))
    Recorder(folder, request).progress(Snapshot(branches_covered=7))
    other = Recorder(folder, request)
    other.note_bug(bug)
    other.finish(other.partial(StopReason.TIME, "stopped"))
    assert column(folder, "branches") == [7]


def test_the_end_is_that_of_the_summary(tmp_path: Path, folder: OutputFolder) -> None:
    file = tmp_path / "p.c"
    code = 'int klee_int(const char *);\nint main(void) {\n  int x = klee_int("x");\n'
    file.write_text(code + "  if (x > 3)\n    return 10 / (x - 5);\n  return 1;\n}\n", encoding="utf-8")
    request = TestRequest((file,), seconds=600.0)
    recorder = Recorder(folder, request)
    summary = recorder.finish(run_test(request, recorder))
    last = rows(folder)[-1]
    assert last["branches"] == summary.coverage.branches_covered and last["lines"] == summary.coverage.lines_covered
    assert (last["tests"], last["bugs"]) == (summary.tests, 1.0)
    assert (last["instructions"], last["solver_queries"]) == (summary.stats.instructions, summary.stats.solver_queries)
