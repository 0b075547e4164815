"""A mark counts for the user who made it, on the machine where it was made, and for the whole content."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from clew.base.user_key import key_file, marked, unmarked


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


def made(content: bytes = b"content") -> bytes:
    own = marked(content)
    assert own is not None
    return own


@pytest.mark.parametrize("content", [b"", b"content"])
def test_what_was_marked_counts(content: bytes) -> None:
    assert unmarked(made(content)) == content


def test_what_was_changed_does_not() -> None:
    own = made()
    for place in range(len(own)):
        assert unmarked(own[:place] + bytes([own[place] ^ 1]) + own[place + 1 :]) is None
    assert unmarked(own[:-1]) is None
    assert unmarked(b"") is None
    assert unmarked(b"content") is None


def test_the_secret_is_nobody_elses_to_read(state: Path) -> None:
    made()
    file = key_file()
    assert file is not None
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [entry.name for entry in file.parent.iterdir()] == ["key"]


def test_another_machine_has_another_secret(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = made()
    monkeypatch.setenv("XDG_STATE_HOME", str(state / "elsewhere"))
    assert unmarked(own) is None
    monkeypatch.setenv("XDG_STATE_HOME", str(state / "state"))
    assert unmarked(own) == b"content"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o622])
def test_a_secret_that_others_can_get_at_is_none(state: Path, monkeypatch: pytest.MonkeyPatch, mode: int) -> None:
    own = made()
    file = key_file()
    assert file is not None
    file.chmod(mode)
    monkeypatch.setenv("XDG_STATE_HOME", str(state / "elsewhere"))
    made()  # the secret is looked up anew
    monkeypatch.setenv("XDG_STATE_HOME", str(state / "state"))
    assert unmarked(own) is None
    assert marked(b"content") is None


def test_no_place_for_a_secret_means_no_marks(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (state / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(state / "file"))
    assert marked(b"content") is None
    assert unmarked(b"x" * 40) is None


@pytest.mark.parametrize("content", [b"short", b"x" * 33])
def test_a_file_that_is_no_secret_is_none(state: Path, monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(state / "own"))
    file = key_file()
    assert file is not None
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    file.chmod(0o600)
    assert marked(b"content") is None
