"""Recurrent variables: what chains do to them, and what is known of their values, against runs of random chains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.expr import build
from clew.expr.node import BV, Bool, Expr, symbol
from clew.expr.sort import BOOL, F64, Sort, bv
from clew.solver.chain import build_chain
from clew.solver.interface import Answer, SolverOptions
from clew.solver.path import conjuncts
from clew.solver.stats import SolverStats
from clew.techniques.chains.recurrence import (
    MODERATE,
    MOST_STEP,
    WIDE,
    RecurrenceKind,
    Update,
    Values,
    Variable,
    classify,
)
from depth import examples

KEEP = Update(RecurrenceKind.KEEP)
WIDTHS = (8, 16, 32, 64)
SOLVER = build_chain(SolverOptions(time_limit=60.0, second_opinion=False), SolverStats())


def satisfiable(facts: Sequence[Bool]) -> bool:
    if any(fact is False for fact in facts):
        return False
    result = SOLVER.check(frozenset(part for fact in facts if isinstance(fact, Expr) for part in conjuncts(fact)))
    assert result.answer is not Answer.UNKNOWN
    return result.answer is Answer.SAT


# Updates

V = symbol("v", bv(32))
W = symbol("w", bv(32))  # changes, too
N = symbol("n", bv(32))  # does not
MOVING = frozenset((V, W))


@pytest.mark.parametrize(
    ("following", "update"),
    [
        pytest.param(V, KEEP, id="keep"),
        pytest.param(build.add(V, 5, 32), Update(RecurrenceKind.ADD, 5), id="add"),
        pytest.param(build.sub(V, 1, 32), Update(RecurrenceKind.ADD, 0xFFFFFFFF), id="subtract"),
        pytest.param(
            build.add(build.mul(N, 3, 32), V, 32), Update(RecurrenceKind.ADD, build.mul(N, 3, 32)), id="add the same"
        ),
        pytest.param(build.add(V, W, 32), Update(RecurrenceKind.VARY, W), id="add something else"),
        pytest.param(build.add(V, build.mul(V, 2, 32), 32), Update(RecurrenceKind.SCALE, 3), id="a factor"),
        pytest.param(build.neg(V, 32), Update(RecurrenceKind.SCALE, 0xFFFFFFFF), id="the other sign"),
        pytest.param(17, Update(RecurrenceKind.SET, 17), id="set to a number"),
        pytest.param(build.add(N, 1, 32), Update(RecurrenceKind.SET, build.add(N, 1, 32)), id="set to the same"),
        pytest.param(W, Update(RecurrenceKind.SET), id="set to something else"),
        pytest.param(build.add(W, N, 32), Update(RecurrenceKind.SET), id="set to something that is not the same"),
    ],
)
def test_what_a_chain_does(following: Any, update: Update) -> None:
    assert classify(Variable("v", V, 0, bv(32)), following, MOVING) == update


@pytest.mark.parametrize(
    "following",
    [build.xor(V, 5, 32), build.add(build.mul(V, 3, 32), 1, 32), build.mul(V, V, 32), build.mul(V, N, 32)],
    ids=["bits", "a factor and a term", "square", "a factor that is no number"],
)
def test_anything_else_is_a_step_that_varies(following: Expr) -> None:
    update = classify(Variable("v", V, 0, bv(32)), following, MOVING)
    assert update == Update(RecurrenceKind.VARY, build.sub(following, V, 32))


def test_what_is_no_number() -> None:
    flag, real = symbol("flag", BOOL), symbol("x", F64)
    truth, number = Variable("flag", flag, False, BOOL), Variable("x", real, 0.0, F64)
    assert classify(truth, flag, {flag}) == KEEP
    assert classify(truth, True, {flag}) == Update(RecurrenceKind.SET, True)
    assert classify(truth, build.lnot(flag), {flag}).kind is RecurrenceKind.LOST
    assert classify(number, build.fadd(real, 1.5, F64), {real}).kind is RecurrenceKind.LOST
    assert classify(number, 2.5, {real}) == Update(RecurrenceKind.SET, 2.5)
    wide = symbol("wide", bv(96))
    assert classify(Variable("wide", wide, 0, bv(96)), build.add(wide, 1, 96), {wide}).kind is RecurrenceKind.LOST


def test_additive_and_changing() -> None:
    def variable(*updates: Update) -> Variable:
        return Variable("v", V, 0, bv(32), updates)

    assert not variable(KEEP, KEEP).changes
    assert variable(KEEP, Update(RecurrenceKind.ADD, 1)).changes
    assert variable(KEEP, Update(RecurrenceKind.ADD, 1), Update(RecurrenceKind.VARY, W)).additive
    assert not variable(KEEP, Update(RecurrenceKind.SET, 1)).additive
    assert not variable(Update(RecurrenceKind.SCALE, 2)).additive


# Values


@dataclass
class Claims:
    """Takes what is said about values."""

    endless: Bool = False
    facts: list[Bool] = field(default_factory=list)
    made: int = 0

    def fresh(self, sort: Sort) -> Expr:
        self.made += 1
        return symbol(f"made{self.made}", sort)

    def after(self, variable: Variable, counters: Sequence[BV]) -> Any:
        return Values(self.fresh, self.facts.append, self.endless).after(variable, counters)


@dataclass
class Run:
    """A variable, what the chains did to it one after the other, and the value it really has at the end."""

    variable: Variable
    counts: list[int]
    value: int
    given: dict[Expr, int]
    """What symbols stand for."""

    def known(self) -> list[Bool]:
        return [build.eq(made, value, made.width) for made, value in self.given.items()]


def signed(value: int, width: int) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def numbers(width: int) -> st.SearchStrategy[int]:
    small = st.integers(-4, 4).map(lambda n: n % (1 << width))
    return st.one_of(small, st.integers(0, (1 << width) - 1))


@st.composite
def runs(draw: st.DrawFn, kinds: Sequence[RecurrenceKind] = tuple(RecurrenceKind), most: int = 9) -> Run:
    """Some chains, and an order in which they are executed."""
    width = draw(st.sampled_from(WIDTHS))
    size = 1 << width
    kept: dict[Expr, int] = {}

    def same_each_time(name: str) -> Any:
        """A number, or a symbol that stands for one."""
        value = draw(numbers(width))
        if draw(st.booleans()):
            return value
        made = symbol(f"{name}{width}", bv(width))
        kept[made] = value
        return made

    updates: list[Update] = []
    for index in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(kinds))
        if kind is RecurrenceKind.ADD:
            updates.append(Update(kind, same_each_time(f"a{index}")))
        elif kind is RecurrenceKind.SET:
            updates.append(Update(kind, draw(st.sampled_from((None, 1))) and same_each_time(f"s{index}")))
        elif kind is RecurrenceKind.SCALE:
            updates.append(Update(kind, draw(numbers(width))))
        elif kind is RecurrenceKind.VARY:
            low = draw(st.one_of(st.none(), st.integers(-9, 9)))
            distance = draw(st.one_of(st.none(), st.integers(0, 9)))
            high = None if distance is None else (low or 0) + distance
            updates.append(Update(kind, symbol(f"step{index}", bv(width)), low, high))
        else:
            updates.append(Update(kind))
    entry = value = draw(numbers(width))
    counts = [0] * len(updates)
    wraps = {"signed": False, "unsigned": False}
    for index in draw(st.lists(st.integers(0, len(updates) - 1), max_size=most)):
        counts[index] += 1
        update = updates[index]
        amount = kept.get(update.amount, update.amount)
        if update.kind in (RecurrenceKind.ADD, RecurrenceKind.VARY):
            if update.kind is RecurrenceKind.VARY:
                least = update.low if update.low is not None else -(size >> 1)
                largest = update.high if update.high is not None else (size >> 1) - 1
                amount = draw(st.integers(least, largest))
            step = signed(amount, width)
            wraps["signed"] |= not -(size >> 1) <= signed(value, width) + step < size >> 1
            wraps["unsigned"] |= not 0 <= value + step < size
            value += step
        elif update.kind is RecurrenceKind.SCALE:
            value *= amount
        elif update.kind is RecurrenceKind.SET:
            value = draw(numbers(width)) if amount is None else amount
        elif update.kind is RecurrenceKind.LOST:
            value = draw(numbers(width))
        value %= size
    variable = Variable("v", symbol("v", bv(width)), entry, bv(width), tuple(updates))
    if draw(st.booleans()):
        variable.entry = symbol(f"entry{width}", bv(width))
        kept[variable.entry] = entry
    plain = all(isinstance(u.amount, int) for u in updates if u.kind is RecurrenceKind.ADD)
    if variable.additive and variable.changes and plain:
        variable.exact = next((reading for reading, wrapped in wraps.items() if not wrapped), "")
    return Run(variable, counts, value, kept)


def counters(run: Run, given: dict[Expr, int] | None = None) -> list[BV]:
    """The numbers of executions: symbols for them, if there is a place to say what they are."""
    if given is None:
        return list(run.counts)
    made = [symbol(f"k{index}", bv(WIDE)) for index in range(len(run.counts))]
    given.update(zip(made, run.counts, strict=True))
    return list(made)


@settings(max_examples=examples(150))
@given(runs(), st.booleans())
def test_the_real_value_is_always_allowed(run: Run, symbolic: bool) -> None:
    claims = Claims()
    value = claims.after(run.variable, counters(run, run.given if symbolic else None))
    is_real = build.eq(value, run.value, run.variable.sort.width)
    assert satisfiable([*claims.facts, *run.known(), is_real])


@settings(max_examples=examples(60))
@given(runs(kinds=(RecurrenceKind.KEEP, RecurrenceKind.ADD)))
def test_sums_are_exact(run: Run) -> None:
    claims = Claims()
    value = claims.after(run.variable, counters(run, run.given))
    is_other = build.ne(value, run.value, run.variable.sort.width)
    assert not satisfiable([*claims.facts, *run.known(), is_other])


@pytest.mark.slow
@settings(max_examples=examples(40))
@given(runs(kinds=(RecurrenceKind.KEEP, RecurrenceKind.SCALE)))
def test_products_are_exact(run: Run) -> None:
    claims = Claims()
    value = claims.after(run.variable, counters(run, run.given))
    is_other = build.ne(value, run.value, run.variable.sort.width)
    assert not satisfiable([*claims.facts, *run.known(), is_other])


@pytest.mark.parametrize("base", [3, 6, 255])
@pytest.mark.parametrize("count", [127, 128, 200])
def test_large_powers(base: int, count: int) -> None:
    variable = Variable("v", V, 5, bv(32), (Update(RecurrenceKind.SCALE, base), KEEP))
    claims = Claims()
    value = claims.after(variable, [count, 1])
    assert satisfiable([*claims.facts, build.eq(value, 5 * pow(base, count, 1 << 32) & 0xFFFFFFFF, 32)])


def possible(variable: Variable, counts: Sequence[int]) -> set[int]:
    """The values after all orders in which chains may be executed so often."""
    mask = variable.sort.mask
    found = set()
    for order in set(permutations([index for index, count in enumerate(counts) for _ in range(count)])):
        value: int = variable.entry
        for index in order:
            update = variable.updates[index]
            if update.kind is RecurrenceKind.ADD:
                value = value + update.amount & mask
            elif update.kind is RecurrenceKind.SET:
                value = update.amount
        found.add(value)
    return found


@settings(max_examples=examples(40))
@given(
    st.integers(0, 255),
    st.lists(
        st.tuples(
            st.sampled_from((RecurrenceKind.KEEP, RecurrenceKind.ADD, RecurrenceKind.SET)),
            st.integers(0, 255),
            st.integers(0, 3),
        ),
        min_size=1,
        max_size=3,
    ).filter(lambda chains: sum(count for _, _, count in chains) <= 6),
)
def test_after_sets_exactly_the_values_of_some_order_are_allowed(
    entry: int, chains: list[tuple[RecurrenceKind, int, int]]
) -> None:
    updates = tuple(Update(kind, None if kind is RecurrenceKind.KEEP else amount) for kind, amount, _ in chains)
    variable = Variable("v", symbol("v", bv(8)), entry, bv(8), updates)
    counts = [count for _, _, count in chains]
    claims = Claims()
    value = claims.after(variable, counts)
    allowed = possible(variable, counts)
    for real in allowed:
        assert satisfiable([*claims.facts, build.eq(value, real, 8)])
    assert not satisfiable([*claims.facts, *(build.ne(value, real, 8) for real in allowed)])


# Bounds


def varying(low: int | None, high: int | None, exact: str = "") -> Variable:
    return Variable("v", V, 100, bv(32), (Update(RecurrenceKind.VARY, W, low, high), KEEP), exact)


@pytest.mark.parametrize(
    ("variable", "least", "most"),
    [
        (varying(0, 3), 100, 115),
        (varying(-2, 0), 90, 100),
        (varying(2, 2), 110, 110),
    ],
    ids=["upwards", "downwards", "always the same"],
)
def test_sums_of_steps_have_bounds(variable: Variable, least: int, most: int) -> None:
    claims = Claims()
    value = claims.after(variable, [5, 8])
    for inside in {least, most}:
        assert satisfiable([*claims.facts, build.eq(value, inside, 32)])
    for outside in (least - 1, most + 1):
        assert not satisfiable([*claims.facts, build.eq(value, outside, 32)])


@pytest.mark.parametrize("bound", [MOST_STEP + 1, 1 << 45, 1 << 62])
def test_steps_so_large_that_a_product_may_not_fit_bound_nothing(bound: int) -> None:
    k = symbol("k", bv(WIDE))
    claims = Claims()
    value = claims.after(Variable("v", V, 100, bv(32), (Update(RecurrenceKind.VARY, W, bound, bound),)), [k])
    moderate = build.land(build.ne(k, 0, WIDE), build.ult(k, MODERATE, WIDE))
    for anything in (0, 5, 0xFFFFFFFF):
        assert satisfiable([*claims.facts, moderate, build.eq(value, anything, 32)])


def test_without_bounds_anything_may_have_been_added_unless_nothing_was() -> None:
    claims = Claims()
    value = claims.after(varying(None, None), [symbol("k", bv(WIDE)), 3])
    never = build.eq(symbol("k", bv(WIDE)), 0, WIDE)
    assert satisfiable([*claims.facts, build.eq(value, 12345, 32), build.lnot(never)])
    assert not satisfiable([*claims.facts, build.eq(value, 12345, 32), never])


@pytest.mark.parametrize(
    ("exact", "step", "below"),
    [("signed", 4, 1 << 31), ("unsigned", 4, 1 << 32), ("signed", -4 & 0xFFFFFFFF, 1 << 31)],
)
def test_a_sum_that_does_not_wrap_bounds_its_counter(exact: str, step: int, below: int) -> None:
    """i = 4k over the integers: so k is small, if it is not so large that even 4k wraps."""
    k = symbol("k", bv(WIDE))
    claims = Claims()
    claims.facts.append(build.ult(k, 1 << (WIDE - 8), WIDE))
    claims.after(Variable("i", V, 0, bv(32), (Update(RecurrenceKind.ADD, step),), exact), [k])
    assert satisfiable([*claims.facts, build.eq(k, below // 4 - 1, WIDE)])
    assert not satisfiable([*claims.facts, build.ugt(k, below // 4, WIDE)])


def test_a_sum_that_may_wrap_does_not() -> None:
    k = symbol("k", bv(WIDE))
    claims = Claims()
    value = claims.after(Variable("i", V, 0, bv(32), (Update(RecurrenceKind.ADD, 4),)), [k])
    assert satisfiable([*claims.facts, build.eq(value, 4, 32), build.ugt(k, 1 << 30, WIDE)])
    assert not satisfiable([*claims.facts, build.eq(value, 15, 32)])


# Other sorts


def test_truth_values() -> None:
    """Set by one chain, kept by the other."""
    flag = Variable("flag", symbol("flag", BOOL), False, BOOL, (Update(RecurrenceKind.SET, True), KEEP))
    claims = Claims()
    value = claims.after(flag, [symbol("k", bv(WIDE)), 4])
    executed = build.ne(symbol("k", bv(WIDE)), 0, WIDE)
    for now, often in ((True, True), (False, False)):
        assert satisfiable([*claims.facts, build.iff(value, now), build.iff(executed, often)])
        assert not satisfiable([*claims.facts, build.iff(value, now), build.iff(executed, not often)])


def test_floats_may_be_anything_once_they_changed() -> None:
    number = Variable("x", symbol("x", F64), 1.0, F64, (Update(RecurrenceKind.LOST), KEEP))
    claims = Claims()
    value = claims.after(number, [2, 1])
    assert satisfiable([*claims.facts, build.feq(value, 7.5)])
    assert Claims().after(Variable("x", symbol("x", F64), 1.0, F64, (KEEP, KEEP)), [2, 1]) == 1.0


def test_what_is_lost_is_kept_until_then() -> None:
    lost = Variable("v", V, 7, bv(32), (Update(RecurrenceKind.LOST), KEEP))
    claims = Claims()
    value = claims.after(lost, [0, 5])
    assert not satisfiable([*claims.facts, build.ne(value, 7, 32)])
    claims = Claims()
    value = claims.after(lost, [1, 5])
    assert satisfiable([*claims.facts, build.ne(value, 7, 32)])


# More executions than counters can count


@settings(max_examples=examples(60))
@given(
    st.sampled_from(WIDTHS).flatmap(lambda width: st.tuples(st.just(width), numbers(width), numbers(width))),
    st.sampled_from(
        (RecurrenceKind.ADD, RecurrenceKind.SCALE, RecurrenceKind.SET, RecurrenceKind.VARY, RecurrenceKind.LOST)
    ),
    st.integers(0, 5),
    st.integers(0, 3),
)
def test_counters_that_have_wrapped(given: tuple[int, int, int], kind: RecurrenceKind, rest: int, others: int) -> None:
    """So many that 2^WIDE is taken off: with ``endless``, the real value is still allowed."""
    width, entry, amount = given
    size, count = 1 << width, (1 << WIDE) + rest
    update = Update(kind, amount if kind is not RecurrenceKind.LOST else None, 1, 3)
    real = {
        RecurrenceKind.ADD: entry + amount * count,
        RecurrenceKind.SCALE: entry * pow(amount, count, size),
        RecurrenceKind.SET: amount,
        RecurrenceKind.VARY: entry + amount,
        RecurrenceKind.LOST: amount,
    }[kind] % size
    variable = Variable("v", symbol("v", bv(width)), entry, bv(width), (update, KEEP))
    endless = symbol("endless", BOOL)
    claims = Claims(endless)
    value = claims.after(variable, [rest, others])
    assert satisfiable([*claims.facts, endless, build.eq(value, real, width)])


def test_without_that_nothing_is_given_up() -> None:
    claims = Claims(symbol("endless", BOOL))
    variable = Variable("v", V, 3, bv(32), (Update(RecurrenceKind.SET, 9), KEEP))
    value = claims.after(variable, [0, 2])
    known = [*claims.facts, build.ne(value, 3, 32)]
    assert satisfiable(known)
    assert not satisfiable([*known, build.lnot(symbol("endless", BOOL))])
