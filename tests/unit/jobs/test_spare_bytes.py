"""Bytes of inputs that a failure does not need are cut out."""

from __future__ import annotations

import json
from pathlib import Path

from clew.cli.app import run
from clew.jobs.spare_bytes import read_by, without_spare_bytes
from clew.report.values import InputValue

Inputs = tuple[InputValue, ...]


def _text(name: str, data: bytes) -> InputValue:
    return InputValue(name, f"char[{len(data)}]", 8 * len(data), data, "object")


def _file(data: bytes, name: str = "stdin") -> Inputs:
    return InputValue(f"{name} length", "unsigned int", 32, len(data)), _text(name, data.ljust(16, b"~"))


def _bytes(inputs: Inputs, at: int = 1) -> bytes:
    length, text = inputs[at - 1].value, inputs[at].value
    assert isinstance(length, int) and isinstance(text, bytes)
    return text[:length]


def test_what_is_in_the_middle_goes() -> None:
    found = without_spare_bytes(_file(b"ab(cd(ef)(g!"), lambda other: _opens_two(_bytes(other)))
    assert _bytes(found) == b"((!"


def _opens_two(text: bytes) -> bool:
    return b"!" in text and text.count(b"(") - text.count(b")") == 2


def test_pieces_of_a_file_are_one_text() -> None:
    inputs = (*_file(b"0123456789abcdef"), _text("stdin from 16", b"x..y"))
    inputs = (InputValue("stdin length", "unsigned int", 32, 20), *inputs[1:])

    def accept(other: Inputs) -> bool:
        data = b"".join(value.to_bytes() for value in other[1:])[: other[0].value if type(other[0].value) is int else 0]
        return b"3" in data and b"x" in data

    found = without_spare_bytes(inputs, accept)
    assert (found[0].value, found[1].to_bytes()[:2], [value.bits for value in found]) == (2, b"3x", [32, 128, 32])


def test_texts_of_a_fixed_size_end_with_zeros() -> None:
    argument, number = _text("argv[1]", b"--x=12"), InputValue("n", "int", 32, 7)
    found = without_spare_bytes((argument, number), lambda other: b"x" in other[0].to_bytes())
    assert found == (_text("argv[1]", b"x\0\0\0\0\0"), number)


def test_numbers_in_a_file_stay_where_they_are() -> None:
    inputs = (*_file(b"  7 hello"), InputValue("stdin %d at 0", "int", 32, 7))
    assert without_spare_bytes(inputs, lambda other: True) == inputs


def test_other_objects_stay_as_they_are() -> None:
    memory = InputValue("p", "struct s", 64, b"\0\1\0\0\0\2\0\0", "object")
    assert without_spare_bytes((memory,), lambda other: True) == (memory,)


def test_who_is_asked_may_have_enough() -> None:
    asked: list[Inputs] = []

    def accept(other: Inputs) -> bool:
        asked.append(other)
        return len(asked) == 2

    found = without_spare_bytes(_file(b"abcd"), accept)
    assert _bytes(found) == b"ab" and found == asked[1]


def test_inputs_are_what_the_program_takes_them_for() -> None:
    inputs = _file(b"ab")
    assert read_by(inputs, ("stdin length",)) == inputs[:1]
    assert read_by(inputs, ("stdin length", "n")) is None


def test_bugs_are_told_with_what_they_need(tmp_path: Path) -> None:
    """The search goes deep first, and comes to the failure with what it has read before."""
    (tmp_path / "p.c").write_text(
        """#include <stdio.h>
        int main(void) {
          int c, open = 0;
          while ((c = getchar()) != EOF) {
            if (c == '(') open++;
            else if (c == ')' && open) open--;
            else if (c == '!' && open == 2) return 1 / (open - 2);
          }
          return 0;
        }
        """
    )
    arguments = [
        "--stdin",
        "6",
        "--search",
        "dfs",
        "--jobs",
        "1",
        "--time",
        "60",
        "--quiet",
        "--out",
        str(tmp_path / "o"),
    ]
    assert run(["test", str(tmp_path / "p.c"), *arguments]) == 1
    (bug,) = json.loads((tmp_path / "o/summary.json").read_bytes())["bugs"]
    inputs = tuple(InputValue.from_json(value) for value in bug["inputs"])
    assert _bytes(inputs) == b"((!" and bug["confirmed"] and bug["decisive"] == [0, 1]
