"""Path conditions: order, membership, groups, sharing."""

from __future__ import annotations

import pytest

from clew.base.errors import InternalError
from clew.expr import build as b
from clew.expr.node import Expr
from clew.expr.sort import BOOL, bv
from clew.solver.path import EMPTY_PATH, PathCondition, conjuncts

S = [b.symbol(f"s{i}", bv(8)) for i in range(40)]


def less(i: int, j: int) -> Expr:
    found = b.ult(S[i], S[j], 8)
    assert isinstance(found, Expr)
    return found


def above(i: int, k: int = 3) -> Expr:
    found = b.ugt(S[i], k, 8)
    assert isinstance(found, Expr)
    return found


def path_of(*constraints: Expr) -> PathCondition:
    path = EMPTY_PATH
    for constraint in constraints:
        path = path.add(constraint)
    return path


def test_order_length_and_membership() -> None:
    path = path_of(above(1), less(0, 1), above(2))
    assert list(path) == [above(1), less(0, 1), above(2)]
    assert len(path) == 3
    assert less(0, 1) in path
    assert less(1, 0) not in path
    assert list(EMPTY_PATH) == []


def test_a_known_constraint_is_not_added_again() -> None:
    path = path_of(above(1))
    assert path.add(above(1)) is path
    assert path.add(True) is path


def test_false_is_refused() -> None:
    with pytest.raises(InternalError):
        EMPTY_PATH.add(False)


def test_extending_leaves_the_original_alone() -> None:
    path = path_of(above(0))
    left, right = path.add(less(0, 1)), path.add(less(1, 0))
    assert list(path) == [above(0)]
    assert path.slice(above(0, 9)) == {above(0)}
    assert left.slice(above(0, 9)) == {above(0), less(0, 1)}
    assert right.slice(above(1, 9)) == {above(0), less(1, 0)}


def test_conjunctions_are_split() -> None:
    p = b.symbol("p", BOOL)
    both = b.land(b.land(above(0), above(1)), p)
    assert isinstance(both, Expr)
    path = path_of(both)
    assert set(path) == {above(0), above(1), p}
    assert path.slice(above(1, 9)) == {above(1)}
    assert sorted(conjuncts(both), key=lambda c: c.key) == sorted(path, key=lambda c: c.key)


def test_slices_follow_shared_symbols() -> None:
    path = path_of(above(0), less(0, 1), above(5), less(5, 6), above(9))
    assert path.slice(above(1, 7)) == {above(0), less(0, 1)}
    assert path.slice(above(6, 7)) == {above(5), less(5, 6)}
    assert path.slice(less(1, 9)) == {above(0), less(0, 1), above(9)}
    assert path.slice(above(30)) == frozenset()
    assert path.groups() == [{above(0), less(0, 1)}, {above(5), less(5, 6)}, {above(9)}]


def test_groups_merge() -> None:
    path = path_of(*[above(i) for i in range(40)])
    assert len(path.groups()) == 40
    for i in range(0, 40, 2):
        path = path.add(less(i, i + 1))
    assert len(path.groups()) == 20
    for i in range(39):
        path = path.add(less(i, i + 1))
    assert path.groups() == [frozenset(path)]


def test_large_slices_stay_right_while_their_sets_move_on() -> None:
    path = EMPTY_PATH
    prefixes = []
    for k in range(100):
        path = path.add(above(0, k))
        prefixes.append(path)
        path.slice(less(0, 1))
    for k, prefix in enumerate(prefixes):
        assert prefix.slice(less(0, 1)) == frozenset(prefix) == {above(0, j) for j in range(k + 1)}


@pytest.mark.slow
def test_a_long_path_needs_no_recursion() -> None:
    wide = b.symbol("wide", bv(32))
    path = EMPTY_PATH
    for k in range(2_000):
        path = path.add(b.ne(wide, k, 32))
    assert len(path.slice(less(0, 1))) == 0
    assert len(path.groups()) == 1
    del path
