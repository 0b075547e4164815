"""What surrounds a test is told apart from what it asks for."""

from __future__ import annotations

from clew.report.test_environment import ZONE, setting_of
from clew.report.values import InputValue


def _data(name: str, data: bytes) -> InputValue:
    return InputValue(name, f"char[{len(data)}]", 8 * len(data), data, "object")


def _number(name: str, value: int, bits: int = 32) -> InputValue:
    return InputValue(name, "unsigned int", bits, value)


def test_everything() -> None:
    x, y = _number("x", 1), _number("y", 2)
    setting = setting_of(
        [
            _data("argv[2]", b"ab\0d"), _number("stdin length", 2), _data("stdin", b"xyz"), x,
            _number("getenv(A) is null", 0, 8), _data("getenv(A)", b"on\0\0"),
            _number("getenv(B) is null", 1, 8), _data("getenv(B)", b"\0\0"), y,
            _number("f.txt exists", 1, 1), _number("f.txt length", 1), _data("f.txt", b"qq"),
            _number("h exists", 1, 1), _number("h length", 4), _data("h", b"ab"), _data("h from 2", b"cde"),
            _number("h state", 0x81FF, 16), _number("h time", 5), _number("owner of files", 0),
            _number(ZONE, 70, 8), _number("g exists", 0, 1), _number("g length", 1), _data("g", b"qq"),
        ],
        (b"tool", b"-v", 4),
    )  # fmt: skip
    assert setting.arguments == [b"tool", b"-v", b"ab"]
    assert setting.stdin == b"xy"
    assert setting.variables == {"A": b"on", "B": None, "TZ": b"GMT-5:30"}
    assert setting.files == {"f.txt": b"q", "h": b"abcd", "g": None}
    assert setting.folders == {"h"}
    assert setting.fed == [x, y]


def test_names_alone_prove_nothing() -> None:
    """A program may call its own inputs so."""
    inputs = [_data("argv[1]", b"a"), _data("stdin", b"a"), _number("it exists", 1), _number("stdin length", 1)]
    setting = setting_of(inputs, [b"tool"])
    assert setting.fed == inputs
    assert (setting.arguments, setting.stdin) == ([b"tool"], None)


def _slots(*more: InputValue) -> list[InputValue]:
    """Standard input with two numbers, each behind a place of twelve bytes, and a semicolon after the first."""
    slot = b"\0" + b"0y".ljust(11, b"\0")
    data = slot + b";" + slot
    numbers = [InputValue(f"stdin %d at {at}", "int", 32, value) for at, value in ((0, 5), (13, -12))]
    return [_number("stdin length", len(data)), _data("stdin", data), *numbers, *more]


def test_blanks_before_numbers_are_left_out() -> None:
    assert setting_of(_slots()).stdin == b"5; -12"


def test_numbers_keep_their_places_where_somebody_asks_for_them() -> None:
    setting = setting_of(_slots(_number("stdin places", 0, 8)))
    assert setting.stdin == b"5".rjust(12) + b";" + b"-12".rjust(12)
    assert not setting.fed


def test_blanks_at_the_end_of_a_file_stay() -> None:
    """The number behind them was never read: the file ends there."""
    inputs = _slots()
    inputs[0] = _number("stdin length", 14)
    assert setting_of(inputs).stdin == b"5; "
