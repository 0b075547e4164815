"""Formats of ``scanf``: their directives, and what each asks for."""

from __future__ import annotations

import re

from clew.base.pattern import pattern

DIRECTIVE = pattern(
    rb"(?P<space>[ \t\n\v\f\r]+)|%(?P<skip>\*)?(?P<width>\d+)?(?P<allocate>m)?(?P<length>hh|h|ll|l|j|z|t|L|q)?"
    rb"(?P<kind>[diouxXpcsnfFeEgGaA%]|\[\^?\]?[^\]]*\])|(?P<literal>[^%]|%)",
    re.DOTALL,
)
NUMBERED = pattern(rb"%\*?\d+\$")
SPACES = b" \t\n\v\f\r"
SIZES = {b"hh": 1, b"h": 2, b"": 4, b"ll": 8, b"j": 8, b"q": 8, b"L": 8}
BASES = {b"d": 10, b"u": 10, b"i": 0, b"o": 8, b"x": 16, b"X": 16, b"p": 16}


def skips_space(directive: re.Match[bytes]) -> bool:
    """Whether a directive begins by reading white space."""
    kind = directive["kind"]
    return kind is not None and kind[:1] not in b"cn["


def members_of(kind: bytes) -> tuple[bytes, bool]:
    """The characters of a scan set, and whether they are the ones that match."""
    body = kind[1:-1]
    wanted = not body.startswith(b"^")
    body = body if wanted else body[1:]
    members: set[int] = set()
    place = 0
    while place < len(body):
        if place + 2 < len(body) and body[place + 1] == ord("-") and body[place] <= body[place + 2]:
            members.update(range(body[place], body[place + 2] + 1))
            place += 3
        else:
            members.add(body[place])
            place += 1
    return bytes(sorted(members)), wanted
