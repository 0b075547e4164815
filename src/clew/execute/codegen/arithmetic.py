"""Integer arithmetic, comparisons and casts as Python expressions.

Concrete integers are unsigned Python ints, symbolic ones ``Expr`` objects, ``i1`` is ``bool`` when
concrete. Each operation has up to two texts:

    general   a call into ``clew.expr.build``: right for every mixture of operands
    fast      right for concrete operands, and raises TypeError when one is an ``Expr``:
              nodes have no ``<``, ``>>``, ``//`` or truth value. Trying costs nothing

Where ``Expr`` overloads the operators (``+ - * & | ^``), one text serves both: ``(a + b) & 0xFFFFFFFF``.
"""

from __future__ import annotations

from typing import NamedTuple

from clew.expr import build


class OperationText(NamedTuple):
    """An operation as text. Without ``fast`` the general text is all there is."""

    general: str
    fast: str = ""


_BUILD = {"shl": "shl", "lshr": "lshr", "ashr": "ashr"}
_DUCK = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^"}
DIVISIONS = frozenset({"udiv", "sdiv", "urem", "srem"})


def literal(text: str) -> int | None:
    """The value of an operand text that is an integer literal."""
    return int(text) if text.isdigit() else None


def binary(op: str, a: str, b: str, width: int) -> OperationText:
    """An integer operation that cannot fail (no division)."""
    mask = (1 << width) - 1
    if width == 1:
        return OperationText(_binary_bool(op, a, b))
    if op in ("and", "or", "xor"):
        return OperationText(f"{a} {_DUCK[op]} {b}")
    if op in _DUCK:
        return OperationText(f"({a} {_DUCK[op]} {b}) & {mask}")
    general = f"{_BUILD[op]}({a}, {b}, {width})"
    amount = literal(b)
    if amount is not None and amount >= width:
        return OperationText(general)
    sign = 1 << (width - 1)
    fast = {
        "shl": f"{a} << {b} & {mask}",
        "lshr": f"{a} >> {b}",
        "ashr": f"{a} >> {b} if {a} < {sign} else ({a} - {mask + 1} >> {b}) & {mask}",
    }[op]
    return OperationText(general, fast if amount is not None else f"({fast}) if {b} < {width} else {general}")


def _binary_bool(op: str, a: str, b: str) -> str:
    if op in ("add", "sub", "xor"):
        return f"{a} ^ {b}"
    if op in ("and", "mul"):
        return f"{a} & {b}"
    if op == "or":
        return f"{a} | {b}"
    # A shift by anything but 0 is poison on i1, a division by anything but 1 undefined.
    return a


def division(op: str, a: str, b: str, width: int, general: str) -> OperationText:
    """A division; ``general`` also handles a divisor of 0 and the one signed overflow."""
    operator = "//" if op in ("udiv", "sdiv") else "%"
    divisor = literal(b)
    sign, modulus = 1 << (width - 1), 1 << width
    if op in ("udiv", "urem"):
        return OperationText(general, f"{a} {operator} {b}" if divisor else f"{a} {operator} {b} if {b} else {general}")
    if divisor is not None and 0 < divisor < sign:
        negated = f"-(({modulus} - {a}) {operator} {b}) & {modulus - 1}"
        return OperationText(general, f"{a} {operator} {b} if {a} < {sign} else {negated}")
    return OperationText(general, f"{a} {operator} {b} if {a} < {sign} and 0 < {b} < {sign} else {general}")


_EQUAL = {"eq": "==", "ne": "!="}
_ORDER = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def compare(predicate: str, a: str, b: str, width: int) -> OperationText:
    """``icmp`` on integers wider than one bit, or on pointers."""
    general = f"{predicate}({a}, {b}, {width})"
    left, right = literal(a), literal(b)
    if left is not None and right is not None:
        return OperationText(repr(getattr(build, predicate)(left, right, width)))
    if predicate in _EQUAL:
        # Nodes compare by identity, which would not raise: their missing truth value does.
        differ = a if b == "0" else f"{a} ^ {b}"
        return OperationText(general, f"not {differ}" if predicate == "eq" else f"not not {differ}")
    order = _ORDER[predicate[1:]]
    if predicate[0] == "u":
        return OperationText(general, f"{a} {order} {b}")
    return OperationText(general, _signed(order, a, b, 1 << (width - 1)))


def compare_extended(predicate: str, signed: bool, a: str, narrow: int, constant: int, width: int) -> str:
    """The fast text of a comparison between ``a``, extended from ``narrow`` bits, and a constant; empty if there is no
    shorter one than with the extension."""
    half = 1 << (narrow - 1)
    if constant < half if signed else constant < 2 * half and predicate[0] != "s":
        # Whatever the extension turns into something larger was larger already.
        return compare(predicate, a, str(constant), narrow).fast
    if signed and predicate[0] == "s" and constant >= (1 << width) - half:
        return compare(predicate, a, str(constant & (2 * half - 1)), narrow).fast
    return ""


