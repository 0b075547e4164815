"""Binary operations and conversions of integers on abstract states.

Each yields the state after ``result = operation``. SSA: a result is never one of its own operands.
"""

from __future__ import annotations

from clew.analysis.absint.domain import Abstract
from clew.analysis.absint.linear import Linear, at_least, at_most
from clew.analysis.absint.numbers import Numbers, limits
from clew.analysis.absint.variables import Held
from clew.program import instructions as ir
from clew.program.types import IntType
from clew.program.values import ConstInt, Value


class Arithmetic:
    """The operations, over the registers of one graph."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers

    def binary(self, state: Abstract, frame: int, held: Held, i: ir.Binary) -> Abstract:
        """After a binary operation on integers."""
        match i.op:
            case "add" | "sub":
                signed = self._numbers.is_signed(held)
                return self._numbers.write(state, held, self.sum(frame, i.op, i.left, i.right, signed))
            case "mul" | "shl":
                return self._product(state, frame, held, i)
            case "sdiv" | "udiv" | "ashr" | "lshr":
                return self._quotient(state, frame, held, i)
            case "srem" | "urem":
                return self._remainder(state, frame, held, i)
            case "and" | "or" | "xor":
                return self._bits(state, frame, held, i)
        return state.forget((held,))

    def sum(self, frame: int, op: str, left: Value, right: Value, signed: bool) -> Linear | None:
        """A sum or difference, up to whole wraps: each operand in whatever view it has."""
        # Modulo the width, it does not matter in which view operands are; a constant is best as small as can be.
        one, other = self._numbers.own(frame, left, signed), self._numbers.own(frame, right, True)
        if one is None or other is None:
            return None
        return one + other if op == "add" else one - other

    # Products

    def _product(self, state: Abstract, frame: int, held: Held, i: ir.Binary) -> Abstract:
        numbers = self._numbers
        one, other = numbers.own(frame, i.left), numbers.own(frame, i.right)
        if one is None or other is None:
            return state.forget((held,))
        if i.op == "shl":
            known = other.is_number and 0 <= other.constant < numbers.width(held)
            return numbers.write(state, held, one * (1 << other.constant) if known else None)
        scaled = scaled_product(state, one, other)
        if scaled is not None:
            return numbers.write(state, held, scaled)
        return numbers.within(state, held, *product_bounds(state, one, other))

    # Quotients and remainders

    def _divisor(self, state: Abstract, frame: int, i: ir.Binary, signed: bool) -> int | None:
        """The divisor, if it is a known positive number."""
        right = self._numbers.read(state, frame, i.right, signed)
        if right is None:
            return None
        low, high = state.bounds(right)
        if low is None or low != high:
            return None
        if i.op in ("ashr", "lshr"):
            assert isinstance(i.left.type, IntType)
            return 1 << low if 0 <= low < i.left.type.width else None
        return low if low > 0 else None

    def _quotient(self, state: Abstract, frame: int, held: Held, i: ir.Binary) -> Abstract:
        numbers = self._numbers
        signed = i.op in ("sdiv", "ashr")
        left = numbers.read(state, frame, i.left, signed)
        divisor = self._divisor(state, frame, i, signed)
        if left is None or divisor is None:
            return self._smaller(state, held, left, i)
        if divisor == 1:
            return numbers.write(state, held, left)
        low, high = state.bounds(left)
        least, greatest = limits(numbers.width(held), numbers.is_signed(held))
        if low is None or high is None:
            return state.forget((held,))
        ends = (_divided(low, divisor, i.op), _divided(high, divisor, i.op))
        if ends[0] < least or ends[1] > greatest:
            return state.forget((held,))
        result = Linear.of(held) * divisor
        # Rounded down, left - divisor < result <= left; towards zero, the same from the other side below zero.
        below = at_most(result, left) if low >= 0 or i.op != "sdiv" else at_most(result, left + (divisor - 1))
        above = at_least(result, left - (divisor - 1) if high > 0 or i.op != "sdiv" else left)
        return numbers.related(state, held, [below, above, *numbers.between(held, *ends)])

    def _smaller(self, state: Abstract, held: Held, left: Linear | None, i: ir.Binary) -> Abstract:
        """A quotient by something unknown: no farther from zero than the dividend, but for -1 (and an error for 0)."""
        if left is None:
            return state.forget((held,))
        low, high = state.bounds(left)
        if low is None or high is None or low < 0:
            return state.forget((held,))
        least = -high if i.op == "sdiv" else 0
        return self._numbers.within(state, held, least, high)

    def _remainder(self, state: Abstract, frame: int, held: Held, i: ir.Binary) -> Abstract:
        numbers = self._numbers
        signed = i.op == "srem"
        left = numbers.read(state, frame, i.left, signed)
        divisor = self._divisor(state, frame, i, signed)
        if divisor is None:
            if left is None or (low := state.bounds(left)[0]) is None or low < 0:
                return state.forget((held,))
            return numbers.within(state, held, 0, state.bounds(left)[1])
        if left is None:
            return numbers.within(state, held, -(divisor - 1) if signed else 0, divisor - 1)
        low, high = state.bounds(left)
        if low is not None and high is not None and low >= 0 and high < divisor:
            return numbers.write(state, held, left)
        least = 0 if low is not None and low >= 0 else -(divisor - 1)
        greatest = 0 if high is not None and high <= 0 else divisor - 1
        limits_ = numbers.between(held, least, greatest)
        if low is not None and low >= 0 and limits_:
            limits_.append(at_most(Linear.of(held), left))
        return numbers.related(state, held, limits_)

    # Bits

    def _bits(self, state: Abstract, frame: int, held: Held, i: ir.Binary) -> Abstract:
        numbers = self._numbers
        width = numbers.width(held)
        one, other = numbers.read(state, frame, i.left, False), numbers.read(state, frame, i.right, False)
        highs = [None if part is None else state.bounds(part)[1] for part in (one, other)]
        if i.op == "and":
            mask = other.constant if other is not None and other.is_number else None
            if one is not None and mask is not None and mask & (mask + 1) == 0 and _at_most(highs[0], mask):
                return numbers.write(state, held, one)
            known = [high for high in highs if high is not None]
            if not known:
                return state.forget((held,))
            constraints = numbers.between(held, 0, min(known))
            if constraints:
                constraints += [at_most(Linear.of(held), part) for part in (one, other) if part is not None]
            return numbers.related(state, held, constraints)
        if i.op == "xor" and isinstance(i.right, ConstInt) and i.right.value == (1 << width) - 1:
            own = numbers.own(frame, i.left)  # ~x is -1 - x, modulo the width
            return numbers.write(state, held, None if own is None else -own - 1)
        if one is None or other is None or highs[0] is None or highs[1] is None:
            return state.forget((held,))
        top = (1 << max(highs[0], highs[1]).bit_length()) - 1
        constraints = numbers.between(held, 0, top)
        if constraints and i.op == "or":
            constraints += [at_least(Linear.of(held), part) for part in (one, other)]
        if constraints:
            constraints.append(at_most(Linear.of(held), one + other))
        return numbers.related(state, held, constraints)

    # Conversions

    def cast(self, state: Abstract, frame: int, held: Held, i: ir.Cast) -> Abstract:
        """After a conversion to an integer."""
        numbers = self._numbers
        match i.op:
            case "trunc":
                is_integer = isinstance(i.operand.type, IntType)
                return numbers.write(state, held, numbers.own(frame, i.operand) if is_integer else None)
            case "zext" | "sext":
                value = numbers.read(state, frame, i.operand, i.op == "sext")
                width = i.operand.type.width if isinstance(i.operand.type, IntType) else 64
                if i.op == "sext" and width == 1:
                    value = None if value is None else -value  # a set bit is -1
                if value is not None:
                    return numbers.write(state, held, value)
                if width == 1 and i.op == "sext":
                    return numbers.within(state, held, -1, 0)
                return numbers.within(state, held, *limits(width, i.op == "sext"))
        return state.forget((held,))

    def same(self, state: Abstract, frame: int, held: Held, value: Value) -> Abstract:
        """After a copy."""
        linear = self._numbers.own(frame, value, self._numbers.is_signed(held))
        return self._numbers.write(state, held, linear)


def scaled_product(state: Abstract, one: Linear, other: Linear) -> Linear | None:
    """A product of which one factor is known to be a number."""
    for factor, rest in ((other, one), (one, other)):
        if factor.is_number:
            return rest * factor.constant
    for factor, rest in ((other, one), (one, other)):
        low, high = state.bounds(factor)
        if low is not None and low == high:
            return rest * low
    return None


def product_bounds(state: Abstract, one: Linear, other: Linear) -> tuple[int | None, int | None]:
    """Between what a product lies."""
    a, b = state.bounds(one)
    c, d = state.bounds(other)
    if a is None or b is None or c is None or d is None:
        return None, None
    ends = (a * c, a * d, b * c, b * d)
    return min(ends), max(ends)


def _divided(value: int, divisor: int, op: str) -> int:
    return value // divisor if op != "sdiv" or value >= 0 else -(-value // divisor)


def _at_most(value: int | None, limit: int) -> bool:
    return value is not None and value <= limit
