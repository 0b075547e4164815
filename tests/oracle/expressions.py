"""Random C expressions that cannot go wrong: no overflow, no division by zero, no wide shift, no index out of range.

Expressions have no side effects, so the order in which a compiler evaluates them shows nowhere.
Signed arithmetic goes through the unsigned type of the same width; division, float-to-integer conversion and the
like go through the helper functions of `prelude.py`; an index is reduced modulo the length.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from oracle.vocabulary import DOUBLE, FLOATS, INTEGERS, CType, Scope, Variable

INTERESTING = (0, 1, 2, 3, 7, 8, 15, 16, 31, 63, 100, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF)
WIDE = (0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x123456789ABCDEF, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
EXACT = ("0.0", "1.0", "-1.0", "0.5", "0.1", "1e10", "3.0", "-2.75", "1024.0", "1e-3", "16777216.0", "1.5e300")


class Expressions:
    """Draws expressions over what a scope names."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def of(self, type_: CType, scope: Scope, depth: int) -> str:
        """An expression of exactly this type."""
        if depth <= 0 or self.random.random() < 0.15:
            return self.leaf(type_, scope)
        makers = self._float_makers() if type_.floating else self._integer_makers()
        return self.random.choice(makers)(type_, scope, depth - 1)

    def condition(self, scope: Scope, depth: int) -> str:
        """An int that is 0 or 1."""
        kind = self.random.random()
        if depth > 0 and kind < 0.2:
            joined = self.random.choice(("&&", "||"))
            return f"({self.condition(scope, depth - 1)} {joined} {self.condition(scope, depth - 1)})"
        if depth > 0 and kind < 0.3:
            return f"!{self.condition(scope, depth - 1)}"
        type_ = self.random.choice(FLOATS) if kind > 0.9 else self.random.choice(INTEGERS)
        relation = self.random.choice(("<", "<=", ">", ">=", "==", "!="))
        return f"({self.of(type_, scope, depth)} {relation} {self.of(type_, scope, depth)})"

    def index(self, length: int, scope: Scope, depth: int = 1) -> str:
        """An expression in 0 .. length - 1."""
        return f"({self.of(self.random.choice(INTEGERS[:6]), scope, depth)} & 0x7fffU) % {length}U"

    # --- leaves

    def leaf(self, type_: CType, scope: Scope) -> str:
        pick = self.random.random()
        if pick < 0.55 and scope.variables:
            return self.variable(type_, scope)
        if pick < 0.75 and scope.arrays:
            array = self.random.choice(scope.arrays)
            places = "".join(f"[{self.index(length, Scope(scope.variables), 0)}]" for length in array.lengths)
            return convert(f"{array.text}{places}", array.type, type_)
        return self.literal(type_)

    def variable(self, type_: CType, scope: Scope) -> str:
        same = [v for v in scope.variables if v.type == type_]
        chosen: Variable = self.random.choice(same if same and self.random.random() < 0.7 else scope.variables)
        # A bit-field has its own idea of promotion, on which compilers differ: give it its declared type at once.
        text = chosen.text if chosen.plain else f"(({chosen.type.spelling}){chosen.text})"
        return convert(text, chosen.type, type_)

    def literal(self, type_: CType) -> str:
        if type_.floating:
            text = self.random.choice(EXACT)
            return f"((float){text})" if type_ is not DOUBLE else f"({text})"
        value = self.random.choice(INTERESTING + WIDE if type_.bits > 16 else INTERESTING)
        if self.random.random() < 0.3:
            value = self.random.getrandbits(type_.bits)
        return f"(({type_.spelling}){value % (1 << 64)}ULL)"

    # --- integers

    def _integer_makers(self) -> list[Callable[[CType, Scope, int], str]]:
        return [
            *[self._arithmetic] * 4,
            *[self._bitwise] * 3,
            *[self._shift] * 2,
            self._division,
            self._comparison,
            self._choice,
            self._conversion,
            self._negation,
            self._from_float,
        ]

    def _arithmetic(self, type_: CType, scope: Scope, depth: int) -> str:
        operator = self.random.choice("+-*")
        left, right = self.of(type_, scope, depth), self.of(type_, scope, depth)
        return f"(({type_.spelling})(({type_.wide}){left} {operator} ({type_.wide}){right}))"

    def _bitwise(self, type_: CType, scope: Scope, depth: int) -> str:
        operator = self.random.choice("&|^")
        left, right = self.of(type_, scope, depth), self.of(type_, scope, depth)
        return f"(({type_.spelling})({left} {operator} {right}))"

    def _shift(self, type_: CType, scope: Scope, depth: int) -> str:
        amount = f"((unsigned){self.of(self.random.choice(INTEGERS), scope, depth)} & {type_.last_bit})"
        value = self.of(type_, scope, depth)
        if self.random.random() < 0.5:
            return f"(({type_.spelling})(({type_.wide}){value} << {amount}))"
        return f"(({type_.spelling})({value} >> {amount}))"

    def _division(self, type_: CType, scope: Scope, depth: int) -> str:
        helper = self.random.choice(("div", "rem"))
        return f"{helper}_{type_.tag}({self.of(type_, scope, depth)}, {self.of(type_, scope, depth)})"

    def _comparison(self, type_: CType, scope: Scope, depth: int) -> str:
        return f"(({type_.spelling}){self.condition(scope, depth)})"

    def _choice(self, type_: CType, scope: Scope, depth: int) -> str:
        yes, no = self.of(type_, scope, depth), self.of(type_, scope, depth)
        return f"({self.condition(scope, depth)} ? {yes} : {no})"

    def _conversion(self, type_: CType, scope: Scope, depth: int) -> str:
        other = self.random.choice(INTEGERS)
        return f"(({type_.spelling}){self.of(other, scope, depth)})"

    def _negation(self, type_: CType, scope: Scope, depth: int) -> str:
        operator = self.random.choice("-~")
        return f"(({type_.spelling})({operator}({type_.wide}){self.of(type_, scope, depth)}))"

    def _from_float(self, type_: CType, scope: Scope, depth: int) -> str:
        source = self.random.choice(FLOATS)
        return convert(self.of(source, scope, depth), source, type_)

    # --- floats

    def _float_makers(self) -> list[Callable[[CType, Scope, int], str]]:
        return [*[self._float_arithmetic] * 4, self._choice, self._from_integer, self._float_widths, self._float_sign]

    def _float_arithmetic(self, type_: CType, scope: Scope, depth: int) -> str:
        operator = self.random.choice("+-*/")
        left, right = self.of(type_, scope, depth), self.of(type_, scope, depth)
        return f"({left} {operator} {right})"

    def _from_integer(self, type_: CType, scope: Scope, depth: int) -> str:
        return f"(({type_.spelling}){self.of(self.random.choice(INTEGERS), scope, depth)})"

    def _float_widths(self, type_: CType, scope: Scope, depth: int) -> str:
        return f"(({type_.spelling}){self.of(self.random.choice(FLOATS), scope, depth)})"

    def _float_sign(self, type_: CType, scope: Scope, depth: int) -> str:
        return f"(-{self.of(type_, scope, depth)})"


def convert(text: str, source: CType, target: CType) -> str:
    """Convert without undefined behaviour: out-of-range floats become 0."""
    if source == target:
        return text
    if source.floating and not target.floating:
        return f"(({target.spelling})to_integer({text}))"
    return f"(({target.spelling}){text})"
