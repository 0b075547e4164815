"""Expressions as C says them, for people: ``A[i] == 1 && i < 15``.

Made for reading, not for compiling: conversions that widen are left out, and what C has no words for is an operator's
name and its arguments. A text has a bound on its length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clew.base.bits import signed
from clew.expr.node import Expr
from clew.expr.op import Op
from clew.expr.rewrite.linear import decompose
from clew.expr.sort import SortKind
from clew.solver.path import conjuncts

LONGEST = 400
"""Characters of one text, about; "..." stands for the rest."""
_DEEPEST = 40
"""Of nested operands that are written out."""
_MOST = 2_000
"""Operations of one text that are written out: those that an expression shares may be far more than it has."""

_OR, _AND, _EQUAL, _ORDER, _SUM, _PRODUCT, _UNARY, _ATOM = range(8)
"""How tight operators bind."""
_ORDERS = {Op.ULT: ("<", ">="), Op.ULE: ("<=", ">"), Op.SLT: ("<", ">="), Op.SLE: ("<=", ">"),
           Op.FLT: ("<", ""), Op.FLE: ("<=", "")}  # fmt: skip
_INFIX = {
    Op.MUL: ("*", _PRODUCT), Op.UDIV: ("/", _PRODUCT), Op.SDIV: ("/", _PRODUCT), Op.UREM: ("%", _PRODUCT),
    Op.SREM: ("%", _PRODUCT), Op.AND: ("&", _EQUAL), Op.OR: ("|", _EQUAL), Op.XOR: ("^", _EQUAL),
    Op.SHL: ("<<", _ORDER), Op.LSHR: (">>", _ORDER), Op.ASHR: (">>", _ORDER),
    Op.FADD: ("+", _SUM), Op.FSUB: ("-", _SUM), Op.FMUL: ("*", _PRODUCT), Op.FDIV: ("/", _PRODUCT),
    Op.FEQ: ("==", _EQUAL),
}  # fmt: skip
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_UNSIGNED = frozenset((Op.ULT, Op.ULE, Op.UDIV, Op.UREM, Op.AND, Op.OR))

Text = tuple[str, int]
"""A text, and how tight its outermost operator binds."""


def number(value: int, width: int, unsigned: bool = False) -> str:
    """An integer; signed unless told otherwise."""
    return str(value if unsigned or width <= 1 else signed(value, width))


class Speller:
    """Texts for expressions; ``names`` tells what symbols are called."""

    def __init__(
        self,
        names: Callable[[Expr], str],
        elements: Callable[[Expr, int, int], str] | None = None,
        most: int = _MOST,
    ) -> None:
        """``elements`` tells what bits of a symbol are called, by the lowest and their number, if they have a name.
        Where there is one, bytes are written as characters where they can be. ``most``: operations of a text; dots
        stand for others.
        """
        self._most = most
        self._names = names
        self._elements = elements
        self._left = 0
        """Operations that this text may still have."""

    def text(self, value: Any, width: int = 0) -> str:
        """A value as text."""
        self._left = self._most
        return _shortened(self._spell(value, width, False, _DEEPEST)[0])

    def condition(self, value: Any) -> str:
        """A condition; the parts of a conjunction in the order of their lengths."""
        if not isinstance(value, Expr):
            return "always" if value else "never"
        if len(conjuncts(value)) == 1:
            return self.text(value)
        parts = sorted(map(self._conjunct, conjuncts(value)), key=len)
        return _shortened(" && ".join(dict.fromkeys(parts)))

    def _conjunct(self, part: Expr) -> str:
        self._left = self._most
        return self._within(part, _EQUAL, _DEEPEST)

    def _within(self, e: Any, level: int, depth: int, unsigned: bool = False, width: int = 0) -> str:
        """As an operand of an operator that binds so tight."""
        text, own = self._spell(e, width, unsigned, depth)
        return text if own >= level else f"({text})"

    def _spell(self, e: Any, width: int, unsigned: bool, depth: int) -> Text:
        if isinstance(e, bool | float):
            return str(e).lower(), _ATOM
        if isinstance(e, int):
            return number(e, width, unsigned), _ATOM
        assert isinstance(e, Expr)
        self._left -= 1
        if depth <= 0 or self._left < 0:
            return "...", _ATOM
        match e.op:
            case Op.CONST if self._elements and e.sort.kind is SortKind.BV and e.width == 8 and 32 <= e.value < 127:
                return f"'{chr(e.value)}'".replace("\\", "\\\\"), _ATOM
            case Op.CONST:
                return self._spell(e.value, e.width, unsigned, depth)
            case Op.SYMBOL:
                return self._names(e), _ATOM
            case Op.ZEXT | Op.SEXT | Op.FP_FROM_BITS | Op.FP_TO_BITS | Op.FP_TO_FP | Op.FP_FROM_SBV | Op.FP_FROM_UBV:
                return self._spell(e.args[0], e.args[0].width, unsigned or e.op is Op.ZEXT, depth)
            case Op.ADD | Op.NEG:
                return self._sum(e, depth)
            case Op.MUL if e.args[-1].op is Op.CONST:
                factor = self._spell(e.args[-1], e.width, unsigned, depth)[0]
                return f"{factor} * {self._within(e.args[0], _PRODUCT, depth - 1)}", _PRODUCT
            case Op.SHL if e.args[1].op is Op.CONST:
                return f"{1 << e.args[1].value} * {self._within(e.args[0], _PRODUCT, depth - 1)}", _PRODUCT
            case Op.LNOT:
                return self._negated(e.args[0], depth)
            case Op.EQ if e.args[0].sort.kind is SortKind.BOOL:
                return self._infix(e, "==", _EQUAL, depth)
            case Op.EQ:
                return self._compared(e, "==", False, depth), _EQUAL
            case Op.LAND:
                return " && ".join(self._within(part, _EQUAL, depth - 1) for part in e.args), _AND
            case Op.ITE:
                when, yes, no = (self._within(arg, _EQUAL, depth - 1, width=e.width) for arg in e.args)
                return f"{when} ? {yes} : {no}", _OR - 1
            case Op.EXTRACT:
                return self._part(e, depth)
        if e.op in _ORDERS:
            return self._compared(e, _ORDERS[e.op][0], e.op in _UNSIGNED, depth), _ORDER
        if e.op in _INFIX:
            return self._infix(e, *_INFIX[e.op], depth)
        arguments = ", ".join(self._within(arg, _OR - 1, depth - 1) for arg in e.args)
        return f"{e.op.name.lower()}({arguments})", _ATOM

    def _infix(self, e: Expr, sign: str, level: int, depth: int) -> Text:
        unsigned = e.op in _UNSIGNED
        return f" {sign} ".join(self._within(arg, level + 1, depth - 1, unsigned) for arg in e.args), level

    def _compared(self, e: Expr, sign: str, unsigned: bool, depth: int) -> str:
        """A comparison: numbers stand on the right, counters on the left."""
        left, right = (self._within(arg, _ORDER + 1, depth - 1, unsigned) for arg in e.args)
        if e.args[0].op is Op.CONST or (self._counted(e.args[1]) and not self._counted(e.args[0])):
            return f"{right} {_MIRRORED.get(sign, sign)} {left}"
        return f"{left} {sign} {right}"

    def _negated(self, e: Expr, depth: int) -> Text:
        if e.op is Op.LNOT:
            return self._spell(e.args[0], 0, False, depth)
        if e.op is Op.LAND:
            return " || ".join(self._negated_within(part, _AND, depth - 1) for part in e.args), _OR
        if e.op is Op.EQ and e.args[0].sort.kind is not SortKind.BOOL:
            return self._compared(e, "!=", False, depth), _EQUAL
        if _ORDERS.get(e.op, ("", ""))[1]:
            return self._compared(e, _ORDERS[e.op][1], e.op in _UNSIGNED, depth), _ORDER
        return f"!{self._within(e, _UNARY, depth - 1)}", _UNARY

    def _negated_within(self, e: Expr, level: int, depth: int) -> str:
        text, own = self._negated(e, depth)
        return text if own >= level else f"({text})"

    def _sum(self, e: Expr, depth: int) -> Text:
        """Positive terms first, the number last."""
        terms, rest = decompose(e)
        texts: list[tuple[bool, str]] = []
        for term, factor in terms.items():
            negative = bool(factor >> (e.width - 1))
            amount = (1 << e.width) - factor if negative else factor
            text = self._within(term, _PRODUCT, depth - 1)
            texts.append((negative, text if amount == 1 else f"{amount} * {text}"))
        texts.sort(key=lambda item: (item[0], _rank(item[1])))
        if rest:
            negative = bool(rest >> (e.width - 1))
            texts.append((negative, str((1 << e.width) - rest if negative else rest)))
        (minus, first), *others = texts
        joined = ("-" if minus else "") + first + "".join(f" {'-' if sign else '+'} {text}" for sign, text in others)
        return joined, _SUM if others else _UNARY if minus else _PRODUCT if " * " in first else _ATOM

    def _part(self, e: Expr, depth: int) -> Text:
        high, low = e.value
        whole = e.args[0]
        if (
            self._elements is not None
            and whole.op is Op.SYMBOL
            and (name := self._elements(whole, low, high - low + 1))
        ):
            return name, _ATOM
        if low == 0 and self._is_counter(whole):  # its value is what matters, not its bits
            return self._spell(whole, whole.width, False, depth)
        inner = self._within(whole, _UNARY, depth - 1)
        return (f"(int{high + 1}){inner}", _UNARY) if low == 0 else (f"{inner} >> {low} & {hex(e.mask)}", _EQUAL)

    def _is_counter(self, e: Expr) -> bool:
        name = self._names(e) if e.op is Op.SYMBOL else ""
        return name[:1] == "k" and name[1:].isdecimal()

    def _counted(self, e: Expr) -> bool:
        return any(self._is_counter(made) for made in e.symbols)


def _rank(text: str) -> tuple[bool, int, str]:
    """The order of terms: counters after everything else, by their numbers."""
    tail = text.rpartition(" ")[2]
    is_counter = tail[:1] == "k" and tail[1:].isdecimal()
    return is_counter, int(tail[1:]) if is_counter else 0, text


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + " ..."
