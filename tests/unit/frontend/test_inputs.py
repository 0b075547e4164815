"""Input files that cannot be used, each with one line that says what to do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.frontend.inputs import InputKind, read_inputs


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.c", InputKind.C), ("a.i", InputKind.PREPROCESSED), ("a.ll", InputKind.TEXT), ("A.BC", InputKind.BITCODE)],
)
def test_the_extension_tells_the_kind(tmp_path: Path, name: str, kind: InputKind) -> None:
    path = tmp_path / name
    path.write_bytes(b"content")
    (item,) = read_inputs([path])
    assert (item.path, item.kind, item.content) == (path, kind, b"content")
    assert item.is_source == (kind in (InputKind.C, InputKind.PREPROCESSED))


def fails(*files: Path) -> str:
    with pytest.raises(UserError) as caught:
        read_inputs(files)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_no_file() -> None:
    assert "no input file" in fails()


def test_missing_file(tmp_path: Path) -> None:
    assert "no such file" in fails(tmp_path / "a.c")


def test_file_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    assert "no such file" in fails(tmp_path / "a" / "b.c")


def test_directory(tmp_path: Path) -> None:
    assert "is a directory" in fails(tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.touch(mode=0o000)
    assert "permission denied" in fails(path)


def test_permission_denied_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", deny)
    assert "permission denied" in fails(tmp_path / "a.c")


def test_name_with_a_null_character(tmp_path: Path) -> None:
    assert "not a usable file name" in fails(tmp_path / "a\0.c")


@pytest.mark.parametrize("name", ["a.txt", "a", "a.h"])
def test_unknown_extension(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.touch()
    assert "extension" in fails(path)


def test_cplusplus_is_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "a.cpp"
    path.touch()
    assert "C++" in fails(path)


def test_the_same_file_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.c"
    path.touch()
    assert "twice" in fails(path, Path("a.c"))
