"""The output folder: claimed once, never shared, no half-written files."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.report.folder import OutputFolder, readable_json


def test_new_folder(tmp_path: Path) -> None:
    folder = OutputFolder.claim(tmp_path / "a" / "b")
    assert sorted(entry.name for entry in folder.path.iterdir()) == ["bugs", "tests"]


def test_empty_folder_is_used(tmp_path: Path) -> None:
    assert OutputFolder.claim(tmp_path).path == tmp_path


def test_folder_with_anything_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".hidden").touch()
    with pytest.raises(UserError, match="not empty"):
        OutputFolder.claim(tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == [".hidden"], "nothing was added"


def test_second_run_is_refused(tmp_path: Path) -> None:
    OutputFolder.claim(tmp_path / "out")
    with pytest.raises(UserError, match="not empty"):
        OutputFolder.claim(tmp_path / "out")


def test_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(UserError, match="not a folder"):
        OutputFolder.claim(tmp_path / "out")
    with pytest.raises(UserError, match="cannot write"):
        OutputFolder.claim(tmp_path / "out" / "below")


def test_unwritable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)  # a superuser may write anywhere, so permission bits prove nothing
    with pytest.raises(UserError, match=r"cannot write to .*: Permission denied; choose another --out"):
        OutputFolder.claim(tmp_path / "out")
    with pytest.raises(UserError, match="cannot write to clew-out"):
        OutputFolder.claim(None, tmp_path)


def test_numbered_folders_and_link(tmp_path: Path) -> None:
    first = OutputFolder.claim(None, tmp_path)
    second = OutputFolder.claim(None, tmp_path)
    assert [first.path.name, second.path.name] == ["1", "2"]
    last = tmp_path / "clew-out" / "last"
    assert not last.exists(), "nothing is there to look at yet"
    second.write("summary.json", "2")
    assert last.resolve() == second.path.resolve()
    first.write("summary.json", "1")
    assert (last / "summary.json").read_text() == "1"


def test_numbers_go_on_after_gaps(tmp_path: Path) -> None:
    (tmp_path / "clew-out" / "7").mkdir(parents=True)
    (tmp_path / "clew-out" / "notes").mkdir()
    assert OutputFolder.claim(None, tmp_path).path.name == "8"


def test_a_real_folder_called_last_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "clew-out" / "last").mkdir(parents=True)
    folder = OutputFolder.claim(None, tmp_path)
    folder.write("summary.json", "x")
    assert not (tmp_path / "clew-out" / "last").is_symlink()
    assert sorted(entry.name for entry in (tmp_path / "clew-out").iterdir()) == ["1", "last"]


@pytest.mark.parametrize("named", [True, False])
def test_racing_runs(tmp_path: Path, named: bool) -> None:
    claimed: list[Path] = []
    refused: list[UserError] = []
    barrier = threading.Barrier(8)

    def claim() -> None:
        barrier.wait()
        try:
            claimed.append(OutputFolder.claim(tmp_path / "out" if named else None, tmp_path).path)
        except UserError as error:
            refused.append(error)

    threads = [threading.Thread(target=claim) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(claimed)) == len(claimed), "no folder was given out twice"
    if not named:
        assert len(claimed) == 8
    else:
        assert len(claimed) == 1
        assert len(claimed) + len(refused) == 8


def test_files_appear_whole(tmp_path: Path) -> None:
    folder = OutputFolder.claim(tmp_path)
    folder.write("tests/a.bin", b"\0\1")
    folder.write_json("summary.json", {"a": 1})
    folder.write_json("summary.json", {"a": 2})
    assert json.loads((tmp_path / "summary.json").read_text()) == {"a": 2}
    assert not list(tmp_path.rglob("*.part"))


def test_failed_write_is_a_user_error(tmp_path: Path) -> None:
    folder = OutputFolder.claim(tmp_path)
    with pytest.raises(UserError, match="cannot write to"):
        folder.write("absent/file.txt", "x")


def test_interrupted_write_leaves_no_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = OutputFolder.claim(tmp_path)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        folder.write("summary.json", "x")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["bugs", "tests"]


def test_readable_json() -> None:
    data: dict[str, object] = {"a": [{"x": 1}, {"x": "ü"}], "b": [], "c": None, "d": [1, 2], "e": {"f": 0.5}}
    text = readable_json(data)
    assert json.loads(text) == data
    assert text.split("\n")[1:5] == [' "a": [', '  {"x": 1},', '  {"x": "\\u00fc"}', " ],"]


def test_discard(tmp_path: Path) -> None:
    OutputFolder.claim(None, tmp_path).discard_if_empty()
    OutputFolder.claim(tmp_path / "x" / "y").discard_if_empty()
    assert list(tmp_path.iterdir()) == []


def test_discard_keeps_what_was_there(tmp_path: Path) -> None:
    folder = OutputFolder.claim(tmp_path)
    folder.discard_if_empty()
    assert tmp_path.is_dir(), "the user's own empty folder stays"
    kept = OutputFolder.claim(tmp_path)
    kept.write("summary.json", "x")
    kept.discard_if_empty()
    assert (tmp_path / "summary.json").exists()
