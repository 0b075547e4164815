"""Inputs as people read them: files as text, all else as C."""

from __future__ import annotations

from clew.report.minimal import Purpose
from clew.report.told_inputs import purpose_rows, told, with_files
from clew.report.values import InputValue


def _number(name: str, value: int, kind: str = "nondet") -> InputValue:
    return InputValue(name, "int", 32, value, kind)


def _data(name: str, data: bytes) -> InputValue:
    return InputValue(name, f"char[{len(data)}]", 8 * len(data), data, "object")


_SLOT = b"\0" + b"0y".ljust(11, b"\0")
FILES = [
    _number("x", 7), _number("stdin length", 26), _data("stdin", _SLOT), _number("stdin %d at 0", 5),
    _data("stdin from 12", _SLOT + b" \n"), _number("stdin %d at 12", -3), _number("y", 8),
    _number("a b exists", 1), _number("a b length", 2), _data("a b", b"hi!"), _number("a b state", 3),
    _number("none exists", 0), _number("none length", 2), _data("none", b"hi!"),
]  # fmt: skip


def test_files_are_text() -> None:
    assert told(FILES) == [
        "int x = 7;", 'standard input: "5 -3 \\n"', "int y = 8;", 'file a b: "hi"', "int a b state = 3",
        "file none: is not there",
    ]  # fmt: skip


def test_what_is_needed_of_a_file_is_all_of_it() -> None:
    assert told(FILES, needed={3, 6}) == ['standard input: "5 -3 \\n"', "int y = 8;"]
    assert with_files(FILES, {3, 6}) == {1, 2, 3, 4, 5, 6}
    assert with_files(FILES, {6}) == {6}


def test_long_files_are_cut() -> None:
    (line,) = told([_number("stdin length", 900), _data("stdin", b"a" * 900)])
    assert line == f'standard input: "{"a" * 60}"... (900 bytes)'


def test_long_lists_are_cut() -> None:
    values = [_number(f"x{n}", n) for n in range(5)]
    assert told(values, 2) == ["int x0 = 0;", "int x1 = 1;", "... and 3 more"]
    assert told(values[:3], 2) == ["int x0 = 0;", "int x1 = 1;", "int x2 = 2;"]  # no line saved by cutting one


def test_names_alone_prove_nothing() -> None:
    assert told([_data("stdin", b"ab"), _number("stdin length", 1)]) == [
        'char stdin[2] = "ab";',
        "int stdin length = 1",
    ]


def test_numbers_of_a_file_are_counted_where_it_is_said_what_they_are_for() -> None:
    inputs = [
        InputValue("stdin length", "unsigned int", 32, 24),
        InputValue("stdin", "char[24]", 192, bytes(24), "object"),
        InputValue("stdin %d at 12", "int", 32, 5),
        InputValue("stdin %s at 0", "char[11]", 88, b"x" * 11, "object"),
    ]
    purposes = [Purpose(name, "5", "") for name in ("stdin length", "stdin %d at 12", "stdin %s at 0", "x")]
    parts = [part for part, _ in purpose_rows(inputs, purposes)]
    assert parts == ["number 2 of standard input = 5", "word 1 of standard input = 5", "x = 5"]


def test_bytes_in_a_row_that_are_for_the_same_are_one_part() -> None:
    names = [("s[0]", "a"), ("s[1]", "a"), ("s[2]", "b"), ("s[4]", "b"), ("t[5]", "b")]
    rows = list(purpose_rows([], [Purpose(name, "'x'", text) for name, text in names]))
    assert rows == [('s[0..1] = "xx"', "a"), ("s[2] = 'x'", "b"), ("s[4] = 'x'", "b"), ("t[5] = 'x'", "b")]
    assert list(purpose_rows([], [Purpose("s[0]", "'\"'", ""), Purpose("s[1]", "200", "")])) == [
        ("s[0..1] = {'\"', 200}", "")
    ]
