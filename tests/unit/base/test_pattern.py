"""Patterns that are compiled late do what compiled ones do."""

from __future__ import annotations

import re

import pytest

from clew.base.pattern import pattern


def test_methods_and_attributes_are_those_of_the_compiled_pattern() -> None:
    made, usual = pattern(r"(?P<word>[a-z]+)(\d*)", re.IGNORECASE), re.compile(r"(?P<word>[a-z]+)(\d*)", re.IGNORECASE)
    for _ in range(2):
        found, expected = made.fullmatch("Ab12"), usual.fullmatch("Ab12")
        assert found is not None and expected is not None and found.groupdict() == expected.groupdict()
        assert made.sub("-", "x1 y") == usual.sub("-", "x1 y")
    assert (made.pattern, made.flags, made.groups) == (usual.pattern, usual.flags, usual.groups)
    assert pattern(rb"\d").findall(b"a1b2") == [b"1", b"2"]


def test_nothing_is_compiled_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    original = re.compile
    monkeypatch.setattr(re, "compile", lambda *given: compiled.append(given) or original(*given))
    made = pattern("a+")
    assert compiled == []
    assert made.match("aa") and made.match("b") is None
    assert compiled == [("a+", 0)]


def test_a_wrong_text_shows_when_it_is_used() -> None:
    made = pattern("(")
    with pytest.raises(re.error):
        made.match("a")
