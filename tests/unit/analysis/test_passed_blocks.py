"""Blocks that a run may have passed: all that it did, and few others."""

from __future__ import annotations

from clew.analysis.passed_blocks import BranchId, PassedBlocks
from unit.execute.support import llvm

CODE = """
@table = global ptr @pointed

define i32 @main(i32 %n) {
start:
  %c = icmp sgt i32 %n, 1
  br i1 %c, label %many, label %few
many:
  %d = icmp sgt i32 %n, 2
  br i1 %d, label %more, label %two
more:
  call void @never()
  br label %end
two:
  call void @called()
  br label %end
few:
  switch i32 %n, label %end [i32 0, label %none i32 7, label %none]
none:
  ret i32 0
end:
  ret i32 1
}

define void @never() {
in_never:
  ret void
}

define void @called() {
in_called:
  ret void
}

define void @pointed() {
in_pointed:
  ret void
}
"""
KNOWN = frozenset(("main", block, place) for block in ("start", "many", "few") for place in (0, 1))


def passed(*taken: BranchId, known: frozenset[BranchId] = KNOWN) -> set[str]:
    program = llvm(CODE)
    return {block for _, block in PassedBlocks(program, program.functions["main"], known).of(frozenset(taken))}


def test_a_run_without_branches_passes_what_nothing_decides() -> None:
    assert passed() == {"start", "in_pointed"}


def test_functions_count_where_code_that_runs_mentions_them() -> None:
    assert passed(("main", "start", 0), ("main", "many", 1)) == {
        *("start", "many", "two", "end", "in_called", "in_pointed")
    }
    assert "in_never" in passed(("main", "start", 0), ("main", "many", 0))


def test_targets_of_a_switch_are_counted_once() -> None:
    assert passed(("main", "start", 1), ("main", "few", 0)) == {"start", "few", "none", "in_pointed"}
    assert passed(("main", "start", 1), ("main", "few", 1)) == {"start", "few", "end", "in_pointed"}


def test_a_branch_that_nothing_leads_to_does_not_count() -> None:
    assert passed(("main", "many", 0)) == {"start", "in_pointed"}


def test_branches_that_nobody_tells_of_may_be_taken() -> None:
    assert "in_never" in passed(known=frozenset())
