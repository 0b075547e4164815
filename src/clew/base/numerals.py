"""How numbers and words stand in the text of files that a program reads with ``scanf``, where only their value matters.

An input ``NAME %d at 16`` says what such a conversion reads at a place of a file. Its text has a fixed width, blanks
first, so that what comes after it has a place, too, whatever the number or word is.
"""

from __future__ import annotations

import math
import re
from typing import Final

BASES: Final = {"d": 10, "u": 10, "x": 16, "o": 8, "f": 10}
"""The conversions that read numbers so, and what they take for digits behind them."""
WORD: Final = "s"
"""The conversion that reads words; their size is the number of characters."""
_WHITE: Final = b" \t\n\v\f\r"
_SIGNIFICANT: Final = {4: 9, 8: 17}
"""Digits that tell floating-point numbers of so many bytes apart."""
PRESENT: Final = ord("0")
"""The byte after the first of a numeral's place: this one stands for a number, others for what is none."""
SPELLED: Final = ord("y")
"""The byte after that: with this one, infinity is a word, otherwise a number that is too large."""

NUMERAL: Final = re.compile(r"(.*) %([duxofs]) at (\d+)", re.DOTALL)
"""The name of such an input."""
PLACES: Final = "places"
"""An input ``NAME places`` says that the program has asked how far it has read a file with numbers or words in it."""


def input_name(file: str, conversion: str, start: int) -> str:
    """The name of the input that says which number a file holds at ``start``."""
    return f"{file} %{conversion} at {start}"


def numeral_width(conversion: str, size: int) -> int:
    """Bytes that the text of any number of ``size`` bytes has room in, with a blank before it."""
    longest: float = -(1 << 8 * size - 1) if conversion == "d" else (1 << 8 * size) - 1
    return len(_numeral(conversion, -1e-100 if conversion == "f" else longest, size)) + 1


def numeral_text(conversion: str, value: float, size: int, spelled: bool) -> bytes:
    """The text from which the conversion reads this value, if no digit follows, which one may after a word."""
    text = _numeral(conversion, value, size)
    if math.isinf(value):
        text = text.replace("inf", "infinity" if spelled else "1e999")
    return text.rjust(numeral_width(conversion, size)).encode()


def word_width(size: int) -> int:
    """Bytes that the text of any word of up to ``size`` characters has room in, with a blank before it."""
    return size + 1


def word_text(characters: bytes) -> bytes:
    """The text from which ``%s`` reads these characters, up to the first that is white space."""
    length = next((place for place, byte in enumerate(characters) if byte in _WHITE), len(characters))
    return characters[:length].rjust(word_width(len(characters)))


def _numeral(conversion: str, value: float, size: int) -> str:
    # After a prefix, a zero or an exponent no other character than a digit goes on with the number: not even an x.
    if conversion == "f":
        return f"{value:.{_SIGNIFICANT[size] - 1}e}"
    return f"{int(value):#x}" if conversion == "x" else f"{int(value):o}" if conversion == "o" else str(value)
