"""ctype.h in the C locale: formulas for symbolic characters.

An argument outside of EOF and the unsigned chars belongs to no class and has no other case: glibc's tables go on
for negative chars, where they say just that. A test that succeeds yields glibc's bit for the class.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clew.analysis.model_effect import PURE, WRITES_OWN
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.op import Op
from clew.expr.ranges import interval
from clew.expr.sort import bv
from clew.models.cstrings import LOWER, UPPER, lowered, one_of, raised

_INT = bv(32)
_DIGITS = range(ord("0"), ord("9") + 1)
_ALPHA = {*UPPER, *LOWER}
_GRAPH = set(range(33, 127))

CLASSES: dict[str, tuple[frozenset[int], int]] = {
    name: (frozenset(members), bit)
    for name, members, bit in (
        ("isupper", set(UPPER), 1 << 8),
        ("islower", set(LOWER), 1 << 9),
        ("isalpha", _ALPHA, 1 << 10),
        ("isdigit", set(_DIGITS), 1 << 11),
        ("isxdigit", {*_DIGITS, *b"abcdefABCDEF"}, 1 << 12),
        ("isspace", {*b" \t\n\v\f\r"}, 1 << 13),
        ("isprint", _GRAPH | {32}, 1 << 14),
        ("isgraph", _GRAPH, 1 << 15),
        ("isblank", {*b" \t"}, 1 << 0),
        ("iscntrl", {*range(32), 127}, 1 << 1),
        ("ispunct", _GRAPH - _ALPHA - {*_DIGITS}, 1 << 2),
        ("isalnum", _ALPHA | {*_DIGITS}, 1 << 3),
    )
}
"""Per function: the characters it is true for (all are ASCII), and what it returns for them."""


def _narrow(char: Any) -> tuple[Any, int]:
    """The character and a width that suffices to ask for ASCII: mostly it is an extended byte."""
    if not isinstance(char, Expr):
        return char, 32
    if char.op is Op.SEXT and char.args[0].width == 8:
        return char.args[0], 8
    return (build.trunc(char, 8), 8) if interval(char)[1] <= 255 else (char, 32)


def _class_test(members: frozenset[int], bit: int) -> Callable[..., Any]:
    def test(call: Invocation, char: Any, *_: Any) -> Any:
        value, width = _narrow(char)
        return build.ite(one_of(value, members, width), bit, 0, _INT)

    return test


for _name, (_members, _bit) in CLASSES.items():
    model(_name, f"{_name}_l", f"__{_name}_l", effect=PURE)(_class_test(_members, _bit))


@model("isascii", effect=PURE)
def isascii(call: Invocation, char: Any) -> Any:
    return build.bool_to_bv(build.ult(char, 128, 32), 32)


@model("toascii", effect=PURE)
def toascii(call: Invocation, char: Any) -> Any:
    return build.and_(char, 127, 32)


@model("tolower", "_tolower", "tolower_l", "__tolower_l", effect=PURE)
def tolower(call: Invocation, char: Any, *_: Any) -> Any:
    return lowered(char, 32)


@model("toupper", "_toupper", "toupper_l", "__toupper_l", effect=PURE)
def toupper(call: Invocation, char: Any, *_: Any) -> Any:
    return raised(char, 32)


@model("__ctype_get_mb_cur_max", effect=PURE)
def most_bytes_of_a_character(_call: Invocation) -> int:
    """``MB_CUR_MAX``."""
    return 1


# The tables behind glibc's macros, for code that was compiled elsewhere


def _table(call: Invocation, key: str, size: int, entry: Callable[[int], int]) -> int:
    """A pointer to a table for -128 to 255, made once per path, and the address of that pointer."""
    memory, pointer = call.state.memory, call.pointer_bits // 8

    def make() -> int:
        data = b"".join((entry(char) & ((1 << 8 * size) - 1)).to_bytes(size, "little") for char in range(-128, 256))
        table = memory.allocate(len(data), "global", key, 8, None, data, True)
        cell = (table + 128 * size).to_bytes(pointer, "little")
        return memory.allocate(pointer, "global", key, 8, None, cell, True)

    address: int = call.kept(key, make)
    return address


@model("__ctype_b_loc", effect=WRITES_OWN)
def ctype_b_loc(call: Invocation) -> int:
    return _table(call, "__ctype_b", 2, lambda char: sum(bit for members, bit in CLASSES.values() if char in members))


@model("__ctype_tolower_loc", effect=WRITES_OWN)
def ctype_tolower_loc(call: Invocation) -> int:
    return _table(call, "__ctype_tolower", 4, lambda char: char + 32 if char in UPPER else char)


@model("__ctype_toupper_loc", effect=WRITES_OWN)
def ctype_toupper_loc(call: Invocation) -> int:
    return _table(call, "__ctype_toupper", 4, lambda char: char - 32 if char in LOWER else char)
