"""KLEE's ``.ktest`` format, version 3: all integers are big-endian ``uint32``.

    "KTEST" version numArgs { length bytes }* symArgvs symArgvLen numObjects { nameLength name size bytes }*

Each input becomes one object, in order. KLEE's own reader fails on strings and objects of length
zero, so none is ever written: empty objects are left out, empty names become ``unnamed``.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from clew.report.records import InputValue

MAGIC = b"KTEST"
VERSION = 3


@dataclass(frozen=True, slots=True)
class KTest:
    """The content of a ``.ktest`` file."""

    arguments: tuple[bytes, ...]
    objects: tuple[tuple[bytes, bytes], ...]
    """Pairs of name and content."""
    symbolic_arguments: int = 0
    symbolic_argument_length: int = 0

    def encode(self) -> bytes:
        """The bytes of the file."""
        arguments = [argument for argument in self.arguments if argument]
        objects = [(name or b"unnamed", content) for name, content in self.objects if content]
        parts = [MAGIC, _number(VERSION), _number(len(arguments)), *map(_string, arguments)]
        parts += [_number(self.symbolic_arguments), _number(self.symbolic_argument_length), _number(len(objects))]
        for name, content in objects:
            parts += [_string(name), _string(content)]
        return b"".join(parts)


def ktest_of(inputs: Sequence[InputValue], program: str) -> KTest:
    """One object per input, as the target's memory holds it."""
    return KTest(
        (program.encode("utf-8", "replace") or b"program",),
        tuple((value.name.encode("utf-8", "replace"), value.to_bytes()) for value in inputs),
    )


def _number(value: int) -> bytes:
    return struct.pack(">I", value)


def _string(data: bytes) -> bytes:
    return _number(len(data)) + data
