"""The account of what is explored below a place."""

from __future__ import annotations

from typing import Any

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr, as_bool
from clew.expr.sort import bv
from clew.solver.path import EMPTY_PATH, PathCondition
from clew.techniques.merging.clauses import Clause, clause
from clew.techniques.merging.exploration_tree import Epoch, ExplorationNode
from clew.techniques.merging.lifting import equation
from clew.techniques.merging.limits import USUAL

X, Y = (build.symbol(name, bv(8)) for name in "xy")
NOTHING: Any = None


def below(symbol: Expr, limit: int) -> Expr:
    return as_bool(build.ult(symbol, limit, 8))


def node(parent: ExplorationNode | None, path: PathCondition, closed: list[ExplorationNode]) -> ExplorationNode:
    return ExplorationNode(parent, ("main", 0), path, NOTHING, closed.append)


def test_a_node_closes_when_all_below_it_is_done() -> None:
    closed: list[ExplorationNode] = []
    top = node(None, EMPTY_PATH, closed)
    top.opened(1)
    top.opened(2)
    child = node(top, EMPTY_PATH, closed)
    child.opened(1)
    top.replaced(1, child)
    top.done(2)
    assert closed == []
    child.done(1)
    assert closed == [child, top]


def test_what_is_not_reported_keeps_it_open() -> None:
    closed: list[ExplorationNode] = []
    top = node(None, EMPTY_PATH, closed)
    for state in (1, 2):
        top.opened(state)
    top.done(1)
    assert not top.is_closed and closed == []


def test_what_is_invalid_gives_no_formula_above_it_either() -> None:
    closed: list[ExplorationNode] = []
    top = node(None, EMPTY_PATH, closed)
    top.opened(1)
    child, other = node(top, EMPTY_PATH, closed), node(top, EMPTY_PATH, closed)
    child.opened(1)
    other.opened(2)
    top.replaced(1, child)
    top.replaced(2, other)
    child.invalidate()
    other.done(2)
    child.done(1)
    assert top.is_closed and closed == [other]


def test_clauses_go_up_as_long_as_something_older_counts() -> None:
    closed: list[ExplorationNode] = []
    first = EMPTY_PATH.add(below(X, 5))
    second = first.add(below(Y, 5))
    top, child = node(None, first, closed), None
    child = node(top, second, closed)
    top.opened(1)
    child.opened(1)
    top.replaced(1, child)
    on_x = clause(second, (as_bool(build.lnot(below(X, 9))),))
    on_y = clause(second, (as_bool(build.lnot(below(Y, 9))),))
    child.refuted(on_x)
    child.refuted(on_y)
    child.done(1)
    assert child.clauses() == [on_x, on_y]
    assert top.clauses() == [on_x], "what was said of y came after this place: its clause holds for all states"


def test_symbols_that_stand_for_something_are_spelled_out_above() -> None:
    closed: list[ExplorationNode] = []
    made = build.symbol("made", bv(8))
    path = EMPTY_PATH.add(below(X, 5))
    top = node(None, path, closed)
    value = build.add(X, 1, 8)
    lifted = path.add(equation(made, value))
    child = node(top, lifted, closed)
    child.define({made: value})
    top.opened(1)
    child.opened(1)
    top.replaced(1, child)
    child.refuted(clause(lifted, (as_bool(build.lnot(below(made, 9))),)))
    child.done(1)
    (above,) = top.clauses()
    assert above.since(top.length) == (build.lnot(below(value, 9)),)


def test_numbers_are_known_with_the_constraints_that_say_so() -> None:
    closed: list[ExplorationNode] = []
    one, two = build.symbol("one", bv(8)), build.symbol("two", bv(8))
    top = node(None, EMPTY_PATH, closed)
    top.define({one: 3})
    child = node(top, EMPTY_PATH, closed)
    child.define({two: build.add(one, 1, 8), Y: build.add(X, 1, 8)})
    assert child.constant_symbols == {one, two}
    assert child.equations(below(two, 9)) == {equation(one, 3), equation(two, build.add(one, 1, 8))}
    assert child.equations(below(Y, 9)) is None


def test_too_many_clauses_are_given_up() -> None:
    wide, other = (build.symbol(name, bv(32)) for name in ("wide", "other"))
    small = as_bool(build.ult(wide, 5, 32))
    top = node(None, EMPTY_PATH.add(small), [])
    for number in range(USUAL.clauses + 1):
        assert not top.is_invalid
        above = as_bool(build.ult(build.add(wide, 1000 + number, 32), other, 32))
        top.refuted(Clause(((1, small),), (above,), None))
    assert top.is_invalid


def test_clauses_about_the_values_of_one_symbol_become_one() -> None:
    wide = build.symbol("wide", bv(32))
    small, positive = as_bool(build.ult(wide, 5, 32)), as_bool(build.ult(0, wide, 32))
    top = node(None, EMPTY_PATH.add(positive).add(small), [])
    for number in range(USUAL.clauses + 1):
        top.refuted(Clause(((2, small),), (as_bool(build.eq(wide, 7 + number, 32)),), None))
    top.refuted(Clause(((1, positive),), (as_bool(build.eq(wide, 0, 32)),), None))
    top.refuted(Clause(((2, small),), (as_bool(build.eq(wide, 9, 32)),), ("abort", "main", "b", 0)))
    united, checked = top.clauses()
    assert united.reasons == ((1, positive), (2, small)) and checked.reasons == ((2, small),)
    (event,) = united.since(top.length)
    refuted = [value for value in range(1000) if Model({wide: value}).eval(event)]
    assert refuted == [0, *range(7, 8 + USUAL.clauses)]


def test_nothing_is_concluded_from_what_was_open_when_an_epoch_ended() -> None:
    closed: list[ExplorationNode] = []
    epoch = Epoch()
    first, second = (ExplorationNode(None, ("main", 0), EMPTY_PATH, NOTHING, closed.append, USUAL, epoch) for _ in "12")
    first.opened(1)
    second.opened(2)
    first.done(1)
    epoch.is_over = True
    second.done(2)
    assert closed == [first]
