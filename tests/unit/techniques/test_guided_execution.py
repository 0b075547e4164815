"""Execution along prefixes: states wait where they are not wanted, and are made again when they had to go."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.execute.pending import Pending
from clew.execute.state import State
from clew.explain.prefix import Prefix
from clew.explain.unrolled import Status
from clew.report.records import Summary
from clew.solver.interface import Answer
from clew.techniques.conflicts.guided_execution import Stub, decision
from clew.techniques.conflicts.statistics import ConflictStatistics
from support.patience import limit_conflicts
from unit.explain.following import Followed
from unit.techniques.verifying import DECIDE, verdicts, verify

BRANCHES = """
define i32 @main() {
entry:
  %x = call i32 @__VERIFIER_nondet_int()
  %c = icmp sgt i32 %x, 5
  br i1 %c, label %high, label %low
high:
  %d = icmp sgt i32 %x, 9
  br i1 %d, label %higher, label %join
higher:
  br label %join
low:
  br label %join
join:
  %f = phi i32 [ 2, %higher ], [ 1, %high ], [ 0, %low ]
  %e = icmp eq i32 %f, 2
  br i1 %e, label %last, label %well
last:
  %g = icmp slt i32 %x, 8
  br i1 %g, label %bad, label %well
bad:
  call void @goal()
  unreachable
well:
  ret i32 0
}
"""


def waiting(prefix: Prefix) -> dict[str, object]:
    """The ways out of a choice, with what waits there."""
    return {edge.key: child.saved for edge, child in prefix.children.items()}


def test_both_sides_of_a_symbolic_choice_wait() -> None:
    followed = Followed(BRANCHES)
    root = followed.follow()
    found = waiting(root)
    assert set(found) == {"high", "low"}
    assert {type(saved) for saved in found.values()} == {State, Pending}
    assert followed.led.at.parent is root
    assert len(followed.led) == 2


def test_one_side_of_a_constant_choice() -> None:
    followed = Followed(BRANCHES)
    assert set(waiting(followed.follow("low"))) == {"well"}
    assert set(waiting(followed.follow("high", "higher"))) == {"last"}


def test_the_constraint_of_a_choice_is_kept_with_it() -> None:
    followed = Followed(BRANCHES)
    root = followed.follow()
    high, low = (root.children[followed.edge(root, key)].constraint for key in ("high", "low"))
    assert high is not None and low is not None and high is not low
    prefix = followed.follow("high", "higher")
    assert [child.constraint for child in prefix.children.values()] == [None]


def test_a_side_without_solution_says_so_when_it_is_wanted() -> None:
    followed = Followed(BRANCHES)
    prefix = followed.follow("high", "higher", "last")
    child = prefix.children[followed.edge(prefix, "bad")]
    result = followed.led.advance(child)
    assert result is not None and result.answer is Answer.UNSAT
    assert child.saved is not None, "what was to be solved is still needed to explain it"


def test_states_that_are_wanted_go_on() -> None:
    followed = Followed(BRANCHES)
    followed.led._wanted = lambda variable: True
    assert followed.led.advance(followed.led.root) is None
    # One path to its end: at the goal, which is code like any other here, or where main returns.
    assert followed.led.ended is not None
    assert decision(followed.led.at).status in (Status.EXIT, Status.GOAL)


def test_states_that_had_to_go_are_made_again() -> None:
    followed = Followed(BRANCHES)
    followed.follow()
    followed.led.evict(10)
    found = waiting(followed.led.root)
    assert {type(saved) for saved in found.values()} == {Stub}
    assert len(followed.led) == len(found)  # they wait all the same
    before = followed.run.statistics.of(ConflictStatistics).instructions_repeated
    prefix = followed.follow("high", "higher")
    assert followed.run.statistics.of(ConflictStatistics).instructions_repeated > before == 0
    assert prefix is not None and followed.folds_to("high", "higher") is True
    assert followed.folds_to("low") is False
    assert followed.why("high", "higher") == {"main:higher"}


def test_those_that_wait_longest_go_first() -> None:
    followed = Followed(BRANCHES)
    root = followed.follow()
    second = followed.follow("high")
    followed.led.evict(1)
    assert type(waiting(root)["low"]) is Stub
    assert Stub not in {type(saved) for saved in waiting(second).values()}


def test_what_is_said_of_a_path_is_said_once() -> None:
    """Following a path again does not log its values a second time."""
    followed = Followed(BRANCHES)
    root = followed.follow()
    items = list(root.items)
    followed.led.evict(10)
    followed.follow("high")
    assert root.items == items


# Few waiting states

PROGRAM = """int table[3];
int f(int n) { return n + 1; }
int g(int n) { return n + 2; }
int main(void) {
  int (*functions[2])(int) = {f, g};
  int s = 0, *p = __VERIFIER_nondet_int() ? &table[0] : &table[1];
  for (int i = 0; i < 3; i++) {
    int x = __VERIFIER_nondet_int();
    if (x > i) s += functions[x & 1](i);
    else if (x < -i) { *p = s; s--; }
  }
  assert(s != 3);
  assert(s < 10);
  assert(table[2] == 0);
  if (s > 3) assert(table[0] == 0 || table[1] == 0);
  assert(table[0] != 3);
}
"""


def counted(summary: Summary) -> int:
    return summary.stats.of(ConflictStatistics).instructions_repeated


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("decide", DECIDE[:1] + DECIDE[2:])
def test_verdicts_do_not_depend_on_how_many_states_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, decide: str
) -> None:
    plenty = verify(tmp_path, PROGRAM, decide=decide)
    assert counted(plenty) == 0
    limit_conflicts(monkeypatch, saved_states=4)
    few = verify(tmp_path, PROGRAM, decide=decide)
    assert counted(few) > 0
    assert verdicts(few) == verdicts(plenty) == {12: "FALSE", 13: "TRUE", 14: "TRUE", 15: "TRUE", 16: "FALSE"}
    assert few.stats.instructions >= plenty.stats.instructions + counted(few)
