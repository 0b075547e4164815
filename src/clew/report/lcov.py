"""``coverage.info``: coverage in lcov's text form, for ``genhtml`` and editors.

The old records for functions (``FN``, ``FNDA``) are written, which every version of lcov reads. A branch's
count is the number of tests that take it; of lines and functions it is only known whether a test ran them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from clew.report.records import BranchCoverage, BranchId, Coverage, FunctionCoverage, LineCoverage
from clew.report.writers import WRITERS, RunResults

TEST_NAME = "clew"
_ENDS = re.compile(r"[\r\n]")
"""What a name may have and a line cannot."""


@WRITERS.register("coverage.info", "coverage, for genhtml and editors")
def write_lcov(results: RunResults) -> bytes:
    return lcov_of(results.summary.coverage, results.taken).encode("utf-8", "surrogateescape")


def lcov_of(coverage: Coverage, taken: Mapping[BranchId, int] | None = None) -> str:
    """The text; ``taken`` counts tests per branch outcome."""
    files = {line.file for line in coverage.lines}
    files |= {branch.location.file for branch in coverage.branches if branch.location is not None}
    files |= {function.file for function in coverage.functions}
    return "".join(f"{_ENDS.sub('?', line)}\n" for name in sorted(files) for line in _file(name, coverage, taken or {}))


def _file(name: str, coverage: Coverage, taken: Mapping[BranchId, int]) -> Iterator[str]:
    yield f"TN:{TEST_NAME}"
    yield f"SF:{name}"
    yield from _functions([function for function in coverage.functions if function.file == name])
    here = [branch for branch in coverage.branches if branch.location is not None and branch.location.file == name]
    yield from _branches(here, taken)
    yield from _lines([line for line in coverage.lines if line.file == name])
    yield "end_of_record"


def _functions(functions: Sequence[FunctionCoverage]) -> Iterator[str]:
    ordered = sorted(functions, key=lambda function: (function.line, function.name))
    yield from (f"FN:{function.line},{function.name}" for function in ordered)
    yield from (f"FNDA:{int(function.covered)},{function.name}" for function in ordered)
    yield f"FNF:{len(ordered)}"
    yield f"FNH:{sum(function.covered for function in ordered)}"


def _branches(branches: Sequence[BranchCoverage], taken: Mapping[BranchId, int]) -> Iterator[str]:
    """A block per branching place of the code; ``-`` where it was never come to."""
    blocks: dict[tuple[str, str], list[BranchCoverage]] = {}
    for branch in branches:
        blocks.setdefault((branch.function, branch.block), []).append(branch)
    numbered: dict[int, int] = {}
    for outcomes in sorted(blocks.values(), key=_position):
        line = _position(outcomes)[0]
        number = numbered[line] = numbered.get(line, -1) + 1
        reached = any(branch.covered for branch in outcomes)
        for place, branch in enumerate(outcomes):
            count = str(max(1, taken.get(branch.id, 1)) if branch.covered else 0) if reached else "-"
            yield f"BRDA:{line},{number},{place},{count}"
    yield f"BRF:{len(branches)}"
    yield f"BRH:{sum(branch.covered for branch in branches)}"


def _position(outcomes: Sequence[BranchCoverage]) -> tuple[int, int, str, str]:
    first = outcomes[0]
    assert first.location is not None
    return first.location.line, first.location.column, first.function, first.block


def _lines(lines: Sequence[LineCoverage]) -> Iterator[str]:
    yield from (f"DA:{line.line},{int(line.covered)}" for line in sorted(lines, key=lambda line: line.line))
    yield f"LF:{len(lines)}"
    yield f"LH:{sum(line.covered for line in lines)}"
