"""Options that make no sense: one clear line and exit code 2."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from regression.conftest import Outcome

Clew = Callable[..., Outcome]
Write = Callable[..., str]

PROGRAM = "int main(void) { return __VERIFIER_nondet_int() == 3; }\n"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--time", "0"], ["--time must be a number above 0"]),
        (["--time", "-1"], ["--time must be a number above 0"]),
        (["--time", "nan"], ["--time must be a number above 0"]),
        (["--time", "soon"], ["'soon' is not a valid float"]),
        (["--memory", "0"], ["--memory must be a number above 0"]),
        (["--max-instructions", "0"], ["--max-instructions"]),
        (["--loop-bound", "0"], ["--loop-bound"]),
        (["--search", "dsf"], ["did you mean 'dfs'?"]),
        (["--search", ""], ["--search", "names nothing"]),
        (["--check", "asert"], ["unknown check 'asert'"]),
        (["--check", ","], ["--check", "names nothing"]),
        (["--start", "nan"], ["--start", "nan"]),
        (["--start", "x=1e400"], ["--start", "1e400"]),
        (["--start", "9" * 5000], ["--start"]),
        (["--clang", "/nonexistent"], ["no such program"]),
        (["--target", "vax-vms"], ["--target vax-vms"]),
        (["--data-model", "ILP32", "--target", "x86_64-linux-gnu"], ["--target and --data-model"]),
    ],
)
def test_refused(clew: Clew, write: Write, options: list[str], words: list[str]) -> None:
    outcome = clew(write(PROGRAM), *options)
    outcome.refused(*words)
    assert len(outcome.line) < 1100


def test_a_start_value_for_no_input_is_pointed_out(clew: Clew, write: Write) -> None:
    outcome = clew(write(PROGRAM), "--start", "y=3")
    assert outcome.code == 0
    assert outcome.summary["warnings"] == ["--start: the program read no input called 'y'"]
    assert "no input called 'y'" in outcome.err + outcome.out
