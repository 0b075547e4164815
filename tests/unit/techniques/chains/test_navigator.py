"""Searches steered by systems: what they find, what they refute, how they share their turns, what stops them."""

from __future__ import annotations

import pytest

from clew.base.budget import Budget, StopReason
from clew.base.errors import Unsupported
from clew.execute.ends import Exited
from clew.program import instructions as ir
from clew.program.values import ConstInt
from clew.techniques.chains.limits import USUAL, Limits
from clew.techniques.chains.statistics import ChainStatistics
from clew.techniques.tasks import UNDECIDED, Open, OpenReason, Proved, ReachTask, Violated
from unit.techniques.chains.looking import PROGRAMS, Looking

INPUTS = """#define CH __VERIFIER_nondet_uchar()
#define INT __VERIFIER_nondet_int()
"""


def counts(quest: ReachTask) -> ChainStatistics:
    return quest.run.statistics.of(ChainStatistics)


def looking(code: str, limits: Limits = USUAL) -> Looking:
    before, _, text = code.rpartition("---")
    return Looking(f"{INPUTS}{before}\nint main(void) {{ {text} reach_error(); }}", limits=limits)


# Reached

REACHED = {
    "a sum": "int s = 0; for (int i = 0; i < 30; i++) { if (CH == 7) s += 3; else if (CH == 9) s += 5; } if (s == 101)",
    "two loops": "int n = INT, i = 0, j = 0; while (i < n) i += 4; while (j < i) j += 3; if (j == 54)",
    "resets": "int r = 0; for (int i = 0; i < 25; i++) { if (CH > 3) r++; else r = 0; } if (r == 9)",
    "memory": "int hits; --- for (int i = 0; i < 20; i++) { if (CH == 'x') hits++; } if (hits == 13)",
    "inside of a loop": """int s = 0;
      for (int i = 0; i < 40; i++) { if (CH == 4) s++; if (s == 17 && i == 30) reach_error(); } if (0)""",
    "in a function": """static void check(int s) { if (s == 14) reach_error(); } ---
      int s = 0; for (int i = 0; i < 15; i++) { if (CH) s += 2; check(s); } if (0)""",
    "loops in functions": """static int count(int n) { int c = 0; while (n > 0) { n -= 3; c++; } return c; } ---
      if (count(CH) + 2 * count(CH) == 40)""",
    "nested": "int s = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) if (CH == i) s++; if (s == 9)",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", REACHED)
def test_reached(name: str) -> None:
    """Without running more than a few paths: far fewer than there are."""
    code = looking(REACHED[name])
    quest, arrivals, ends = code.search()
    assert len(arrivals) == 1
    assert code.arrives(*arrivals[0])
    assert (quest.answer, quest.stopped) == (Violated(), None)
    assert len(ends) < 20
    assert counts(quest).systems_solved > 0


def test_a_search_ends_with_the_first_arrival_that_is_confirmed() -> None:
    code = looking("int x = INT; if (x == 3) reach_error(); if (x == 4) reach_error(); if (x == 5)")
    assert len(code.search().arrivals) == 1
    quest, arrivals, _ = code.search(confirm=False)
    assert sorted(arrivals) == [(3,), (4,), (5,)]
    assert isinstance(quest.answer, Open) and "did not confirm" in quest.answer.text


def test_other_paths_are_told_of() -> None:
    """The target looks possible until x is known: the volatile variable stays 0."""
    code = looking("volatile int v; --- int x = INT; if (x > 3) x = 3; if (v == 1)")
    quest, arrivals, ends = code.search()
    assert arrivals == [] and all(isinstance(end, Exited) for end in ends) and len(ends) == 2
    assert isinstance(quest.answer, Proved) and quest.answer.text.startswith("every way there was followed to its end")


# Refuted


@pytest.mark.parametrize("program", ["oneloop", "twoloops"])
def test_refuted_by_one_system(program: str) -> None:
    quest, arrivals, ends = Looking((PROGRAMS / f"{program}.c").read_text(encoding="utf-8")).search()
    assert quest.answer == Proved("the constraints on its loops and branches have no solution")
    assert (arrivals, ends, counts(quest).systems_solved, quest.stopped) == ([], [], 1, None)


def test_states_without_solution_are_dropped() -> None:
    """x decides whether steps are even or odd: where that cannot do, no state goes on."""
    code = looking("int x = CH, n = CH, s = 0; if (x & 1) while (s < n) s += 2; else while (s < n) s += 4; if (s == 6)")
    quest, arrivals, _ = code.search()
    assert len(arrivals) == 1 and arrivals[0][0] & 1
    code = looking(
        """volatile int v; ---
        int x = CH, n = CH, s = v; if (x & 1) while (s < n) s += 2; else while (s < n) s += 4; if (s == 7)"""
    )
    quest, arrivals, ends = code.search()
    assert arrivals == []
    assert isinstance(quest.answer, Proved) and quest.answer.text.startswith("every way there")
    assert quest.run.statistics.states_pruned > 0
    assert len(ends) < 4


def test_doubts_are_no_refutation() -> None:
    code = looking("extern int other(void); --- int s = other(); while (s > 0) s -= 2; if (s == 5)")
    quest, arrivals, _ = code.search()
    assert arrivals == []
    assert quest.answer == Open(OpenReason.NOT_FOLLOWED, "other() is not defined anywhere")


def test_unsupported() -> None:
    code = looking("int x = INT, n = 0; if (x > 9) goto in; for (x = 0; x < 3; x++) { n++; in: n++; } if (n == 3)")
    with pytest.raises(Unsupported, match="entered by goto"):
        code.search()


# Choices as targets

LOOPS = """int main(void) {
  int n = INT, i = 0;
  while (i < n) i += 4;
  if (i == 16) return 1;
  if (i == 15) return 2;
  reach_error();
}
"""


def sides(code: Looking, value: int) -> dict[bool, tuple[str, str, str]]:
    """The two sides of the branch that compares with a number."""
    for block in code.entry.function.blocks:
        last = block.terminator
        compared = [i.right for i in block.instructions if isinstance(i, ir.Compare)]
        if isinstance(last, ir.Branch) and any(isinstance(n, ConstInt) and n.value == value for n in compared):
            return {True: ("main", block.name, last.if_true), False: ("main", block.name, last.if_false)}
    raise AssertionError("no such branch")


def test_choices_as_targets() -> None:
    code = Looking(INPUTS + LOOPS)
    for value, side, reached in ((16, True, True), (15, True, False), (15, False, True), (16, False, True)):
        edge = sides(code, value)[side]
        quest, arrivals, _ = code.search(spots=(), edges=frozenset((edge,)))
        assert bool(arrivals) is reached
        assert isinstance(quest.answer, Proved) is not reached
        if reached:
            assert edge in code.choices(*arrivals[0])


def test_the_way_back_of_a_loop_as_target() -> None:
    text = """
    int main(void) {
      int i = 0, s = 0;
      for (int k = 0; k < 4; k++) if (CH == 7) s += 2; else s += 3;
      do i++; while (s == 11);
      reach_error();
    }
    """
    code = Looking(INPUTS + text)
    edge = sides(code, 11)[True]
    quest, arrivals, _ = code.search(spots=(), edges=frozenset((edge,)))
    assert arrivals and quest.answer == Violated()


def test_several_choices() -> None:
    code = Looking(INPUTS + LOOPS)
    edges = frozenset((sides(code, 15)[True], sides(code, 16)[True]))
    _, arrivals, _ = code.search(spots=(), edges=edges)
    assert len(arrivals) == 1
    assert sides(code, 16)[True] in code.choices(*arrivals[0])


def test_a_survey_serves_one_search_after_the_other() -> None:
    code = Looking(INPUTS + LOOPS)
    refuted = code.search(spots=(), edges=frozenset((sides(code, 15)[True],)))
    assert isinstance(refuted.quest.answer, Proved) and not refuted.arrivals
    assert code.search().arrivals
    again = code.search(spots=(), edges=frozenset((sides(code, 15)[True],)))
    assert isinstance(again.quest.answer, Proved) and not again.arrivals


# Effort

# As far as systems know, the first loops may arrive at any time, and by a shorter way: so they are tried first.
LATER = "for (int i = 0; i < 20; i++) if (CH == 7) t++; if (t == 9)"
SPINNING = (
    "volatile int v; --- int s = 0, t = 0; if (CH > 9) for (;;) { if (CH) s++; if (v == 1) reach_error(); } " + LATER
)
STRAIGHT = "volatile int v, w = 1; --- int t = 0; if (CH > 9) { while (w) ; if (v == 1) reach_error(); } " + LATER


@pytest.mark.slow
def test_a_loop_without_end_does_not_keep_others_waiting() -> None:
    quest, arrivals, _ = looking(SPINNING, Limits(choices=20)).search(most_systems=300)
    assert not isinstance(quest.answer, Open)
    assert len(arrivals) == 1


def test_nor_does_one_without_choices() -> None:
    quest, arrivals, _ = looking(STRAIGHT, Limits(instructions=2000)).search(budget=Budget(instructions=2_000_000))
    assert quest.stopped is None
    assert len(arrivals) == 1
    assert quest.run.statistics.instructions > 2000  # it was in that loop


FOREVER = "volatile int v; --- int s = 0; for (;;) { if (CH) s++; if (v == 1) break; } if (s == 3)"


@pytest.mark.slow
def test_the_budget_ends_a_search() -> None:
    quest, arrivals, _ = looking(FOREVER).search(budget=Budget(instructions=3000))
    assert (quest.stopped, quest.answer, arrivals) == (StopReason.INSTRUCTIONS, UNDECIDED, [])


def test_an_interrupt_ends_a_search() -> None:
    budget = Budget(seconds=60.0)
    budget.interrupt.request()
    quest, arrivals, _ = looking(FOREVER).search(budget=budget)
    assert (quest.stopped, quest.answer, arrivals) == (StopReason.INTERRUPTED, UNDECIDED, [])


def test_the_number_of_systems_ends_a_search() -> None:
    quest, arrivals, _ = looking(FOREVER).search(most_systems=5)
    assert quest.answer == Open(OpenReason.NOT_FOLLOWED, "more than 5 systems of constraints")
    assert (counts(quest).systems_solved, quest.stopped, arrivals) == (6, None, [])
    assert (quest.looks, quest.looking) == (6, None) and quest.looked > 0.0


def test_a_refutation_that_few_systems_show() -> None:
    quest, _, _ = Looking((PROGRAMS / "oneloop.c").read_text(encoding="utf-8")).search(most_systems=1)
    assert isinstance(quest.answer, Proved)


@pytest.mark.parametrize(("program", "chains"), [("twoloops", 2), ("fig1_17", 4), ("eqcntex", 6)])
def test_chains_are_counted(program: str, chains: int) -> None:
    code = Looking((PROGRAMS / f"{program}.c").read_text(encoding="utf-8"))
    assert counts(code.search(most_systems=1).quest).chains == chains
