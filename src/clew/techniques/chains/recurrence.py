"""Recurrent variables: their values as functions of how often each chain of a loop was executed.

A variable's value at the start of an iteration is a symbol; at the end of the iteration it is an expression over
these symbols. Per chain that is one of

    KEEP    v                    SET     something that does not depend on v
    ADD     v + c                SCALE   v * c
    VARY    v + s, where s differs from iteration to iteration, between known bounds perhaps
    LOST    anything else (of floats, say)

with ``c`` the same in every iteration (a number or not). Updates of several chains merge (the paper's Table 1, and
more): additions add up, factors multiply, and of chains that set a variable the last one counts, with what was added
since. Everything is exact modulo 2^w, whatever wraps; where no step wraps, also over the integers.

Counters are bit-vectors of WIDE bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, NamedTuple

from clew.base.dataclass import dataclass
from clew.expr import build
from clew.expr.node import BV, Bool, Expr
from clew.expr.rewrite.choice import ite_bv
from clew.expr.rewrite.linear import decompose
from clew.expr.sort import BOOL, Sort, bv
from clew.expr.sort import SortKind as SortKind
from clew.techniques.chains.memory import Cell

WIDE = 88
"""Bits of a counter: enough for as many iterations as a variable of 64 bits can count, times a small factor."""
MODERATE = 1 << (WIDE - 20)
"""Counters below this are *moderate*: times a step that is no larger than MOST_STEP, they still fit."""
MOST_STEP = 1 << 16
_POWER_BITS = 7
"""Bits of an exponent that is worked out; larger ones give a factor that is not known."""
MOST_WIDTH = 64


class RecurrenceKind(Enum):
    """What a chain does to a variable."""

    KEEP = "keep"
    ADD = "add"
    VARY = "vary"
    SET = "set"
    SCALE = "scale"
    LOST = "lost"


class Update(NamedTuple):
    """``amount``: what is added, set, or multiplied with; for VARY, the expression of one step."""

    kind: RecurrenceKind
    amount: Any = None
    low: int | None = None
    high: int | None = None
    """Bounds of a varying step as a signed number."""


@dataclass(slots=True)
class Variable:
    """A header's phi or a cell of memory that the loop may change."""

    place: str | Cell
    symbol: Expr
    """Its value at the start of an iteration."""
    entry: Any
    """Its value when the loop is entered."""
    sort: Sort
    updates: tuple[Update, ...] = ()
    """Per chain."""
    exact: str = ""
    """``signed`` or ``unsigned``: no step wraps in that reading, so the sum is one of integers."""

    @property
    def additive(self) -> bool:
        return all(
            update.kind in (RecurrenceKind.KEEP, RecurrenceKind.ADD, RecurrenceKind.VARY) for update in self.updates
        )

    @property
    def changes(self) -> bool:
        return any(update.kind is not RecurrenceKind.KEEP for update in self.updates)


def classify(variable: Variable, following: Any, moving: frozenset[Expr] | set[Expr]) -> Update:
    """What one chain does; ``moving``: symbols whose value differs from iteration to iteration."""
    v = variable.symbol
    if following is v:
        return Update(RecurrenceKind.KEEP)
    symbols = following.symbols if isinstance(following, Expr) else frozenset[Expr]()
    if v not in symbols:
        return Update(RecurrenceKind.SET, following) if not symbols & moving else Update(RecurrenceKind.SET)
    if variable.sort.kind is not SortKind.BV or v.width > MOST_WIDTH:
        return Update(RecurrenceKind.LOST)
    assert isinstance(following, Expr)
    step = build.sub(following, v, v.width)
    if not isinstance(step, Expr) or v not in step.symbols:
        return Update(
            RecurrenceKind.VARY if isinstance(step, Expr) and step.symbols & moving else RecurrenceKind.ADD, step
        )
    terms, rest = decompose(following)
    if rest == 0 and terms.keys() == {v}:
        return Update(RecurrenceKind.SCALE, terms[v])
    return Update(RecurrenceKind.VARY, step)


