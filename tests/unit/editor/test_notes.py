"""What an editor shows of a file, and of which runs."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from clew.editor.moved_lines import MovedLines
from clew.editor.newest import folders_of, newest
from clew.editor.notes import Severity, lenses_of, notes_of
from clew.report.page.merged import results_of


def test_bugs_lines_and_outcomes(workspace: Path) -> None:
    results, name = newest(folders_of([workspace], ()))[workspace / "p.c"]
    notes = {(note.line, note.code): note for note in notes_of(results, name, workspace)}
    bug = notes[4, "out-of-bounds"]
    assert bug.severity is Severity.ERROR
    assert bug.column == 20, "in characters"
    assert bug.text.splitlines()[1:] == ["int n = 8;"]
    assert (bug.steps[0].file, bug.steps[0].line) == (workspace / "p.c", 8)
    assert notes[11, "uncovered"].severity is Severity.HINT
    assert notes[11, "uncovered"].text.startswith("no test takes the outcome 'true' of condition 2 of 2. No path")
    assert notes[12, "not-run"].fades
    assert "uncovered" not in {code for line, code in notes if line == 9}
    lenses = {lens.line: lens.title for lens in lenses_of(results, name)}
    assert lenses[4] == "out-of-bounds with int n = 8;"
    assert lenses[6] == "unused: no test runs it"
    assert "covered" in lenses[7]


def test_the_newest_run_of_a_file_counts(workspace: Path, tmp_path: Path) -> None:
    first, second = (tmp_path / "clew-out" / name for name in ("1", "2"))
    for folder in (first, second):
        shutil.copytree(workspace / "clew-out" / "1", folder)
    (tmp_path / "clew-out" / "last").symlink_to("2")
    (tmp_path / "clew-out" / "3").mkdir()
    os.utime(first / "summary.json", (2e9, 2e9))
    stamp = folders_of([tmp_path], ())
    assert [folder for folder, _ in stamp] == [first, second]
    assert newest(stamp)[workspace / "p.c"][0].folder == first
    assert [folder for folder, _ in folders_of([tmp_path], [second])] == [second]
    (first / "summary.json").write_text("{")
    assert newest(stamp)[workspace / "p.c"][0].folder == second, "a damaged one is left out"


def test_functions_of_a_project_are_one_run(workspace: Path, tmp_path: Path) -> None:
    run = workspace / "clew-out" / "1"
    shutil.copytree(run, tmp_path / "functions" / "a")
    shutil.copytree(run, tmp_path / "functions" / "b")
    path = tmp_path / "functions" / "b" / "coverage.json"
    path.write_text(path.read_text().replace('"true", 0]', '"true", 1]'))
    shutil.copy(run / "coverage.info", tmp_path)
    runs = [{"folder": f"functions/{name}"} for name in "ab"] + [{"folder": "functions/gone"}]
    (bug,) = json.loads((run / "summary.json").read_bytes())["bugs"]
    bugs = [bug | {"folder": "functions/b"}]
    (tmp_path / "summary.json").write_text(json.dumps({"command": "project", "bugs": bugs, "runs": runs}))
    results = results_of(tmp_path)
    assert [(one.number, bool(one.path)) for one in results.bugs] == [(1, True)], "with the path that the run tells"
    assert {branch.outcome for branch in results.uncovered() if branch.line == 11} == set()


@pytest.mark.parametrize(
    ("now", "line", "place"),
    [
        (["a", "b", "c"], 2, 2),
        (["new", "a", "b", "c"], 2, 3),
        (["a", "B", "c"], 2, None),
        (["a", "B", "c"], 3, 3),
        (["c", "a", "  b"], 1, 2),
        ([], 1, None),
        (["a", "b  ", "c"], 2, 2),
    ],
)
def test_lines_move(now: list[str], line: int, place: int | None) -> None:
    moved = MovedLines(["a", "b", "c"], now)
    assert moved.now(line) == place
    assert place is None or moved.before(place) == line
