"""Loops in the text of C files: where they are, what is not one, and where something can be inserted."""

from __future__ import annotations

import pytest

from clew.report.loop_syntax import LoopSyntax, inserted


def found(text: str) -> list[str]:
    """Each loop, in order, with a mark on both sides of its condition."""
    told = []
    for loop in sorted(LoopSyntax(text).loops, key=lambda loop: loop.start):
        start, end = loop.condition or (loop.end, loop.end)
        assert text.startswith(loop.keyword, loop.start)
        told.append(f"{text[loop.start : start]}<{text[start:end].strip()}>{text[end : loop.end]}")
    return told


@pytest.mark.parametrize(
    ("body", "loops"),
    [
        ("while (a < 3) a++;", ["while (<a < 3>) a++;"]),
        ("for (;;) { }", ["for (;<>;) { }"]),
        ("for (i = (1, 2); f(i, 3) && (i); i++) ;", ["for (i = (1, 2);<f(i, 3) && (i)>; i++) ;"]),
        ("do { a++; } while (a < 5); b();", ["do { a++; } while (a < 5);<>"]),
        ("do a++; while (a < 5); b();", ["do a++; while (a < 5);<>"]),
        ("if (a) while (b) c(); else while (d) e();", ["while (<b>) c();", "while (<d>) e();"]),
        ("switch (a) { case 1: while (b) break; default: ; }", ["while (<b>) break;"]),
        ("x: while (a) for (;b;) { c(); }", ["while (<a>) for (;b;) { c(); }", "for (;<b>;) { c(); }"]),
        ('s = "while (1)"; /* while (1) ; */ // for (;;)\n', []),
        ("int t[] = {1, 2}; while (a) ;", ["while (<a>) ;"]),
        ("int meanwhile(1); dofor (2);", []),
    ],
)
def test_loops(body: str, loops: list[str]) -> None:
    assert found(f"struct s {{ int x; }};\nint f(void) {{ {body} }}\n#define W while (1) {{\nint g;\n") == loops


def test_places() -> None:
    syntax = LoopSyntax('int f(void) {\n  x("ä"); while (1) {\n    for (;;) y();\n  }\n}\n')
    outer, inner = sorted(syntax.loops, key=lambda loop: loop.start)
    assert syntax.place(outer.start) == (2, 12)
    assert (syntax.at(2, 12), syntax.at(2, None), syntax.at(2, 11), syntax.at(3, None)) == (outer, outer, None, inner)
    assert syntax.offset(2, 12) == outer.start
    assert (syntax.around(3, 14), syntax.around(4, 3), syntax.around(5, 1)) == (inner, outer, None)


def test_statements() -> None:
    text = "int f(void) { a(); if (b) c(); for (int i = 0; i < 3; i++) d(); }"
    syntax = LoopSyntax(text)
    assert [syntax.begins_statement(text.index(what)) for what in ("a()", "if", "c()", "i < 3", "int f")] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_insertion() -> None:
    assert inserted("abc", [(1, "x"), (3, "z"), (1, "y")]) in ("axybcz", "ayxbcz")


@pytest.mark.parametrize(
    "text", ["while (", "do {", "for (;;", "{ while (1) { ", "if (", "while while", ")}}", "for (a; b) ;"]
)
def test_text_that_is_no_program(text: str) -> None:
    assert all(loop.end <= len(text) for loop in LoopSyntax(text).loops)
