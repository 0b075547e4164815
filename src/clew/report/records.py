"""Result records: what a run found, as plain immutable data.

Sits below everything that produces results (``execute``, ``techniques``, ``jobs``) and below the
writers; imports ``base`` only. Findings about the analysed program are these records, never
exceptions. ``to_json`` gives the shapes that the command-line contract promises.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field, fields, is_dataclass, replace
from enum import StrEnum
from typing import Any

from clew.base.budget import StopReason
from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.report.formats import head_of
from clew.report.kinds import BUG_KINDS
from clew.report.path import PathStep
from clew.report.reasons import Reason
from clew.report.statistics import RunStatistics
from clew.report.values import Behaviour, InputValue, Value

__all__ = [
    "BEST_EFFORT", "Arrival", "BranchCoverage", "BranchId", "Bug", "CERTAIN", "Coverage",
    "FunctionCoverage", "InputValue", "KNOWN", "LineCoverage", "LoopInvariant", "LoopStatement", "LossKind", "LossNote",
    "NEW", "NOT_SUMMARIZED", "POSSIBLE", "Property", "RunStatistics", "SOUND", "StopReason", "Summary", "TARGET_TEST",
    "TargetRecord", "Test", "UNDEFINED", "Unreachable", "Value", "place", "ranked",
]  # fmt: skip

BranchId = tuple[str, str, int]
"""A branch outcome: function, block, index of the successor."""

CERTAIN = "bug"
POSSIBLE = "possible"
"""Classes of reports: a possible bug rests on something that was made up."""

NEW = "new"
KNOWN = "unchanged"
"""States of bugs beside a baseline, as SARIF names them."""

_ERROR = frozenset(("kind", "message", "rests_on", "file", "line", "column", "function"))
"""What a test's file says of the bug that it shows."""

TARGET_TEST = "target"
"""Why a test was kept whose inputs lead to a target."""

SOUND = "sound"
"""Of a loop: one execution was generalized to all iteration counts, and nothing is lost by that."""
BEST_EFFORT = "best-effort"
"""Generalized, though something in the loop is outside the theory: inputs may lead elsewhere than predicted."""
NOT_SUMMARIZED = "none"
"""Run as it is, iteration by iteration."""
LOOP_STATUSES = (SOUND, BEST_EFFORT, NOT_SUMMARIZED)


class LossKind(StrEnum):
    """Why some behaviour of the program was not explored."""

    BOUNDED = "bounded"
    UNSUPPORTED = "unsupported"
    EVICTED = "evicted"
    SOLVER_UNKNOWN = "solver-unknown"
    UNDEFINED_FUNCTION = "undefined-function"
    UNDEFINED_VARIABLE = "undefined-variable"
    UNEXPLORED = "unexplored"
    """Pending when a budget ended the run."""
    FAILED = "failed"
    """What a technique had to do when an internal error ended it, while others went on."""


UNDEFINED = (LossKind.UNDEFINED_FUNCTION, LossKind.UNDEFINED_VARIABLE)
"""Losses that come with the program, and are the same on all paths."""


def place(location: Location | None) -> dict[str, object]:
    """File, line and column for JSON; null and 0 where the location is not known."""
    if location is None:
        return {"file": None, "line": 0, "column": 0}
    return {"file": location.file, "line": location.line, "column": location.column}


def spans(lines: Iterable[tuple[str, int]]) -> dict[str, list[list[int]]]:
    """Lines by file, as their first and last numbers where they follow one another."""
    found: dict[str, list[list[int]]] = {}
    for file, line in sorted(lines):
        known = found.setdefault(file, [])
        if known and known[-1][1] == line - 1:
            known[-1][1] = line
        else:
            known.append([line, line])
    return found


def json_of(value: Any) -> Any:
    """What ``json`` writes for a value of a record: tuples are lists; records say it, or are their fields."""
    if isinstance(value, tuple):
        return [json_of(item) for item in value]
    if hasattr(value, "to_json"):
        return value.to_json()
    return fields_to_json(value) if is_dataclass(value) else value


