"""What the user says about the parameters of a function: ``--function 'f(s: string[8], n: len(s), mode: 0..2 or 7)'``.

    call      ->  NAME  or  NAME ( subject : promise , ... )
    subject   ->  a parameter: its name, or its position from 1 on
              |   subject.member: of the struct that the subject points to, or is; -> is the same
    promise   ->  case  or  case "or" case ...
    case      ->  string[N]     up to N characters and a zero, in an object of its own of N + 1 bytes
              |   array[N]      an object of its own, of N elements (bytes, where the type is void)
              |   nonnull       any pointer that is not null
              |   null
              |   number        a number, a character in quotes, or a constant of the parameter's enumeration
              |   low..high     from low to high, both included; either may be left out
    number    ->  also len(s): the elements, or the characters, of a subject s that is an array or a string;
                  len(s) - 1, len(s) + 2

This file reads that text and knows no program; ``execute.heap.promises`` says what it means for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.pattern import pattern
from clew.base.suggest import unknown_name

MOST_ELEMENTS = 4096
"""Of an array, and characters of a string."""

_EXAMPLES = "string[8], array[4], nonnull, null, 5, 0..10, len(p)"
_CALL = pattern(r"\s*(?P<name>[^\s()]+)\s*\((?P<rest>.*)\)\s*", re.DOTALL)
_TOKEN = pattern(
    r"""\s*(?:(?P<name>[A-Za-z_]\w*)|(?P<number>0[xX][0-9a-fA-F]+|[0-9]+)|'(?P<char>[^'\\]|\\.)'"""
    r"""|(?P<sign>\.\.|->|[-+,:()\[\].])|(?P<wrong>\S))"""
)
_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0}


@dataclass(frozen=True, slots=True)
class Length:
    """``len(parameter)``, and what is added to it."""

    parameter: str
    plus: int = 0

    def __str__(self) -> str:
        return f"len({self.parameter})" + (f" {'+' if self.plus > 0 else '-'} {abs(self.plus)}" if self.plus else "")


Bound = int | str | Length
"""A number, the name of a constant, or the length of something."""


@dataclass(frozen=True, slots=True)
class Span:
    """Numbers from ``low`` to ``high``; None where there is no such bound."""

    low: Bound | None
    high: Bound | None

    def __str__(self) -> str:
        if self.low == self.high:
            return str(self.low)
        low, high = ("" if bound is None else str(bound) for bound in (self.low, self.high))
        return f"{low}..{high}"


@dataclass(frozen=True, slots=True)
class Area:
    """How much memory is behind a pointer: elements, or the characters of a string without its end."""

    count: int
    text: bool = False
    own: bool = True
    """It is an object of its own; otherwise it may be part of one that another pointer leads to."""
    exact: bool = False
    """There is no more than that."""
    counted: bool = False
    """There is as much as another member of the same struct says: more than that is not explored."""

    def __str__(self) -> str:
        if not self.own:
            return f"at least {self.count} elements"
        return f"{'string' if self.text else 'array'}[{self.count}]"


@dataclass(frozen=True, slots=True)
class Promise:
    """What holds for one parameter, or one member: one of the cases."""

    parameter: str
    """As the user writes it: a name, or a position; of a member what leads to it, ``list.next.value``."""
    spans: tuple[Span, ...] = ()
    area: Area | None = None
    nonnull: bool = False
    null: bool = False
    """Whether null is one of the cases."""

    def __str__(self) -> str:
        cases = [str(self.area)] if self.area else ["nonnull"] if self.nonnull else []
        return f"{self.parameter}: {' or '.join([*cases, *map(str, self.spans), *['null'] * self.null])}"


def parse_function(text: str) -> tuple[str, tuple[Promise, ...]]:
    """The function that is meant, and what is promised; UserError that says what to write instead."""
    if "(" not in text:
        return text, ()
    match = _CALL.fullmatch(text)
    if match is None:
        raise UserError(f"cannot read {text!r} in --function: give NAME or 'NAME(parameter: promise, ...)'")
    if not match["rest"].strip():
        return match["name"], ()
    promises = tuple(_Reader(match["rest"]).promises())
    names = [promise.parameter for promise in promises]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"--function says two things about {name}: join its cases by 'or'")
    return match["name"], promises


def call_text(name: str, promises: tuple[Promise, ...]) -> str:
    """The inverse: what to give to ``--function``."""
    return f"{name}({', '.join(map(str, promises))})" if promises else name


