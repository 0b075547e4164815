"""Inputs that are standard input alone, as bytes."""

from __future__ import annotations

from clew.report.corpus import standard_input
from clew.report.values import InputValue

LENGTH = InputValue("stdin length", "unsigned int", 32, 14)
CONTENT = InputValue("stdin", "char[14]", 112, b"\0" + b"0" + b"y" + b"\0" * 9 + b"x\0", "object")


def test_bytes_and_what_was_read_from_them() -> None:
    assert standard_input([LENGTH, CONTENT]) == CONTENT.to_bytes()
    number = InputValue("stdin %d at 0", "int", 32, -42)
    assert standard_input([LENGTH, CONTENT, number]) == b"-42x\0"


def test_others_have_none() -> None:
    assert standard_input([LENGTH, CONTENT, InputValue("n", "int", 32, 1)]) is None
    assert standard_input([]) is None
    assert standard_input([InputValue("stdin x", "int", 32, 1)]) is None