def fields_to_json(record: Any, *but: str) -> dict[str, Any]:
    """The fields of a record by name, in the place of a location its file, line and column; ``but`` some of these."""
    data: dict[str, Any] = {}
    for name in (item.name for item in fields(record)):
        value = getattr(record, name)
        data |= place(value) if name == "location" else {name: json_of(value)}
    return {name: value for name, value in data.items() if name not in but}


@dataclass(frozen=True, slots=True)
class StackFrame:
    """A function on the call stack, and where in it control was; ``str`` gives ``function file:line``."""

    function: str
    location: Location | None = None

    def __str__(self) -> str:
        return self.function if self.location is None else f"{self.function} {self.location}"

    def to_json(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True)
class Bug:
    """Something wrong with the analysed program, with the inputs that show it."""

    kind: str
    """One of ``BUG_KINDS``."""
    message: str
    location: Location | None
    function: str
    stack: tuple[StackFrame, ...] = ()
    """Innermost frame first."""
    inputs: tuple[InputValue, ...] = ()
    confirmed: bool = False
    """True once a concrete re-execution with these inputs ended in the same bug."""
    test: str = ""
    """The file of the failing test within the output folder; the writers fill it in."""
    rests_on: str = ""
    """What was made up to show it, for people: then it is a possible bug; empty for one that needs nothing such."""
    decisive: tuple[int, ...] | None = None
    """The positions of inputs that it needs; None where that is not known."""
    path: tuple[PathStep, ...] = field(default=(), compare=False)
    """How its inputs lead to it, where that is known. The bug's own file has it, the summary does not."""
    fingerprint: str = field(default="", compare=False)
    """Stays the same while lines elsewhere change; the writers fill in this and the two below."""
    baseline: str = field(default="", compare=False)
    """``NEW`` or ``KNOWN`` where there is a baseline; else empty."""
    suppressed: str = field(default="", compare=False)
    """Why a comment in the source says that it is not to be told; empty if none does."""

    @property
    def is_possible(self) -> bool:
        """Whether it shows only if what was made up can be like that."""
        return bool(self.rests_on)

    @property
    def is_set_aside(self) -> bool:
        """Whether it is known from a baseline, or suppressed by a comment: nobody wants to hear of it again."""
        return self.baseline == KNOWN or bool(self.suppressed)

    @property
    def report_class(self) -> str:
        """``CERTAIN`` or ``POSSIBLE``."""
        return POSSIBLE if self.is_possible else CERTAIN

    def __post_init__(self) -> None:
        if self.kind not in BUG_KINDS:
            raise ValueError(f"unknown kind of bug: {self.kind}")

    def to_json(self) -> dict[str, object]:
        left_open = {"test": self.test or None, "rests_on": self.rests_on or None}
        unset = (name for name in ("fingerprint", "baseline", "suppressed") if not getattr(self, name))
        return fields_to_json(self, "path", *unset) | left_open | {"class": self.report_class}


def ranked(bugs: Iterable[Bug]) -> tuple[Bug, ...]:
    """Bugs first, then possible ones; not those at whose place a bug of the same kind was found, too."""
    found = tuple(bugs)
    certain = tuple(bug for bug in found if not bug.is_possible)
    known = {(bug.kind, bug.location, bug.function) for bug in certain}
    possible = (bug for bug in found if bug.is_possible and (bug.kind, bug.location, bug.function) not in known)
    return (*certain, *possible)


