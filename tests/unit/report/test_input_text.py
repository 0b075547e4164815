"""Inputs as people read them."""

from __future__ import annotations

from clew.base.numerals import input_name
from clew.report.input_text import input_lines, part_names
from clew.report.values import InputValue

PRESENT = b"\0" + b"0" + bytes(10)
"""Twelve bytes of a file in which a number of four bytes stands."""


def standard_input(length: int, data: bytes) -> list[InputValue]:
    return [
        InputValue("stdin length", "unsigned int", 32, length),
        InputValue("stdin", f"char[{len(data)}]", 8 * len(data), data, "object"),
    ]


def number(place: int, value: int) -> InputValue:
    return InputValue(input_name("stdin", "d", place), "int", 32, value)


def test_a_line_each_and_a_count_of_the_others() -> None:
    values = [InputValue(f"x{n}", "int", 32, n) for n in range(5)]
    assert input_lines(values, 2) == ["int x0 = 0;", "int x1 = 1;", "... and 3 more"]
    assert input_lines(values[:3], 2) == ["int x0 = 0;", "int x1 = 1;", "int x2 = 2;"]  # no line saved by cutting one
    assert input_lines(values, needed=[1, 4]) == ["int x1 = 1;", "int x4 = 4;"]


def test_standard_input_is_a_text() -> None:
    assert input_lines(standard_input(5, b"hello")) == ['stdin = "hello"']
    assert input_lines(standard_input(3, b"hello")) == ['stdin = "hel"']
    assert input_lines(standard_input(7, b"hello")) == ['stdin = "hello" and 2 zero bytes']
    assert input_lines(standard_input(0, b"hello")) == ["stdin is empty"]
    assert input_lines(standard_input(2, b"\0\0")) == ["stdin = 2 zero bytes"]
    assert input_lines(standard_input(2, b"\xff\x80")) == ["stdin = {255, 128}"]


def test_numbers_stand_in_it_without_the_blanks_that_keep_their_places() -> None:
    inputs = [*standard_input(24, PRESENT + PRESENT), number(0, 8), number(12, -12345)]
    assert input_lines(inputs) == ['stdin = "8 -12345"']
    assert input_lines(inputs, needed=[3]) == ['stdin = "8 -12345"']  # any of its parts
    assert input_lines([*inputs, InputValue("x", "int", 32, 1)], needed=[4]) == ["int x = 1;"]


def test_a_number_that_is_cut_off_is_shown_as_it_is() -> None:
    inputs = [*standard_input(11, PRESENT), number(0, 87)]
    assert input_lines(inputs) == ['stdin = "          8"']


def test_files_and_variables() -> None:
    def file(exists: int) -> list[InputValue]:
        return [
            InputValue("log exists", "_Bool", 8, exists),
            InputValue("log length", "unsigned int", 32, 2),
            InputValue("log", "char[4]", 32, b"abcd", "object"),
        ]

    assert input_lines(file(1)) == ['file "log" = "ab"']
    assert input_lines(file(0)) == ['file "log" is not there']
    variable = [
        InputValue("getenv(HOME) is null", "_Bool", 8, 0),
        InputValue("getenv(HOME)", "char[4]", 32, b"/r\0\0", "object"),
    ]
    assert input_lines(variable) == ['getenv("HOME") = "/r"']


def test_parts_of_standard_input_are_called_numbers() -> None:
    inputs = [*standard_input(24, PRESENT + PRESENT), number(0, 8), number(12, 5)]
    names = ["stdin length", "stdin[1]", "stdin %d at 0", "stdin %d at 12", "x"]
    assert list(part_names(inputs, names)) == [None, None, "number 1 of stdin", "number 2 of stdin", "x"]
    assert list(part_names(standard_input(2, b"ab"), names[:2])) == ["stdin length", "stdin[1]"]
