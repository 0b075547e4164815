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
_BYTE = re.compile(r"(.*)\[(\d+)\]", re.DOTALL)
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


def purpose_rows(inputs: Sequence[InputValue], purposes: Iterable[Purpose]) -> Iterator[tuple[str, str]]:
    """Parts of inputs with their values, by the names that people have for them, and what they are for: numbers and
    words of a file are counted, and bytes in a row that are for the same are one part. How long a file of numbers is
    shows in its text."""
    numerals = [found for value in inputs if (found := NUMERAL.fullmatch(value.name))]
    lengths = {f"{found[1]} length" for found in numerals}
    told_purposes = [purpose for purpose in purposes if purpose.name not in lengths]
    rows: list[list[Purpose]] = []
    for purpose in told_purposes:
        if rows and _follows(rows[-1][-1], purpose):
            rows[-1].append(purpose)
        else:
            rows.append([purpose])
    for row in rows:
        yield _part(row, numerals), row[0].text


def _follows(before: Purpose, purpose: Purpose) -> bool:
    """Whether it is the next byte of the same input, and for the same."""
    one, other = _BYTE.fullmatch(before.name), _BYTE.fullmatch(purpose.name)
    same = one is not None and other is not None and one[1] == other[1] and before.text == purpose.text
    return same and one is not None and other is not None and int(one[2]) + 1 == int(other[2])


def _part(row: Sequence[Purpose], numerals: Sequence[re.Match[str]]) -> str:
    first, last = row[0], row[-1]
    numeral, byte = NUMERAL.fullmatch(first.name), _BYTE.fullmatch(last.name)
    if numeral:
        count = sum(int(other[3]) <= int(numeral[3]) for other in numerals if other[1] == numeral[1])
        return f"{'word' if numeral[2] == WORD else 'number'} {count} of {_spoken(numeral[1])} = {first.value}"
    if len(row) == 1 or byte is None:
        return f"{first.name} = {first.value}"
    return f"{first.name.removesuffix(']')}..{byte[2]}] = {_values(row)}"


def _values(row: Sequence[Purpose]) -> str:
    """The values of several bytes: a text if all are characters."""
    values = [purpose.value for purpose in row]
    if all(len(value) == 3 and value not in ("'\"'", "'\\'") and value[0] == "'" for value in values):
        return '"' + "".join(value[1] for value in values) + '"'
    return "{" + ", ".join(values) + "}"


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
