"""What constraints leave of the values that symbols of up to eight bits can have.

Each constraint takes values away: what sets of values follow for its parts from those of its symbols (forwards), and
what of these is left if it is to be true (backwards), until nothing changes: hull consistency, as solvers of finite
domains have it. Whatever is not known (wide symbols, arrays, products of many values) can be anything, unless a
constraint tells its values: where ``x * y == 12`` holds, so does ``x * y < 13``; where a wide symbol is 3, one more
than that is 4.

A core is found by going back: every value that was taken away has the constraint that took it, and the other values
that had to be away for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.op import ADD, CONST, EQ, FNEG, FP_TO_BITS, ITE, LAND, LNOT, ULE, ULT
from clew.expr.rewrite import fpmath
from clew.expr.sort import BOOL
from clew.solver.interface import Query
from clew.solver.value_tables import FEW_BITS, MOST_VALUES, ValueTables, distinct, everything, is_small

ROUNDS: Final = 6
"""Times that each constraint is looked at."""
_DEEP: Final = 60
"""Levels of an expression that are looked at."""
_WORK: Final = 2_000
"""Expressions looked at for one query."""

Values: TypeAlias = frozenset[Any]
Need: TypeAlias = tuple[Expr, int]
"""A symbol, and values that it cannot have; or a term of which something is told, and the numbers of what is."""

_TRUE: Final[Values] = frozenset((True,))
_FALSE: Final[Values] = frozenset((False,))
_BOTH: Final[Values] = frozenset((False, True))


class _Removal(NamedTuple):
    """Values that a constraint took away from a symbol, and the first ``needed`` of ``needs``, which led to that."""

    symbol: Expr
    values: int
    constraint: Expr
    needs: list[Need]
    needed: int


class _Contradiction(Exception):
    """A constraint cannot hold."""


class _GaveUp(Exception):
    """It takes too long."""


class Narrowing:
    """What is left of the values of each symbol, for one query."""

    def __init__(self, tables: ValueTables) -> None:
        self._tables = tables
        self._left: dict[Expr, int] = {}
        self._told: dict[Expr, tuple[Values, tuple[Expr, ...]]] = {}
        """What is left of terms beside what follows from the values of symbols, and the constraints that say so."""
        self._removals: list[_Removal] = []
        self._work = _WORK
        # Of the constraint that is looked at:
        self._constraint: Expr | None = None
        self._needs: list[Need] = []
        self._known: dict[Expr, Values | None] = {}

    def contradiction(self, constraints: Sequence[Expr]) -> Query | None:
        """Constraints that cannot hold together, if propagation finds that out."""
        try:
            self._revise_all([constraint for constraint in constraints if not self._is_told_by_table(constraint)])
        except _Contradiction:
            return self._core()
        except _GaveUp:
            pass
        return None

    @property
    def looked_at(self) -> int:
        """How many expressions were looked at."""
        return _WORK - self._work

    def moved(self, model: Model) -> dict[Expr, int]:
        """The least value that is left for each symbol whose value in a model is not."""
        return {
            symbol: (left & -left).bit_length() - 1
            for symbol, left in self._left.items()
            if not left >> model.eval(symbol) & 1
        }

    def left(self, symbol: Expr) -> list[int] | None:
        """The values that are left for a symbol; None if it can have many."""
        if not is_small(symbol):
            told = self._told.get(symbol)
            return None if told is None else sorted(told[0])
        left = self._of(symbol)
        return [value for value in range(1 << symbol.width) if left >> value & 1]

    def reasons(self, symbols: Sequence[Expr]) -> Query:
        """The constraints because of which other values of some symbols are not left."""
        return self._why([self._missing(symbol) for symbol in symbols])

    def _missing(self, symbol: Expr) -> Need:
        """What is not left of a symbol."""
        if is_small(symbol):
            return symbol, everything(symbol) ^ self._of(symbol)
        return symbol, (1 << len(self._told[symbol][1])) - 1

    def _is_told_by_table(self, constraint: Expr) -> bool:
        """Whether a table says all that there is to a constraint; if so, its symbol is narrowed."""
        if len(constraint.symbols) != 1:
            return False
        (symbol,) = constraint.symbols
        truth = self._tables.truth(constraint) if is_small(symbol) else None
        if truth is None:
            return False
        self._constraint, self._needs = constraint, []
        self._keep(symbol, truth)
        return True

    def _revise_all(self, constraints: list[Expr]) -> None:
        begun = dict.fromkeys(constraints, -1)
        for _ in range(ROUNDS):
            before = len(self._removals)
            for constraint in constraints:
                changed = self._removals[max(begun[constraint], 0) :]
                if begun[constraint] >= 0 and not any(r.symbol.symbols <= constraint.symbols for r in changed):
                    continue
                begun[constraint] = len(self._removals)
                self._revise(constraint)
            if len(self._removals) == before:
                break

    def _revise(self, constraint: Expr) -> None:
        self._constraint, self._needs, self._known = constraint, [], {}
        self._narrow(constraint, _TRUE, _DEEP)

    # -- forwards ---------------------------------------------------------------------------------

    def _values(self, e: Expr, levels: int) -> Values | None:
        """The values that an expression can have; None if these are not known."""
        if e in self._known:
            return self._known[e]
        if e.op is CONST:
            return self._tables.constant(e)
        self._work -= 1
        if self._work < 0:
            raise _GaveUp
        symbols = e.symbols if e._symbols is None else e._symbols  # a property costs as much as the rest of this
        found = self._by_symbol(e, levels) if len(symbols) == 1 else self._by_parts(e, levels) if levels else None
        if e.sort is BOOL:
            found = found or _BOTH
        elif e in self._told:
            found = self._as_told(e, found)
        self._known[e] = found
        return found

    def _by_symbol(self, e: Expr, levels: int) -> Values | None:
        """The values of an expression with one symbol."""
        (symbol,) = e.symbols
        if is_small(symbol):
            return self._by_table(e, symbol)
        return self._by_parts(e, levels) if levels and e.args and symbol in self._told else None

    def _by_table(self, e: Expr, symbol: Expr) -> Values | None:
        left = self._of(symbol)
        if e.sort is not BOOL:
            values, needed = self._tables.values(e, left)
            if needed:
                self._needs.append((symbol, needed))
            return values
        truth = self._tables.truth(e)
        if truth is None:
            return _BOTH
        if not left & truth:
            self._needs.append((symbol, truth))
            return _FALSE
        if not left & ~truth:
            self._needs.append((symbol, everything(symbol) ^ truth))
            return _TRUE
        return _BOTH

    def _as_told(self, e: Expr, values: Values | None) -> Values | None:
        """Those of the values of a term that other constraints have left."""
        told, tellers = self._told[e]
        if self._constraint in tellers:  # else what it has told would be a reason not to look at it again
            return values
        self._needs.append((e, (1 << len(tellers)) - 1))
        if values is None:
            return told
        values &= told
        if not values:
            raise _Contradiction
        return values

    def _by_parts(self, e: Expr, levels: int) -> Values | None:
        op = e.op
        if op is ITE:
            condition, then, other = e.args
            decided = self._values(condition, levels - 1)
            if decided is not None and len(decided) == 1:
                return self._values(then if True in decided else other, levels - 1)
            one, two = self._values(then, levels - 1), self._values(other, levels - 1)
            return None if one is None or two is None else _few(one | two)
        if op is LAND:
            certain = True
            for arg in e.args:
                values = self._values(arg, levels - 1)
                if values == _FALSE:
                    return _FALSE
                certain = certain and values == _TRUE
            return _TRUE if certain else _BOTH
        parts = self._parts(e, levels)
        if parts is None:
            return None
        if op is EQ:
            one, two = parts
            return _FALSE if one.isdisjoint(two) else _TRUE if len(one) == len(two) == 1 else _BOTH
        if op is ULT or op is ULE:
            return _ordered(e, *parts)
        if op is ADD and len(parts) == 2 and len(parts[1]) == 1:  # an array's index, a character's class: many values
            (offset,) = parts[1]
            return _shifted(parts[0], offset, e.mask)
        return self._tables.combined(e, tuple(parts))

    def _parts(self, e: Expr, levels: int) -> list[Values] | None:
        """What the arguments can be; None if that is not known of all."""
        found = []
        for arg in e.args:
            values = self._values(arg, levels - 1)
            if values is None:
                return None
            found.append(values)
        return found

    # -- backwards --------------------------------------------------------------------------------

    def _narrow(self, e: Expr, wanted: Values, levels: int) -> None:
        """Take away from symbols what keeps an expression from having one of the wanted values."""
        have = self._values(e, levels)
        if have is not None:
            if have <= wanted:
                return
            wanted = have & wanted
            if not wanted:
                raise _Contradiction
        if e.sort is not BOOL and (have is None or len(e.symbols) > 1):
            self._tell(e, wanted)
        if len(e.symbols) == 1:
            (symbol,) = e.symbols
            if not is_small(symbol):
                self._narrow_wide(e, wanted, levels - 1)
            elif have is not None:
                self._narrow_symbol(e, symbol, wanted)
        elif levels:
            self._narrow_parts(e, wanted, levels - 1)

    def _tell(self, e: Expr, values: Values) -> None:
        """Keep what the constraint leaves of a term."""
        assert self._constraint is not None
        before, tellers = self._told.get(e, (values, ()))
        if tellers:
            values &= before
            if values == before:
                return
            if not values:
                self._needs.append((e, (1 << len(tellers)) - 1))
                raise _Contradiction
        self._told[e] = values, (*tellers, self._constraint)
        self._removals.append(_Removal(e, 1 << len(tellers), self._constraint, self._needs, len(self._needs)))

    def _narrow_wide(self, e: Expr, wanted: Values, levels: int) -> None:
        """The same for an expression with one symbol, a wide one: equations tell its value."""
        if levels < 0:
            return
        if e.op is EQ:
            self._narrow_equality(e, True in wanted, levels)
        elif e.op is ADD and len(e.args) == 2 and e.args[1].op is CONST:
            self._narrow(e.args[0], _shifted(wanted, -e.args[1].value, e.mask), levels)

    def _narrow_symbol(self, e: Expr, symbol: Expr, wanted: Values) -> None:
        if e.sort is BOOL:
            truth = self._tables.truth(e)
            if truth is not None:
                self._keep(symbol, truth if True in wanted else everything(symbol) ^ truth)
            return
        fitting = self._tables.where(e, wanted)
        if fitting is not None:
            self._keep(symbol, fitting)

    def _keep(self, symbol: Expr, values: int) -> None:
        left = self._of(symbol)
        if left & ~values:
            assert self._constraint is not None
            removed = everything(symbol) ^ values
            self._removals.append(_Removal(symbol, removed, self._constraint, self._needs, len(self._needs)))
            self._left[symbol] = left & values
        if not left & values:
            self._needs.append((symbol, everything(symbol)))
            raise _Contradiction

    def _narrow_parts(self, e: Expr, wanted: Values, levels: int) -> None:
        op = e.op
        if op is LNOT:
            self._narrow(e.args[0], _FALSE if True in wanted else _TRUE, levels)
        elif op is LAND:
            self._narrow_conjunction(e, wanted, levels)
        elif op is ITE:
            self._narrow_choice(e, wanted, levels)
        elif op is EQ:
            self._narrow_equality(e, True in wanted, levels)
        elif op is FNEG or op is FP_TO_BITS:
            self._narrow_float(e, wanted, levels)
        else:
            parts = self._parts(e, levels + 1)
            if parts is not None:
                self._narrow_operands(e, parts, wanted, levels)

    def _narrow_conjunction(self, e: Expr, wanted: Values, levels: int) -> None:
        if True in wanted:
            for arg in e.args:
                self._narrow(arg, _TRUE, levels)
            return
        open_parts = [arg for arg in e.args if self._values(arg, levels) != _TRUE]
        if len(open_parts) == 1:
            self._narrow(open_parts[0], _FALSE, levels)

    def _narrow_choice(self, e: Expr, wanted: Values, levels: int) -> None:
        condition, then, other = e.args
        decided = self._values(condition, levels)
        assert decided is not None
        can_be = []
        for outcome, arm in ((True, then), (False, other)):
            if outcome in decided:
                values = self._values(arm, levels)
                if values is None or not values.isdisjoint(wanted):
                    can_be.append((outcome, arm))
        if not can_be:
            raise _Contradiction
        if len(can_be) == 1:
            outcome, arm = can_be[0]
            self._narrow(condition, frozenset((outcome,)), levels)
            self._narrow(arm, wanted, levels)

    def _narrow_equality(self, e: Expr, equal: bool, levels: int) -> None:
        one, two = e.args
        for side, values in ((one, self._values(two, levels)), (two, self._values(one, levels))):
            if values is None:
                continue
            if equal:
                self._narrow(side, values, levels)
            elif len(values) == 1:
                own = self._values(side, levels)
                if own is not None:
                    self._narrow(side, own - values, levels)

    def _narrow_float(self, e: Expr, wanted: Values, levels: int) -> None:
        """An operation on a float that can be undone: other bits are another number, but for NaN."""
        (number,) = e.args
        undone = [-value if e.op is FNEG else fpmath.from_bits(value, number.sort) for value in wanted]
        values = distinct(undone, number.sort)
        if values is not None:
            self._narrow(number, values, levels)

    def _narrow_operands(self, e: Expr, parts: list[Values], wanted: Values, levels: int) -> None:
        if e.op is ADD and len(parts) == 2 and len(parts[1]) == 1:
            (offset,) = parts[1]
            self._narrow(e.args[0], _shifted(wanted, -offset, e.mask), levels)
        elif e.op is ULT or e.op is ULE:
            self._narrow_order(e, parts, True in wanted, levels)
        else:
            for arg, values in zip(e.args, self._tables.fitting(e, tuple(parts), wanted), strict=False):
                self._narrow(arg, values, levels)

    def _narrow_order(self, e: Expr, parts: list[Values], holds: bool, levels: int) -> None:
        """An unsigned comparison that has to hold, or not to hold, as its opposite does."""
        (low, high), (lows, highs) = (e.args, parts) if holds else (e.args[::-1], parts[::-1])
        strict = (e.op is ULT) is holds
        least, most = min(lows) + strict, max(highs) - strict
        self._narrow(low, frozenset([value for value in lows if value <= most]), levels)
        self._narrow(high, frozenset([value for value in highs if value >= least]), levels)

    # -- why --------------------------------------------------------------------------------------

    def _of(self, symbol: Expr) -> int:
        left = self._left.get(symbol)
        return everything(symbol) if left is None else left

    def _core(self) -> Query:
        """The constraint that cannot hold, and those that took the values away which it would need."""
        assert self._constraint is not None
        return self._why(self._needs) | {self._constraint}

    def _why(self, missing: Sequence[Need]) -> Query:
        """The constraints that took values away: where several took the same ones, few that took all of them."""
        core: set[Expr] = set()
        needs = [(symbol, values, len(self._removals)) for symbol, values in missing]
        explained: set[int] = set()
        removals: dict[Expr, list[int]] = {}
        for at, removal in enumerate(self._removals):
            removals.setdefault(removal.symbol, []).append(at)
        while needs:
            symbol, values, before = needs.pop()
            earlier = [at for at in removals.get(symbol, ()) if at < before]
            while (number := self._best(earlier, values, core)) is not None:
                removal = self._removals[number]
                values &= ~removal.values
                if number not in explained:
                    explained.add(number)
                    core.add(removal.constraint)
                    needs += [(s, v, number) for s, v in removal.needs[: removal.needed]]
        return frozenset(core)

    def _best(self, numbers: Sequence[int], values: int, core: set[Expr]) -> int | None:
        """Of some removals, the one that took most of some values, better still one whose constraint is in a core
        anyway; None if none took any."""
        best, most = None, 0
        for number in numbers:
            removal = self._removals[number]
            taken = (removal.values & values).bit_count()
            if taken and removal.constraint in core:
                taken += 1 << FEW_BITS
            if taken > most:
                best, most = number, taken
        return best


def _shifted(values: Values, offset: int, mask: int) -> Values:
    """The sums of numbers and an offset."""
    return frozenset([value + offset & mask for value in values])


def _few(values: Values) -> Values | None:
    return values if len(values) <= MOST_VALUES else None


def _ordered(e: Expr, one: Values, two: Values) -> Values:
    """The outcomes of an unsigned comparison."""
    strict = e.op is ULT
    if max(one) < min(two) or (not strict and max(one) == min(two)):
        return _TRUE
    if min(one) > max(two) or (strict and min(one) == max(two)):
        return _FALSE
    return _BOTH
