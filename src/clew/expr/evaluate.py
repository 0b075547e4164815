"""Models: assignments of plain values to symbols, and the evaluation of expressions under them.

This is the concrete oracle: the executor asks a state's model which way a branch goes, solver layers
check candidate models with it. It is independent of the smart constructors (see ``semantics``).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from clew.expr.node import Expr
from clew.expr.op import CONST, ITE, SYMBOL, Op
from clew.expr.semantics import MEANING, ArrayValue, Meaning
from clew.expr.sort import BOOL, Sort, SortKind

_MEANING: Final[list[Meaning | None]] = [MEANING.get(op) for op in Op]


class Model:
    """An immutable assignment. A symbol without a value is 0, False, 0.0 or an array of zeros."""

    __slots__ = ("values", "_memo")

    values: Mapping[Expr, Any]

    def __init__(self, values: Mapping[Expr, Any] | None = None) -> None:
        own = dict(values) if values else {}
        self.values = MappingProxyType(own)
        # Values by node. Symbols are entered when first met, so that a model costs nothing to make.
        self._memo: dict[Expr, Any] = {}

    def eval(self, x: Any) -> Any:
        """The value of ``x``: int, bool, float or ArrayValue. Plain values are their own value."""
        if type(x) is not Expr:
            return x
        value = self._memo.get(x)
        return self._evaluate(x) if value is None else value

    def updated(self, more: Mapping[Expr, Any]) -> Model:
        """This model with some symbols changed."""
        return Model({**self.values, **more})

    def __repr__(self) -> str:
        inner = ", ".join(f"{symbol.value!s}={value!r}" for symbol, value in self.values.items())
        return f"Model({inner})"

    def __reduce__(self) -> tuple[object, ...]:
        return Model, (dict(self.values),)

    def _evaluate(self, root: Expr) -> Any:
        memo = self._memo
        stack = [root]
        while stack:
            e = stack[-1]
            op = e.op
            if op is ITE:
                # Only the chosen arm is looked at.
                condition, then, other = e.args
                chosen = memo.get(condition)
                if chosen is None:
                    stack.append(condition)
                    continue
                arm = then if chosen else other
                value = memo.get(arm)
                if value is None:
                    stack.append(arm)
                    continue
                memo[e] = value
                stack.pop()
                continue
            meaning = _MEANING[op]
            if meaning is None:
                memo[e] = e.value if op is CONST else self._symbol(e)
                stack.pop()
                continue
            ready = True
            for arg in e.args:
                if arg not in memo:
                    stack.append(arg)
                    ready = False
            if ready:
                memo[e] = meaning(e, memo)
                stack.pop()
        return memo[root]

    def _symbol(self, e: Expr) -> Any:
        assert e.op is SYMBOL
        value = self.values.get(e)
        return default(e.sort) if value is None else value


def default(sort: Sort) -> Any:
    """The value of a symbol no one cares about."""
    if sort is BOOL:
        return False
    if sort.kind is SortKind.ARRAY:
        return ArrayValue(0)
    return 0.0 if sort.kind is SortKind.FLOAT else 0


EMPTY_MODEL: Final = Model()
