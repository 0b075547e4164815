"""Any number of iterations: closures are exact where they say so, and include everything where they do not.

What they are is checked by enumeration here: of small programs by hand, and at large in ``tests/oracle``.
"""

from __future__ import annotations

from itertools import product

import pytest

from clew.analysis.absint.linear import Constraint, Linear, Variable, at_least, at_most
from clew.analysis.loops.box import Box
from clew.analysis.loops.closing import close
from clew.analysis.loops.closure import After, Before, Closure, Disjunct, Fixed, LoopVariable, Unknown
from clew.analysis.loops.limits import Limits
from clew.analysis.loops.relation import LoopRelation, Piece
from clew.program.types import IntType
from clew.program.values import Register
from unit.analysis.loops.read import closure, relation
from unit.analysis.loops.text import describe_closure


def holds(found: Closure, values: dict[Variable, int]) -> bool:
    """Whether a pair of states is in a closure."""
    return any(_solvable(disjunct, values) for disjunct in found.disjuncts)


def _solvable(disjunct: Disjunct, values: dict[Variable, int]) -> bool:
    rest = [c.about(c.linear.with_values(values)) for c in disjunct]
    unknowns = dict.fromkeys(v for c in rest for v in c.variables)
    assert all(isinstance(v, Unknown) for v in unknowns), unknowns
    box = Box(table=dict.fromkeys(unknowns, (-(1 << 80), 1 << 80)))
    return _search(rest, list(unknowns), box)


def _search(rest: list[Constraint], unknowns: list[Variable], box: Box) -> bool:
    for _ in range(8):
        if not box.narrow(rest) or any(c.is_false for c in rest):
            return False
    open_ones = [v for v in unknowns if box.bounds(Linear.of(v))[0] < box.bounds(Linear.of(v))[1]]
    if not open_ones:
        return all(c.holds({v: box.bounds(Linear.of(v))[0] for v in unknowns}) for c in rest)
    chosen = min(open_ones, key=lambda v: box.bounds(Linear.of(v))[1] - box.bounds(Linear.of(v))[0])
    least, greatest = box.bounds(Linear.of(chosen))
    assert greatest - least < 100_000, "an unknown with many values"
    for value in range(least, greatest + 1):
        fixed = [c.about(c.linear.with_values({chosen: value})) for c in rest]
        others = [v for v in unknowns if v != chosen]
        if _search(fixed, others, Box(table={v: box.bounds(Linear.of(v)) for v in others})):
            return True
    return False


def at(found: Closure, before: dict[str, int], after: dict[str, int], fixed: dict[str, int] | None = None) -> bool:
    """The same, by names of C variables."""
    values: dict[Variable, int] = {}
    for v in found.changed:
        name = v.place.name.partition(".")[0]  # type: ignore[union-attr]
        values[Before(v)], values[After(v)] = before[name], after[name]
    for disjunct in found.disjuncts:
        for constraint in disjunct:
            for v in constraint.variables:
                if isinstance(v, Fixed):
                    values[v] = (fixed or {})[v.place.name]  # type: ignore[union-attr]
    return holds(found, values)


def test_steps_of_two_up_to_a_constant() -> None:
    found = closure("unsigned f(void) { unsigned x = 0; while (x < 0x0fffffff) x += 2; return x; }")
    assert found.exact and not found.reads_inputs
    assert at(found, {"x": 0}, {"x": 0x10000000}) and at(found, {"x": 0}, {"x": 2})
    assert not at(found, {"x": 0}, {"x": 0x0FFFFFFF}) and not at(found, {"x": 0}, {"x": 0x10000002})
    assert not at(found, {"x": 0}, {"x": 0}), "at least one iteration"


def test_inputs_decide_how_often() -> None:
    code = """
        extern int __VERIFIER_nondet_int(void);
        int f(void) { int x = 0; while (__VERIFIER_nondet_int()) x += 2; return x; }"""
    found = closure(code)
    assert found.exact and found.reads_inputs
    assert at(found, {"x": 0}, {"x": 0}), "2**31 iterations"
    assert at(found, {"x": 0}, {"x": -2}) and not at(found, {"x": 0}, {"x": 7})