_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _signed(order: str, a: str, b: str, sign: int) -> str:
    """Signed order on unsigned representations: negative numbers are those from ``sign`` on."""
    constant = literal(b)
    if constant is None and literal(a) is not None:
        return _signed(_MIRRORED[order], b, a, sign)
    if constant is None:
        return f"{a} {order} {b} if {a} < {sign} and {b} < {sign} else ({a} ^ {sign}) {order} ({b} ^ {sign})"
    below = order in ("<", "<=")
    if below == (constant < sign):
        # Everything on this side of the constant, or everything on the far side of the sign.
        return f"{a} {order} {constant} or {a} {'>=' if below else '<'} {sign}"
    return f"{sign} <= {a} {order} {constant}" if below else f"{sign} > {a} {order} {constant}"


_BOOL_COMPARE = {
    "eq": "{b} ^ {a} ^ True",
    "ne": "{a} ^ {b}",
    "ult": "({a} ^ True) & {b}",
    "ugt": "{a} & ({b} ^ True)",
    "ule": "({a} ^ True) | {b}",
    "uge": "{a} | ({b} ^ True)",
}
# "true" is -1 when signed.
_SIGNED_BOOL = {"slt": "ugt", "sgt": "ult", "sle": "uge", "sge": "ule"}


def compare_bool(predicate: str, a: str, b: str) -> OperationText:
    """``icmp`` on ``i1``."""
    return OperationText(_BOOL_COMPARE[_SIGNED_BOOL.get(predicate, predicate)].format(a=a, b=b))


def resize(op: str, a: str, source: int, target: int) -> OperationText:
    """``trunc``, ``zext`` and ``sext`` between integer widths."""
    return {"trunc": _trunc, "zext": _zext, "sext": _sext}[op](a, source, target)


def _trunc(a: str, source: int, target: int) -> OperationText:
    if target == 1:
        return OperationText(f"low_bit({a})", f"not not {a} & 1")
    return OperationText(f"{a} & {(1 << target) - 1} if type({a}) is int else trunc({a}, {target})")


def _zext(a: str, source: int, target: int) -> OperationText:
    if source == 1:
        return OperationText(f"(1 if {a} is True else 0 if {a} is False else bool_to_bv({a}, {target}))")
    return OperationText(f"zext({a}, {source}, {target})", f"{a} if {a} >= 0 else 0")


def _sext(a: str, source: int, target: int) -> OperationText:
    ones = (1 << target) - 1
    if source == 1:
        symbolic = f"neg(bool_to_bv({a}, {target}), {target})"
        return OperationText(f"({ones} if {a} is True else 0 if {a} is False else {symbolic})")
    sign = 1 << (source - 1)
    return OperationText(
        f"sext({a}, {source}, {target})", f"{a} if {a} < {sign} else {a} | {ones ^ ((1 << source) - 1)}"
    )


def with_overflow(predicate: str, a: str, b: str, width: int, result: str) -> tuple[str, str] | None:
    """Fast texts of a result, to be kept in a variable ``result``, and of whether it overflowed, to be computed next;
    ``t`` is a scratch variable of generated code. None where the general text is to be used."""
    mask, sign, modulus = (1 << width) - 1, 1 << (width - 1), 1 << width
    if width == 1 or (literal(a) is not None and literal(b) is not None):
        return None
    x, y = _signed_value(a, sign, modulus), _signed_value(b, sign, modulus)
    constant = literal(b)
    if predicate in ("sadd_overflow", "ssub_overflow"):
        operator = "+" if predicate == "sadd_overflow" else "-"
        if constant is not None and constant not in (0, sign):
            # The numbers from which this step leads over the edge: below it, or above.
            step = constant if constant < sign else modulus - constant
            up = (constant < sign) == (operator == "+")
            edge = f"{sign - step} <= {a} < {sign}" if up else f"{sign} <= {a} < {sign + step}"
        else:
            # A sum overflows if its sign is that of neither operand; of the difference, the other one's was turned.
            edge = f"({a} ^ {result}) & ({b if operator == '+' else a} ^ {result if operator == '+' else b}) >= {sign}"
        return f"{a} {operator} {b} & {mask}", edge
    # Nodes wrap around, and what they give may be an int: each operand is compared, so that a node raises.
    return {
        "smul_overflow": (f"(t := {x} * {y}) & {mask}", f"not -{sign} <= t < {sign}"),
        "uadd_overflow": (f"{a} + {b} & {mask}", f"{a} > {mask} - {b}"),
        "usub_overflow": (f"{a} - {b} & {mask}", f"{a} < {b}"),
        "umul_overflow": (f"(t := {a} * {b}) & {mask}", f"{a} >= 0 <= {b} and t > {mask}"),
    }[predicate]


def _signed_value(text: str, sign: int, modulus: int) -> str:
    """An unsigned representation as the signed number it stands for."""
    number = literal(text)
    if number is not None:
        return str(number if number < sign else number - modulus)
    return f"({text} if {text} < {sign} else {text} - {modulus})"
