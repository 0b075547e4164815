"""Loops replaced by closures that are given by hand: what the program shows, and nothing else where they are exact."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from clew.analysis.absint.linear import Linear, at_least, at_most, equal
from clew.analysis.graph import control_flow, loop_forest
from clew.analysis.loops.closure import After, Before, Closure, Disjunct, LoopVariable, Memory, Refusal, Unknown
from clew.analysis.mod_ref import ModRef
from clew.execute.ends import Failed
from clew.execute.helpers import build_machine
from clew.execute.instrument.havoc import is_generalized
from clew.execute.policy import Finished
from clew.models.registry import all_models
from clew.program.instructions import Compare
from clew.program.module import Block
from clew.program.values import Register
from clew.techniques.acceleration.rewriting import Accelerated, Treatment, accelerate
from support.verifier import verify_function
from unit.execute.support import c_program, explore

Make = Callable[[Block], Closure | Refusal]


def accelerated(code: str, make: Make, bound: int = 0, exact_only: bool = False) -> Accelerated:
    machine = build_machine(c_program(code), all_models())
    effects = ModRef(machine.program, machine.callees)

    def closure(function: str, header: str) -> Closure | Refusal:
        return make(next(b for b in machine.program.functions[function].blocks if b.name == header))

    done = accelerate(effects, "main", closure, bound=bound, exact_only=exact_only)
    for function in done.program.functions.values():
        if not function.is_declaration:
            verify_function(function)
    return done


def lines(done: Accelerated) -> tuple[set[int], set[int]]:
    """Lines of the errors that paths of the new program show: those that are real, and all."""
    real: set[int] = set()
    every: set[int] = set()

    def ended(path: Finished) -> None:
        if isinstance(path.end, Failed) and path.end.location is not None:
            every.add(path.end.location.line)
            if not is_generalized(path.state):
                real.add(path.end.location.line)

    explore(done.program, finished=ended, report=True)
    return real, every


def phis(header: Block) -> list[LoopVariable]:
    return [LoopVariable(phi.result, 32, False) for phi in header.phis if phi.result is not None]


def closure(changed: Sequence[LoopVariable], *disjuncts: Disjunct, exact: bool = True, inputs: bool = False) -> Closure:
    return Closure(exact, "" if exact else "by hand", disjuncts, inputs, tuple(changed))


ROUNDS = Linear.of(Unknown(0))


def by_two(header: Block, limit: int) -> Closure:
    """``while (x < limit) x += 2``."""
    (x,) = phis(header)
    before, after = Linear.of(Before(x)), Linear.of(After(x))
    steps = (equal(after, before + ROUNDS * 2), at_least(ROUNDS, 1), at_most(after, limit + 1))
    return closure([x], steps)


@pytest.mark.parametrize("bound", [0, 3])
@pytest.mark.parametrize(
    ("shown", "real"), [("x & 1", False), ("x == 0x10000000", True), ("x == 0xFFFFFFE", False), ("x % 4 == 0", True)]
)
def test_an_exact_closure_decides_both_ways(shown: str, real: bool, bound: int) -> None:
    code = f"""int main(void) {{
      unsigned x = 0;
      while (x < 0xFFFFFFF) x += 2;
      if ({shown}) reach_error();
      return 0;
    }}"""
    done = accelerated(code, lambda header: by_two(header, 0xFFFFFFF), bound)
    assert [loop.treatment for loop in done.loops] == [Treatment.EXACT]
    assert lines(done) == (({4}, {4}) if real else (set(), set()))


def test_checks_in_the_body_are_made_in_every_iteration() -> None:
    code = """int main(void) {
      unsigned x = 0;
      while (x < 0xFFFFFFF) {
        if (x == 123456) reach_error();
        if (x == 123457) reach_error();
        x += 2;
      }
      return 0;
    }"""
    assert lines(accelerated(code, lambda header: by_two(header, 0xFFFFFFF))) == ({4}, {4})


@pytest.mark.parametrize(("exact", "inputs"), [(False, False), (True, True)])
def test_paths_that_need_not_be_real_say_so(exact: bool, inputs: bool) -> None:
    code = """int main(void) {
      unsigned x = 0;
      while (__VERIFIER_nondet_bool()) x += 2;
      if (x == 6) reach_error();
      if (x == 7) reach_error();
      if (x == 0) reach_error();
      return 0;
    }"""

    def make(header: Block) -> Closure:
        (x,) = phis(header)
        wraps = Linear.of(Unknown(1)) * (1 << 32)
        steps = equal(Linear.of(After(x)) + wraps, Linear.of(Before(x)) + ROUNDS * 2)
        ranges = (at_least(ROUNDS, 1), at_most(ROUNDS, 1 << 31), at_least(Linear.of(Unknown(1)), 0))
        return closure([x], (steps, *ranges), exact=exact, inputs=inputs)

    done = accelerated(code, make)
    assert [loop.treatment for loop in done.loops] == [Treatment.CLOSED]
    assert lines(done) == ({6}, {4, 6})
    left = accelerated(code, make, exact_only=True)
    assert [loop.treatment for loop in left.loops] == [Treatment.LEFT]
    assert left.program.functions == accelerated(code, lambda _: Refusal("none")).program.functions


def test_disjuncts_are_phases() -> None:
    code = """int main(void) {
      unsigned x = 0, y = 0;
      while (x < 1000000) { if (x < 500000) y++; else y += 2; x++; }
      if (y != 1500000) reach_error();
      if (y == 1500000) reach_error();
      return 0;
    }"""

    def make(header: Block) -> Closure:
        compared = next(i.left for i in header.instructions if isinstance(i, Compare))
        x, y = sorted(phis(header), key=lambda variable: variable.place != compared)
        before, after = Linear.of(Before(x)), Linear.of(After(x))
        up, was = Linear.of(After(y)), Linear.of(Before(y))
        early = (equal(up - was, after - before), at_least(after, before + 1), at_most(after, 500_000))
        late = (
            equal(up - was, (after - before) * 2), at_least(after, before + 1), at_least(before, 500_000),
            at_most(after, 1_000_000),
        )  # fmt: skip
        both = (
            equal(up - was, Linear.number(500_000) - before + (after - 500_000) * 2), at_most(before, 499_999),
            at_least(after, 500_001), at_most(after, 1_000_000),
        )  # fmt: skip
        return closure([x, y], early, late, both)

    done = accelerated(code, make)
    assert lines(done) == ({5}, {5})


def test_scalars_in_memory_are_variables_of_a_loop() -> None:
    code = """static unsigned g;
    unsigned *volatile p = &g;
    int main(void) {
      g = __VERIFIER_nondet_uint();
      unsigned was = g;
      while (g > 5) g--;
      if (was > 5 && g != 5) reach_error();
      if (was <= 5 && g != was) reach_error();
      if (was == 77777 && g == 5) reach_error();
      return 0;
    }"""

    def make(header: Block) -> Closure:
        g = LoopVariable(Memory("g", 0, 4), 32, False)
        before, after = Linear.of(Before(g)), Linear.of(After(g))
        return closure([g], (at_most(after, before - 1), at_least(after, 5)))

    done = accelerated(code, make)
    assert [loop.treatment for loop in done.loops] == [Treatment.EXACT]
    assert lines(done) == ({9}, {9})


def test_a_closure_without_disjuncts_says_that_there_is_no_second_iteration() -> None:
    code = """int main(void) {
      unsigned x = 0;
      while (x < 9) { if (x == 1) reach_error(); x = 77; }
      if (x == 77) reach_error();
      return 0;
    }"""
    assert lines(accelerated(code, lambda header: closure(phis(header), ()))) != (set(), set())
    assert lines(accelerated(code, lambda header: closure(phis(header)))) == (set(), set())


def test_what_cannot_be_renewed_is_left_with_a_reason() -> None:
    code = """int main(void) {
      char a, b, *p = &a;
      for (int i = 0; i < 3; i++) p = p == &a ? &b : &a;
      if (p == &b) reach_error();
      return 0;
    }"""

    def make(header: Block) -> Closure:
        found = [LoopVariable(phi.result, 64, False) for phi in header.phis if isinstance(phi.result, Register)]
        return closure(found, (), exact=False)

    done = accelerated(code, make)
    assert [(loop.treatment, loop.reason) for loop in done.loops] == [
        (Treatment.LEFT, "it changes what cannot be given a new value")
    ]
    assert lines(done) == ({4}, {4})


def test_an_unknown_without_bounds_is_no_closure() -> None:
    code = "int main(void) { unsigned x = 0; while (x < 50) x += 2; return x; }"

    def make(header: Block) -> Closure:
        (x,) = phis(header)
        free = at_least(Linear.of(Unknown(0)) - Linear.of(Unknown(1)), 0)
        return closure([x], (equal(Linear.of(After(x)), 50), free))

    (loop,) = accelerated(code, make).loops
    assert (loop.treatment, loop.reason) == (Treatment.LEFT, "its closure has a number without bounds")


def test_numbers_that_are_too_large_to_compute_with_prove_but_do_not_refute() -> None:
    code = """int main(void) {
      unsigned long x = 0;
      while (x < 100) x += 2;
      if (x == 100) reach_error();
      return 0;
    }"""

    def make(header: Block) -> Closure:
        (phi,) = header.phis
        assert phi.result is not None
        x = LoopVariable(phi.result, 64, False)
        numbers = [Linear.of(Unknown(number)) for number in range(3)]
        huge = (numbers[1] - numbers[2]) * (1 << 70)
        steps = equal(Linear.of(After(x)), Linear.of(Before(x)) + ROUNDS * 2 + huge)
        bounds = (c for n in numbers for c in (at_least(n, 0), at_most(n, 1 << 60)))
        return closure([x], (steps, *bounds))

    (loop,) = accelerated(code, make).loops
    assert (loop.treatment, loop.reason) == (Treatment.CLOSED, "its closure has numbers that are too large")


def test_a_loop_with_two_entries_is_left() -> None:
    code = """int main(void) {
      unsigned x = __VERIFIER_nondet_uint();
      if (x > 5) goto middle;
      again: x++;
      middle: if (x < 100) goto again;
      return x;
    }"""
    done = accelerated(code, lambda header: closure(phis(header), ()))
    forest = loop_forest(control_flow(done.program.functions["main"]))
    assert [loop.treatment for loop in done.loops] == [Treatment.LEFT] * len(forest.loops)
