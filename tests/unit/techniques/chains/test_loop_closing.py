"""Loops in terms of chains: how many, what they do, what is known of steps, of cells and of loops in loops."""

from __future__ import annotations

from typing import Any

import pytest

from clew.expr.node import Expr
from clew.techniques.chains.instances import ClosedLoop
from clew.techniques.chains.limits import USUAL, Limits
from clew.techniques.chains.loop_closing import is_counting
from clew.techniques.chains.memory import Cell
from clew.techniques.chains.recurrence import RecurrenceKind, Update, Variable
from unit.techniques.chains.looking import Looking

INPUTS = """#define CH __VERIFIER_nondet_uchar()
#define INT __VERIFIER_nondet_int()
#define UINT __VERIFIER_nondet_uint()
"""


def body(code: str, selects: bool = False, limits: Limits = USUAL) -> ClosedLoop:
    """The one loop, not counting those in it, of a main with this text; behind it comes the target."""
    (form,) = all_forms(code, selects, limits)
    return form


def all_forms(code: str, selects: bool = False, limits: Limits = USUAL) -> list[ClosedLoop]:
    before, _, text = code.rpartition("---")
    looking = Looking(f"{INPUTS}{before}\nint main(void) {{ {text} reach_error(); }}", selects, limits=limits)
    return looking.forms()


def updates(form: ClosedLoop) -> dict[str, list[Any]]:
    """Per variable: the numbers that chains add; other updates by their names."""
    return {name_of(variable): [spelled(update) for update in variable.updates] for variable in form.variables}


def name_of(variable: Variable) -> str:
    if isinstance(variable.place, Cell):
        return f"cell of {variable.place.size}"
    return variable.place.partition(".")[0]


def spelled(update: Update) -> Any:
    if update.kind is RecurrenceKind.KEEP:
        return 0
    if update.kind is RecurrenceKind.ADD and isinstance(update.amount, int):
        width = 32 if update.amount >> 31 else 64
        return update.amount - (1 << width) if update.amount >> (width - 1) else update.amount
    if update.kind in (RecurrenceKind.SET, RecurrenceKind.SCALE) and isinstance(update.amount, int):
        return f"{update.kind.value} {update.amount}"
    return update.kind.value


def variable(form: ClosedLoop, name: str) -> Variable:
    (found,) = [v for v in form.variables if name_of(v) == name]
    return found


COLOURS = """int red = 0, green = 0, other = 0;
for (int i = 0; i < 15; i++) {
  unsigned char c = CH;
  if (c == 1) red += 1; else if (c == 2) green += 2; else if (c == 3) red += 1; else other -= 5;
}
if (red == 3 && green == 4 && other)"""


@pytest.mark.parametrize("selects", [False, True])
def test_ways_with_the_same_effect_are_one_chain(selects: bool) -> None:
    form = body(COLOURS, selects)
    assert len(form.chains) == len(form.counters) == len(form.executions) == 3
    found = updates(form)
    assert found["i"] == [1, 1, 1]
    assert sorted(zip(found["red"], found["green"], found["other"], strict=True)) == [(0, 0, -5), (0, 2, 0), (1, 0, 0)]
    assert form.bounded


def test_branches_that_change_nothing_are_no_chains() -> None:
    form = body("int s = 0; for (int i = 0; i < 9; i++) { if (CH == 3) { if (CH) CH; } else CH; s += 2; } if (s == 4)")
    assert updates(form) == {"s": [2], "i": [1]}


def test_sets_factors_and_the_rest() -> None:
    form = body(
        """unsigned n = UINT, run = 0, f = 1, sum = 0, x = 1; double d = 0; int last = -1;
        for (unsigned i = n; i > 0; i--) {
          if (CH) run++; else run = 0;
          f *= 3; sum += i; d += 1; last = CH; x = x * 5 + 1;
        }
        if (run == 3 && f == 9 && sum == 4 && d > 1 && last == 3 && x == 7)"""
    )
    found = updates(form)
    assert sorted(map(str, found["run"])) == ["1", "set 0"]
    assert found["f"] == ["scale 3"] * 2
    assert found["sum"] == ["vary"] * 2
    assert found["d"] == ["lost"] * 2
    assert found["last"] == ["set"] * 2
    assert found["x"] == ["vary"] * 2
    assert found["i"] == [-1] * 2


def test_amounts_that_are_the_same_each_time() -> None:
    form = body("int n = INT, k = INT, s = 0; for (int i = 0; i < n; i++) s += 3 * k; if (s == 9)")
    (update,) = variable(form, "s").updates
    assert update.kind is RecurrenceKind.ADD and isinstance(update.amount, Expr)
    assert not variable(form, "s").exact


