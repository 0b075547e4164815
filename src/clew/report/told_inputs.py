"""The inputs of a test or bug for people, a line each: what a file holds as its text, all else as C has it.

standard input: "5 0 0"      file conf.txt: "a=1\\n"      int x = -5;
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from clew.base.numerals import NUMERAL, PLACES, WORD
from clew.report.csyntax import c_line, quoted
from clew.report.minimal import Purpose
from clew.report.test_environment import setting_of
from clew.report.values import InputValue

_STDIN = "stdin"
_PART = re.compile(rf" (?:exists|length|from \d+|%\w at \d+|{PLACES})$")
_MOST_BYTES = 60
"""Of a file that are shown."""


def told(inputs: Sequence[InputValue], limit: int = 40, needed: Collection[int] | None = None) -> list[str]:
    """A line per input, or per file that the program reads, and a count of those left out: more than one, since one has
    room in the line that says so. Of all, only those at positions that are ``needed``, if that is known."""
    files = dict(_files(inputs))
    lines: list[str] = []
    for at, value in enumerate(inputs):
        if _says_nothing(value) or (needed is not None and at not in needed):
            continue
        file = _file_of(value, files)
        line = c_line(value) if file is None else _file_line(file, files[file])
        if file is None or line not in lines:
            lines.append(line)
    left_out = len(lines) - limit
    return lines if left_out <= 1 else [*lines[:limit], f"... and {left_out} more"]


def with_files(inputs: Sequence[InputValue], needed: Collection[int]) -> set[int]:
    """Positions of inputs, and those of all other parts of the same files, which are told together."""
    files = dict(_files(inputs))
    owners = [_file_of(value, files) for value in inputs]
    told_files = {owners[at] for at in needed if at < len(owners)} - {None}
    return {*needed, *(at for at, owner in enumerate(owners) if owner in told_files)}


def named_parts(inputs: Sequence[InputValue], purposes: Iterable[Purpose]) -> Iterator[tuple[str, Purpose]]:
    """What parts of inputs are for, with the names that people have for them: numbers and words of a file are counted.
    How long such a file is shows in its text."""
    numerals = [found for value in inputs if (found := NUMERAL.fullmatch(value.name))]
    for purpose in purposes:
        numeral = NUMERAL.fullmatch(purpose.name)
        if numeral:
            same = (int(other[3]) <= int(numeral[3]) for other in numerals if other[1] == numeral[1])
            kind = "word" if numeral[2] == WORD else "number"
            yield f"{kind} {sum(same)} of {_spoken(numeral[1])}", purpose
        elif purpose.name not in {f"{other[1]} length" for other in numerals}:
            yield purpose.name, purpose


def _spoken(file: str) -> str:
    return "standard input" if file == _STDIN else f"file {file}"


def _files(inputs: Sequence[InputValue]) -> Iterator[tuple[str, bytes | None]]:
    """What is in the files that inputs tell of, by the names that these call them."""
    setting = setting_of(inputs)
    if setting.stdin is not None:
        yield _STDIN, setting.stdin
    yield from ((name, data) for name, data in setting.files.items() if name not in setting.folders)


def _file_of(value: InputValue, files: Collection[str]) -> str | None:
    """The file that an input is a part of."""
    if value.kind not in ("nondet", "object"):
        return None
    part = _PART.search(value.name)
    name = value.name if part is None else value.name[: part.start()]
    return name if name in files else None


def _file_line(name: str, data: bytes | None) -> str:
    shown = _spoken(name)
    if data is None:
        return f"{shown}: is not there"
    more = f"... ({len(data):,} bytes)" if len(data) > _MOST_BYTES else ""
    return f"{shown}: {quoted(data[:_MOST_BYTES])}{more}"


def _says_nothing(value: InputValue) -> bool:
    """Whether it is memory that was made up, and that nothing was found out about."""
    return value.kind == "made-up" and isinstance(value.value, bytes) and not any(value.value)
