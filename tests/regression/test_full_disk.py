"""A disk without room: the result is told all the same, one line says why files are missing, those there are whole."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import clew as package
from clew.base.errors import UserError
from clew.report.folder import OutputFolder, write_whole

Write = Callable[..., str]

BUG = "#include <assert.h>\nint main(void) { int x = __VERIFIER_nondet_int(); assert(x != 42); return 0; }"


def _whole(folder: Path) -> set[str]:
    """The names of the files, which are complete."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    for path in files:
        assert path.stat().st_size and not path.name.endswith(".part")
        if path.suffix == ".json":
            json.loads(path.read_text())
    return {path.name for path in files}


FULL = """
import resource, sys
from clew.cli import main
from clew.report.recorder import Recorder

loaded = Recorder.loaded

def fill(self, program):
    resource.setrlimit(resource.RLIMIT_FSIZE, ({0} << 10, {0} << 10))
    loaded(self, program)

Recorder.loaded = fill
main(["test", "{1}", "--out", "full"])
"""
"""From where the program is loaded, no file gets larger than so many kilobytes."""


@pytest.mark.sample(2)
@pytest.mark.parametrize(("kilobytes", "there"), [(0, set()), (4, {"000001.json", "summary.json"})])
def test_files_are_whole_or_not_there(write: Write, kilobytes: int, there: set[str]) -> None:
    script = FULL.format(kilobytes, write(BUG))
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(package.__file__).parent.parent),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, timeout=120)
    assert "Traceback" not in done.stderr
    assert done.returncode == 2
    assert "cannot write to full/" in done.stderr and "File too large" in done.stderr
    assert done.stderr.count("error") == 1
    assert "assertion failed: x != 42" in done.stdout
    assert done.stdout.startswith("found 1 bug, all paths explored\n")
    assert there <= _whole(Path("full"))
    assert "tests.c" not in _whole(Path("full"))


def test_room_is_reserved_before_a_file_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some file systems take data that they have no room for."""

    def refuse(file: int, offset: int, size: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    write_whole(tmp_path / "a", b"first")
    monkeypatch.setattr(os, "posix_fallocate", refuse)
    with pytest.raises(OSError, match="No space"):
        write_whole(tmp_path / "a", b"second")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"first"}


def test_a_folder_that_cannot_be_claimed_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = Path.mkdir

    def no_bugs(self: Path, *arguments: int, **options: bool) -> None:
        if self.name == "bugs":
            raise OSError(errno.ENOSPC, "No space left on device")
        make(self, *arguments, **options)

    monkeypatch.setattr(Path, "mkdir", no_bugs)
    for out in (tmp_path / "deep/out", None):
        with pytest.raises(UserError, match="No space left"):
            OutputFolder.claim(out, tmp_path)
        assert not list(tmp_path.iterdir())