def test_a_variable_that_does_not_change_is_what_it_was() -> None:
    """Memory that a loop could write, and an iteration that always leaves it as it was."""
    form = body("int g = 3; --- int n = INT; for (int i = 0; i < n; i++) { int old = g; g = 8; g = old; } if (g == 4)")
    assert updates(form) == {"i": [1], "cell of 4": [0]}
    assert variable(form, "cell of 4").entry == 3


def test_what_only_addresses_need_is_not_told() -> None:
    """p decides nothing: no chains for it."""
    form = body(
        """int a[8]; ---
        int s = 0, p = 0; for (int i = 0; i < 9; i++) { if (CH) p = 3; else p++; s += a[p & 7]; } if (s == 4)"""
    )
    assert len(form.chains) == 1
    assert updates(form)["p"] == ["lost"]


def test_no_iteration_is_ever_complete() -> None:
    form = body("int i = 0; while (i < 3) { i++; if (CH) break; __VERIFIER_assume(0); } if (i == 1)")
    assert form.chains == [] and form.counters == [] and form.variables == []


def test_too_many_chains_are_one() -> None:
    code = (
        "int s = 0; for (int i = 9; i; i--) switch (CH) { case 0: s++; break; case 1: s += 5; break; case 2: s = 3; }"
    )
    code += " if (s == 7)"
    assert len(body(code).chains) == 4
    form = body(code, limits=Limits(chains=2))
    assert len(form.chains) == 1
    assert updates(form) == {"s": ["vary"], "i": [-1]}


def test_ways_that_cannot_be_taken_are_no_chains() -> None:
    form = body(
        """int s = 0; for (int i = 0; i < 9; i++) { unsigned char c = CH; if (c > 5) { if (c < 3) s += 7; s++; } }
        if (s == 7)"""
    )
    assert sorted(updates(form)["s"]) == [0, 1]


# Exact, counting, bounded


@pytest.mark.parametrize(
    ("loop", "exact", "bounded"),
    [
        pytest.param("int n = INT, i; for (i = 0; i < n; i++) ;", "signed", True, id="upwards by one"),
        pytest.param("int n = INT, i; for (i = 0; i < n; i += 4) ;", "", False, id="a step that may wrap"),
        pytest.param("int n = CH, i; for (i = 0; i < n; i += 4) ;", "signed", True, id="not below such a bound"),
        pytest.param("unsigned n = UINT, i; for (i = 0; i < n; i++) ;", "unsigned", True, id="unsigned"),
        pytest.param("unsigned n = UINT, i; for (i = n; i > 0; i--) ;", "unsigned", True, id="downwards"),
        pytest.param("unsigned n = UINT, i; for (i = 0; i != n; i++) ;", "", False, id="up to something"),
        pytest.param("int i = 0; while (INT) i++;", "", False, id="as long as inputs say"),
        pytest.param("int i = 0; while (i < 9) { if (CH) i++; }", "signed", False, id="not in every iteration"),
        pytest.param("int i = 0; while (i < 9 && i > -9) { if (CH) i++; else i--; }", "signed", False, id="both ways"),
        pytest.param("int i = 0; while (i < 900) { i += 1 + CH; }", "signed", True, id="by something that varies"),
        pytest.param("int i = 0; while (i < 900) { i += CH; }", "signed", False, id="by something that may be nothing"),
        pytest.param("int i = 0; while (i > -900) { i -= 1 + (CH & 7); }", "signed", True, id="downwards by that"),
    ],
)  # fmt: skip
def test_what_is_known_of_a_counter(loop: str, exact: str, bounded: bool) -> None:
    form = body(f"{loop} if (i == 8)")
    counter = variable(form, "i")
    assert (counter.exact, is_counting(counter), form.bounded) == (exact, bounded, bounded)


def test_one_counter_is_enough() -> None:
    form = body("int i = 0, s = 0; for (i = 0; i < 9; i++) { if (CH) s++; else s--; } if (s == i)")
    assert form.bounded
    assert not is_counting(variable(form, "s"))


def test_steps_that_vary_have_bounds() -> None:
    form = body(
        """int s = 0, t = 0, u = 0; for (int i = 0; i < 9; i++) { s += CH & 7; t -= CH % 3; u += INT; }
        if (s == 9 && t == -3 && u == 4)"""
    )
    (step,) = variable(form, "s").updates
    assert (step.low, step.high) == (0, 7)
    (step,) = variable(form, "t").updates
    assert (step.low, step.high) == (-2, 0)
    (step,) = variable(form, "u").updates
    assert (step.low, step.high) == (None, None)


# Memory