@dataclass(frozen=True, slots=True)
class Test:
    """Inputs for one run of the program."""

    __test__ = False  # pytest must not take this class for a test case

    inputs: tuple[InputValue, ...]
    covers: frozenset[BranchId] = frozenset()
    """The branch outcomes this run takes."""
    error: Bug | None = None
    reason: str = "path"
    """Why it was kept: ``coverage``, ``path``, ``bug``, ..."""
    ends: str = ""
    """How the engine's own run of it ended: ``exit``, a kind of bug (that another test may report), ``lost``,
    ``dropped``, ``stopped``; empty where not known."""
    exit_code: int | None = None
    output: str = ""
    """SHA-256 of what it prints; empty where not known."""
    behaviour: Behaviour | None = None
    """What the function of ``--function`` did, where it returned."""
    path: tuple[int, ...] = field(default=(), compare=False)
    """Tells the path that it stands for from others, most likely; empty where not known."""
    lines: frozenset[tuple[str, int]] = frozenset()
    """The lines of source that this run runs: file and number."""

    def to_json(self) -> dict[str, object]:
        """What its file says beside the program: inputs in the order in which it asks for them, and what was seen.

        Sets are sorted so that equal tests give equal files. The inputs of the error are the test's own.
        """
        error = None if self.error is None else self.error.to_json()
        return {
            "reason": self.reason,
            "inputs": [value.to_json() for value in self.inputs],
            "error": error and {name: value for name, value in error.items() if name in _ERROR},
            "ends": self.ends or None,
            "exit_code": self.exit_code,
            "output": self.output or None,
            "covers": [list(branch) for branch in sorted(self.covers)],
            "lines": spans(self.lines),
            **({} if self.behaviour is None else {"behaviour": self.behaviour.to_json()}),
        }


@dataclass(frozen=True, slots=True)
class Property:
    """One thing to check, and what became of it (``TRUE``, ``FALSE``, ``UNKNOWN``)."""

    kind: str
    location: Location | None
    function: str
    verdict: str
    reason: str = ""
    """Why it is not known; empty for a clear answer."""

    def to_json(self) -> dict[str, object]:
        return fields_to_json(self, "column", "" if self.reason else "reason")


@dataclass(frozen=True, slots=True)
class Arrival:
    """A way to a target: the inputs that lead there."""

    location: Location | None
    function: str
    stack: tuple[StackFrame, ...] = ()
    """Innermost frame first."""
    inputs: tuple[InputValue, ...] = ()
    confirmed: bool = False
    """True once a concrete re-execution with these inputs reached the same place."""
    test: str = ""
    """The file of its test within the output folder; the writers fill it in."""
    rests_on: str = ""
    """What was made up on the way; empty for a way that needs nothing such."""

    def to_json(self) -> dict[str, object]:
        return fields_to_json(self) | {"test": self.test or None, "rests_on": self.rests_on or None}


@dataclass(frozen=True, slots=True)
class TargetRecord:
    """What ``clew reach`` was asked about, and the first way to it that was found."""

    text: str
    """For people: ``p.c:12``, ``label out``, ``f()``."""
    locations: tuple[Location, ...] = ()
    arrival: Arrival | None = None

    def to_json(self) -> dict[str, object]:
        return {
            "text": self.text,
            "places": [{**place(where), "function": where.function} for where in self.locations],
            "arrival": json_of(self.arrival),
        }


@dataclass(frozen=True, slots=True)
class BranchCoverage:
    """One outcome of one source-level branch."""

    function: str
    block: str
    successor: int
    location: Location | None
    outcome: str
    """``true``, ``false``, ``case 3``, ``default``."""
    covered: bool = False
    reason: Reason | None = None
    """Why it is not covered, where that was looked at."""

    @property
    def id(self) -> BranchId:
        return (self.function, self.block, self.successor)


@dataclass(frozen=True, slots=True)
class LoopInvariant:
    """What holds whenever control is at the head of a loop, in C."""

    location: Location
    """Of something in the loop, its head if that has a place."""
    function: str
    text: str


