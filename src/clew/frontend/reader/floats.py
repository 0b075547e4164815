"""Floating-point literals -> the bits of their own format.

LLVM writes ``float`` and ``double`` (and decimal ``half``/``bfloat``) as doubles: decimal where that is
exact, else as the 16 hex digits of the *double*. The other formats have a letter after ``0x``: ``K`` is
x86's 80 bits, ``L`` IEEE quad and ``M`` PowerPC's pair (low word first), ``H`` half, ``R`` bfloat.
"""

from __future__ import annotations

import re
import struct

from clew.frontend.reader.cursor import Malformed
from clew.program.types import FloatKind

FLOAT_LITERAL = re.compile(r"0x(?:[KLMHR])?[0-9A-Fa-f]+|[-+]?\d+\.\d*(?:[eE][-+]?\d+)?")

_LETTERS = {
    "K": (FloatKind.X86_FP80, 20),
    "L": (FloatKind.FP128, 32),
    "M": (FloatKind.PPC_FP128, 32),
    "H": (FloatKind.HALF, 4),
    "R": (FloatKind.BFLOAT, 4),
}
_FORMATS = {FloatKind.HALF: ("<e", 5, 10), FloatKind.FLOAT: ("<f", 8, 23)}
"""The formats that are written as doubles: Python's name, exponent and fraction bits. ``bfloat`` is half a float."""


def float_bits(text: str, kind: FloatKind) -> int:
    """The bits of literal ``text`` in format ``kind``."""
    if text.startswith("0x"):
        letter = text[2:3]
        if letter in _LETTERS:
            return _lettered_bits(text, letter, kind)
        digits = text[2:]
        if len(digits) > 16:
            raise Malformed(f"'{text}' is too long for a double")
        return _from_double(int(digits, 16), kind)
    return _from_double(_double_bits(text), kind)


def _double_bits(text: str) -> int:
    bits: int = struct.unpack("<Q", struct.pack("<d", float(text)))[0]
    return bits


def _lettered_bits(text: str, letter: str, kind: FloatKind) -> int:
    expected, length = _LETTERS[letter]
    digits = text[3:]
    if kind is not expected or len(digits) != length:
        raise Malformed(f"'{text}' is not a constant of type {kind.value}")
    if letter in "LM":
        return int(digits[16:], 16) << 64 | int(digits[:16], 16)
    return int(digits, 16)


def _from_double(bits: int, kind: FloatKind) -> int:
    """Round the double with ``bits`` to ``kind`` (LLVM prints only doubles that convert exactly)."""
    if kind is FloatKind.DOUBLE:
        return bits
    if kind is FloatKind.BFLOAT:
        return _from_double(bits, FloatKind.FLOAT) >> 16
    if kind not in _FORMATS:
        raise Malformed(f"a constant of type {kind.value} is written in hexadecimal")
    form, exponent_bits, fraction_bits = _FORMATS[kind]
    infinity = (bits >> 63 << exponent_bits | (1 << exponent_bits) - 1) << fraction_bits
    (value,) = struct.unpack("<d", bits.to_bytes(8, "little"))
    if value != value:
        return infinity | ((bits & (1 << 52) - 1) >> (52 - fraction_bits) or 1)
    try:
        return int.from_bytes(struct.pack(form, value), "little")
    except OverflowError:
        return infinity