class _Reader:
    """Reads what is between the parentheses."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = [match for match in _TOKEN.finditer(text) if match[0].strip()]
        self._at = 0

    def promises(self) -> Iterator[Promise]:
        while True:
            yield self._promise()
            if self._at == len(self._tokens):
                return
            self._expect(",", "a comma between parameters")

    def _promise(self) -> Promise:
        name = self._subject("the name of a parameter, or its position")
        self._expect(":", f"'{name}: ' and what is promised")
        promise = self._case(name)
        while self._word("or"):
            promise = _joined(promise, self._case(name))
        return promise

    def _subject(self, wanted: str) -> str:
        """A parameter, or a member, with dots between what leads to it."""
        names = [self._take("name") or self._take("number")]
        while names[-1] and (self._sign(".") or self._sign("->")):
            names.append(self._take("name"))
        if not names[-1]:
            raise self._wrong(wanted if len(names) == 1 else f"a member of {'.'.join(names[:-1])}")
        return ".".join(names)

    def _case(self, name: str) -> Promise:
        if self._word("nonnull"):
            return Promise(name, nonnull=True)
        if self._word("null"):
            return Promise(name, null=True)
        for word in ("string", "array"):
            if self._word(word):
                return Promise(name, area=self._area(word))
        return Promise(name, (self._span(),))

    def _area(self, word: str) -> Area:
        self._expect("[", f"{word}[N]")
        count = self._number(f"{word}[N] with a number")
        self._expect("]", f"{word}[{count}]")
        least = 0 if word == "string" else 1
        if not least <= count <= MOST_ELEMENTS:
            raise UserError(f"--function: {word}[{count}] must have {least} to {MOST_ELEMENTS} elements")
        return Area(count, word == "string", exact=True)

    def _span(self) -> Span:
        if self._sign(".."):
            return Span(None, self._bound())
        low = self._bound()
        if not self._sign(".."):
            return Span(low, low)
        ends = self._at == len(self._tokens) or self._tokens[self._at][0].strip() in (",", "or")
        high = None if ends else self._bound()
        if isinstance(low, int) and isinstance(high, int) and low > high:
            raise UserError(f"--function: no number is in {low}..{high}; the smaller one comes first")
        return Span(low, high)

    def _bound(self) -> Bound:
        if self._sign("-"):
            return -self._number("a number behind the minus")
        if self._at < len(self._tokens) and self._tokens[self._at]["char"]:
            return _character(self._take("char"))
        if self._at < len(self._tokens) and self._tokens[self._at]["number"]:
            return self._number("a number")
        name = self._take("name")
        if not name:
            raise self._wrong(f"one of {_EXAMPLES}")
        if name != "len" and (self._sign("[") or self._sign("(")):
            raise UserError(f"--function: {unknown_name('promise', name, ('string', 'array', 'len'))}")
        if name != "len":
            return name
        self._expect("(", "len(parameter)")
        parameter = self._subject("a parameter in len(...)")
        self._expect(")", f"len({parameter})")
        for sign, factor in (("+", 1), ("-", -1)):
            if self._sign(sign):
                return Length(parameter, factor * self._number("a number"))
        return Length(parameter)

    # Tokens

    def _take(self, group: str) -> str:
        """The next token, if it is of this kind."""
        text = self._tokens[self._at][group] if self._at < len(self._tokens) else None
        self._at += text is not None
        return text or ""

    def _sign(self, sign: str) -> bool:
        found = self._at < len(self._tokens) and self._tokens[self._at]["sign"] == sign
        self._at += found
        return found

    def _word(self, word: str) -> bool:
        found = self._at < len(self._tokens) and self._tokens[self._at]["name"] == word
        self._at += found
        return found

    def _number(self, wanted: str) -> int:
        text = self._take("number")
        if not text:
            raise self._wrong(wanted)
        return int(text, 16) if text[:2].lower() == "0x" else int(text)

    def _expect(self, sign: str, wanted: str) -> None:
        if not self._sign(sign):
            raise self._wrong(wanted)

    def _wrong(self, wanted: str) -> UserError:
        rest = self._text[self._tokens[self._at].start() :].strip() if self._at < len(self._tokens) else ""
        place = f"before {rest!r}" if rest else "at the end"
        return UserError(f"cannot read '({self._text})' in --function: {wanted} is missing {place}")


def _joined(one: Promise, other: Promise) -> Promise:
    """Two cases; UserError if no parameter can be both."""
    areas = [promise.area for promise in (one, other) if promise.area is not None]
    pointer = bool(areas) or one.nonnull or other.nonnull
    null = one.null or other.null
    if len(areas) > 1 or ((one.nonnull or other.nonnull) and (areas or null)):
        raise UserError(f"--function: {one} or {str(other).partition(': ')[2]}: leave out one of them")
    if (pointer or null) and (one.spans or other.spans):
        raise UserError(f"--function: {one.parameter} cannot be a pointer or a number: leave out one of them")
    return Promise(one.parameter, (*one.spans, *other.spans), areas[0] if areas else None, False, null)


def _character(text: str) -> int:
    return _ESCAPES.get(text[1], ord(text[1])) if text.startswith("\\") else ord(text)
