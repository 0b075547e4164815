"""How a variable goes on from iteration to iteration, and so its value after any number of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from clew.expr import build
from clew.expr.node import BV, Bool, Expr
from clew.expr.sort import bv
from clew.expr.walk import substitute
from clew.techniques.summaries.forms import Form


class Number(Protocol):
    """A number of iterations, as an expression."""

    def of(self, width: int) -> BV:
        """Its low bits."""
        ...

    def is_zero(self) -> Bool:
        """Whether it is 0."""
        ...


@dataclass(frozen=True, slots=True)
class Linear:
    """``start + step * n``."""

    step: BV

    def after(self, start: BV, width: int, number: Number) -> BV:
        return build.add(start, build.mul(self.step, number.of(width), width), width)


@dataclass(frozen=True, slots=True)
class Summed:
    """Iteration K adds ``added(K)``, which is linear."""

    added: Form

    def after(self, start: BV, width: int, number: Number) -> BV:
        wide = number.of(width + 1)
        pairs = build.mul(wide, build.sub(wide, 1, width + 1), width + 1)
        triangle = build.extract(pairs, width, 1)
        linear = build.add(start, build.mul(self.added.base, number.of(width), width), width)
        return build.add(linear, build.mul(self.added.step, triangle, width), width)


@dataclass(frozen=True, slots=True)
class Replaced:
    """Iteration K gives it the value ``value``, an expression over the symbols for K, whatever it was before."""

    value: BV
    counters: tuple[tuple[int, Expr], ...]
    """Those symbols, by width."""

    def after(self, start: BV, width: int, number: Number) -> BV:
        before = {symbol: build.sub(number.of(bits), 1, bits) for bits, symbol in self.counters}
        last: Any = substitute(self.value, before)
        result: Any = build.ite(number.is_zero(), start, last, bv(width))
        return result  # type: ignore[no-any-return]  # of the sort of ``start``


Motion = Linear | Summed | Replaced
