"""Coverage counts what was run, nothing else."""

from __future__ import annotations

from clew.execute.coverage import all_branches, all_lines, branch_ids
from clew.execute.events import Events
from unit.execute.support import c_program, concrete, explore, llvm

JOIN = """
define i32 @main() {
entry:
  %n = call i32 @__VERIFIER_nondet_int()
  %c = icmp eq i32 %n, 12345
  br i1 %c, label %a, label %b
a:
  %k = add i32 0, 1
  br label %join
b:
  %l = add i32 0, 2
  br label %join
join:
  %p = phi i32 [ %k, %a ], [ %l, %b ]
  %d = udiv i32 %p, 0
  br label %end
end:
  ret i32 %d
}
"""


def alone(events: Events) -> None:
    """Keep to the first path."""
    events.pending_sibling.append(lambda pending: False)


def test_a_path_that_fails_covers_the_way_it_came() -> None:
    """The failing block is short and written once for each of its predecessors."""
    found = explore(llvm(JOIN), listen=alone)
    assert found.kinds == ["division-by-zero"]
    assert found.run.coverage.edges == {("main", "entry", "b")}
    assert found.run.coverage.blocks == {("main", "entry"), ("main", "b"), ("main", "join")}


CODE = """
int f(int x) {
  if (x > 5)
    return 1;
  switch (x) {
  case 1:
    return 2;
  case 2:
  case 3:
    return 3;
  }
  return 4;
}
int main(void) {
  return f(__VERIFIER_nondet_int());
}
"""


def test_exploring_covers_everything() -> None:
    found = explore(CODE)
    program = found.run.program
    branches = {branch.id for branch in all_branches(program)}
    assert found.run.coverage.taken() & branches == branches
    assert len(branches) == 5
    assert branch_ids(program) == branches
    assert found.run.coverage.lines == all_lines(program)
    record = found.run.coverage.record()
    assert all(branch.covered for branch in record.branches)


def test_outcomes_of_branches_are_named() -> None:
    outcomes = sorted(branch.outcome for branch in all_branches(c_program(CODE)))
    assert outcomes == ["case 1", "case 2, 3", "default", "false", "true"]


def test_one_run_covers_its_own_way() -> None:
    outcome = concrete(CODE, 9)
    assert outcome.exit_code == 1
    (taken,) = outcome.covers
    assert taken[0] == "f"
    assert len(concrete(CODE, 2).covers) == 2


def test_lines_of_a_path_that_ends_in_a_call() -> None:
    code = """
    void exit(int);
    int main(void) {
      int x = __VERIFIER_nondet_int();
      if (x)
        exit(3);
      x = 2;
      return x;
    }
    """
    found = explore(code, listen=alone)
    lines = {line for _, line in found.run.coverage.lines}
    assert 6 not in lines
    assert {4, 5, 8} <= lines
    assert found.codes == [2]
