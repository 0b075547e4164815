"""Nodes: identity, order that is the same in every process, pickling, pruning, symbols."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import subprocess
import sys

import pytest

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr, postorder, prune_table, table_size
from clew.expr.op import Op
from clew.expr.sort import BOOL, F32, F64, array, bv
from clew.expr.walk import substitute, substituted_parts

X = build.symbol("x", bv(32))
Y = build.symbol("y", bv(32))
MASK = 0xFFFFFFFF


def deep(length: int) -> Expr:
    """A chain no rewriting can flatten."""
    e = X
    for i in range(length):
        node = build.xor(build.mul(e, Y, 32), i + 1, 32)
        assert isinstance(node, Expr)
        e = node
    return e


def test_sorts_are_interned_also_by_pickle() -> None:
    assert bv(7) is bv(7)
    assert array(32, 8) is array(32, 8)
    for sort in (BOOL, F32, F64, bv(13), array(64, 8)):
        assert pickle.loads(pickle.dumps(sort)) is sort
    assert (BOOL.width, F32.width, F64.width, bv(5).width) == (0, 32, 64, 5)
    with pytest.raises(ValueError):
        bv(0)


def test_equal_structure_is_the_same_object() -> None:
    assert build.add(X, Y, 32) is build.add(Y, X, 32)
    assert build.symbol("x", bv(32)) is X
    assert build.symbol("x", bv(8)) is not X
    assert copy.deepcopy(X) is X


def test_a_node_has_no_truth_value() -> None:
    with pytest.raises(TypeError):
        bool(build.eq(X, Y, 32))


def test_constants_that_compare_equal_stay_apart() -> None:
    f = build.symbol("f", F64)
    assert build.fadd(f, 0.0, F64) is not build.fadd(f, -0.0, F64)
    g = build.symbol("g", F64)
    assert build.fdiv(0.0, g, F64) is not build.fdiv(-0.0, g, F64)


def test_symbols() -> None:
    e = build.eq(build.add(X, Y, 32), 5, 32)
    assert isinstance(e, Expr)
    assert e.symbols == {X, Y}


def test_symbols_of_a_sum_over_very_many() -> None:
    many = [build.symbol(f"m{i}", bv(32)) for i in range(3000)]
    total = many[0]
    for symbol in many[1:]:
        total = total + symbol
    assert total.symbols == set(many)
    compared = build.slt(total, X, 32)
    assert isinstance(compared, Expr) and compared.symbols == {X, *many}


@pytest.mark.slow
def test_deep_chains_need_no_recursion() -> None:
    e = deep(3_000)
    assert e.symbols == {X, Y}
    model = Model({X: 3, Y: 5})
    value = model.eval(e)
    assert pickle.loads(pickle.dumps(e)) is e
    assert substitute(e, {X: 3, Y: 5}) == value
    assert len(postorder([e])) > 6_000
    assert len(repr(e)) < 3000
    low = build.extract(e, 7, 0)
    assert model.eval(build.eq(low, value & 0xFF, 8)) is True


def test_an_arm_that_is_not_chosen_is_not_replaced() -> None:
    condition, other = build.ult(X, 10, 32), build.mul(Y, Y, 32)
    assert isinstance(condition, Expr) and isinstance(other, Expr)
    e = build.ite(condition, build.xor(X, Y, 32), other, bv(32))
    assert isinstance(e, Expr)
    parts = substituted_parts(e, {X: 3})
    assert parts[e] is build.xor(3, Y, 32)
    assert other not in parts
    assert substitute(e, {X: 30}) is other


@pytest.mark.parametrize(
    "step",
    [
        lambda e, i: build.and_(build.or_(e, 1 << i % 32, 32), MASK ^ (2 << i % 31), 32),
        lambda e, i: build.xor(build.shl(e, 1, 32), build.lshr(e, 31, 32), 32),
        lambda e, i: build.ite(build.ult(e, i + 9, 32), build.add(e, 1, 32), 7, bv(32)),
        lambda e, i: build.ite(build.eq(Y, i, 32), e, i, bv(32)),
        lambda e, i: build.not_(build.mul(e, build.not_(Y, 32), 32), 32),
        lambda e, i: build.zext(build.extract(build.add(e, Y, 32), 30, 0), 31, 32),
        lambda e, i: build.concat(build.extract(e, 7, 0), 8, build.extract(build.mul(e, Y, 32), 31, 8), 24),
        lambda e, i: build.srem(build.sdiv(e, 3, 32), Y, 32),
    ],
)
def test_deep_chains_through_every_rewriter(step: object) -> None:
    assert callable(step)
    e = X
    for i in range(3000):
        e = step(e, i)
    model = Model({X: 12345, Y: 77})
    value = model.eval(e)
    assert model.eval(build.eq(e, value, 32)) is True
    assert model.eval(build.ult(e, 9, 32)) is (value < 9)
    assert model.eval(build.extract(e, 9, 2)) == value >> 2 & 0xFF
    assert model.eval(build.trunc(e, 1)) is bool(value & 1)


@pytest.mark.slow
def test_deep_boolean_nests() -> None:
    p = build.symbol("p", BOOL)
    f: bool | Expr = build.symbol("q", BOOL)
    for i in range(3000):
        f = build.lor(build.lnot(p), build.land(build.eq(X, i, 32) if i % 2 else build.ult(Y, i + 2, 32), f))
    both = build.land(p, f)
    model = Model({p: True})
    assert model.eval(both) is model.eval(f)


@pytest.mark.slow
def test_pruning_keeps_what_is_held_and_drops_the_rest() -> None:
    prune_table()
    before = table_size()
    held = deep(50)
    dropped = deep(2000)
    assert dropped.op is Op.XOR
    del dropped
    gc.collect()
    prune_table()
    assert table_size() < before + 400
    assert deep(50) is held
    assert build.symbol("x", bv(32)) is X


@pytest.mark.slow
def test_pruning_a_deep_chain() -> None:
    e = deep(10_000)
    assert table_size() > 20_000
    del e
    assert prune_table() >= 20_000


SCRIPT = """
import pickle, sys
from clew.expr import build
from clew.expr.sort import bv
s = [build.symbol(n, bv(32)) for n in "qwertyuiop"]
if len(sys.argv) > 1: s_created_in_other_order = [s[i] * 3 for i in (5, 2, 8)]
e = sum(s) & s[3] * s[4] ^ (s[1] | s[2])
print(repr(e), e.key)
"""


def test_order_is_the_same_in_every_process() -> None:
    outputs = set()
    for seed, extra in (("1", []), ("2", ["x"])):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT, *extra], env=environment, capture_output=True, text=True, check=True
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1
