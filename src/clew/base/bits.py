"""Bits as numbers."""

from __future__ import annotations


def signed(value: int, width: int) -> int:
    """The number that ``width`` bits are in two's complement, given as what they are without a sign."""
    return value - (1 << width) if value >> (width - 1) else value
