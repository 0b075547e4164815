"""The rival's side of the benchmarks: its closing lines are read, and its absence is no error."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from benchmarks import peer
from benchmarks.run import Run
from benchmarks.subject import PROGRAMS

CLOSING = """\
KLEE: output directory is "out"
KLEE: done: total instructions = 285031355
KLEE: done: completed paths = 12
KLEE: done: partially completed paths = 3
KLEE: done: generated tests = 12
"""


def test_closing_lines() -> None:
    assert peer.parse(CLOSING, 2.0) == Run(2.0, stats={"instructions": 285031355, "paths_completed": 12})


def test_a_failed_run_has_no_figures() -> None:
    assert peer.parse("KLEE: ERROR: cannot load bitcode", 0.1) is None


def test_no_peer_on_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not peer.available()
    assert peer.run(PROGRAMS / "small.c") is None


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_run_with_a_peer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script(tmp_path / "clang", "exit 0")
    script(tmp_path / "klee", f"cat >&2 <<'END'\n{CLOSING}END")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    found = peer.run(PROGRAMS / "bits_mask.c", 5.0)
    assert found is not None and (found.count("instructions"), found.paths) == (285031355, 12)


def test_a_peer_that_cannot_compile(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script(tmp_path / "clang", "exit 1")
    script(tmp_path / "klee", "exit 0")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert peer.run(PROGRAMS / "small.c") is None
