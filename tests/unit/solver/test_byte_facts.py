"""Conditions are reduced by what a path says of single bytes, and nobody but solvers sees that."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from random import Random

import pytest

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Bool, Expr, as_bool
from clew.expr.sort import bv
from clew.solver.chain import SolverChain, build_chain
from clew.solver.interface import Answer, SolverOptions
from clew.solver.path import EMPTY_PATH, PathCondition, conjuncts
from clew.solver.stats import SolverStats
from clew.solver.value_tables import ValueTables

BITS = 2
BYTES = [build.symbol(f"b{number}", bv(BITS)) for number in range(4)]
EVERY = [Model(dict(zip(BYTES, values, strict=True))) for values in product(range(1 << BITS), repeat=len(BYTES))]

TEXT = [build.symbol(f"s{number}", bv(8)) for number in range(4)]
WIDE = build.symbol("w", bv(32))


def is_char(number: int, char: int) -> Expr:
    return as_bool(build.eq(TEXT[number], char, 8))


def is_no_char(number: int, char: int) -> Expr:
    return as_bool(build.lnot(is_char(number, char)))


def length(first: int) -> Expr:
    """How many characters come before the first NUL, at most all."""
    found: object = len(TEXT) - first
    for number in reversed(range(first, len(TEXT))):
        found = build.ite(is_char(number, 0), number - first, found, bv(32))
    assert isinstance(found, Expr)
    return found


def on(*constraints: Bool) -> PathCondition:
    path = EMPTY_PATH
    for constraint in constraints:
        path = path.add(constraint)
    return path


def test_what_has_been_decided_is_constant() -> None:
    path = on(is_no_char(0, 0), is_char(1, ord("]")), is_char(2, 0))
    is_two = as_bool(build.eq(length(0), 2, 32))
    assert path.reduced(is_two) is True
    assert path.contradicts(as_bool(build.lnot(is_two)))
    assert path.grounds(is_two) == set(path)


def test_what_is_left_is_about_one_byte() -> None:
    path = on(is_no_char(0, 0), is_char(1, ord("]")))
    is_two = as_bool(build.eq(length(0), 2, 32))
    assert path.reduced(is_two) is is_char(2, 0)
    longer = path.add(build.lnot(is_two))
    assert longer.groups() == [{is_no_char(0, 0)}, {is_char(1, ord("]"))}, {is_no_char(2, 0)}]
    assert list(longer) == [*path, build.lnot(is_two)]
    assert longer.slice(is_char(2, 7)) == {*path, build.lnot(is_two)}


def test_what_is_about_more_stays_as_it_is() -> None:
    path = on(is_no_char(0, 0))
    is_two = as_bool(build.eq(length(0), 2, 32))
    assert path.reduced(is_two) is is_two
    assert path.reduced(as_bool(build.eq(length(0), WIDE, 32))) is not None


def test_a_byte_with_one_value_is_a_number() -> None:
    path = on(is_char(0, 5))
    total = build.add(build.zext(TEXT[0], 8, 32), WIDE, 32)
    left = path.reduced(as_bool(build.ult(total, 7, 32)))
    assert isinstance(left, Expr)
    assert left.symbols == {WIDE}


def test_only_what_it_takes_is_to_blame() -> None:
    path = on(is_no_char(0, 0), is_no_char(0, 1), is_no_char(3, 0), is_char(1, 0), is_no_char(1, 9))
    is_one = as_bool(build.eq(length(0), 1, 32))
    assert path.reduced(is_one) is True
    assert path.grounds(is_one) == {is_no_char(0, 0), is_char(1, 0)}


def test_what_follows_from_other_facts_is_not_a_fact() -> None:
    path = on(is_char(0, ord("]")), is_no_char(0, 0))
    assert list(path) == [is_char(0, ord("]")), is_no_char(0, 0)]
    assert path.groups() == [{is_char(0, ord("]"))}]
    assert path.values_left(TEXT[0]) == 1 << ord("]")


def test_definitions_reduce_nothing() -> None:
    path = EMPTY_PATH.define(is_char(0, 0))
    condition = as_bool(build.eq(length(0), 0, 32))
    assert path.reduced(condition) is condition
    assert is_char(0, 0) in path and path.groups() == [{is_char(0, 0)}]


def term(random: Random, depth: int) -> object:
    """A number of a few bits."""
    kind = random.randrange(6 if depth else 2)
    if kind == 0:
        return random.randrange(1 << BITS)
    if kind == 1:
        return random.choice(BYTES)
    if kind == 2:
        return build.ite(condition(random, depth - 1), term(random, depth - 1), term(random, depth - 1), bv(BITS))
    operation = random.choice((build.add, build.and_, build.sub, build.mul))
    return operation(term(random, depth - 1), term(random, depth - 1), BITS)  # type: ignore[arg-type]


def condition(random: Random, depth: int) -> Bool:
    kind = random.randrange(7 if depth else 2)
    if kind < 3:
        compare = random.choice((build.eq, build.ult, build.ule, build.slt))
        less = max(depth - 1, 0)
        return compare(term(random, less), term(random, less), BITS)  # type: ignore[arg-type]
    if kind == 3:
        return build.lnot(condition(random, depth - 1))
    join = random.choice((build.land, build.lor))
    return join(condition(random, depth - 1), condition(random, depth - 1))


def models(constraints: Iterable[Expr]) -> list[Model]:
    wanted = list(constraints)
    return [model for model in EVERY if all(model.eval(constraint) for constraint in wanted)]


@pytest.fixture(scope="module")
def chain() -> SolverChain:
    return build_chain(SolverOptions(), SolverStats())


@pytest.mark.parametrize("seed", range(60))
def test_against_all_values(chain: SolverChain, seed: int) -> None:
    """Paths of random conditions: nothing that solvers see is more or less than what was stated, all blame is just."""
    random = Random(seed)
    real = random.choice(EVERY)
    path = EMPTY_PATH
    for _ in range(12):
        asked = condition(random, random.choice((0, 0, 3)))
        if not isinstance(asked, Expr):
            continue
        here = models(path)
        left = path.reduced(asked)
        assert all(model.eval(left) == model.eval(asked) for model in here)
        if path.contradicts(asked):
            assert path.grounds(asked) <= set(path)
            assert not models({asked, *path.grounds(asked)})
        fitting = [model for model in here if model.eval(asked)]
        assert bool(models({asked, *path.slice(asked)})) == bool(fitting)
        assert path.slice(asked) <= set(path)
        result = chain.feasible(path, asked, real)
        assert result.answer is (Answer.SAT if fitting else Answer.UNSAT)
        if result.model is not None:
            assert all(result.model.eval(constraint) for constraint in (asked, *path))
        if result.core is not None:
            assert result.core <= {*path, *conjuncts(asked)}
            assert not models(result.core)
        kept = asked if real.eval(asked) else as_bool(build.lnot(asked))
        path = path.define(kept) if random.random() < 0.1 else path.add(kept)
        solved = [constraint for group in path.groups() for constraint in group]
        assert models(solved) == models(path)
        assert models(path.stated(solved)) == models(path)


def test_the_random_paths_are_reduced(chain: SolverChain) -> None:
    """The test above is about something."""
    random = Random(1)
    count = 0
    for _ in range(40):
        real, path = random.choice(EVERY), EMPTY_PATH
        for _ in range(12):
            asked = condition(random, random.choice((0, 0, 3)))
            if isinstance(asked, Expr):
                count += len(asked.symbols) > 1 and path.reduced(asked) is not asked
                path = path.add(asked if real.eval(asked) else build.lnot(asked))
    assert count > 15


def test_a_table_is_there_whatever_was_asked_before() -> None:
    """A core is translated back long after its constraints were stated, perhaps with all tables made anew."""
    parts: list[Expr] = [TEXT[0]]
    for _ in range(60):
        deeper = build.mul(build.add(parts[-1], 1, 8), parts[-1], 8)
        assert isinstance(deeper, Expr)
        parts.append(deeper)
    asked = {True: ValueTables(), False: ValueTables()}
    found = {
        first: [tables.column(part) is not None for part in (parts if first else parts[::-1])]
        for first, tables in asked.items()
    }
    assert found[True] == found[False][::-1]
    assert True in found[True] and False in found[True]
