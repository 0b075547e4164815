"""Values of one iteration of a loop as functions of its number K: ``base + step * K + bend * K * (K - 1) / 2``.

Sits below ``guards``, which makes integer inequalities of them. A form is exact modulo 2**width. Where bits are
extended, that is so only as long as the narrower value does not wrap around: such values are the form's ``spans``.

    zext(i0 + K) * 4      base zext(i0) * 4, step 4, as long as i0 + K is not past 2**32 - 1
    s, with s += i        base s0, step i0, bend 1

How a variable goes on from iteration to iteration (``Motion``) gives its value after any number of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol

from clew.base.dataclass import dataclass
from clew.expr import build
from clew.expr.node import BV, Bool, Expr, lower
from clew.expr.op import ADD, CONST, EXTRACT, ITE, MUL, NEG, NOT, SEXT, SHL, SYMBOL, ZEXT, Op
from clew.expr.rewrite.linear import decompose
from clew.expr.sort import bv
from clew.expr.walk import substitute

DEEPEST = 200
"""Nesting of an expression that is looked into."""


class Number(Protocol):
    """A number of iterations."""

    def at(self, width: int) -> BV:
        """Its low bits."""
        ...

    def is_zero(self) -> Bool:
        """Whether it is 0."""
        ...


@dataclass(frozen=True, slots=True)
class Span:
    """A form whose value, read as a signed or unsigned number, must not wrap."""

    form: InductionForm
    signed: bool


@dataclass(frozen=True, slots=True)
class InductionForm:
    """A function of K modulo 2**width, as long as none of the ``spans`` wraps."""

    base: BV
    step: BV
    width: int
    bend: BV = 0
    spans: tuple[Span, ...] = ()

    @property
    def moves(self) -> bool:
        """Whether it is not certain to stay the same."""
        return isinstance(self.step, Expr) or isinstance(self.bend, Expr) or bool(self.step or self.bend)

    @property
    def bends(self) -> bool:
        """Whether it may be other than linear."""
        return isinstance(self.bend, Expr) or bool(self.bend)

    def after(self, number: Number) -> BV:
        """Its value after a number of iterations."""
        width = self.width
        moved = build.add(self.base, build.mul(self.step, number.at(width), width), width)
        if not self.bends:
            return moved
        wide = number.at(width + 1)
        pairs = build.mul(wide, build.sub(wide, 1, width + 1), width + 1)
        return build.add(moved, build.mul(self.bend, build.extract(pairs, width, 1), width), width)


Symbols = Mapping[Expr, InductionForm]
"""The symbols that stand for K, one for each width, and for variables whose form is known; with their forms."""


def form_of(e: BV, width: int, symbols: Symbols, depth: int = 0) -> InductionForm | None:
    """The form of a bit-vector; None if it has none."""
    if not isinstance(e, Expr) or not depends(e, symbols):
        return InductionForm(e, 0, width)
    if depth > DEEPEST:
        return None
    handler = _HANDLERS.get(e.op)
    return None if handler is None else handler(e, symbols, depth)


def flat(value: BV) -> BV:
    """The same value; the low bits of a sum become a sum of low bits.

    So ``c += s`` for a narrow c and a wide s adds the same, as an expression, in every iteration.
    """
    if not isinstance(value, Expr) or value.op is not EXTRACT or value.value[1] != 0:
        return value
    inner, width = value.args[0], value.width
    if inner.op not in (ADD, NEG, MUL, SHL):
        return value
    terms, rest = decompose(inner)
    total: BV = rest & value.mask
    for term, factor in terms.items():
        if term is inner:
            return value
        low = build.extract(term, width - 1, 0)
        total = build.add(total, build.mul(low, factor & value.mask, width), width)
    return total


def depends(e: Any, symbols: Collection[Expr]) -> bool:
    """Whether a value depends on any of the symbols."""
    return isinstance(e, Expr) and not e.symbols.isdisjoint(symbols)


def _symbol(e: Expr, symbols: Symbols, depth: int) -> InductionForm | None:
    return symbols[e]


def _sum(e: Expr, symbols: Symbols, depth: int) -> InductionForm | None:
    base: BV = 0
    step: BV = 0
    bend: BV = 0
    spans: tuple[Span, ...] = ()
    for arg in e.args:
        form = form_of(lower(arg), e.width, symbols, depth + 1)
        if form is None:
            return None
        base, step = build.add(base, form.base, e.width), build.add(step, form.step, e.width)
        bend = build.add(bend, form.bend, e.width)
        spans += form.spans
    return InductionForm(base, step, e.width, bend, spans)


def _negated(e: Expr, symbols: Symbols, depth: int) -> InductionForm | None:
    return _scaled(e.args[0], e.mask, symbols, depth)


def _inverted(e: Expr, symbols: Symbols, depth: int) -> InductionForm | None:
    minus = _negated(e, symbols, depth)
    return minus and InductionForm(build.sub(minus.base, 1, e.width), minus.step, e.width, minus.bend, minus.spans)


def _product(e: Expr, symbols: Symbols, depth: int) -> InductionForm | None:
    one, other = e.args
    if depends(one, symbols):
        one, other = other, one
    return None if depends(one, symbols) else _scaled(other, lower(one), symbols, depth)


def _shifted(e: Expr, symbols: Symbols, depth: int) -> InductionForm | None:
    amount = e.args[1]
    return _scaled(e.args[0], 1 << amount.value, symbols, depth) if amount.op is CONST else None


def _scaled(e: Expr, factor: BV, symbols: Symbols, depth: int) -> InductionForm | None:
    form = form_of(e, e.width, symbols, depth + 1)
    if form is None:
        return None
    base, step, bend = (build.mul(part, factor, e.width) for part in (form.base, form.step, form.bend))
    return InductionForm(base, step, e.width, bend, form.spans)


def _extended(e: Expr, symbols: Symbols, depth: int) -> InductionForm | None:
    (inner,) = e.args
    form = form_of(inner, inner.width, symbols, depth + 1)
    if form is None:
        return None
    signed = e.op is SEXT
    base = (build.sext if signed else build.zext)(form.base, inner.width, e.width)
    step, bend = (build.sext(part, inner.width, e.width) for part in (form.step, form.bend))
    return InductionForm(base, step, e.width, bend, (*form.spans, Span(form, signed)))


def _low_bits(e: Expr, symbols: Symbols, depth: int) -> InductionForm | None:
    (inner,) = e.args
    _, low = e.value
    form = form_of(inner, inner.width, symbols, depth + 1) if low == 0 and e.width > 1 else None  # one bit is a bool
    if form is None:
        return None
    base, step, bend = (build.trunc(part, e.width) for part in (form.base, form.step, form.bend))
    return InductionForm(base, step, e.width, bend, form.spans)


def _choice(e: Expr, symbols: Symbols, depth: int) -> InductionForm | None:
    condition, then, other = e.args
    if depends(condition, symbols):
        return None
    one = form_of(lower(then), e.width, symbols, depth + 1)
    two = form_of(lower(other), e.width, symbols, depth + 1)
    if one is None or two is None:
        return None

    def either(a: BV, b: BV) -> Any:
        return build.ite(condition, a, b, bv(e.width))

    parts = either(one.base, two.base), either(one.step, two.step), e.width, either(one.bend, two.bend)
    return InductionForm(*parts, one.spans + two.spans)


_HANDLERS: Mapping[Op, Callable[[Expr, Symbols, int], InductionForm | None]] = {
    SYMBOL: _symbol,
    ADD: _sum,
    NEG: _negated,
    NOT: _inverted,
    MUL: _product,
    SHL: _shifted,
    ZEXT: _extended,
    SEXT: _extended,
    EXTRACT: _low_bits,
    ITE: _choice,
}


@dataclass(frozen=True, slots=True)
class Added:
    """Iteration K adds ``added(K)``, which is linear; the same each time, if that does not move."""

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
        before = {symbol: build.sub(number.at(bits), 1, bits) for bits, symbol in self.counters}
        last: Any = substitute(self.value, before)
        result: Any = build.ite(number.is_zero(), start, last, bv(width))
        return result  # type: ignore[no-any-return]  # of the sort of ``start``


Motion = Added | Replaced
