"""Which LLVM wrote a bitcode file, read from its first bytes.

Only for error messages: LLVM itself says little that helps when it meets code newer than it knows.
"""

from __future__ import annotations

import re

_CHAR6 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"
_MAGIC = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_HEAD = 256
_MARK = sum(_CHAR6.index(letter) << 6 * place for place, letter in enumerate("LLVM"))


def is_bitcode(content: bytes) -> bool:
    """Does the file start like LLVM bitcode, plain or wrapped?"""
    return content[:4] in _MAGIC


def producer_version(content: bytes) -> int | None:
    """The major version in the identification block (``LLVM22.1.0`` -> 22), or None.

    The string is stored in six bits per letter at some bit offset near the start, so it is
    searched for at every offset.
    """
    bits = int.from_bytes(content[:_HEAD], "little")
    for offset in range(_HEAD * 8):
        if (bits >> offset) & 0xFFFFFF == _MARK:
            tail = bits >> offset + 24
            digits = "".join(_CHAR6[(tail >> 6 * place) & 63] for place in range(4))
            match = re.match(r"\d+", digits)
            if match:
                return int(match[0])
    return None