@dataclass(frozen=True, slots=True)
class Unreachable:
    """An outcome of a branch that no input leads to, and why."""

    location: Location
    outcome: str
    """As of ``BranchCoverage``."""
    reason: str
    """For people: the invariant that contradicts it, say."""

    @property
    def text(self) -> str:
        """One line for the user."""
        return f"{self.location}, {self.outcome}: {self.reason}"

    def to_json(self) -> dict[str, object]:
        return fields_to_json(self, "column")


@dataclass(frozen=True, slots=True)
class LineCoverage:
    """One source line that has code."""

    file: str
    line: int
    covered: bool = False


@dataclass(frozen=True, slots=True)
class FunctionCoverage:
    """One function of the source."""

    name: str
    file: str
    line: int
    covered: bool = False
    in_reach: bool = True
    """Whether something that the entry calls, or names otherwise, leads to it."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Source-level coverage of everything the tests ran."""

    branches: tuple[BranchCoverage, ...] = ()
    lines: tuple[LineCoverage, ...] = ()
    functions: tuple[FunctionCoverage, ...] = ()

    @staticmethod
    def measured(
        branches: Iterable[BranchCoverage],
        taken: Collection[BranchId],
        lines: Iterable[tuple[str, int]],
        run: Collection[tuple[str, int]],
    ) -> Coverage:
        """From all branches and lines of the program and those that were ``taken`` and ``run`` (sets, best)."""
        return Coverage(
            tuple(
                BranchCoverage(b.function, b.block, b.successor, b.location, b.outcome, b.id in taken) for b in branches
            ),
            tuple(LineCoverage(file, line, (file, line) in run) for file, line in sorted(set(lines))),
        )

    def with_tests(self, tests: Iterable[Test]) -> Coverage:
        """The same, where these tests were not looked at yet."""
        taken, run = set[BranchId](), set[tuple[str, int]]()
        for test in tests:
            taken |= test.covers
            run |= test.lines
        entered = {function for function, _, _ in taken}
        return Coverage(
            tuple(replace(one, covered=True) if one.id in taken else one for one in self.branches),
            tuple(replace(one, covered=True) if (one.file, one.line) in run else one for one in self.lines),
            tuple(replace(one, covered=True) if one.name in entered else one for one in self.functions),
        )

    @property
    def branches_covered(self) -> int:
        return sum(branch.covered for branch in self.branches)

    @property
    def lines_covered(self) -> int:
        return sum(line.covered for line in self.lines)

    def to_json(self) -> dict[str, object]:
        return {
            "branches": {"covered": self.branches_covered, "total": len(self.branches)},
            "lines": {"covered": self.lines_covered, "total": len(self.lines)},
        }

    def uncovered_to_json(self) -> list[dict[str, object]]:
        """The branch outcomes no test takes."""
        return [
            {
                **place(branch.location),
                "function": branch.function,
                "outcome": branch.outcome,
                **(branch.reason.to_json() if branch.reason is not None else {}),
            }
            for branch in self.branches
            if not branch.covered
        ]


@dataclass(frozen=True, slots=True)
class LossNote:
    """Behaviour that was not explored, and why: any such note rules out a proof."""

    kind: LossKind
    what: str
    """The loop, the unsupported feature, the undefined function, the query."""
    location: Location | None = None
    count: int = 1
    """How many paths lost something this way."""

    @property
    def text(self) -> str:
        """One line for the user."""
        where = f" at {self.location}" if self.location else ""
        if self.kind is LossKind.UNDEFINED_FUNCTION:
            return f"{self.what.split(' ')[0]} is called{where}, and not defined anywhere"
        if self.kind is LossKind.UNDEFINED_VARIABLE:
            return f"{self.what.split(' ')[0]} is not defined anywhere"
        return f"{self.kind}: {self.what}{where}"