def test_wrap_around() -> None:
    found = closure("unsigned f(unsigned x) { while (x >= 10) x += 2; return x; }")
    assert found.exact
    assert at(found, {"x": 0x0FFFFFF1}, {"x": 1}) and not at(found, {"x": 0x0FFFFFF1}, {"x": 0})
    assert not at(found, {"x": 9}, {"x": 11})


def test_phases() -> None:
    code = (
        "unsigned f(void) { unsigned x = 0, y = 50; while (x < 100) { if (x < 50) x++; else { x++; y++; } } return y; }"
    )
    found = closure(code)
    assert found.exact
    assert at(found, {"x": 0, "y": 50}, {"x": 100, "y": 100})
    assert not at(found, {"x": 0, "y": 50}, {"x": 100, "y": 99})


def test_lock_step_of_four() -> None:
    code = (
        "int f(int n) { int i = 0, j = 0, k = 0, l = 0; while (i < n) { i++; j += 2; k += 3; l--; } return j + k + l; }"
    )
    found = closure(code)
    assert found.exact and len(found.disjuncts) == 1
    zero = dict.fromkeys("ijkl", 0)
    assert at(found, zero, {"i": 7, "j": 14, "k": 21, "l": -7}, {"n": 7})
    assert not at(found, zero, {"i": 7, "j": 14, "k": 20, "l": -7}, {"n": 7})


def test_an_inner_loop() -> None:
    found = closure(
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < 10; j++) s++; return s; }"
    )
    assert found.exact
    assert at(found, {"i": 0, "s": 0}, {"i": 5, "s": 50}, {"n": 5})
    assert not at(found, {"i": 0, "s": 0}, {"i": 5, "s": 49}, {"n": 5})


def test_counters_that_inputs_choose_between() -> None:
    code = """
        extern _Bool __VERIFIER_nondet_bool(void);
        int f(int n) { int a = 0, b = 0, c = 0, d = 0, i = 0;
          while (i < n) {
            if (__VERIFIER_nondet_bool()) a++; else if (__VERIFIER_nondet_bool()) b++;
            else if (__VERIFIER_nondet_bool()) c++; else d++;
            i++; }
          return a + b + c + d; }"""
    found = closure(code)
    assert found.exact
    zero = dict.fromkeys("abcdi", 0)
    assert at(found, zero, {"a": 2, "b": 0, "c": 4, "d": 1, "i": 7}, {"n": 7})
    assert not at(found, zero, {"a": 2, "b": 0, "c": 4, "d": 1, "i": 6}, {"n": 7})


def test_more_counters_than_the_library_closes() -> None:
    cases = "".join(f"case {n}: {name} += {n + 1}; break; " for n, name in enumerate("abcd"))
    code = f"""
        extern int __VERIFIER_nondet_int(void);
        int f(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e) {{
          while (1) switch (__VERIFIER_nondet_int()) {{ {cases} default: e += 5; }}
          return 0; }}"""
    found = closure(code)
    assert found.exact
    zero = dict.fromkeys("abcde", 0)
    assert at(found, zero, {"a": 2, "b": 2, "c": 0, "d": 8, "e": 15})
    assert not at(found, zero, {"a": 2, "b": 2, "c": 0, "d": 7, "e": 15})


def test_states_that_take_turns() -> None:
    code = "unsigned f(void) { unsigned i = 0, y = 0; for (; i < 100000; i++) if (i % 3 == 0) y++; return y; }"
    found = closure(code)
    assert found.exact
    assert at(found, {"i": 0, "y": 0}, {"i": 100000, "y": 33334})
    assert not at(found, {"i": 0, "y": 0}, {"i": 100000, "y": 33333})


