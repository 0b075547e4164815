"""Malformed text: always UserError, always with the line."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.frontend.reader import read_module

_CASES = sorted((Path(__file__).parents[3] / "cases" / "reader").glob("*.ll"))


def _body(*lines: str) -> str:
    return "define i32 @f(i32 %x, ptr %p) {\n" + "\n".join(lines) + "\n}\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("nonsense", 1),
        ("\n@g = global", 2),
        ("@g = global i32", 1),
        ("@g = global i32 1\n@g = global i32 2", 2),
        ("declare void @f()\n@f = global i32 2", 2),
        ("declare void @f()\ndeclare void @f()", 2),
        ("%t = struct { i32 }", 1),
        ("attributes #0 = nothing", 1),
        ("!0 5", 1),
        ('target endianness = "big"', 1),
        ('target datalayout = "p:x:y"', 1),
        ("define void @f() {", 1),
        ("define void @f()\n{\n  ret void\n}", 1),
        (_body(), 3),
        (_body("  %y = add i32 %x"), 2),
        (_body("  ret i32 %x", "  ret i32 %x"), 3),
        (_body("  %y = add i32 %x, 1", "next:", "  ret i32 %x"), 3),
        (_body("a:", "  ret i32 %x", "a:", "  ret i32 %x"), 4),
        (_body("  %y = icmp less i32 %x, 1", "  ret i32 %x"), 2),
        (_body("  add i32 %x, 1", "  ret i32 %x"), 2),
        (_body("  %y = store i32 %x, ptr %p, align 4", "  ret i32 %x"), 2),
        (_body("  %y = load i32, ptr %p, align 4 garbage", "  ret i32 %x"), 2),
        (_body("  %y = load i32, ptr %p, align 4, !dbg !7", "  ret i32 %x"), 2),
        (_body("  %y = extractvalue { i8 } zeroinitializer, 3", "  ret i32 %x"), 2),
        (_body("  %y = call i32 (i32) @f(ptr %p)", "  ret i32 %x"), 2),
        (_body("  call void @f(i32 %x", "  ret i32 %x"), 2),
        (_body("  switch i32 %x, label %a [", "  i8 1, label %a", "  ]"), 2),
        (_body("  switch i32 %x, label %a [", "  i32 1, label %a"), 2),
        (_body("  ret i32 %x", "  #dbg_value(i32 %x)"), 3),
        (_body("  %y = add %nosuch %x, %x", "  ret i32 %x"), 2),
    ],
)
def test_the_line_is_named(text: str, line: int) -> None:
    with pytest.raises(UserError, match=rf"line {line}:"):
        read_module(text)


def _mutate(source: random.Random, text: str) -> str:
    """Cut, drop, repeat, or insert something somewhere."""
    at, other = source.randrange(len(text)), source.randrange(len(text))
    pieces: tuple[str, ...] = (*"()[{<%@!\n\0é", '"', "0x", "i32", "null", "9" * 5000, "[1 x " * 200)
    match source.randrange(6):
        case 0:
            return text[:at]
        case 1:
            return text[:at] + text[at + source.randrange(1, 12) :]
        case 2:
            return text[:at] + source.choice(pieces) + text[at:]
        case 3:
            return text[:at] + text[other : other + 25] + text[at:]
        case 4:
            return text[:at] + chr(source.randrange(32, 127)) + text[at + 1 :]
        case _:
            lines = text.split("\n")
            source.shuffle(lines)
            return "\n".join(lines[: source.randrange(1, 40)])


@pytest.mark.parametrize("case", _CASES, ids=lambda path: path.stem)
def test_damaged_text_never_crashes(case: Path) -> None:
    text = case.read_text(encoding="utf-8")
    source = random.Random(case.stem)
    for _ in range(120):
        damaged = _mutate(source, text)
        try:
            read_module(damaged)
        except UserError as error:
            assert re.search(r"line \d+:", str(error))
