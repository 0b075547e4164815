"""The realistic programs: each file holds a fixed version and, with ``-DBUG``, one with seeded bugs.

The ``// expect:`` comments name what the buggy version must be blamed for, and ``// stdin: N`` says how many bytes of
standard input are symbolic. The tests and ``scripts/real_programs.py`` share this module.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from clew.base.budget import Interrupt
from clew.base.options import TestRequest
from clew.jobs.test import run_test
from clew.report.listener import Listener, Snapshot
from clew.report.records import Bug, Summary
from programs.test_programs import read
from targets import target_for

HERE = Path(__file__).resolve().parent
_STDIN = re.compile(r"^// stdin: (\d+)$", re.MULTILINE)

Place = tuple[str, int]
"""Kind and line of a bug."""


@dataclass(frozen=True)
class Outcome:
    """What one run said, beside what it should say."""

    expected: frozenset[Place]
    summary: Summary

    @property
    def found(self) -> frozenset[Place]:
        return frozenset(place_of(bug) for bug in self.summary.bugs)

    @property
    def missing(self) -> list[Place]:
        return sorted(self.expected - self.found, key=lambda place: place[1])

    @property
    def false_alarms(self) -> list[Place]:
        return sorted(self.found - self.expected, key=lambda place: place[1])

    @property
    def branch_coverage(self) -> float:
        """In percent."""
        branches = self.summary.coverage.branches
        return 100.0 * self.summary.coverage.branches_covered / max(1, len(branches))


def place_of(bug: Bug) -> Place:
    return bug.kind, bug.location.line if bug.location else 0


def names() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.c"))


def expected_bugs(name: str) -> frozenset[Place]:
    return read(HERE / f"{name}.c").bugs


class Target(Listener):
    """Ends a run once it has found all that is expected, or covered enough."""

    def __init__(self, expected: frozenset[Place], percent: float | None = None) -> None:
        self.interrupt = Interrupt()
        self._missing = set(expected)
        self._percent = percent

    def bug_found(self, bug: Bug) -> None:
        self._missing.discard(place_of(bug))
        if not self._missing and self._percent is None:
            self.interrupt.request()

    def progress(self, snapshot: Snapshot) -> None:
        if self._percent is None or not snapshot.branches_total:
            return
        if 100.0 * snapshot.branches_covered >= self._percent * snapshot.branches_total:
            self.interrupt.request()


def stdin_of(file: Path) -> int | None:
    """Symbolic bytes of standard input, if the program says how many."""
    stated = _STDIN.search(file.read_text(encoding="utf-8"))
    return int(stated[1]) if stated else None


def run(name: str, buggy: bool, seconds: float, target: Target | None = None) -> Outcome:
    """Explore one version of a program for at most so long, or until the target is reached."""
    file = HERE / f"{name}.c"
    request = TestRequest(
        files=(file,),
        seconds=seconds,
        stdin=stdin_of(file),
        compiler_flags=("-DBUG",) if buggy else (),
        target=target_for(name),
        interrupt=target.interrupt if target else Interrupt(),
    )
    summary = run_test(request, target or Listener())
    return Outcome(expected_bugs(name) if buggy else frozenset(), summary)


def find_bugs(name: str, seconds: float) -> Outcome:
    """Run the buggy version until all seeded bugs are found."""
    return run(name, True, seconds, Target(expected_bugs(name)))


def cover(name: str, seconds: float, percent: float) -> Outcome:
    """Run the fixed version until so much of its branches is covered."""
    return run(name, False, seconds, Target(frozenset(), percent))