def test_cells() -> None:
    form = body(
        """int g = 1; struct { short a, b; } s; int other[4]; ---
        int n = INT; for (int i = 0; i < n; i++) { g += 2; s.b = 7; } if (g == 9 && s.b == 7 && other[1] == 0)"""
    )
    assert updates(form) == {"i": [1], "cell of 4": [2], "cell of 2": ["set 7"]}
    assert variable(form, "cell of 4").entry == 1
    assert form.lost == 0


def test_places_that_are_not_known() -> None:
    """Nothing is known of the array; what is written behind that, at a known place, is."""
    form = body(
        """int a[4]; int g; ---
        int n = INT; for (int i = 0; i < n; i++) { a[i & 3] += 2; a[1] = 5; g++; } if (a[1] == 5 && g == 2)"""
    )
    assert form.lost != 0
    kinds = sorted(str(spelled(v.updates[0])) for v in form.variables if isinstance(v.place, Cell))
    assert kinds == ["1", "set 5"]


def test_what_is_written_before_a_place_that_is_not_known_is_lost() -> None:
    form = body("int a[4]; --- int n = INT; for (int i = 0; i < n; i++) { a[1]++; a[i & 3] = 2; } if (a[1] == 5)")
    assert updates(form) == {"i": [1], "cell of 4": ["lost"]}


def test_objects_that_do_not_exist_yet() -> None:
    """The locals of a function that is called before the loop, in the loop, and not at all."""
    forms = all_forms(
        """static int f(int n) { int a[2] = {n, 1}; for (int i = 0; i < n; i++) { a[1] += 3; a[0]--; } return *a; } ---
        int n = INT; if (f(n) == 7)"""
    )
    (form,) = forms
    found = sorted(str(spelled(v.updates[0])) for v in form.variables if isinstance(v.place, Cell))
    assert found == ["-1", "3"]
    assert all(v.place.base is not None for v in form.variables if isinstance(v.place, Cell))


def test_objects_of_one_iteration_are_no_variables() -> None:
    form = body(
        """static void put(int *p, int v) { *p = v; }
        static int g(int v) { int x; put(&x, v); return x + 1; } ---
        int s = 0; for (int i = 0; i < 9; i++) s += g(2); if (s == 6)"""
    )
    assert updates(form) == {"s": [3], "i": [1]}


def test_bytes_of_a_word_are_not_known_from_it() -> None:
    form = body(
        """union { unsigned w; char b[4]; } u; ---
        int n = INT; for (int i = 0; i < n; i++) { u.w += 1; u.b[1] = 3; } if (u.w == 9)"""
    )
    cells = {v.place.size: spelled(v.updates[0]) for v in form.variables if isinstance(v.place, Cell)}
    assert cells == {1: "set 3", 4: "lost"}


# Loops in loops

SQUARE = "int n = CH % 12, s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { if (CH) s++; } if (s == 77)"


def test_a_loop_in_a_loop_is_a_step_with_bounds() -> None:
    form = body(SQUARE)
    (inner,) = form.notes.forms
    assert sorted(updates(inner)["s"]) == [0, 1] and updates(inner)["j"] == [1, 1]
    assert updates(form) == {"s": ["vary"], "i": [1]}
    (step,) = variable(form, "s").updates
    assert (step.low, step.high) == (0, 11)
    assert form.bounded and inner.bounded


def test_a_loop_that_is_executed_as_often_as_the_outer_one_says() -> None:
    form = body("int s = 0; for (int i = 0; i < 6; i++) for (int j = i; j > 0; j--) s++; if (s == 15)")
    (step,) = variable(form, "s").updates
    assert (step.kind, step.low, step.high) == (RecurrenceKind.VARY, 0, 5)


def test_cells_of_loops_in_loops() -> None:
    form = body("int g; --- for (int i = 0; i < 6; i++) { for (int j = 0; j < 3; j++) g += 2; g++; } if (g == 15)")
    (inner,) = form.notes.forms
    assert updates(inner) == {"j": [1], "cell of 4": [2]}
    (step,) = variable(form, "cell of 4").updates
    assert (step.kind, step.low, step.high) == (RecurrenceKind.VARY, 7, 7)


def test_loops_of_functions_that_are_called() -> None:
    first, second = all_forms(
        """static int f(int n) { int c = 0; while (n > 0) { n -= 3; c++; } return c; } ---
        if (f(CH) + f(CH) == 7)"""
    )
    for form in (first, second):
        assert form.outline.function.name == "f"
        assert sorted(updates(form).items()) == [("c", [1]), ("n", [-3])]
    assert first.counters != second.counters


def test_instances_have_counters_of_their_own() -> None:
    forms = all_forms("int i = 0, j = 0, n = INT; while (i < n) i += 4; while (j < i) j += 2; if (j == 15)")
    assert [updates(form) for form in forms] == [{"i": [4]}, {"j": [2]}]
    assert not set(forms[0].counters) & set(forms[1].counters)