class Values:
    """Works out values of variables after chains were executed a given number of times each."""

    def __init__(self, fresh: Callable[[Sort], Expr], state: Callable[[Bool], None], endless: Bool) -> None:
        self._fresh = fresh
        self._state = state
        """Takes a fact about the symbols that were made."""
        self._endless = endless
        """Stands for so many executions that counters have wrapped."""

    def _order(self, fact: Bool) -> None:
        """A fact that holds unless counters have wrapped."""
        self._state(build.lor(self._endless, fact))

    def after(self, variable: Variable, counters: Sequence[BV]) -> Any:
        """The value after so many executions."""
        if not variable.changes:
            return variable.entry
        kinds = {update.kind for update in variable.updates} - {RecurrenceKind.KEEP}
        if kinds <= {RecurrenceKind.ADD, RecurrenceKind.VARY}:
            return self._sum(variable, counters)
        if kinds == {RecurrenceKind.SCALE}:
            return self._product(variable, counters)
        if kinds <= {RecurrenceKind.ADD, RecurrenceKind.VARY, RecurrenceKind.SET}:
            return self._since_set(variable, counters)
        changed = self._fresh(variable.sort)
        changing = zip(variable.updates, counters, strict=True)
        never = build.conjunction(
            [build.eq(k, 0, WIDE) for update, k in changing if update.kind is not RecurrenceKind.KEEP]
        )
        self._order(build.implies(never, equal(changed, variable.entry, variable.sort)))
        return changed

    def _sum(self, variable: Variable, counters: Sequence[BV]) -> BV:
        width = variable.sort.width
        total: BV = variable.entry
        extend = build.zext if variable.exact == "unsigned" else build.sext
        wide: BV = extend(variable.entry, width, WIDE)
        for update, counter in zip(variable.updates, counters, strict=True):
            if update.kind is RecurrenceKind.ADD:
                total = build.add(total, build.mul(update.amount, build.trunc(counter, width), width), width)
                step = build.sext(update.amount, width, WIDE)
                wide = build.add(wide, build.mul(step, counter, WIDE), WIDE) if variable.exact else 0
            elif update.kind is RecurrenceKind.VARY:
                moved = self._moved(update, counter)
                total = build.add(total, build.trunc(moved, width), width)
                wide = build.add(wide, moved, WIDE)
        if variable.exact:
            self._state(build.eq(extend(total, width, WIDE), wide, WIDE))
        return total

    def _moved(self, update: Update, counter: BV) -> BV:
        """The sum of so many steps that differ."""
        moved = self._fresh(bv(WIDE))
        self._order(build.implies(build.eq(counter, 0, WIDE), build.eq(moved, 0, WIDE)))
        if update.low is not None and abs(update.low) <= MOST_STEP:
            least = build.mul(update.low & ((1 << WIDE) - 1), counter, WIDE)
            self._order(build.sle(least, moved, WIDE))
        if update.high is not None and abs(update.high) <= MOST_STEP:
            most = build.mul(update.high & ((1 << WIDE) - 1), counter, WIDE)
            self._order(build.sle(moved, most, WIDE))
        return moved

    def _product(self, variable: Variable, counters: Sequence[BV]) -> BV:
        width = variable.sort.width
        total: BV = variable.entry
        for update, counter in zip(variable.updates, counters, strict=True):
            if update.kind is RecurrenceKind.SCALE:
                total = build.mul(total, self._power(update.amount, counter, width), width)
        return total if self._endless is False else ite_bv(self._endless, self._fresh(variable.sort), total, width)

    def _power(self, base: int, exponent: BV, width: int) -> BV:
        """``base`` to the power of a counter, modulo 2^width."""
        product: BV = 1
        for bit in range(_POWER_BITS):
            factor = pow(base, 1 << bit, 1 << width)
            is_set = build.eq(build.extract(exponent, bit, bit), 1, 1)
            product = build.mul(product, ite_bv(is_set, factor, 1, width), width)
        # A power of an even number beyond the width is 0.
        beyond = 0 if base % 2 == 0 else self._fresh(bv(width))
        return ite_bv(build.ult(exponent, 1 << _POWER_BITS, WIDE), product, beyond, width)

    def _since_set(self, variable: Variable, counters: Sequence[BV]) -> Any:
        """Either no chain has set it, or the last one that did gave it its value, and some were executed since."""
        sort = variable.sort
        setting = [(u, k) for u, k in zip(variable.updates, counters, strict=True) if u.kind is RecurrenceKind.SET]
        was_set, start = self._fresh(BOOL), self._fresh(sort)
        values = [
            build.land(
                build.lor(self._endless, build.ne(counter, 0, WIDE)),
                True if update.amount is None else equal(start, update.amount, sort),
            )
            for update, counter in setting
        ]
        self._state(build.implies(was_set, build.disjunction(values)))
        never = build.conjunction([build.eq(counter, 0, WIDE) for _, counter in setting])
        self._order(build.lor(was_set, never))
        if sort.kind is not SortKind.BV:
            return build.ite(was_set, start, variable.entry, sort)
        adding = [u._replace(kind=RecurrenceKind.KEEP) if u.kind is RecurrenceKind.SET else u for u in variable.updates]
        since: list[BV] = []
        for update, counter in zip(adding, counters, strict=True):
            if update.kind is RecurrenceKind.KEEP:
                since.append(0)
                continue
            some = self._fresh(bv(WIDE))
            self._order(build.ule(some, counter, WIDE))
            since.append(some)
        unset = Variable(variable.place, variable.symbol, variable.entry, sort, tuple(adding))
        reset = Variable(variable.place, variable.symbol, start, sort, tuple(adding))
        return build.ite(was_set, self._sum(reset, since), self._sum(unset, counters), sort)


def equal(a: Any, b: Any, sort: Sort) -> Bool:
    """That two values are the same; of floats, nothing is said."""
    if sort.kind is SortKind.BV:
        return build.eq(a, b, sort.width)
    return build.iff(a, b) if sort.kind is SortKind.BOOL else True
