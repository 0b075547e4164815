"""Constructors of ``ite(c, a, b)``.

    ite(c, a, a) -> a        ite(not c, a, b) -> ite(c, b, a)       ite(c, ite(c, a, x), b) -> ite(c, a, b)

On booleans, a constant arm makes it a conjunction. A condition is never LNOT or <=.
"""

from __future__ import annotations

from typing import Any

from clew.expr.node import BV, Bool, Expr, Value, as_bool, as_bv, intern, lift, lower
from clew.expr.op import ITE, LNOT, SLE, ULE
from clew.expr.rewrite.boolean import iff, land, lnot, lor, negated
from clew.expr.sort import BOOL, Sort


def ite(c: Bool, a: Value, b: Value, sort: Sort) -> Value:
    """``a`` where ``c`` holds, else ``b``."""
    if type(c) is not Expr:
        return a if c else b
    if a is b:
        return a
    if sort is BOOL:
        assert not isinstance(a, float) and not isinstance(b, float)
        return _ite_bool(c, a if isinstance(a, Expr) else bool(a), b if isinstance(b, Expr) else bool(b))
    result: Value = _simplified(c, lift(a, sort), lift(b, sort))
    return result


def ite_bv(c: Bool, a: BV, b: BV, w: int) -> BV:
    """``ite`` for bit-vectors of ``w`` bits."""
    if type(c) is not Expr:
        return a if c else b
    if a is b:
        return a
    result: BV = _simplified(c, as_bv(a, w), as_bv(b, w))
    return result


def ite_bool(c: Bool, a: Bool, b: Bool) -> Bool:
    """``ite`` for booleans."""
    if type(c) is not Expr:
        return a if c else b
    return a if a is b else _ite_bool(c, a, b)


def _simplified(c: Expr, a: Expr, b: Expr) -> Any:
    op = c.op
    if op is LNOT or op is ULE or op is SLE:
        c, a, b = negated(c), b, a
    if a.op is ITE and a.args[0] is c:
        a = a.args[1]
    if b.op is ITE and b.args[0] is c:
        b = b.args[2]
    if a is b:
        return lower(a)
    return intern(ITE, a.sort, (c, a, b))


def _ite_bool(c: Expr, a: Bool, b: Bool) -> Bool:
    if type(a) is not Expr:
        return lor(c, b) if a else land(negated(c), b)
    if type(b) is not Expr:
        return lor(negated(c), a) if b else land(c, a)
    if a is c:
        return lor(c, b)
    if b is c:
        return land(c, a)
    if lnot(a) is b:
        return iff(c, a)
    result: Bool = _simplified(c, as_bool(a), as_bool(b))
    return result
