"""The recorder: everything on disk at once, linked, and complete after any end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.base.budget import StopReason
from clew.base.options import TestRequest
from clew.report.folder import OutputFolder
from clew.report.listener import ProgramInfo, Snapshot
from clew.report.recorder import Recorder
from clew.report.records import Bug, InputValue, Summary, Test
from clew.report.writers import WRITERS
from support.ktest import decode_ktest


def inputs_in(file: Path) -> tuple[InputValue, ...]:
    return tuple(InputValue.from_json(value) for value in json.loads(file.read_text(encoding="utf-8"))["inputs"])


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    return Recorder(OutputFolder.claim(tmp_path / "out"), TestRequest((Path("p.c"),), seed=9))


def _load(recorder: Recorder, name: str) -> dict[str, object]:
    data = json.loads((recorder.folder.path / name).read_text())
    assert isinstance(data, dict)
    return data


def test_tests_in_all_formats(recorder: Recorder) -> None:
    recorder.loaded(ProgramInfo("main", 32))
    inputs = (InputValue("x", "int", 32, -5), InputValue("buf", "char[2]", 16, b"hi", "object"))
    recorder.test_found(Test(inputs, frozenset({("main", "b", 1), ("main", "a", 0)}), reason="coverage"))
    recorder.test_found(Test(()))
    tests = recorder.folder.path / "tests"
    assert sorted(entry.name for entry in tests.iterdir()) == [
        "000001.json", "000001.ktest", "000001.xml", "000002.json", "000002.ktest", "000002.xml", "metadata.xml",
    ]  # fmt: skip
    assert inputs_in(tests / "000001.json") == inputs
    assert decode_ktest((tests / "000001.ktest").read_bytes()).objects == ((b"x", b"\xfb\xff\xff\xff"), (b"buf", b"hi"))
    assert _load(recorder, "tests/000001.json")["covers"] == [["main", "a", 0], ["main", "b", 1]]
    assert "<architecture>32bit" in (tests / "metadata.xml").read_text()


def test_other_formats_leave_out_what_is_made_up(recorder: Recorder) -> None:
    made_up = InputValue("f()", "int", 32, 7, "made-up")
    recorder.test_found(Test((made_up, InputValue("x", "int", 32, -5))))
    tests = recorder.folder.path / "tests"
    assert decode_ktest((tests / "000001.ktest").read_bytes()).objects == ((b"x", b"\xfb\xff\xff\xff"),)
    assert (tests / "000001.xml").read_text().count("<input") == 1
    assert made_up in inputs_in(tests / "000001.json")


def test_bug_names_its_test(recorder: Recorder, bug: Bug) -> None:
    recorder.test_found(Test(()))
    recorder.test_found(Test(bug.inputs, error=bug, reason="bug"))
    recorder.bug_found(bug)
    assert _load(recorder, "bugs/000001.json")["test"] == "tests/000002.json"
    assert _load(recorder, "tests/000002.json")["error"] == {
        "kind": "assert",
        "message": "assertion 'x > 0' failed",
        "rests_on": None,
        "file": "p.c",
        "line": 12,
        "column": 5,
        "function": "check",
    }
    text = (recorder.folder.path / "bugs/000001.txt").read_text()
    assert text == (
        "assert: assertion 'x > 0' failed\n"
        "  at p.c:12:5 in check\n"
        "  called from:\n"
        "    main p.c:30\n"
        "  inputs:\n"
        "    int x = -5;\n"
        "  test: tests/000002.json\n"
        "  confirmed by concrete re-execution\n"
    )


def test_finish(recorder: Recorder, bug: Bug, summary: Summary) -> None:
    recorder.test_found(Test(bug.inputs, error=bug))
    recorder.warning("beware")
    done = recorder.finish(summary)
    assert done.bugs[0].test == "tests/000001.json"
    data = _load(recorder, "summary.json")
    assert data == json.loads(json.dumps(done.to_json()))
    assert data["warnings"] == ["beware"]
    assert data["out"] == str(recorder.folder.path)


def test_partial(recorder: Recorder, bug: Bug) -> None:
    recorder.progress(Snapshot(paths=5, wall_seconds=2.5))
    recorder.test_found(Test(bug.inputs, error=bug))
    recorder.bug_found(bug)
    made = recorder.partial(StopReason.INTERRUPTED, "interrupted")
    assert (made.tests, len(made.bugs), made.stats.paths_completed, made.seed) == (1, 1, 5, 9)
    assert made.to_json()["interrupted"] is True


def test_a_driver_of_moderate_size(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.report.recorder.MOST_DRIVEN", 10)
    for number in range(5):
        recorder.test_found(Test((InputValue("x", "int", 32, number),) * 3))
    summary = recorder.finish(Summary("test", ("p.c",), tests=5))
    assert "#define CLEW_TESTS 2" in (recorder.folder.path / "tests.c").read_text()
    assert summary.warnings == (
        "tests.c has the first 2 of 5 tests: it would be very large with all; clew replay runs them all",
    )


def test_what_was_cut_off_is_a_loss(recorder: Recorder) -> None:
    (note,) = recorder.partial(StopReason.INTERRUPTED, "interrupted").losses
    assert "cut off (interrupted)" in note.what


def test_a_registered_writer_writes_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WRITERS, "_entries", {entry.name: entry for entry in WRITERS})
    WRITERS.register("seed.txt", "the seed")(lambda results: str(results.summary.seed))
    WRITERS.register("nothing.txt", "never there")(lambda results: None)
    recorder = Recorder(OutputFolder.claim(tmp_path / "out"), TestRequest((Path("p.c"),)))
    recorder.finish(Summary("test", ("p.c",), seed=9))
    assert (recorder.folder.path / "seed.txt").read_text() == "9"
    assert not (recorder.folder.path / "nothing.txt").exists()
    assert (recorder.folder.path / "results.sarif").exists()
