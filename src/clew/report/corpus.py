"""Inputs as fuzzers keep them: the bytes of standard input, a file for each, called by its hash.

libFuzzer and AFL++ start from such a folder, and ``--seeds`` reads it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from clew.report.values import InputValue

LENGTH, CONTENT = "stdin length", "stdin"
"""What inputs that are standard input are called."""


def standard_input(inputs: Sequence[InputValue]) -> bytes | None:
    """The bytes of standard input, if they are all that a program has read; else None."""
    if [value.name for value in inputs] != [LENGTH, CONTENT]:
        return None
    length, content = (value.to_bytes() for value in inputs)
    return content[: int.from_bytes(length, "little")]


def corpus_name(data: bytes) -> str:
    """The name that libFuzzer gives to a file of these bytes."""
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()
