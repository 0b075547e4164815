"""Where the benchmark programs are."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).resolve().parent / "programs"


def program(name: str) -> Path:
    """The C file of a benchmark program, such as ``loop``."""
    return _FOLDER / f"{name}.c"


def names() -> list[str]:
    return sorted(path.stem for path in _FOLDER.glob("*.c"))


def folder(name: str) -> Path:
    """The folder of the programs of one table, such as ``conflicts``."""
    return _FOLDER / name
