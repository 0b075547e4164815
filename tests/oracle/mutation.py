"""Damage: texts, bytes and JSON data with something wrong in them, from a random source."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

WORDS = (
    "", " ", "-1", "0", "1", "00", "1e999", "nan", "-inf", "0x", "0x10", "1_000", "9" * 30, "9" * 5000, "x", "=", ",",
    "--", "-", "'", '"', "\\", "%s%n", "@", "@9", "@99999999999", "*", "/", "..", ".", "/dev/null", "/proc/self/mem",
    "\n", "\t", "\x1b[2J", "\udcff", "é", "٣", "𝟛", "\u202e", "a" * 5000, "main", "p.c", "auto", "all", "none", "x=1",
    "learn:", "learn:-1",
)  # fmt: skip
"""What people and broken programs give where something else is expected."""

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, -(2**200), 0.5, -0.0, 1e308, float("inf"), float("nan"), [], {},
    [[]], [None], {"": None}, "\ud800", *WORDS,
)  # fmt: skip
"""The same, where JSON is read."""


def damaged_bytes(data: bytes, chance: random.Random) -> bytes:
    """Cut, flipped, doubled, with a piece of itself elsewhere, or with rubbish in it."""
    result = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        at, size = chance.randrange(len(result) + 1), chance.choice((1, 2, 4, 16, 200))
        match chance.randrange(6):
            case 0:
                del result[at:]
            case 1:
                del result[at : at + size]
            case 2:
                result[at:at] = chance.randbytes(size)
            case 3 if result:
                result[at - 1] ^= 1 << chance.randrange(8)
            case 4:
                start = chance.randrange(len(result) + 1)
                result[at:at] = result[start : start + size]
            case _:
                result[at : at + size] = bytes([chance.choice(b'\x00\xff\n"\\{}[]()0-')]) * size
    return bytes(result)


def damaged_words(text: str, words: tuple[str, ...], chance: random.Random, separator: str = " ") -> str:
    """The text with some of its words replaced, lost, doubled or moved."""
    parts = text.split(separator)
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(len(parts))
        match chance.randrange(5):
            case 0:
                parts[at] = chance.choice(words)
            case 1:
                parts[at] = chance.choice(parts)
            case 2 if len(parts) > 1:
                del parts[at]
            case 3:
                parts.insert(at, parts[chance.randrange(len(parts))])
            case _:
                other = chance.randrange(len(parts))
                parts[at], parts[other] = parts[other], parts[at]
    return separator.join(parts)


def damaged_data(data: object, chance: random.Random) -> object:
    """JSON data with one or more of its values replaced, lost, or of another kind."""
    result = copy.deepcopy(data)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        places = list(_places(result))
        if not places:
            return chance.choice(VALUES)
        holder, key = chance.choice(places)
        match chance.randrange(4):
            case 0:
                del holder[key]
            case 1:
                other, name = chance.choice(places)
                holder[key] = copy.deepcopy(other[name])
            case _:
                holder[key] = chance.choice(VALUES)
    return result


def _places(data: object) -> Any:
    """Every (container, key) below some data."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield data, key
            yield from _places(value)
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield data, index
            yield from _places(value)


def damaged_json(text: str, chance: random.Random) -> bytes:
    """A JSON file that is damaged as data, or as text."""
    if chance.random() < 0.25:
        return damaged_bytes(text.encode(), chance)
    if chance.random() < 0.02:
        return b"[" * 100_000 if chance.random() < 0.5 else b'{"a":' * 50_000
    return json.dumps(damaged_data(json.loads(text), chance)).encode("utf-8", "surrogatepass")
