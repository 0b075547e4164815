"""Python's operators on nodes, so that one generated source serves concrete and symbolic operands.

    (a + b) & 0xFFFFFFFF        works for two ints, two nodes, or one of each

Importing this module installs them. Comparison, shifts and division are not among them: their
meaning depends on signedness, so they are functions of ``clew.expr.build``.
"""

from __future__ import annotations

from clew.expr.node import Expr, Value
from clew.expr.rewrite.arith import mul
from clew.expr.rewrite.bits import and_, not_, or_, xor
from clew.expr.rewrite.boolean import land, lnot, lor, lxor
from clew.expr.rewrite.floats import fadd, fmul, fneg, fsub
from clew.expr.rewrite.linear import add, negation, sub
from clew.expr.sort import BOOL, SortKind

# mypy: disable-error-code="arg-type"


def _add(self: Expr, other: Value) -> Value:
    if self.mask:
        return add(self, other, self.width)
    return fadd(self, other, self.sort)


def _sub(self: Expr, other: Value) -> Value:
    if self.mask:
        return sub(self, other, self.width)
    return fsub(self, other, self.sort)


def _rsub(self: Expr, other: Value) -> Value:
    if self.mask:
        return sub(other, self, self.width)
    return fsub(other, self, self.sort)


def _mul(self: Expr, other: Value) -> Value:
    if self.mask:
        return mul(self, other, self.width)
    return fmul(self, other, self.sort)


def _and(self: Expr, other: Value) -> Value:
    if other == self.mask:  # the wrap-around mask after an addition, or True
        return self
    if self.sort is BOOL:
        return land(self, other)
    return and_(self, other, self.width)


def _or(self: Expr, other: Value) -> Value:
    return lor(self, other) if self.sort is BOOL else or_(self, other, self.width)


def _xor(self: Expr, other: Value) -> Value:
    return lxor(self, other) if self.sort is BOOL else xor(self, other, self.width)


def _invert(self: Expr) -> Value:
    return lnot(self) if self.sort is BOOL else not_(self, self.width)


def _neg(self: Expr) -> Value:
    return negation(self) if self.sort.kind is SortKind.BV else fneg(self, self.sort)


for _name, _operator in {
    "__add__": _add,
    "__radd__": _add,
    "__sub__": _sub,
    "__rsub__": _rsub,
    "__mul__": _mul,
    "__rmul__": _mul,
    "__and__": _and,
    "__rand__": _and,
    "__or__": _or,
    "__ror__": _or,
    "__xor__": _xor,
    "__rxor__": _xor,
    "__invert__": _invert,
    "__neg__": _neg,
}.items():
    setattr(Expr, _name, _operator)
