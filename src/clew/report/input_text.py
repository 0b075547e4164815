"""Inputs for people, a line each: standard input, files and environment variables as texts, others as C declares them.

stdin = "8 12345"      file "log.txt" is not there      getenv("HOME") = "/root"      int n = 5;
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from clew.base.dataclass import dataclass
from clew.base.numerals import WORD
from clew.report.csyntax import c_line, c_string, is_text
from clew.report.test_environment import NUMERAL, STDIN, ZONE, Setting, setting_of
from clew.report.values import InputValue

_WIDTH = 90
_PARTS = (" from ", " %")
_BYTE = re.compile(r"stdin(?: from (\d+))?\[(\d+)\]")
_ABOUT = (" exists", " length", " state", " time")


@dataclass(frozen=True, slots=True)
class Told:
    """A line, and the positions of the inputs that it tells of."""

    text: str
    positions: frozenset[int]


def input_lines(inputs: Sequence[InputValue], limit: int = 40, needed: Collection[int] | None = None) -> list[str]:
    """At most so many lines, and a count of those left out: more than one, since one has room in the line that says so.

    With ``needed``, only of inputs at these positions, and what belongs to the same text.
    """
    lines = [told.text for told in told_inputs(inputs) if needed is None or not told.positions.isdisjoint(needed)]
    shown = lines if len(lines) <= limit + 1 else lines[:limit]
    left_out = len(lines) - len(shown)
    return shown + [f"... and {left_out} more"] * (left_out > 0)


def told_inputs(inputs: Sequence[InputValue]) -> list[Told]:
    """All that there is to tell, what the program has before it starts first."""
    setting = setting_of(inputs)
    surroundings = [
        (text, frozenset(at for at, value in enumerate(inputs) if value.kind != "made-up" and _is_of(value.name, of)))
        for of, text in _surroundings(setting)
    ]
    of_others = {id(value) for value in setting.fed}
    others = [at for at, value in enumerate(inputs) if value.in_heap or id(value) in of_others]
    return [Told(_cut(text), positions) for text, positions in surroundings] + [
        Told(c_line(inputs[at]), frozenset((at,))) for at in others if not _says_nothing(inputs[at])
    ]


def part_names(inputs: Sequence[InputValue], names: Iterable[str]) -> Iterator[str | None]:
    """What people call parts of standard input that are numbers or words there; None for what only says where in the
    text these stand. Other parts have the names that they have."""
    spans = sorted(setting_of(inputs).spans(STDIN))
    for name in names:
        numeral, byte = NUMERAL.fullmatch(name), _BYTE.fullmatch(name)
        if numeral and numeral[1] == "stdin":
            rank = sum(start <= int(numeral[3]) for start, _ in spans)
            yield f"{'word' if numeral[2] == WORD else 'number'} {rank} of stdin"
        elif spans and (name == "stdin length" or byte and _is_within(int(byte[1] or 0) + int(byte[2]), spans)):
            yield None
        else:
            yield name


def _is_within(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _surroundings(setting: Setting) -> Iterator[tuple[str, str]]:
    """What the program has before it starts: the name that its inputs begin with, and the line."""
    if setting.stdin is not None:
        yield "stdin", f"stdin = {_text(setting.plain_stdin())}" if setting.stdin else "stdin is empty"
    for name, content in setting.files.items():
        file = f"file {c_string(name.encode())}"
        if content is None:
            yield name, f"{file} is not there"
        elif name in setting.folders:
            yield name, f"{file} is a directory"
        else:
            yield name, f"{file} = {_text(content)}" if content else f"{file} is empty"
    for name, value in setting.variables.items():
        inputs = ZONE if name == "TZ" else f"getenv({name})"
        yield inputs, f'getenv("{name}") = {"NULL" if value is None else c_string(value)}'


def _is_of(input_name: str, name: str) -> bool:
    """Whether an input is a part of this file or variable, or says something about it."""
    rest = input_name.removeprefix(name)
    return input_name.startswith(name) and (rest in ("", *_ABOUT, " is null") or rest.startswith(_PARTS))


def _text(content: bytes) -> str:
    """The bytes as a string of C, or as numbers; how many zeros follow is counted."""
    kept = content.rstrip(b"\0")
    zeros = len(content) - len(kept)
    count = f"{zeros} zero byte{'s' * (zeros != 1)}"
    if not kept:
        return count
    text = c_string(kept) if is_text(kept) else "{" + ", ".join(map(str, kept)) + "}"
    return f"{_cut(text)} and {count}" if zeros else text


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else text[: _WIDTH - 3] + "..."


def _says_nothing(value: InputValue) -> bool:
    """Whether it is memory that was made up, and that nothing was found out about."""
    return value.kind == "made-up" and isinstance(value.value, bytes) and not any(value.value)
