"""IEEE formats, and floats as their bits, for the backends and the inverses of float operators."""

from __future__ import annotations

import struct
from typing import Final

FLOAT_FORMAT: Final = {32: (8, 24), 64: (11, 53)}
CANONICAL_NAN: Final = {32: 0x7FC00000, 64: 0x7FF8000000000000}


def float_to_bits(value: float, width: int) -> int:
    """The IEEE bits of a Python float; every NaN is the canonical one."""
    if value != value:
        return CANONICAL_NAN[width]
    packed = struct.pack("<f" if width == 32 else "<d", value)
    return int.from_bytes(packed, "little")


def bits_to_float(bits: int, width: int) -> float:
    """The Python float with these IEEE bits."""
    data = bits.to_bytes(width // 8, "little")
    value: float = struct.unpack("<f" if width == 32 else "<d", data)[0]
    return value
