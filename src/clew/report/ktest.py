"""KLEE's ``.ktest`` format, version 3: all integers are big-endian ``uint32``.

    "KTEST" version numArgs { length bytes }* symArgvs symArgvLen numObjects { nameLength name size bytes }*

Each input becomes one object, in order. KLEE's own reader fails on strings and objects of length
zero, so none is ever written: empty objects are left out, empty names become ``unnamed``.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from clew.report.values import InputValue

MAGIC = b"KTEST"
VERSION = 3


def ktest_of(inputs: Sequence[InputValue], program: str) -> bytes:
    """A file with one object per input, as the target's memory holds it; the program is the only argument."""
    objects = [(value.name.encode("utf-8", "replace") or b"unnamed", value.to_bytes()) for value in inputs]
    kept = [part for name, content in objects if content for part in (name, content)]
    argument = _string(program.encode("utf-8", "replace") or b"program")
    head = [MAGIC, _number(VERSION), _number(1), argument, _number(0), _number(0), _number(len(kept) // 2)]
    return b"".join([*head, *map(_string, kept)])


def _number(value: int) -> bytes:
    return struct.pack(">I", value)


def _string(data: bytes) -> bytes:
    return _number(len(data)) + data
