"""``coverage.info``: the records lcov reads, and totals that fit them."""

from __future__ import annotations

from clew.base.location import Location
from clew.report.lcov import FileCoverage, add_lcov, files_of, lcov_text
from clew.report.records import BranchCoverage, Coverage, FunctionCoverage, LineCoverage

COVERAGE = Coverage(
    (
        BranchCoverage("main", "b", 0, Location("p.c", 4, 9), "true"),
        BranchCoverage("main", "b", 1, Location("p.c", 4, 9), "false"),
        BranchCoverage("main", "a", 0, Location("p.c", 4, 3), "true", True),
        BranchCoverage("main", "a", 1, Location("p.c", 4, 3), "false"),
        BranchCoverage("f", "a", 0, None, "true"),
    ),
    (LineCoverage("p.c", 4, True), LineCoverage("p.c", 3, False), LineCoverage("q.h", 1, True)),
    (FunctionCoverage("main", "p.c", 3, True), FunctionCoverage("idle", "p.c", 1)),
)


def test_records() -> None:
    assert lcov_text(files_of(COVERAGE, {("main", "a", 0): 7})).split("\n") == [
        "TN:clew", "SF:p.c", "FN:1,idle", "FN:3,main", "FNDA:0,idle", "FNDA:1,main", "FNF:2", "FNH:1",
        "BRDA:4,0,0,7", "BRDA:4,0,1,0", "BRDA:4,1,0,-", "BRDA:4,1,1,-", "BRF:4", "BRH:1",
        "DA:3,0", "DA:4,1", "LF:2", "LH:1", "end_of_record",
        "TN:clew", "SF:q.h", "FNF:0", "FNH:0", "BRF:0", "BRH:0", "DA:1,1", "LF:1", "LH:1", "end_of_record", "",
    ]  # fmt: skip


def test_a_branch_covered_by_a_test_that_was_not_kept_counts_once() -> None:
    assert "BRDA:4,0,0,1\n" in lcov_text(files_of(COVERAGE))


def test_nothing() -> None:
    assert lcov_text(files_of(Coverage())) == ""


def test_what_is_written_is_read_and_counts_add_up() -> None:
    text = lcov_text(files_of(COVERAGE, {("main", "a", 0): 7}))
    files: dict[str, FileCoverage] = {}
    add_lcov(files, text)
    assert lcov_text(files) == text
    add_lcov(files, "nonsense\nBRDA:x\nFNDA:1,nobody\n" + text)
    assert files["p.c"].branches == {(4, 0, 0): 14, (4, 0, 1): 0, (4, 1, 0): None, (4, 1, 1): None}
    assert files["p.c"].functions == {(1, "idle"): 0, (3, "main"): 2}
    assert files["q.h"].lines == {1: 2}
