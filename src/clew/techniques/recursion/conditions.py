"""Conditions of contracts: what holds between the arguments of a call, its result, and scalars in memory.

A condition can be looked at in three ways: its truth for given numbers, the code that computes it, and its text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from clew.execute.instrument.havoc import assume
from clew.program import instructions as ir
from clew.program.editing import Draft, binary
from clew.program.types import I1, I32, IntType
from clew.program.values import ConstInt, Register, Value

Term: TypeAlias = str
"""``p0`` is the first parameter, ``r`` the result, ``g`` and ``g'`` a global variable before and after the call."""
Monomial: TypeAlias = tuple[Term, ...]
"""The product of its terms; () is 1."""
NewName: TypeAlias = Callable[[str], str]

_HOLDS: dict[str, Callable[[int], bool]] = {
    "eq": lambda total: total == 0,
    "ne": lambda total: total != 0,
    "sle": lambda total: total <= 0,
    "slt": lambda total: total < 0,
}
_SIGNS = {"eq": "==", "ne": "!=", "sle": "<=", "slt": "<"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The sum of factors times monomials, in so many bits, compared with zero.

    Terms are read as signed numbers. ``mask``, if there is one, keeps the low bits of the sum.
    """

    sum: tuple[tuple[Monomial, int], ...]
    predicate: str
    width: int
    mask: int | None = None

    def holds(self, values: Mapping[Term, int]) -> bool:
        """Whether it is true of numbers."""
        total = 0
        for monomial, factor in self.sum:
            for term in monomial:
                factor *= values[term]
            total += factor
        if self.mask is not None:
            return _HOLDS[self.predicate](total & self.mask)
        return _HOLDS[self.predicate](_signed(total, self.width))

    def code(self, draft: Draft, new: NewName, values: Mapping[Term, Value]) -> Value:
        """Code that computes it, as a bit."""
        type = IntType(self.width)
        total: Value = ConstInt(type, 0)
        for monomial, factor in self.sum:
            product: Value = ConstInt(type, factor % (1 << self.width))
            for term in monomial:
                product = draft.add(binary(new("product"), "mul", product, _as(draft, new, values[term], type)))
            total = draft.add(binary(new("sum"), "add", total, product))
        if self.mask is not None:
            total = draft.add(binary(new("masked"), "and", total, ConstInt(type, self.mask)))
        return draft.add(ir.Compare(Register(new("holds"), I1), None, self.predicate, total, ConstInt(type, 0)))

    def text(self, names: Mapping[Term, str]) -> str:
        """As people write it."""
        left = [(m, f) for m, f in self.sum if m and f > 0]
        right = [(m, -f) for m, f in self.sum if (m and f < 0) or (not m and f)]
        modulo = f" (mod {self.mask + 1})" if self.mask is not None else ""
        return f"{_side(left, names)} {_SIGNS[self.predicate]} {_side(right, names)}{modulo}"


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison that holds wherever its guards do."""

    then: Comparison
    guards: tuple[Comparison, ...] = ()

    @property
    def terms(self) -> frozenset[Term]:
        """All that it speaks of."""
        return frozenset(t for one in (self.then, *self.guards) for m, _ in one.sum for t in m)

    def holds(self, values: Mapping[Term, int]) -> bool:
        """Whether it is true of numbers."""
        return self.then.holds(values) or not all(guard.holds(values) for guard in self.guards)

    def code(self, draft: Draft, new: NewName, values: Mapping[Term, Value]) -> Value:
        """Code that computes it, as a bit."""
        result = self.then.code(draft, new, values)
        for guard in self.guards:
            is_off = draft.add(binary(new("off"), "xor", guard.code(draft, new, values), ConstInt(I1, 1)))
            result = draft.add(binary(new("implied"), "or", result, is_off))
        return result

    def assumed(self, draft: Draft, new: NewName, values: Mapping[Term, Value]) -> None:
        """Code that ends the path where it does not hold."""
        flag = draft.add(ir.Cast(Register(new("flag"), I32), None, "zext", self.code(draft, new, values), I32))
        draft.add(assume(flag))

    def text(self, names: Mapping[Term, str]) -> str:
        """As people write it."""
        guards = " && ".join(guard.text(names) for guard in self.guards)
        return f"{guards} -> {self.then.text(names)}" if guards else self.then.text(names)


def _signed(value: int, width: int) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def _as(draft: Draft, new: NewName, value: Value, type: IntType) -> Value:
    """A value in the width of a sum."""
    assert isinstance(value.type, IntType)
    if value.type.width == type.width:
        return value
    op = "trunc" if value.type.width > type.width else "zext" if value.type.width == 1 else "sext"
    return draft.add(ir.Cast(Register(new("wide"), type), None, op, value, type))


def _side(parts: list[tuple[Monomial, int]], names: Mapping[Term, str]) -> str:
    texts = []
    for monomial, factor in parts:
        product = "*".join(names.get(term, term) for term in monomial)
        texts.append(product if factor == 1 and monomial else f"{factor}*{product}" if monomial else str(factor))
    return " + ".join(texts).replace("+ -", "- ") or "0"
