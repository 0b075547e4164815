"""Models: assignments of plain values to symbols, and the evaluation of expressions under them.

This is the concrete oracle: the executor asks a state's model which way a branch goes, solver layers
check candidate models with it. It is independent of the smart constructors (see ``semantics``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, Final

from clew.expr.node import Expr, collect_symbols
from clew.expr.op import CONST, ITE, LAND, SYMBOL, Op
from clew.expr.semantics import MEANING, ArrayValue, Meaning
from clew.expr.sort import BOOL, Sort, SortKind


def _none(e: Expr, values: Mapping[Expr, Any]) -> Any:
    raise AssertionError(f"{e.op} has no meaning by its arguments")


_MEANING: Final[list[Meaning]] = [MEANING.get(op, _none) for op in Op]
DEEP: Final = 50
"""Levels of an expression that are evaluated by recursion."""
_FEW_BITS: Final = 8
"""Width of a symbol up to which the values of a node are kept for each of its values."""


class Model:
    """An immutable assignment. A symbol without a value is 0, False, 0.0 or an array of zeros."""

    __slots__ = ("values", "_memo", "_judged")

    values: Mapping[Expr, Any]

    def __init__(self, values: Mapping[Expr, Any] | None = None) -> None:
        own = dict(values) if values else {}
        self.values = MappingProxyType(own)
        # Values by node. Symbols are entered when first met, so that a model costs nothing to make.
        self._memo: dict[Expr, Any] = {}
        self._judged: tuple[Collection[Expr], list[Expr]] = ((), [])

    def eval(self, x: Any) -> Any:
        """The value of ``x``: int, bool, float or ArrayValue. Plain values are their own value."""
        if type(x) is not Expr:
            return x
        value = self._memo.get(x)
        return self._evaluate(x) if value is None else value

    def violated(self, constraints: frozenset[Expr]) -> list[Expr]:
        """Those of the constraints that are false, in the order of the set; not to be changed. The last answer is kept,
        since every layer of the solver asks for the same one."""
        asked, found = self._judged
        if asked is not constraints:
            known = self._memo.get
            found = [c for c in constraints if not known(c) and not self.eval(c)]
            self._judged = constraints, found
        return found

    def updated(self, more: Mapping[Expr, Any]) -> Model:
        """This model with some symbols changed."""
        changed = Model()
        changed.values = MappingProxyType(self.values | more)  # type: ignore[operator]  # it is a mapping proxy
        return changed

    def __repr__(self) -> str:
        inner = ", ".join(f"{symbol.value!s}={value!r}" for symbol, value in self.values.items())
        return f"Model({inner})"

    def __reduce__(self) -> tuple[object, ...]:
        return Model, (dict(self.values),)

    def _evaluate(self, root: Expr) -> Any:
        if root._symbols is None:
            collect_symbols(root)
        return self._descend(root, DEEP)

    def _descend(self, e: Expr, levels: int) -> Any:
        """Enter the value of a node that has none yet, and yield it; below so many levels without recursion."""
        memo = self._memo
        op = e.op
        if op is CONST:
            value = memo[e] = e.value
            return value
        if op is SYMBOL:
            value = self.values.get(e)
            if value is None:
                value = default(e.sort)
            memo[e] = value
            return value
        outcomes = e._outcomes
        if outcomes:
            only, table = outcomes
            case = memo.get(only)
            value = table.get(self._descend(only, 0) if case is None else case)
            if value is not None:
                memo[e] = value
                return value
        if not levels:
            self._climb(e)
            return memo[e]
        if op is ITE:
            # Only the chosen arm is looked at.
            condition, arm, other = e.args
            value = memo.get(condition)
            if not (self._descend(condition, levels - 1) if value is None else value):
                arm = other
            value = memo.get(arm)
            if value is None:
                value = self._descend(arm, levels - 1)
        elif op is LAND:
            # Only up to the first part that is false.
            for arg in e.args:
                value = memo.get(arg)
                if value is None:
                    value = self._descend(arg, levels - 1)
                if not value:
                    break
        else:
            for arg in e.args:
                if arg not in memo:
                    self._descend(arg, levels - 1)
            value = _MEANING[op](e, memo)
        memo[e] = value
        if outcomes is None:
            outcomes = e._outcomes = _outcomes(e)
        if outcomes:
            only, table = outcomes
            table[memo[only] if only in memo else self._descend(only, 0)] = value
        return value

    def _climb(self, root: Expr) -> None:
        """Enter the value of a node, and those it needs, from the bottom up."""
        memo = self._memo
        stack = [root]
        while stack:
            e = stack[-1]
            needed: tuple[Expr, ...] = e.args
            if e.op is ITE:
                condition, then, other = needed
                needed = (condition,) if condition not in memo else (then,) if memo[condition] else (other,)
            waiting = [arg for arg in needed if arg not in memo]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            if e not in memo:
                self._descend(e, 1)


def _outcomes(e: Expr) -> tuple[Expr, dict[Any, Any]] | tuple[()]:
    """Where to keep the values of a node, if it depends on one symbol only and that has few values."""
    symbols = e._symbols
    if symbols is None or len(symbols) != 1:
        return ()
    (only,) = symbols
    return (only, {}) if only.sort.kind is SortKind.BV and only.width <= _FEW_BITS else ()


def default(sort: Sort) -> Any:
    """The value of a symbol no one cares about."""
    if sort is BOOL:
        return False
    if sort.kind is SortKind.ARRAY:
        return ArrayValue(0)
    return 0.0 if sort.kind is SortKind.FLOAT else 0


EMPTY_MODEL: Final = Model()
