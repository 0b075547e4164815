"""``coverage.info``: coverage in lcov's text form, for ``genhtml`` and editors; written, read, and added up.

The old records for functions (``FN``, ``FNDA``) are written, which every version of lcov reads. A branch's
count is the number of tests that take it; of lines and functions it is only known whether a test ran them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from clew.base.dataclass import dataclass
from clew.report.records import BranchCoverage, BranchId, Coverage
from clew.report.writers import WRITERS, RunResults

TEST_NAME = "clew"
_ENDS = re.compile(r"[\r\n]")
"""What a name may have and a line cannot."""

Branch = tuple[int, int, int]
"""Line, number of the branching place in it, and outcome."""


@dataclass(slots=True)
class FileCoverage:
    """One source file; counts of several runs are added up."""

    functions: dict[tuple[int, str], int] = field(default_factory=dict)
    """By the line where it begins, and its name."""
    branches: dict[Branch, int | None] = field(default_factory=dict)
    """None: no run has come to the place."""
    lines: dict[int, int] = field(default_factory=dict)

    def records(self, name: str) -> Iterator[str]:
        """The lines for it."""
        yield f"TN:{TEST_NAME}"
        yield f"SF:{name}"
        yield from (f"FN:{line},{function}" for line, function in sorted(self.functions))
        yield from (f"FNDA:{count},{function}" for (_, function), count in sorted(self.functions.items()))
        yield f"FNF:{len(self.functions)}"
        yield f"FNH:{sum(map(bool, self.functions.values()))}"
        for (line, place, outcome), taken in sorted(self.branches.items()):
            yield f"BRDA:{line},{place},{outcome},{'-' if taken is None else taken}"
        yield f"BRF:{len(self.branches)}"
        yield f"BRH:{sum(map(bool, self.branches.values()))}"
        yield from (f"DA:{line},{count}" for line, count in sorted(self.lines.items()))
        yield f"LF:{len(self.lines)}"
        yield f"LH:{sum(map(bool, self.lines.values()))}"
        yield "end_of_record"

    def add_branch(self, branch: Branch, taken: int | None) -> None:
        """An outcome that was taken so many times more; None: its place was not come to."""
        before = self.branches.get(branch)
        self.branches[branch] = before if taken is None else (before or 0) + taken


@WRITERS.register("coverage.info", "coverage, for genhtml and editors")
def write_lcov(results: RunResults) -> bytes:
    files = files_of(results.summary.coverage, results.taken)
    return lcov_text(files).encode("utf-8", "surrogateescape")


def lcov_text(files: Mapping[str, FileCoverage]) -> str:
    """The text, for files by their names."""
    return "".join(f"{_ENDS.sub('?', line)}\n" for name in sorted(files) for line in files[name].records(name))


def files_of(coverage: Coverage, taken: Mapping[BranchId, int] | None = None) -> dict[str, FileCoverage]:
    """The coverage of a run, file by file; ``taken`` counts tests per branch outcome."""
    files: dict[str, FileCoverage] = {}
    for each in coverage.lines:
        files.setdefault(each.file, FileCoverage()).lines[each.line] = int(each.covered)
    for function in coverage.functions:
        key = function.line, function.name
        files.setdefault(function.file, FileCoverage()).functions[key] = int(function.covered)
    blocks: dict[tuple[str, str, str], list[BranchCoverage]] = {}
    for branch in coverage.branches:
        if branch.location is not None:
            blocks.setdefault((branch.location.file, branch.function, branch.block), []).append(branch)
    numbered: dict[tuple[str, int], int] = {}
    for (file, _, _), outcomes in sorted(blocks.items(), key=lambda item: _position(item[1])):
        line = _position(outcomes)[0]
        number = numbered[file, line] = numbered.get((file, line), -1) + 1
        reached = any(branch.covered for branch in outcomes)
        here = files.setdefault(file, FileCoverage())
        for place, branch in enumerate(outcomes):
            count = max(1, (taken or {}).get(branch.id, 1)) if branch.covered else 0
            here.branches[line, number, place] = count if reached else None
    return files


def _position(outcomes: Sequence[BranchCoverage]) -> tuple[int, int, str, str]:
    first = outcomes[0]
    assert first.location is not None
    return first.location.line, first.location.column, first.function, first.block


def add_lcov(files: dict[str, FileCoverage], text: str) -> None:
    """Add the coverage of one more run, as its ``coverage.info`` tells it. Lines that make no sense are left out."""
    here = FileCoverage()
    starts: dict[str, int] = {}
    for line in text.splitlines():
        key, _, rest = line.partition(":")
        try:
            match key:
                case "SF":
                    here, starts = files.setdefault(rest, FileCoverage()), {}
                case "FN":
                    start, _, name = rest.partition(",")
                    starts[name] = int(start)
                    here.functions.setdefault((int(start), name), 0)
                case "FNDA":
                    count, _, name = rest.partition(",")
                    here.functions[starts[name], name] += int(count)
                case "BRDA":
                    number, place, outcome, taken = rest.split(",")
                    here.add_branch((int(number), int(place), int(outcome)), None if taken == "-" else int(taken))
                case "DA":
                    at, ran = map(int, rest.split(","))
                    here.lines[at] = here.lines.get(at, 0) + ran
        except (KeyError, ValueError):
            continue
