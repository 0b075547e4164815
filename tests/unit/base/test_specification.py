"""The text of ``--function``: what it is read as, and what is said about what it cannot be read as."""

from __future__ import annotations

import pytest

from clew.base.errors import UserError
from clew.base.specification import Area, Length, Promise, Span, call_text, parse_function


def test_a_name_alone() -> None:
    assert parse_function("f") == parse_function("f()") == ("f", ())


def test_every_kind_of_promise() -> None:
    text = "f(s: string[8], 2: 0..len(s) - 1, c: 'a'..'z' or 0x10, m: -3.., k: RED, q: array[4] or null, p: nonnull)"
    name, promises = parse_function(text)
    assert name == "f"
    assert promises == (
        Promise("s", area=Area(8, text=True, exact=True)),
        Promise("2", (Span(0, Length("s", -1)),)),
        Promise("c", (Span(97, 122), Span(16, 16))),
        Promise("m", (Span(-3, None),)),
        Promise("k", (Span("RED", "RED"),)),
        Promise("q", area=Area(4, exact=True), null=True),
        Promise("p", nonnull=True),
    )
    assert parse_function(call_text(name, promises)) == (name, promises)


def test_members() -> None:
    name, promises = parse_function("f(b.data: array[8], b->len: 0..len(b.data), 2.next->x: 1..)")
    assert promises == (
        Promise("b.data", area=Area(8, exact=True)),
        Promise("b.len", (Span(0, Length("b.data")),)),
        Promise("2.next.x", (Span(1, None),)),
    )
    assert parse_function(call_text(name, promises)) == (name, promises)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("f(s string)", "'s: ' and what is promised is missing before 'string'"),
        ("f(s: string)", "string[N] is missing at the end"),
        ("f(s: aray[4])", "no promise 'aray'; did you mean 'array'?"),
        ("f(s:)", "one of string[8], array[4], nonnull"),
        ("f(n: 5..2)", "no number is in 5..2"),
        ("f(p: nonnull or null)", "leave out one of them"),
        ("f(p: 5 or string[2])", "cannot be a pointer or a number"),
        ("f(n: 1, n: 2)", "two things about n"),
        ("f(b.: 2)", "a member of b is missing before ': 2'"),
        ("f(b.x: 1, b->x: 2)", "two things about b.x"),
        ("f(n: @)", "is missing before '@'"),
        ("f(n: len(p) * 2)", "a comma between parameters is missing before '* 2'"),
        ("f(s: array[0])", "must have 1 to 4096 elements"),
        ("f(n: 1", "give NAME or 'NAME(parameter: promise, ...)'"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(text: str, said: str) -> None:
    with pytest.raises(UserError) as problem:
        parse_function(text)
    assert said in str(problem.value)
    assert "\n" not in str(problem.value)
