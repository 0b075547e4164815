"""The command line as a user meets it, in a folder of its own: bad input, endless programs, early ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import clew as package
from clew.cli.app import run
from targets import target_for

INPUTS = """\
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
"""


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    code: int
    out: str
    err: str
    folder: Path

    @property
    def summary(self) -> dict[str, Any]:
        found = json.loads((self.folder / "summary.json").read_text())
        assert isinstance(found, dict)
        return found

    @property
    def losses(self) -> str:
        return "; ".join(f"{loss['kind']}: {loss['what']}" for loss in self.summary["losses"])

    @property
    def line(self) -> str:
        """The one line of an error."""
        first, *_ = self.err.splitlines()
        return first

    def refused(self, *words: str) -> None:
        """One clear line that has all the words, exit code 2, and no output folder."""
        assert self.code == 2, self
        assert self.line.startswith("clew: error: ")
        assert "internal error" not in self.err and "Traceback" not in self.err
        for word in words:
            assert word in self.line
        assert not self.folder.exists()


@pytest.fixture
def write(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., str]:
    """Writes a file into the current folder, which is a fresh one; C sources get the declarations of inputs."""
    monkeypatch.chdir(tmp_path)

    def make(text: str | bytes, name: str = "p.c") -> str:
        content = text if isinstance(text, bytes) else ((INPUTS if name.endswith(".c") else "") + text).encode()
        Path(name).write_bytes(content)
        return name

    return make


@pytest.fixture
def clew(write: Callable[..., str], capfd: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Runs ``clew test`` in this process."""

    def call(*args: str) -> Outcome:
        code = run(["test", "--out", "out", *args])
        captured = capfd.readouterr()
        assert "Traceback" not in captured.err
        return Outcome(code, captured.out, captured.err, Path("out"))

    return call


@pytest.fixture
def start(write: Callable[..., str]) -> Callable[..., subprocess.Popen[str]]:
    """Starts ``clew test`` in a process of its own."""
    source = Path(package.__file__).parent.parent

    def call(*args: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "clew", "test", "--target", target_for("a process of its own"), *args]
        environment = {**os.environ, "PYTHONPATH": str(source)}
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
        )

    return call


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """Runs a line of bash, in which ``clew`` is ours."""
    environment = {**os.environ, "PYTHONPATH": str(Path(package.__file__).parent.parent)}
    line = f'clew() {{ "{sys.executable}" -m clew "$@"; }}; {command}'
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=environment, timeout=120)
    assert "Traceback" not in done.stderr + done.stdout
    return done
