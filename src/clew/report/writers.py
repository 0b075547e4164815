"""The files for other tools that come with the summary: a function each, by the name of the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from clew.base.dataclass import dataclass
from clew.base.options import Request
from clew.base.registry import Registry
from clew.report.excerpt import Sources
from clew.report.listener import ProgramInfo
from clew.report.records import BranchId, Summary
from clew.report.values import InputValue


@dataclass(frozen=True, slots=True)
class DriverTest:
    """One test as the driver needs it."""

    inputs: tuple[InputValue, ...]
    note: str = ""
    """What is expected, for people."""

    argv: tuple[bytes | int, ...] = (b"program",)
    """The program's name, and the words of ``--args``."""


@dataclass(frozen=True, slots=True)
class RunResults:
    """What a writer may look at: all of a run that has ended."""

    summary: Summary
    request: Request
    program: ProgramInfo
    tests: Sequence[DriverTest]
    """As many as ``tests.c`` has room for."""
    taken: Mapping[BranchId, int]
    """How many tests take a branch outcome."""
    sources: Sources


Writer = Callable[[RunResults], str | bytes | None]
"""Gives the content of the file; None where there is nothing to write."""

WRITERS: Registry[Writer] = Registry(
    "report",
    "the output folder",
    {
        "results.sarif": "clew.report.sarif",
        "coverage.info": "clew.report.lcov",
        "coverage.json": "clew.report.branches",
        "sources.json": "clew.report.kept_sources",
        "witness.yml": "clew.report.witness",
        "tests.c": "clew.report.driver",
    },
)
