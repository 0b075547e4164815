"""How numbers stand in the text of files that a program reads with ``scanf``, where all that matters is their value.

An input ``NAME %d at 16`` says what such a conversion reads at a place of a file. Its text has a fixed width, blanks
first, so that what comes after it has a place, too, whatever the number is.
"""

from __future__ import annotations

from typing import Final

BASES: Final = {"d": 10, "u": 10, "x": 16, "o": 8}
"""The conversions that read integers so, and what they take for digits."""
PRESENT: Final = ord("0")
"""The byte after the first of a numeral's place: this one stands for a number, others for what is none."""


def input_name(file: str, conversion: str, start: int) -> str:
    """The name of the input that says which number a file holds at ``start``."""
    return f"{file} %{conversion} at {start}"


def numeral_width(conversion: str, size: int) -> int:
    """Bytes that the text of any number of ``size`` bytes has room in, with a blank before it."""
    longest = -(1 << 8 * size - 1) if conversion == "d" else (1 << 8 * size) - 1
    return len(_numeral(conversion, longest)) + 1


def numeral_text(conversion: str, value: int, size: int) -> bytes:
    """The text from which the conversion reads this value, if no digit follows."""
    return _numeral(conversion, value).rjust(numeral_width(conversion, size)).encode()


def _numeral(conversion: str, value: int) -> str:
    # After a prefix, or a zero, no other character than a digit goes on with the number: not even an x.
    return f"{value:#x}" if conversion == "x" else f"{value:o}" if conversion == "o" else str(value)
