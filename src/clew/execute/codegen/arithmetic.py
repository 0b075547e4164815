"""Integer arithmetic, comparisons and casts as Python expressions.

Concrete integers are unsigned Python ints, symbolic ones ``Expr`` objects. Where the same Python
operators serve both (``+ - * & | ^`` are overloaded on ``Expr``), the expression has no type test at
all: ``(a + b) & 0xFFFFFFFF``. Everywhere else a test picks the concrete form or a call into
``clew.expr.build``. ``i1`` is ``bool`` when concrete.

Each function takes operand *texts* and returns an expression text; an operand that is a literal
constant is recognised by its text.
"""

from __future__ import annotations

_BUILD = {
    "shl": "shl", "lshr": "lshr", "ashr": "ashr", "udiv": "udiv", "sdiv": "sdiv", "urem": "urem", "srem": "srem",
}
_DUCK = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^"}
DIVISIONS = frozenset({"udiv", "sdiv", "urem", "srem"})


def literal(text: str) -> int | None:
    """The value of an operand text that is an integer literal."""
    return int(text) if text.isdigit() else None


def all_ints(*operands: str) -> str:
    """A test that every operand that is not a literal is concrete."""
    tests = [f"type({operand}) is int" for operand in dict.fromkeys(operands) if literal(operand) is None]
    return " and ".join(tests) or "True"


def binary(op: str, a: str, b: str, width: int) -> str:
    """An integer operation that cannot fail (no division)."""
    mask = (1 << width) - 1
    if width == 1:
        return _binary_bool(op, a, b)
    if op in ("and", "or", "xor"):
        return f"{a} {_DUCK[op]} {b}"
    if op in _DUCK:
        return f"({a} {_DUCK[op]} {b}) & {mask}"
    amount = literal(b)
    if amount is not None and amount >= width:
        return f"{_BUILD[op]}({a}, {b}, {width})"
    guard = all_ints(a, b) if amount is not None else f"{all_ints(a, b)} and {b} < {width}"
    sign = 1 << (width - 1)
    concrete = {
        "shl": f"({a} << {b}) & {mask}",
        "lshr": f"{a} >> {b}",
        "ashr": f"(({a} ^ {sign}) - {sign} >> {b}) & {mask}",
    }[op]
    return f"{concrete} if {guard} else {_BUILD[op]}({a}, {b}, {width})"


def _binary_bool(op: str, a: str, b: str) -> str:
    if op in ("add", "sub", "xor"):
        return f"{a} ^ {b}"
    if op in ("and", "mul"):
        return f"{a} & {b}"
    if op == "or":
        return f"{a} | {b}"
    # A shift by anything but 0 is poison on i1, a division by anything but 1 undefined.
    return a


_UNSIGNED = {"ult": "<", "ule": "<=", "ugt": ">", "uge": ">="}
_SIGNED = {"slt": "<", "sle": "<=", "sgt": ">", "sge": ">="}
_EQUAL = {"eq": "==", "ne": "!="}


def compare(predicate: str, a: str, b: str, width: int) -> str:
    """``icmp`` on integers wider than one bit, or on pointers."""
    guard = all_ints(a, b)
    symbolic = f"{predicate}({a}, {b}, {width})"
    if predicate in _SIGNED:
        sign = 1 << (width - 1)
        concrete = f"{_flip(a, sign)} {_SIGNED[predicate]} {_flip(b, sign)}"
    else:
        concrete = f"{a} {(_UNSIGNED | _EQUAL)[predicate]} {b}"
    return f"{concrete} if {guard} else {symbolic}"


def _flip(operand: str, sign: int) -> str:
    """The operand with its sign bit flipped: signed order becomes unsigned order."""
    value = literal(operand)
    return str(value ^ sign) if value is not None else f"({operand} ^ {sign})"


_BOOL_COMPARE = {
    # On i1, "true" is -1 when signed.
    "eq": lambda a, b: f"{b} ^ {a} ^ True",
    "ne": lambda a, b: f"{a} ^ {b}",
    "ult": lambda a, b: f"({a} ^ True) & {b}",
    "ugt": lambda a, b: f"{a} & ({b} ^ True)",
    "ule": lambda a, b: f"({a} ^ True) | {b}",
    "uge": lambda a, b: f"{a} | ({b} ^ True)",
}
_SIGNED_BOOL = {"slt": "ugt", "sgt": "ult", "sle": "uge", "sge": "ule"}


def compare_bool(predicate: str, a: str, b: str) -> str:
    """``icmp`` on ``i1``."""
    return _BOOL_COMPARE[_SIGNED_BOOL.get(predicate, predicate)](a, b)


def resize(op: str, a: str, source: int, target: int) -> str:
    """``trunc``, ``zext`` and ``sext`` between integer widths."""
    return {"trunc": _trunc, "zext": _zext, "sext": _sext}[op](a, source, target)


def _trunc(a: str, source: int, target: int) -> str:
    if target == 1:
        return f"{a} & 1 == 1 if type({a}) is int else low_bit({a})"
    return f"{a} & {(1 << target) - 1} if type({a}) is int else trunc({a}, {target})"


def _zext(a: str, source: int, target: int) -> str:
    if source == 1:
        return f"1 if {a} is True else 0 if {a} is False else bool_to_bv({a}, {target})"
    return f"{a} if type({a}) is int else zext({a}, {source}, {target})"


def _sext(a: str, source: int, target: int) -> str:
    ones = (1 << target) - 1
    if source == 1:
        return f"{ones} if {a} is True else 0 if {a} is False else neg(bool_to_bv({a}, {target}), {target})"
    sign = 1 << (source - 1)
    return f"({a} ^ {sign}) - {sign} & {ones} if type({a}) is int else sext({a}, {source}, {target})"
