"""Output folders read back; damaged ones give one clear line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.base.options import TestRequest
from clew.report.folder import OutputFolder
from clew.report.reading import read_run
from clew.report.recorder import Recorder
from clew.report.records import Bug, InputValue, Summary, Test


@pytest.fixture
def folder(tmp_path: Path, bug: Bug) -> Path:
    recorder = Recorder(OutputFolder.claim(tmp_path / "o"), TestRequest((Path("p.c"),), compiler_flags=("-DN=1",)))
    recorder.test_found(Test((InputValue("x", "int", 32, 3),), reason="path", ends="exit", exit_code=4, output="ab"))
    recorder.test_found(Test(bug.inputs, error=bug, reason="bug", ends="assert"))
    recorder.bug_found(bug)
    recorder.finish(Summary("test", ("p.c",), bugs=(bug,), tests=2))
    return tmp_path / "o"


def test_what_was_written(folder: Path, bug: Bug) -> None:
    run = read_run(folder)
    assert (run.files, run.entry, run.function, run.flags) == (("p.c",), "main", None, ("-DN=1",))
    first, second = run.tests
    assert (first.name, first.ends, first.exit_code, first.output) == ("tests/000001.json", "exit", 4, "ab")
    assert (second.kind, second.file, second.line, second.inputs) == ("assert", "p.c", 12, bug.inputs)


def test_other_files(folder: Path) -> None:
    assert "int x = -5;" in (folder / "tests.c").read_text()
    assert json.loads((folder / "results.sarif").read_text())["version"] == "2.1.0"
    assert (folder / "coverage.info").exists()


def test_sources_are_found_from_elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    run = read_run(folder)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=r"p\.c, which the tests are for, is not there"):
        run.sources()
    (tmp_path / "p.c").write_text("")
    assert run.sources() == (Path("p.c"),)


@pytest.mark.parametrize("name", ["summary.json", "tests/000002.json"])
@pytest.mark.parametrize("keep", [0, 30, None])
def test_damage(folder: Path, name: str, keep: int | None) -> None:
    path = folder / name
    text = path.read_text()
    path.write_text("{}" if keep is None else text[:keep])
    with pytest.raises(UserError, match=r"damaged|not a test file|no results|cut off"):
        read_run(folder)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="damaged"):
        read_run(folder)


def test_absence(folder: Path) -> None:
    (folder / "tests/000001.json").unlink()
    with pytest.raises(UserError, match="1 tests where the summary counts 2"):
        read_run(folder)
    (folder / "summary.json").unlink()
    with pytest.raises(UserError, match=r"summary\.json is missing"):
        read_run(folder)
    with pytest.raises(UserError, match="does not exist"):
        read_run(folder / "nothing")
    with pytest.raises(UserError, match="is not a folder"):
        read_run(folder / "tests.c")


@pytest.mark.parametrize("field", ["flags", "call", "argv", "data_model", "target"])
def test_wrong_fields(folder: Path, field: str) -> None:
    data = json.loads((folder / "summary.json").read_text())
    data["build"][field] = 7 if field != "flags" else [1]
    (folder / "summary.json").write_text(json.dumps(data))
    with pytest.raises(UserError, match="damaged, or of another version"):
        read_run(folder)


def _changed(folder: Path, name: str, **fields: object) -> None:
    path = folder / name
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


@pytest.mark.parametrize(
    "value",
    [
        {"bits": 2**60, "value": 1},
        {"bits": 32, "type": "float", "value": 1e308},
        {"bits": 0, "value": 1},
        {"bits": 32, "value": "xyz"},
    ],
)
def test_values_that_cannot_be(folder: Path, value: dict[str, object]) -> None:
    _changed(folder, "tests/000001.json", inputs=[{"name": "x", "type": "int", "kind": "nondet", **value}])
    with pytest.raises(UserError, match="is not a test file"):
        read_run(folder)


def test_fields_of_other_kinds(folder: Path) -> None:
    build = json.loads((folder / "summary.json").read_text())["build"]
    for call in ("text", 5, {"result": "i32", "parameters": ["x"], "objects": []}):
        _changed(folder, "summary.json", build={**build, "call": call})
        with pytest.raises(UserError, match="is damaged"):
            read_run(folder)
    _changed(folder, "summary.json", build=build)
    _changed(folder, "tests/000002.json", error={"kind": "assert", "line": float("inf")})
    with pytest.raises(UserError, match="is not a test file"):
        read_run(folder)


def test_names_that_are_too_long(folder: Path) -> None:
    with pytest.raises(UserError, match=r"cannot be read \(File name too long\)"):
        read_run(Path("x" * 5000))
    _changed(folder, "summary.json", files=["x" * 5000])
    with pytest.raises(UserError, match="is not there"):
        read_run(folder).sources()
