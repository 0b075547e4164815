"""What is measured: a program, how it is run, and what is known about it.

The programs are in ``programs/``, a folder for each table; comments in them say what is right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.request import BenchRequest
from clew.base.errors import UserError
from clew.base.options import TestRequest

PROGRAMS = Path(__file__).resolve().parent / "programs"

Error = tuple[str, str, int]
"""Kind, name of the file, line."""

_EXPECT = re.compile(r"// expect: ([a-z-]+) @\+1\s*$")


@dataclass(frozen=True, slots=True)
class Subject:
    """A program, or a form of it that has a row of its own."""

    name: str
    files: tuple[Path, ...]
    kind: str = ""
    """Which form; empty where there is only one."""
    expected: str = ""
    """The right verdict, where one is asked for."""
    errors: frozenset[Error] = frozenset()
    """All that are in it."""
    bugs: int = 0
    """How many there are, where only that is known."""
    branches: int = 0
    """How many can be covered."""
    options: tuple[str, ...] = ()
    """For the command that runs it."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """The same for ``clew test`` without a command: fields of ``TestRequest``."""

    @property
    def title(self) -> str:
        """For messages."""
        return f"{self.name}, {self.kind}" if self.kind else self.name

    def request(self, seconds: float | None = None, **more: Any) -> TestRequest:
        """One run of ``clew test`` without a command; ``more`` are settings of this run."""
        return TestRequest(files=self.files, seconds=seconds, **{**self.settings, **more})


def own(table: str, names: Iterable[str], read: Callable[[Path], Subject], request: BenchRequest) -> list[Subject]:
    """Clew's own programs for a table that were asked for, in this order; UserError when there is none."""
    kept = [name for name in names if request.wants(name)]
    if not kept:
        raise nothing(table, request)
    return [read(PROGRAMS / table / f"{name}.c") for name in kept]


def nothing(table: str, request: BenchRequest) -> UserError:
    """No program of a table has a name that was asked for."""
    return UserError(f"no program of the table {table} is called {' or '.join(request.only)}")


def comments(text: str, name: str) -> list[str]:
    """The texts of all comments ``// name: text`` of a program, each on a line of its own."""
    return re.findall(rf"^// {name}:\s*(.*?)\s*$", text, re.MULTILINE)


def count(path: Path, text: str, name: str) -> int:
    """The number in the only comment of a name; UserError if there is none."""
    found = comments(text, name)
    if len(found) != 1 or not found[0].isdigit():
        raise UserError(f"{path}: no comment '// {name}: N'")
    return int(found[0])


def expected_errors(files: Iterable[Path]) -> frozenset[Error]:
    """What comments announce for the line below them: ``// expect: out-of-bounds @+1``."""
    found = set()
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if match := _EXPECT.search(line):
                found.add((match[1], file.name, number + 1))
    return frozenset(found)
