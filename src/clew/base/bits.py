"""Bits as numbers."""

from __future__ import annotations


def signed(value: int, width: int) -> int:
    """The number that ``width`` bits are in two's complement, given as what they are without a sign."""
    return value - (1 << width) if value >> (width - 1) else value


def as_number(value: int, width: int, is_signed: bool) -> int:
    """The number that bits are, with a sign or without."""
    return signed(value, width) if is_signed else value


def range_of_width(width: int, is_signed: bool) -> tuple[int, int]:
    """The least and the greatest number of a width."""
    least = -(1 << (width - 1)) if is_signed else 0
    return least, least + (1 << width) - 1
