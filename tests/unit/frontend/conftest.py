"""A folder of its own, as current directory, for each test of the front end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clew.frontend.toolchain import find_toolchain

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file, named relative to the test's folder, and give back that relative name."""
    monkeypatch.chdir(tmp_path)

    def writer(name: str, text: str) -> Path:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return writer


@pytest.fixture(scope="session")
def clang(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A plain ``clang`` program, as a system has it: the one inside Zig, without Zig's additions."""
    path = tmp_path_factory.mktemp("bin") / "clang"
    path.write_text(f'#!/bin/sh\nexec "{find_toolchain(None).command[0]}" clang "$@"\n')
    path.chmod(0o755)
    return str(path)
