"""``clew verify`` on a program whose truth is known: one verdict for each assertion, compared with enumeration."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from clew.base.options import VerifyRequest
from clew.explain.walker import Walker
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import Summary
from clew.techniques.conflicts.formula import Formula
from clew.techniques.conflicts.limits import Limits
from clew.techniques.conflicts.technique import Conflicts
from oracle.arms_apart import apart
from oracle.verify_native import Truth

ASSERTION = re.compile(r"^ *(?:if \(.*\) reach_error|assert)\(")


@dataclass(frozen=True)
class Way:
    """How to verify: a strategy, and for ``conflicts`` a way to decide."""

    strategy: str
    decide: str = "learn:10"
    stir: int | None = None
    """Seed for decisions taken at random, see ``stirred``."""
    kept: bool = False
    """With branches as they are in the source."""
    jobs: int = 1
    """Processes, which begin at once, see ``apart``."""
    kills: float = 0.0
    """How likely one of these is killed, at each look for messages."""

    def __str__(self) -> str:
        name = self.strategy if self.jobs == 1 else f"{self.strategy}/jobs{self.jobs}"
        if self.strategy != "plain":
            name += f"/{self.decide}" + ("" if self.stir is None else f"/stir{self.stir}")
        return f"{name}/kept" if self.kept else name

    @property
    def options(self) -> str:
        """As the command line has them."""
        decide = "" if self.strategy == "plain" else f" --decide {self.decide}"
        jobs = "" if self.jobs == 1 else f" --jobs {self.jobs}"
        return f"--strategy {self.strategy}{decide}{jobs}" + (" --keep-branches" if self.kept else "")


PLAIN = Way("plain")
CONFLICTS = tuple(Way("conflicts", decide) for decide in ("blackbox", "guide", "learn:10"))


@dataclass(frozen=True)
class Comparison:
    """``wrong``: what contradicts the truth. ``open``: what has no answer. ``answered``: how many have one."""

    wrong: tuple[str, ...]
    open: tuple[str, ...]
    answered: int
    summary: Summary


def assertions(source: str) -> tuple[int, ...]:
    """The lines that assert something."""
    return tuple(number for number, line in enumerate(source.splitlines(), 1) if ASSERTION.match(line))


@contextmanager
def stirred(seed: int | None) -> Iterator[None]:
    """Conflict-driven search with other decisions than its own: paths in an order that it would not choose.

    What is learned too early on one path only does harm if the path it rules out by mistake would have come later.
    Every other seed also leaves hardly any room for waiting states and for trails, which are made again all the time.
    """
    if seed is None:
        yield
        return
    random = Random(seed)
    share = random.choice((0.5, 0.5, 0.2, 0.8))
    solve, begin = Formula.solve, Walker.__init__

    def random_phases(self: Formula, assumptions: list[int]) -> bool:
        last = self._graph.new_var()
        self._solver.set_phases([v if random.random() < share else -v for v in range(1, last)])
        return solve(self, assumptions)

    def short_of_room(self: Walker, *arguments: Any) -> None:
        begin(self, *arguments)
        self.limit = 3

    with mock.patch.object(Formula, "solve", random_phases):
        if seed % 2:
            with (
                mock.patch.object(Conflicts.__init__, "__defaults__", (Limits(saved_states=4), None)),
                mock.patch.object(Walker, "__init__", short_of_room),
            ):
                yield
        else:
            yield


def verify(program: Path, way: Way, seconds: float) -> Summary:
    request = VerifyRequest(
        (program,),
        seconds=seconds,
        compiler_flags=("-w",),
        strategy=way.strategy,
        decide=way.decide,
        keep_branches=way.kept,
        jobs=way.jobs,
    )
    with stirred(way.stir), apart(program.name, way.jobs, way.kills):
        return run_verify(request, Listener())


def compare(program: Path, truth: Truth, way: Way, seconds: float) -> Comparison:
    """Verify the program. A line without a property counts as TRUE: the compiler saw that it cannot fail."""
    summary = verify(program, way, seconds)
    wrong, unanswered, answered = [], [], 0
    by_line = {item.location.line: item for item in summary.properties if item.location is not None}
    confirmed = {bug.location.line for bug in summary.bugs if bug.location is not None and bug.confirmed}
    lines = assertions(program.read_text(encoding="utf-8"))
    for line in lines:
        item = by_line.get(line)
        verdict = item.verdict if item is not None else "TRUE"
        expected = "FALSE" if line in truth.violated else "TRUE"
        if verdict == "UNKNOWN":
            reason = item.reason if item is not None else ""
            # The programs have no undefined behaviour, and nothing that the engine does not support.
            blamed = "undefined behaviour" in reason
            (wrong if blamed else unanswered).append(f"line {line}: UNKNOWN, should be {expected} ({reason})")
            continue
        answered += 1
        if verdict != expected:
            wrong.append(f"line {line}: {verdict}, should be {expected}")
        elif verdict == "FALSE" and line not in confirmed:
            wrong.append(f"line {line}: FALSE without a confirmed counterexample")
    wrong += [f"line {line}: FALSE, but nothing is asserted there" for line in confirmed - set(lines)]
    if not unanswered and not wrong:
        overall = "FALSE" if truth.violated else "TRUE"
        if summary.verdict != overall:
            wrong.append(f"overall: {summary.verdict}, should be {overall} ({summary.reason})")
    return Comparison(tuple(wrong), tuple(unanswered), answered, summary)
