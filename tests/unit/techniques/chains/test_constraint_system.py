"""Constraint systems: satisfiable exactly where they should be, for states anywhere; plans; doubts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.base.errors import Unsupported
from clew.execute.codegen.plan import PointKind
from clew.execute.instrument.targets import probes_of
from clew.execute.state import State
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr, symbol
from clew.expr.sort import bv
from clew.solver.path import EMPTY_PATH
from clew.techniques.chains.constraint_system import SystemPlan
from clew.techniques.chains.queries import IterationQueries
from depth import examples
from unit.techniques.chains.looking import PROGRAMS, Looking, Stop, pinned, point_of

INPUTS = """#define CH __VERIFIER_nondet_uchar()
#define INT __VERIFIER_nondet_int()
"""


def looking(code: str, selects: bool = False) -> Looking:
    before, _, text = code.rpartition("---")
    return Looking(f"{INPUTS}{before}\nint main(void) {{ {text} reach_error(); }}", selects)


# Yes and no

ROWS = [
    # Sums
    ("int n = INT, i = 0; while (i < n) i += 4; if (i == %d)", 16, 15),
    ("int n = INT, i = 0, j = 0; while (i < n) i += 4; while (j < i) j += 2; if (j == %d)", 16, 18),
    ("int s = 0; for (int i = 0; i < 10; i++) { if (CH) s += 3; else s += 5; } if (s == %d)", 36, 37),
    ("int s = 0; for (int i = 0; i < 10; i++) { if (CH) s += 3; else s += 5; } if (s == %d)", 50, 52),
    ("int s = 0; for (int i = 0; i < 10; i++) if (CH) s++; if (s == %d)", 10, 11),
    ("int s = 5; for (int i = 0; i < CH; i++) s -= 2; if (s == %d)", -3, -4),
    # The loop's condition held one iteration earlier, and does not now
    ("int n = INT, i = 0; while (i < 10) i += 3; if (i == %d)", 12, 9),
    ("int i; for (i = 0; i < 10; i += 3) if (CH) break; if (i == %d)", 9, 15),
    ("int n = INT, i = n; if (n > 90) return 0; while (i < 100) i += 7; if (i == %d)", 106, 107),
    # Wrapping
    ("unsigned char i = 0, n = 0; while (i != 1) { i += 3; n++; if (n > 200) return 0; } if (n == %d)", 171, 300),
    # Set and added, factors
    ("int r = 9; for (int i = 0; i < 4; i++) { if (CH) r++; else r = 0; } if (r == %d)", 13, 9),
    ("int r = 9; for (int i = 0; i < 4; i++) { if (CH) r++; else r = 0; } if (r == %d)", 3, 14),
    ("unsigned f = 1; for (int i = 0; i < 6; i++) { if (CH) f *= 3; else f *= 2; } if (f == %d)", 729, 730),
    # Memory
    ("int g; --- for (int i = 0; i < 5; i++) if (CH) g += 2; if (g == %d)", 10, 5),
    ("static void add(int *p) { *p += 4; } --- int s = 0; for (int i = 0; i < 5; i++) if (CH) add(&s); if (s == %d)",
     16, 17),
    ("int a[3]; --- for (int i = 0; i < 5; i++) a[1] += 2; if (a[1] == %d)", 10, 5),
    # Functions
    ("static int f(int n) { int c = 0; while (n > 0) { n -= 3; c++; } return c; } --- if (f(CH & 15) == %d)", 5, 6),
    # Loops in loops: no more than that many steps in each iteration
    ("int s = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) if (CH) s++; if (s == %d)", 12, 13),
    # Assumptions
    ("int s = 0; for (int i = 0; i < 5; i++) { char c = CH; __VERIFIER_assume(c < 3); s += c; } if (s == %d)", 10, 11),
    # Switches
    ("int s = 0; for (int i = 4; i; i--) switch (CH) { case 1: case 2: s += 4; break; case 7: s += 6; } if (s == %d)",
     14, 15),
]  # fmt: skip


@pytest.mark.sample(3)
@pytest.mark.parametrize(("code", "reached", "not_reached"), ROWS)
@pytest.mark.parametrize("selects", [False, True], ids=["branches", "selects"])
def test_satisfiable_exactly_if_it_is_reached(code: str, reached: int, not_reached: int, selects: bool) -> None:
    assert looking(code % reached, selects).satisfiable()
    assert not looking(code % not_reached, selects).satisfiable()


STEPS = "if (e > 0 && level < 5) level++; if (e < 0 && level > 0) level--;"
CLOSED = [
    (f"int level = 2; while (CH) {{ int e = INT; {STEPS} }} if (level == %d)", 5, 6),
    (f"int level = 2; --- while (CH) {{ int e = INT; {STEPS} }} if (level == %d)", 0, -1),
]


@pytest.mark.parametrize(("code", "reached", "not_reached"), CLOSED)
def test_closures_say_more_than_counters(code: str, reached: int, not_reached: int) -> None:
    for wanted, really in ((reached, True), (not_reached, False)):
        look = looking(code % wanted)
        assert look.satisfiable()
        look.survey.uses_closures = True
        assert look.satisfiable() is really


def test_closures_of_loops_that_are_known_in_part_only_are_left_out() -> None:
    look = looking("char text[9]; --- int n = 0; while (n < 8 && text[n]) n++; if (n == 9)")
    (loop,) = look.forms()
    assert look.survey.closure("main", loop.outline.header[loop.loop]) is None


# States on their way

WALK = """int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar(), m = __VERIFIER_nondet_uchar(); int s = 0;
  for (int i = 0; i < n; i++) { if (i == m) s += 10; else s++; }
  if (s == 13) reach_error();
}
"""


@pytest.mark.slow
def test_states_within_a_loop() -> None:
    """Five iterations, m = 2: it is missed by one; four iterations: it is met. So far, all is open."""
    walk = Looking(WALK)
    for inputs, arrives in (((4, 2), True), ((5, 2), False), ((13, 77), True), ((3, 0), False)):
        assert walk.arrives(*inputs) is arrives
        states = 0
        for stop in walk.stops(*inputs):
            if isinstance(stop, Stop) and stop.state.inputs is not None and stop.state.inputs.count == 2:
                states += 1
                assert walk.satisfiable(stop.state, *pinned(stop.state)) is arrives
        assert states > 10


@pytest.mark.slow
def test_what_is_behind_does_not_count_any_more() -> None:
    """Past i == m, the rest is steps of one: while s is less than 13, there is a way for some n."""
    walk = Looking(WALK)
    choices = walk.choices(9, 1)
    taken = [number for number, edge in enumerate(choices) if "if.then" in edge]
    assert walk.satisfiable(walk.at(taken[0], 9, 1))
    behind = [n for n, edge in enumerate(choices) if n > taken[0] and edge[:2] == ("main", "for.cond")]
    answers = [walk.satisfiable(walk.at(number, 9, 1)) for number in behind]
    assert answers == [True, True] + [False] * (len(behind) - 2)  # s = 11, 12: two more steps; then it is too late
    assert len(behind) > 5


def test_states_in_functions() -> None:
    code = looking(
        """static int half(int n) { int c = 0; while (n > 1) { n -= 2; c++; } return c; } ---
        unsigned char n = CH; int s = half(n); s += 2 * half(n + 1); if (s == 8)"""
    )
    assert [n for n in range(12) if code.arrives(n)] == [5]
    for n in (5, 6):
        depths = set()
        for stop in code.stops(n):
            if isinstance(stop, Stop) and stop.state.inputs is not None:
                assert stop.state.frame is not None
                depths.add(stop.state.frame.depth)
                assert code.satisfiable(stop.state, *pinned(stop.state)) is (n == 5)
        assert len(depths) == 2


def test_every_kind_of_place() -> None:
    """Labels, edges, behind calls: states are suspended at all of them in these tests."""
    code = looking("static int f(int n) { while (n > 3) n -= 2; return n; } --- if (f(CH) + f(CH) == 5)")
    kinds = {point_of(stop.state.frame).kind for stop in code.stops(7, 8) if isinstance(stop, Stop)}
    assert kinds >= {PointKind.LABEL, PointKind.EDGE, PointKind.CONTINUATION}


def test_behind_the_target_nothing_leads_to_it() -> None:
    code = Looking(
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 3) reach_error(); while (x > 0) x--; return x; }"
    )
    states = [code.satisfiable(stop.state) for stop in code.stops(2) if isinstance(stop, Stop)]
    assert states[0] and not any(states[1:])


# Plans


def plan(code: Looking, state: State | None = None) -> tuple[SystemPlan, Model]:
    state = state or code.entry.start(code.run())
    system = code.system(state)
    result = code.check(state, system)
    assert result.model is not None
    return system.plan(result.model), result.model


def wanted(of: SystemPlan) -> dict[tuple[str, str], int]:
    return {(block, target): times for (_, block, target), times in of.wanted.items()}


@pytest.mark.slow
def test_a_plan_says_how_often_to_take_which_choice() -> None:
    """What doif counts is fixed by its condition: 15, 2, 13 and 10 of 40."""
    found, _ = plan(Looking((PROGRAMS / "doif.c").read_text(encoding="utf-8")))
    assert wanted(found) == {
        ("for.cond", "for.body"): 40, ("for.cond", "for.cond.cleanup"): 1,
        ("for.body", "if.then"): 15, ("for.body", "if.else"): 25,
        ("if.else", "if.then5"): 2, ("if.else", "if.else7"): 23,
        ("if.else7", "if.then11"): 13, ("if.else7", "if.else13"): 10,
        ("for.end", "land.lhs.true"): 1, ("land.lhs.true", "land.lhs.true19"): 1,
        ("land.lhs.true19", "land.lhs.true21"): 1, ("land.lhs.true21", "if.then23"): 1,
    }  # fmt: skip


def test_of_a_state_on_its_way_only_what_is_left_counts() -> None:
    code = looking("int s = 0; for (int i = 0; i < 10; i++) if (CH) s++; if (s == 8)")
    found, _ = plan(code, code.at(7, 1, 1, 1, 1, 1))  # within the fourth iteration, behind its choice
    assert wanted(found)["for.cond", "for.body"] == 6
    assert wanted(found)["for.body", "if.then"] == 4
    assert wanted(found)["for.body", "if.end"] == 2


def test_counters_are_a_solution() -> None:
    code = looking("int n = INT, i = 0; while (i < n) i += 4; if (i == 40)")
    state = code.entry.start(code.run())
    system = code.system(state)
    result = code.check(state, system)
    assert result.model is not None
    assert result.model.eval(system.length) == 10
    assert result.model.eval(system.arrival) is True


def test_chains_that_set_come_first() -> None:
    """Only what is added afterwards counts: so resets are urgent."""
    code = looking("int r = 9; for (int i = 0; i < 4; i++) { if (CH) r++; else r = 0; } if (r == 3)")
    found, _ = plan(code)
    assert {edge[1:] for edge in found.early} >= {("for.body", "if.else")}
    assert ("for.body", "if.then") not in {edge[1:] for edge in found.early}
    early, late = ("main", "for.body", "if.else"), ("main", "for.body", "if.then")
    assert found.urgency(early) > found.urgency(late) > found.urgency(("main", "no", "where")) >= found.urgency(None)


def test_following_a_plan() -> None:
    edge, other = ("main", "a", "b"), ("main", "a", "c")
    found = SystemPlan()
    found.wanted[edge] = 2
    assert found.wants(edge) and not found.wants(other) and not found.wants(None)
    found.take(edge)
    assert found.urgency(edge) == (True, False, 1)
    found.take(edge)
    assert not found.wants(edge)
    assert found.detours == 0
    found.take(edge)
    found.take(other)
    found.take(None)
    assert found.detours == 3


# What is not known


@pytest.mark.parametrize(
    ("code", "doubt"),
    [
        ("extern int f(int); --- int s = 0; while (f(s)) s++; if (s == -1 && s == 1)", "f() is not defined anywhere"),
        ("int s = 0; while (CH) __asm__ volatile(\"nop\"); if (s == 1)", "inline assembly"),
    ],
)  # fmt: skip
def test_doubts(code: str, doubt: str) -> None:
    made = looking(code)
    assert made.system().doubts == (doubt,)
    assert not made.satisfiable()
    assert looking("int s = 0; while (CH) s++; if (s == 1)").system().doubts == ()


def test_recursion_may_give_anything() -> None:
    code = "static int f(int n) { return n > 0 ? f(n - 1) : 3; } --- int s = f(CH); if (s == %d)"
    assert looking(code % 4).satisfiable()


def test_targets_in_recursion_may_be_reached() -> None:
    code = Looking(
        INPUTS + "static void f(int n) { if (n == 7) reach_error(); if (n > 0) f(n - 3); } int main(void) { f(CH); }"
    )
    assert code.satisfiable()
    states = [stop.state for stop in code.stops(10) if isinstance(stop, Stop)]
    assert all(code.satisfiable(state, *pinned(state)) for state in states)


def test_targets_that_pointers_lead_to_are_not_supported() -> None:
    text = "static void f(int n) { if (n == 7) reach_error(); } void (*p)(int) = f; int main(void) { p(CH); }"
    with pytest.raises(Unsupported, match=r"through a pointer to f\(\)"):
        Looking(INPUTS + text)


def test_jumps_into_loops_are_not_supported() -> None:
    code = looking("int x = INT, n = 0; if (x > 9) goto in; for (x = 0; x < 3; x++) { n++; in: n++; } if (n == 3)")
    with pytest.raises(Unsupported, match="entered by goto"):
        code.system()


def test_one_survey_for_several_targets() -> None:
    code = looking("int n = INT, i = 0; while (i < n) i += 4; if (i == 15)")
    assert not code.satisfiable()
    code.survey.aim((), [("main", "while.cond", "while.end")])
    assert code.satisfiable()
    code.survey.aim((), [("main", "while.cond", "while.body")])
    assert code.satisfiable()
    code.survey.aim(probes_of(code.program))
    assert not code.satisfiable()


# Answers about single iterations


def test_questions_are_remembered_and_bounds_are_bounds() -> None:
    made = looking("if (CH)")
    questions = IterationQueries(made.solver)
    x, y = symbol("x", bv(32)), symbol("y", bv(32))
    small = [build.slt(x, 20, 32), build.sgt(x, (1 << 32) - 8, 32)]
    assert questions.bounds(x, small, []) == (-7, 19)
    assert questions.bounds(x, [build.slt(x, 20, 32)], []) == (None, 19)
    assert questions.bounds(x, [build.sgt(x, 1 << 20, 32)], [])[1] is None
    part = build.and_(x, 7, 32)
    assert isinstance(part, Expr) and questions.bounds(part, [], []) == (0, 7)
    # What holds around it counts where it is given.
    questions.look_from(EMPTY_PATH)
    assert questions.bounds(x, [build.sle(x, y, 32)], [build.eq(y, 5, 32)])[1] == 5
    assert questions.bounds(x, [build.sle(x, y, 32)], [])[1] is None
    assert questions.refutes([build.slt(x, y, 32), build.slt(y, x, 32)], [])
    assert not questions.refutes([build.slt(x, y, 32)], [])
    assert questions.refutes([build.slt(x, y, 32)], [build.eq(x, 3, 32), build.eq(y, 3, 32)])
    assert questions.refutes([False], []) and not questions.refutes([True], [])


@settings(max_examples=examples(60))
@given(st.sampled_from((8, 16, 32)), st.data())
def test_bounds_hold(width: int, data: st.DataObject) -> None:
    """Whatever lies between two numbers, bounds are not tighter than these; small ones are just these."""
    half = 1 << (width - 1)
    near = st.integers(max(-half, -5000), min(half - 1, 5000))
    low, high = sorted((data.draw(near), data.draw(near)))
    mask = 2 * half - 1
    x = symbol("x", bv(width))
    between = [build.sle(low & mask, x, width), build.sle(x, high & mask, width)]
    questions = IterationQueries(looking("if (CH)").solver)
    least, most = questions.bounds(x, between, [])
    assert least is None or least <= low
    assert most is None or most >= high
    if abs(low) < 1000:
        assert least == low
    if abs(high) < 1000:
        assert most == high
