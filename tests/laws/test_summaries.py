"""Laws of loop summaries over narrow bit-vectors: forms, lines, counts and plans against loops that just run.

form      equals its expression as long as none of its spans wraps
lines     hold for 0 and for n, and only rise or only fall in between: then the condition holds for 0 to n
whole     is what integer arithmetic says
limits    are never passed on the path
plan      every guard holds up to the last iteration
motion    is what the iterations do, one after the other
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.base.bits import as_number
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.techniques.summaries.generic_iteration import Counter, Iteration
from clew.techniques.summaries.guards import GuardInequality, lines_of
from clew.techniques.summaries.induction import (
    Added,
    InductionForm,
    Motion,
    Replaced,
    Span,
    depends,
    form_of,
)
from clew.techniques.summaries.integer_sum import ANYTHING, Whole, of
from clew.techniques.summaries.path_ranges import PathRanges
from clew.techniques.summaries.summary import LoopSummary, SummaryPlan, summarize
from clew.techniques.summaries.tables import Variable
from depth import examples
from laws.iterations import (
    ORDERS,
    RELATIONS,
    WIDTHS,
    Assignment,
    Loop,
    Value,
    compare,
    compute,
    constant,
    extend,
    fits,
    modulo,
    negate,
    symbolic,
)

MANY = 72
"""Iterations: more than the widest number has values."""
seeds = st.integers(0, 2**32)
SOME = settings(max_examples=examples(40), deadline=None)


def triangle(count: int) -> int:
    return count * (count - 1) // 2


# Forms


def spans_of(form: InductionForm) -> list[Span]:
    return [inner for span in form.spans for inner in (span, *spans_of(span.form))]


def numbers(form: InductionForm, model: Model, signed: bool) -> tuple[int, int, int]:
    """Base, step and bend as numbers."""
    base, step, bend = (model.eval(part) for part in (form.base, form.step, form.bend))
    return as_number(base, form.width, signed), as_number(step, form.width, True), as_number(bend, form.width, True)


def wraps(span: Span, model: Model, count: int) -> bool:
    base, step, bend = numbers(span.form, model, span.signed)
    return not fits(base + step * count + bend * triangle(count), span.form.width, span.signed)


def check_form(seed: int) -> int:
    """Yields how many values were compared."""
    loop, compared = Loop(seed), 0
    width = loop.random.choice(WIDTHS)
    value = loop.value(width, loop.random.randrange(1, 5))
    form = form_of(value.expr, width, loop.symbols)
    if form is None:
        return 0
    assert form.width == width and not any(depends(part, loop.symbols) for part in (form.base, form.step, form.bend))
    for inputs in loop.assignments(4):
        model = Model(inputs)
        base, step, bend = numbers(form, model, False)
        spans = spans_of(form)
        for count, env in enumerate(loop.run(inputs, MANY)):
            if any(wraps(span, model, count) for span in spans):
                break
            assert value.worth(env) == modulo(base + step * count + bend * triangle(count), width), (value.expr, env)
            compared += 1
        assert model.eval(form.after(Whole.number(compared % 7))) == modulo(
            base + step * (compared % 7) + bend * triangle(compared % 7), width
        )
    return compared


@SOME
@given(seeds)
def test_a_form_is_its_expression_until_a_span_wraps(seed: int) -> None:
    check_form(seed)


def test_most_values_have_forms_that_hold_for_a_while() -> None:
    found = [check_form(seed) for seed in range(40)]
    assert sum(compared > 4 for compared in found) > 30


# Lines


def holds_to(lines: Sequence[GuardInequality], given: Model, inputs: Model, last: int) -> bool:
    """Whether lines, found under the model ``given``, say that a condition holds for 0 to ``last``."""
    for line in lines:
        start, pace, bend = (part.eval(inputs) for part in (line.start, line.pace, line.bend))
        if start < 0 or start + pace * last + bend * triangle(last) < 0:
            return False
    one_way = [part for line in lines for part in line.one_way(Whole.number(last), given, ANYTHING)]
    return all(inputs.eval(part) for part in one_way)


def true_condition(loop: Loop, condition: Value) -> tuple[Value, Model]:
    """The condition or its negation, and a model of iteration 1 that has it."""
    (inputs,) = loop.assignments(1)
    *_, env = loop.run(inputs, 2)
    return condition if condition.worth(env) else negate(condition), Model(env)


def check_lines(loop: Loop, condition: Value) -> int:
    """Yields for how many inputs the lines say something about more than the first iteration."""
    condition, model = true_condition(loop, condition)
    if not depends(condition.expr, loop.symbols):
        return 0
    lines = lines_of(condition.expr, model, loop.symbols)
    moved = 0
    for inputs in loop.assignments(8) if lines else ():
        assert lines is not None
        under = Model(inputs)
        assert all(line.start.eval(under) >= 0 for line in lines if line.is_range)
        truth = [condition.worth(env) for env in loop.run(inputs, MANY)]
        fails = truth.index(False) if False in truth else MANY
        for last in range(fails, MANY):
            assert not holds_to(lines, model, under, last), (condition.expr, inputs, fails, last)
        moved += holds_to(lines, model, under, 1)
    return moved


@pytest.mark.parametrize("name", RELATIONS)
@settings(max_examples=examples(25), deadline=None)
@given(seed=seeds)
def test_lines_imply_a_comparison(name: str, seed: int) -> None:
    loop = Loop(seed)
    check_lines(loop, loop.relation(name))


@SOME
@given(seeds)
def test_lines_imply_what_is_made_of_comparisons(seed: int) -> None:
    loop = Loop(seed)
    check_lines(loop, loop.condition())


@pytest.mark.parametrize("name", RELATIONS)
def test_most_comparisons_have_lines_that_hold_for_a_while(name: str) -> None:
    found = []
    for seed in range(25):
        loop = Loop(seed)
        found.append(check_lines(loop, loop.relation(name)))
    assert sum(moved > 0 for moved in found) > (1 if "mul" in name else 8)


# Whole numbers


def check_whole(seed: int) -> None:
    loop = Loop(seed)
    r = loop.random
    path = [loop.bound() for _ in range(r.randrange(4))]
    limits = PathRanges([part.expr for part in path if isinstance(part.expr, Expr)]) if path else ANYTHING
    constant = r.randrange(-9, 10)
    total, worth = Whole.number(constant), lambda env: constant
    for _ in range(r.randrange(1, 4)):
        value, signed = loop.plain(r.choice(WIDTHS), r.randrange(4)), r.random() < 0.5
        part = of(value.expr, value.width, signed, limits)
        if r.random() < 0.6:
            total, worth = _added(total, worth, part, value, signed, r.randrange(-3, 4))
        else:
            total, worth = total.times(part, limits), _multiplied(worth, value, signed)
    condition, (low, high) = total.not_negative(limits), total.bounds(limits)
    width, room = r.choice((2, 3, 5, 8, 13)), total.width(limits)
    low_bits = total.at(width)
    for inputs in loop.assignments(12):
        if all(part.worth(inputs) for part in path):
            model, expected = Model(inputs), worth(inputs)
            assert total.eval(model) == expected
            assert low <= expected <= high and fits(expected, room, True)
            assert model.eval(condition) is (expected >= 0)
            assert model.eval(low_bits) == modulo(expected, width)


Worth = Callable[[Assignment], int]


def _added(total: Whole, worth: Worth, part: Whole, value: Value, signed: bool, factor: int) -> tuple[Whole, Worth]:
    return total.plus(part, factor), lambda env: worth(env) + factor * as_number(value.worth(env), value.width, signed)


def _multiplied(worth: Worth, value: Value, signed: bool) -> Worth:
    return lambda env: worth(env) * as_number(value.worth(env), value.width, signed)


@settings(max_examples=examples(150), deadline=None)
@given(seeds)
def test_whole_numbers_are_what_integer_arithmetic_says(seed: int) -> None:
    check_whole(seed)


@settings(max_examples=examples(150), deadline=None)
@given(seeds)
def test_limits_are_never_passed(seed: int) -> None:
    loop = Loop(seed)
    r = loop.random
    path = [loop.bound() for _ in range(r.randrange(1, 4))]
    limits = PathRanges([part.expr for part in path if isinstance(part.expr, Expr)])
    values = [loop.plain(r.choice(WIDTHS), 3) for _ in range(4)]
    for inputs in loop.assignments(16):
        for value in values if all(part.worth(inputs) for part in path) else ():
            for signed in (False, True) if isinstance(value.expr, Expr) else ():
                low, high = limits.of(value.expr, signed)
                assert low <= as_number(value.worth(inputs), value.width, signed) <= high, (value.expr, inputs)


# Plans


def iteration_of(loop: Loop, conditions: list[Value], inputs: Assignment) -> Iteration:
    """As if a generic iteration with number 1 had shown these conditions."""
    motions: list[tuple[Variable, Motion]] = []
    for place, (symbol, (start, added)) in enumerate(loop.sums.items()):
        form = form_of(added.expr, symbol.width, loop.numbers)
        assert form is not None
        second = build.add(start.expr, form.base, symbol.width)
        motions.append((Variable(place, 0, symbol.width, start.expr, second), Added(form)))
    *_, env = loop.run(inputs, 2)
    assert all(condition.worth(env) for condition in conditions)
    parts = tuple(condition.expr for condition in conditions)
    return Iteration(parts, Model(env), 1, tuple(motions), loop.symbols)


def check_plan(seed: int) -> int:
    """Yields for how many inputs a plan says something about more than the first iteration."""
    loop = Loop(seed)
    r = loop.random
    wanted = [loop.condition(1) for _ in range(r.randrange(1, 3))] + [loop.fact() for _ in range(r.randrange(2))]
    everything = loop.assignments(16)
    *_, env = loop.run(everything[0], 2)
    conditions = [part if part.worth(env) else negate(part) for part in wanted if isinstance(part.expr, Expr)]
    path = [part if part.worth(env) else negate(part) for part in (loop.bound() for _ in range(r.randrange(3)))]
    here = [inputs for inputs in everything if all(part.worth(inputs) for part in path)]
    return check_plans(loop, conditions, path, here[:4], here) if conditions else 0


def check_plans(
    loop: Loop, conditions: list[Value], path: list[Value], some: list[Assignment], everything: list[Assignment]
) -> int:
    """The plans for some inputs, if the loop has a summary, followed with all. The first ones show the loop."""
    moved = 0
    summary = summarize(iteration_of(loop, conditions, some[0]))
    for inputs in some if isinstance(summary, LoopSummary) else ():
        assert isinstance(summary, LoopSummary)
        plan = summary.plan(Model(inputs), [part.expr for part in path if isinstance(part.expr, Expr)])
        if plan is not None:
            assert all(Model(inputs).eval(condition) for condition in plan.conditions)
            assert not any(depends(condition, loop.symbols) for condition in plan.conditions)
            moved += sum(follow(loop, conditions, summary, plan, other) for other in everything)
    return moved


def follow(loop: Loop, conditions: list[Value], summary: LoopSummary, plan: SummaryPlan, inputs: Assignment) -> bool:
    """Run the loop with inputs, and compare what happens with the plan, if it is for them."""
    model = Model(inputs)
    if not all(model.eval(condition) for condition in plan.conditions):
        return False
    assert all(model.eval(fact) for fact in plan.facts)
    last = plan.last.eval(model)
    assert (
        last >= 0
        and model.eval(plan.last.at(13)) == modulo(last, 13)
        and model.eval(plan.last.is_zero()) is (last == 0)
    )
    for count, env in enumerate(loop.run(inputs, min(last, MANY) + 1)):
        assert all(condition.worth(env) for condition in conditions), (conditions, inputs, count, last)
        for (variable, motion), symbol in zip(summary.motions, loop.sums, strict=True):
            assert model.eval(motion.after(variable.start, variable.width, Whole.number(count))) == env[symbol]
            if count == last:
                assert model.eval(motion.after(variable.start, variable.width, plan.last)) == env[symbol]
    return last > 0


@SOME
@given(seeds)
def test_all_guards_hold_up_to_the_last_iteration_of_a_plan(seed: int) -> None:
    check_plan(seed)


@pytest.mark.slow
def test_plans_speak_about_many_inputs() -> None:
    assert sum(check_plan(seed) > 0 for seed in range(60)) > 15


@pytest.mark.parametrize(("name", "step"), [("ne", 1), *itertools.product(ORDERS, (1, -1))])
def test_a_single_guard_fails_after_the_last_iteration(name: str, step: int) -> None:
    """``i`` goes up or down by one: the plan ends where the guard fails, or else where ``i`` wraps around."""
    width = 3
    k = Counter("K").at(width)
    i, bound = (build.symbol(name, bv(width)) for name in ("i", "bound"))
    moving = compute("add", symbolic(i), compute("mul", symbolic(k), constant(modulo(step, width), width)))
    guard = compare(name, moving, symbolic(bound))
    readings = {"n": (False, True), "u": (False,), "s": (True,)}[name[0]]
    models = [Model({i: a, bound: b}) for a, b in itertools.product(range(1 << width), repeat=2)]
    counts = 0
    for model in models:
        iteration = Iteration((guard.expr,), model.updated({k: 0}), 1, (), {k: InductionForm(0, 1, width)})
        if not guard.worth({**model.values, k: 0}):
            continue
        summary = summarize(iteration)
        assert isinstance(summary, LoopSummary)
        plan = summary.plan(model, ())
        assert plan is not None
        for other in models:
            if all(other.eval(condition) for condition in plan.conditions):
                assert all(other.eval(fact) for fact in plan.facts)
                last = plan.last.eval(other)
                envs = [{**other.values, k: modulo(count, width)} for count in range(last + 2)]
                assert all(guard.worth(env) for env in envs[:-1])
                ends = [tuple(as_number(moving.worth(env), width, signed) for env in envs[-2:]) for signed in readings]
                assert not guard.worth(envs[-1]) or any(after != before + step for before, after in ends)
                counts += 1
    assert counts > 100


def _symbolic_step(loop: Loop, w: int) -> list[Value]:
    """i < b, with i += c."""
    i = compute("add", loop.input("a", w), compute("mul", loop.k(w), loop.input("c", w)))
    return [compare("slt", i, loop.input("b", w))]


def _towards_each_other(loop: Loop, w: int) -> list[Value]:
    """i < j, with i++ and j -= 2; i never wraps."""
    i = compute("add", loop.input("a", w), loop.k(w))
    j = compute("sub", loop.input("b", w), compute("mul", loop.k(w), constant(2, w)))
    return [compare("ult", i, j), negate(compare("sadd_overflow", i, constant(1, w)))]


def _two_guards(loop: Loop, w: int) -> list[Value]:
    """i < a and i != b, with i += 2."""
    i = compute("mul", loop.k(w), constant(2, w))
    return [compare("ult", i, loop.input("a", w)), compare("ne", i, loop.input("b", w))]


def _bent(loop: Loop, w: int) -> list[Value]:
    """s >= 0 and i < b, with s += i - c: s may fall before it rises."""
    start, first, bound = (extend(loop.input(name, w), 6, signed=name == "c") for name in "acb")
    s = loop.accumulate(start, compute("sub", loop.k(6), first))
    return [compare("sge", s, constant(0, 6)), compare("ult", loop.k(6), bound)]


def _narrow_parts(loop: Loop, w: int) -> list[Value]:
    """i < b, with the wider s += a narrow one that goes up along with i."""
    narrow = compute("add", loop.input("a", w), loop.k(w))
    loop.accumulate(extend(loop.input("c", w), 6, signed=True), extend(narrow, 6, signed=True))
    return [compare("ult", loop.k(6), extend(loop.input("b", w), 6, signed=False))]


def _counted_down(loop: Loop, w: int) -> list[Value]:
    """a + b - i does not overflow, and i != c."""
    i = compute("sub", loop.input("a", w), loop.k(w))
    return [negate(compare("sadd_overflow", i, loop.input("b", w))), compare("ne", i, loop.input("c", w))]


def _over_a_value(loop: Loop, w: int) -> list[Value]:
    """i != a + 1 and j < b, with i += 3, which may step over a + 1, and j++."""
    value, bound = (extend(loop.input(name, w), 6, signed=False) for name in "ab")
    i = compute("mul", loop.k(6), constant(3, 6))
    return [compare("ne", i, compute("add", value, constant(1, 6))), compare("ult", loop.k(6), bound)]


def _past_zero_faster_and_faster(loop: Loop, w: int) -> list[Value]:
    """s != 0 and i < b, with s += -2 - i, and s starting above 2."""
    start, bound = (extend(loop.input(name, w), 6, signed=False) for name in "ab")
    s = loop.accumulate(compute("add", start, constant(3, 6)), compute("sub", constant(62, 6), loop.k(6)))
    return [compare("ne", s, constant(0, 6)), compare("ult", loop.k(6), bound)]


SHAPES = (
    _symbolic_step,
    _towards_each_other,
    _two_guards,
    _bent,
    _narrow_parts,
    _counted_down,
    _over_a_value,
    _past_zero_faster_and_faster,
)


@pytest.mark.parametrize("shape", SHAPES)
def test_plans_of_loops_as_they_are_written(shape: Callable[[Loop, int], list[Value]]) -> None:
    width = 3
    loop = Loop(width)
    wanted = shape(loop, width)
    used = [loop.input(name, width).expr for name in "abc"]
    (rest,) = loop.assignments(1)
    everything: list[Assignment] = [
        {**rest, **dict(zip(used, values, strict=True))} for values in itertools.product(range(1 << width), repeat=3)
    ]
    long = [inputs for inputs in everything if all(part.worth(env) for part in wanted for env in loop.run(inputs, 2))]
    some = loop.random.sample(long, 6)
    assert check_plans(loop, wanted, [], some, everything) > 50


# Motions


@SOME
@given(seeds)
def test_motions_do_what_the_iterations_do(seed: int) -> None:
    loop = Loop(seed)
    width, counter = loop.random.choice(WIDTHS), loop.counter
    start, step, value = loop.plain(width), loop.plain(width), loop.value(width, 2, sums=False)
    form = form_of(value.expr, width, loop.numbers)
    motions: list[tuple[Motion, Callable[[int, Assignment], int]]] = [
        (Added(InductionForm(step.expr, 0, width)), lambda now, env: now + step.worth(env)),
        (Replaced(value.expr, tuple(counter.symbols.items())), lambda now, env: value.worth(env)),
    ]
    if form is not None and not form.bends and not form.spans:
        motions.append((Added(form), lambda now, env: now + value.worth(env)))
    for motion, goes_on in motions:
        symbolic_number: Any = motion.after(start.expr, width, Whole({(COUNT, False): 1}, -1))
        for inputs in loop.assignments(2):
            now = start.worth(inputs)
            for count, env in enumerate(loop.run(inputs, 12)):
                assert Model(inputs).eval(motion.after(start.expr, width, Whole.number(count))) == now, (
                    motion,
                    inputs,
                    count,
                )
                assert Model({**inputs, COUNT: count + 1}).eval(symbolic_number) == now, (motion, inputs, count)
                now = modulo(goes_on(now, env), width)


COUNT = build.symbol("count", bv(5))