def test_what_is_not_exact_includes_everything() -> None:
    found = closure("unsigned f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s += i * 2; return s; }")
    s = i = 0
    for _ in range(40):
        s, i = s + 2 * i, i + 1
        assert at(found, {"s": 0, "i": 0}, {"s": s, "i": i}, {"n": 40})
    assert not at(found, {"s": 0, "i": 0}, {"s": 0, "i": 41}, {"n": 40})


def test_sums_of_sums_are_congruences() -> None:
    code = """
        unsigned f(unsigned n) { unsigned s = 0, t = 0;
          for (unsigned i = 0; i < n; i++) { t += s; s += i; }
          return t; }"""
    found = closure(code)
    assert found.exact_with_congruences and not found.exact
    values = {v.place.name[0]: v for v in found.changed if isinstance(v.place, Register)}
    (disjunct,), (congruences,) = found.disjuncts, found.congruences
    s = t = i = 0
    for k in range(1, 60):
        t, s, i = t + s, s + i, i + 1
        state: dict[Variable, int] = {Unknown(0): k}
        for name, after in (("s", s), ("t", t), ("i", i)):
            state[Before(values[name])], state[After(values[name])] = 0, after
        state |= {v: 60 for c in disjunct for v in c.variables if isinstance(v, Fixed)}
        assert all(c.holds(state) for c in (*disjunct, *congruences))
        assert not all(c.holds({**state, After(values["t"]): t + 1}) for c in congruences)


def test_pieces_that_never_follow_each_other() -> None:
    code = "int f(int n, int m) { int s = 0; for (int i = 0; i < n; i++) if (m > 0) s += m; else s--; return s; }"
    found = closure(code)
    assert found.exact_with_congruences and len(found.disjuncts) == 2


def test_no_iteration_is_complete() -> None:
    found = closure("int f(int n) { while (n > 5) { n--; if (n > 2) break; } return n; }")
    assert found.exact and found.disjuncts == ()
    assert describe_closure(found) == ["no complete iteration, exact"]


def test_few_operations_give_less() -> None:
    code = "unsigned f(unsigned a, unsigned b) { while (a != b) { if (a > b) a -= b; else b -= a; } return a; }"
    found = close(relation(code), Limits(operations=10, more_operations=0))
    assert not found.exact and found.disjuncts == ((),)


X, Y = (LoopVariable(Register(name, IntType(4)), 4, False) for name in "xy")


@pytest.mark.parametrize("steps", [(1, 3), (2, 5), (3, 15)])
def test_closures_of_made_relations(steps: tuple[int, int]) -> None:
    """Two variables of four bits, one of them compared: against all iterations there are."""
    x, y = Linear.of(Before(X)), Linear.of(Before(Y))
    stay = Piece((at_most(x, 15 - steps[0]),), ((X, x + steps[0]), (Y, y + steps[1])))
    turn = Piece((at_least(x, 16 - steps[0]),), ((X, x + (steps[0] - 16)), (Y, y + 1)))
    found = close(LoopRelation("f", "h", (X, Y), (stay, turn), True, "", False))
    assert found.exact
    for a, b in ((0, 0), (13, 7)):
        reached, at_now = set(), (a, b)
        for _ in range(600):
            u, v = at_now
            at_now = ((u + steps[0]) % 16, (v + (steps[1] if u <= 15 - steps[0] else 1)) % 16)
            reached.add(at_now)
        for c, d in product(range(16), repeat=2):
            said = holds(found, {Before(X): a, Before(Y): b, After(X): c, After(Y): d})
            assert said == ((c, d) in reached), (a, b, c, d)


def test_many_ways_to_wrap_around() -> None:
    """More than become pieces: how often it does is an unknown of the piece, and the result is in range."""
    found = closure("unsigned char f(unsigned char x) { while (x != 3) x = x * 7 + 1; return x; }")
    x = 0
    for _ in range(300):
        if x == 3:
            break
        x = (x * 7 + 1) % 256
        assert at(found, {"x": 0}, {"x": x})