@dataclass(frozen=True, slots=True)
class LoopStatement:
    """What a run says about one loop: whether its iteration counts were generalized, and if not, why."""

    function: str
    location: Location | None
    status: str
    """``SOUND``, ``BEST_EFFORT`` or ``NOT_SUMMARIZED``."""
    reason: str
    """Why it is no more than that; empty for ``SOUND``."""
    summarized: int = 0
    """Activations that were generalized."""

    def __post_init__(self) -> None:
        if self.status not in LOOP_STATUSES:
            raise ValueError(f"unknown status of a loop: {self.status}")

    @property
    def text(self) -> str:
        """What is said, without the place: one line for the user."""
        if self.status == SOUND:
            return "summarized"
        status = "best effort" if self.status == BEST_EFFORT else "not summarized"
        return f"{status} ({self.reason})" if self.reason else status

    def to_json(self) -> dict[str, object]:
        return fields_to_json(self, "column")


@dataclass(frozen=True, slots=True)
class TechniqueAccount:
    """What a technique has cost a run, and what it has brought, in units of work (see ``techniques.accounts``)."""

    name: str
    spent: int
    earned: int
    """The work that it has saved, or that branches would have cost which it has covered."""
    branches: int
    """Outcomes of branches that it has covered first."""
    work: int
    """All the work of the run."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The whole result of a run: ``summary.json``."""

    command: str
    files: tuple[str, ...]
    verdict: str | None = None
    reason: str = ""
    technique: str = ""
    properties: tuple[Property, ...] = ()
    bugs: tuple[Bug, ...] = ()
    """Possible ones come last: see ``ranked``."""
    tests: int = 0
    coverage: Coverage = field(default_factory=Coverage)
    unreachable: tuple[Unreachable, ...] = ()
    """Outcomes of branches that were shown to be that, one after the other."""
    stats: RunStatistics = field(default_factory=RunStatistics)
    stopped: StopReason | None = None
    """None when the search was exhausted."""
    losses: tuple[LossNote, ...] = ()
    narrowed: tuple[str, ...] = ()
    """Inputs that options of the user's leave out, which is no loss: it was asked for."""
    assumed: tuple[str, ...] = ()
    """What holds for the parameters of a function: as the user says, as it is declared, or by a guess, as is said."""
    seed: int = 0
    warnings: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    """Kinds of errors that a verification looked for."""
    loop_invariants: tuple[LoopInvariant, ...] = ()
    """Where a verification relies on some."""
    out: str = ""
    """The output folder; the writers fill it in."""
    target: TargetRecord | None = None
    """What was to be reached, where the command asks for that."""
    build: Mapping[str, object] | None = None
    """What ``clew replay`` needs to compile the program again; the writers fill it in."""
    budget: Mapping[str, object] | None = None
    """What the run could spend; the writers fill it in."""
    loops: tuple[LoopStatement, ...] = ()
    """The loops that ran on symbolic values, where the command summarizes loops."""
    accounts: tuple[TechniqueAccount, ...] = ()
    """Of the techniques that had a part in exploration."""
    advice: tuple[str, ...] = ()
    """What would help where something was left open, for people; the writers fill it in."""
    unwritten: str = ""
    """Why files are missing in the output folder, if some are; the writers fill it in."""

    @property
    def proviso(self) -> str:
        """What a clear answer holds for, to be put behind it; empty if that is everything."""
        left_out = f", leaving out {' and '.join(self.narrowed)}" if self.narrowed else ""
        return left_out + (f", assuming {'; '.join(self.assumed)}" if self.assumed else "")

    @property
    def certain(self) -> tuple[Bug, ...]:
        """The bugs that rest on nothing made up."""
        return tuple(bug for bug in self.bugs if not bug.is_possible)

    @property
    def possible(self) -> tuple[Bug, ...]:
        """The others."""
        return tuple(bug for bug in self.bugs if bug.is_possible)

    def to_json(self) -> dict[str, object]:
        return {
            **head_of("summary", self.command),
            **fields_to_json(self, "unwritten"),
            "out": self.out or None,
            "interrupted": self.stopped is StopReason.INTERRUPTED,
            "uncovered": self.coverage.uncovered_to_json(),
        }
