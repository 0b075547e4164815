"""``coverage.json``: every outcome of every branch with its name, its place and the number of tests that take it.

``covers`` of a test names outcomes by function, block and number; here is what these are in the source. The outcomes
that no test takes come in the order of ``uncovered`` in ``summary.json``, which says why.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from clew.base.dataclass import dataclass
from clew.report.formats import format_of
from clew.report.records import BranchId
from clew.report.writers import WRITERS, RunResults

NAME = "coverage.json"


@dataclass(frozen=True, slots=True)
class StoredBranch:
    """One outcome."""

    id: BranchId
    file: str
    line: int
    column: int
    outcome: str
    tests: int
    """How many take it; at least 1 if it is covered."""
    reason: Mapping[str, Any] | None = None
    """Of one that is not covered: its entry among ``uncovered``."""

    @property
    def place(self) -> tuple[str, int, int, str]:
        """Where it is, and which: what runs of a project agree on."""
        return (self.file, self.line, self.column, self.outcome)


@WRITERS.register(NAME, "branches by name and place")
def write_branches(results: RunResults) -> str:
    """A line for each outcome: function, block, number, file (its position among ``files``), line, column, outcome,
    tests.

    ``out_of_reach`` are the places of functions that the entry cannot get to.
    """
    branches, functions = results.summary.coverage.branches, results.summary.coverage.functions
    places = [branch.location.file for branch in branches if branch.location is not None]
    files = list(dict.fromkeys([*places, *(function.file for function in functions)]))
    numbers = {file: number for number, file in enumerate(files)}
    rows = []
    for branch in branches:
        where = branch.location
        place = [None, 0, 0] if where is None else [numbers[where.file], where.line, where.column]
        tests = max(1, results.taken.get(branch.id, 1)) if branch.covered else 0
        rows.append(json.dumps([*branch.id, *place, branch.outcome, tests]))
    far = [[numbers[function.file], function.line] for function in functions if not function.in_reach]
    known = {"format": format_of("coverage"), "files": files, "out_of_reach": far}
    head = "".join(f' "{name}": {json.dumps(value)},\n' for name, value in known.items())
    return "{\n" + head + ' "branches": [\n  ' + ",\n  ".join(rows) + "\n ]}\n"


def read_branches(data: Mapping[str, Any], uncovered: Iterator[Mapping[str, Any]]) -> list[StoredBranch]:
    """What was written, each outcome that no test takes with its entry among ``uncovered``; ValueError and the like for
    something else."""
    files, found = data["files"], []
    for function, block, number, file, line, column, outcome, tests in data["branches"]:
        reason = None if tests else next(uncovered, None)
        name = "" if file is None else str(files[file])
        found.append(StoredBranch((function, block, number), name, line, column, outcome, tests, reason))
    return found


def out_of_reach(data: Mapping[str, Any]) -> set[tuple[str, int]]:
    """Where functions begin that the entry of a run cannot get to."""
    return {(str(data["files"][file]), int(line)) for file, line in data.get("out_of_reach", ())}
