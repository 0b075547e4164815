"""How a variable goes on from iteration to iteration, and so its value after any number of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clew.expr import build
from clew.expr.node import BV, Expr
from clew.expr.sort import bv
from clew.expr.walk import substitute
from clew.techniques.summaries.induction import InductionForm, Number


@dataclass(frozen=True, slots=True)
class LinearUpdate:
    """``start + step * n``."""

    step: BV

    def after(self, start: BV, width: int, number: Number) -> BV:
        return InductionForm(start, self.step, width).after(number)


@dataclass(frozen=True, slots=True)
class Summed:
    """Iteration K adds ``added(K)``, which is linear."""

    added: InductionForm

    def after(self, start: BV, width: int, number: Number) -> BV:
        return InductionForm(start, self.added.base, width, self.added.step).after(number)


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


Motion = LinearUpdate | Summed | Replaced
