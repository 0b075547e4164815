"""What surrounds a test: arguments, standard input, environment variables and files, told apart from its other inputs.

The engine reads them like any input, under names of their own: ``argv[1]``; ``stdin length`` and ``stdin``; ``getenv(X)
is null`` and ``getenv(X)``; the time zone; ``NAME exists``, ``NAME length``, ``NAME``, ``NAME from 16`` and
``NAME %d at 0``. A native program has them before it starts; what is left is handed out call by call, in order.

Numbers and words have places of a fixed width in the engine's files, and blanks before them. Nobody needs those: they
are left out, unless the program asks how far it has read (``NAME places`` says so).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field

from clew.base.dataclass import dataclass
from clew.base.numerals import NUMERAL, PLACES, PRESENT, SPELLED, WORD, numeral_text, word_text
from clew.base.pattern import pattern
from clew.report.values import InputValue

ZONE = "quarters of an hour east of UTC-12"
IS_DIRECTORY = 1 << 15
_STDIN = "standard input"
"""Among the files, until all is there: a file may be called ``stdin``."""
OWNERS = ("owner of files", "group of files")
_ARGUMENT = pattern(r"argv\[(\d+)\]")
_VARIABLE = pattern(r"getenv\((.*)\) is null", re.DOTALL)


@dataclass(slots=True)
class Setting:
    """The surroundings of one test. None as content means: is not there."""

    arguments: list[bytes]
    stdin: bytes | None = None
    variables: dict[str, bytes | None] = field(default_factory=dict)
    files: dict[str, bytes | None] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)
    """Of files that are there: they may have been read further than they go."""
    folders: set[str] = field(default_factory=set)
    """Of what is in ``files``: the directories."""
    numerals: list[tuple[str, str, int, InputValue]] = field(default_factory=list)
    """What was read as a number or a word: its file, the conversion, where it begins, and what it is."""
    padded: set[str] = field(default_factory=set)
    """Files whose numbers keep their places."""
    fed: list[InputValue] = field(default_factory=list)
    """The inputs the program asks for while it runs, and parameters."""


def setting_of(inputs: Sequence[InputValue], argv: Sequence[bytes | int] = ()) -> Setting:
    """Sort the inputs of a test; ``argv`` are the program's name and the words of ``--args``, a number where one is
    symbolic."""
    inputs = [value for value in inputs if not value.in_heap]
    setting = Setting([word if isinstance(word, bytes) else b"" for word in argv])
    place = 0
    while place < len(inputs):
        place += _take(inputs, place, setting, argv)
    blanks: dict[str, list[range]] = {}
    for name, conversion, start, value in setting.numerals:
        data = _with_numeral(setting.files[name] or b"", conversion, start, value)
        setting.files[name] = data
        if name not in setting.padded:
            blanks.setdefault(name, []).append(_spare_blanks(data, start))
    for name, length in setting.lengths.items():
        data = (setting.files[name] or b"").ljust(length, b"\0")[:length]
        setting.files[name] = _without(data, blanks.get(name, ()))
    setting.stdin = setting.files.pop(_STDIN, None)
    return setting


def _take(inputs: Sequence[InputValue], place: int, setting: Setting, argv: Sequence[bytes | int]) -> int:
    """Put the input at ``place``, and those that belong to it, where they go; how many these were."""
    value = inputs[place]
    if value.kind == "made-up":
        setting.fed.append(value)
        return 1
    following = [item.name for item in inputs[place + 1 : place + 3]]
    argument = _ARGUMENT.fullmatch(value.name)
    if argument and int(argument[1]) < len(argv) and isinstance(argv[int(argument[1])], int):
        setting.arguments[int(argument[1])] = _text(value)
        return 1
    if value.name == "stdin length" and following[:1] == ["stdin"]:
        setting.files[_STDIN] = inputs[place + 1].to_bytes()
        setting.lengths[_STDIN] = _number(value)
        return 2
    variable = _VARIABLE.fullmatch(value.name)
    if variable and following[:1] == [f"getenv({variable[1]})"]:
        setting.variables[variable[1]] = None if _number(value) & 1 else _text(inputs[place + 1])
        return 2
    if value.name == ZONE:
        setting.variables["TZ"] = _zone(_number(value)).encode()
        return 1
    name = value.name.removesuffix(" exists")
    if name != value.name and following == [f"{name} length", name]:
        setting.files[name] = inputs[place + 2].to_bytes() if _number(value) & 1 else None
        if _number(value) & 1:
            setting.lengths[name] = _number(inputs[place + 1])
        return 3
    name, _, start = value.name.rpartition(" from ")
    name = _file(setting, name)
    before = setting.files.get(name)
    if before is not None and start == str(len(before)):
        setting.files[name] = before + value.to_bytes()
        return 1
    numeral = NUMERAL.fullmatch(value.name)
    name = _file(setting, numeral[1]) if numeral else ""
    if numeral and setting.files.get(name) is not None:
        setting.numerals.append((name, numeral[2], int(numeral[3]), value))
        return 1
    name, _, what = value.name.rpartition(" ")
    if what == PLACES and _file(setting, name) in setting.files:
        setting.padded.add(_file(setting, name))
        return 1
    if (what in ("state", "time") and name in setting.files) or value.name in OWNERS:
        if what == "state" and _number(value) & IS_DIRECTORY:
            setting.folders.add(name)
        return 1  # permissions, times and owners a native run has of its own
    setting.fed.append(value)
    return 1


def _file(setting: Setting, name: str) -> str:
    """The file that an input speaks of."""
    return _STDIN if name == "stdin" and _STDIN in setting.files else name


def _with_numeral(data: bytes, conversion: str, start: int, value: InputValue) -> bytes:
    """A file's bytes with a blank at a place, and the number or word after it, if there is one."""
    text = b" "
    if data[start + 1 : start + 2] == bytes([PRESENT]):
        text = _read_text(conversion, value, data[start + 2] == SPELLED)
    return data[:start] + text + data[start + len(text) :]


def _spare_blanks(data: bytes, start: int) -> range:
    """Those blanks before a number or word that are not needed: all but one, and that one, too, where a file begins."""
    stop = start
    while data[stop : stop + 1] == b" ":
        stop += 1
    return range(start, stop - (start > 0))


def _without(data: bytes, places: Iterable[range]) -> bytes:
    """Bytes without those at some places, which are in order."""
    kept, end = [], 0
    for place in places:
        if place.stop < len(data):
            kept.append(data[end : place.start])
            end = place.stop
    return b"".join((*kept, data[end:]))


def _read_text(conversion: str, value: InputValue, spelled: bool) -> bytes:
    if conversion == WORD:
        return word_text(value.to_bytes())
    assert not isinstance(value.value, bytes)
    return numeral_text(conversion, value.value, len(value.to_bytes()), spelled)


def _zone(quarters: int) -> str:
    """What ``TZ`` says of a zone so many quarters of an hour east of UTC-12: how far behind UTC it is."""
    behind = 48 - quarters
    return f"GMT{'-' if behind < 0 else ''}{abs(behind) // 4}:{abs(behind) % 4 * 15:02}"


def _number(value: InputValue) -> int:
    return int.from_bytes(value.to_bytes(), "little")


def _text(value: InputValue) -> bytes:
    """Up to the first NUL, as C strings end."""
    return value.to_bytes().split(b"\0")[0]
