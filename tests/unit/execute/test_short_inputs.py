"""Models of paths with short inputs: they are models of the same paths."""

from __future__ import annotations

import pytest

from clew.execute.ends import Exited
from clew.execute.input_values import input_values
from clew.execute.policy import Finished
from clew.execute.short_inputs import least, short_model
from clew.report.test_environment import setting_of
from clew.report.values import InputValue
from unit.execute.support import c_program, explore

READ = "#include <stdio.h>\n"


@pytest.mark.parametrize(("most", "bound"), [(0, 0), (1, 0), (1, 1), (7, 0), (4102, 3), (4102, 4102), (1000, 999)])
def test_least(most: int, bound: int) -> None:
    asked: list[int] = []

    def holds(number: int) -> bool:
        asked.append(number)
        return number >= bound

    assert least(most, holds) == bound
    assert len(asked) <= 1 + most.bit_length()


def test_least_holds_where_it_is_no_bound() -> None:
    assert least(100, lambda number: number % 7 == 2) % 7 == 2


def _short(code: str) -> dict[int, tuple[InputValue, ...]]:
    """The short inputs of all paths, by exit codes; each still is a model of its path."""
    found: dict[int, tuple[InputValue, ...]] = {}

    def ended(path: Finished) -> None:
        assert isinstance(path.end, Exited)
        model = short_model(path.state)
        assert all(model.eval(constraint) for constraint in path.state.path)
        found[model.eval(path.end.code)] = input_values(path.state, model)

    explore(c_program(READ + code), finished=ended)
    return found


def test_a_file_ends_where_the_path_has_seen_enough() -> None:
    code = """int main(void) {
        int a, b;
        if (scanf("%d", &a) != 1) return 1;
        if (a > 20) return 2;
        if (scanf("%d", &b) != 1) return 3;
        if (a == 7 && b == 9) { puts("both"); return 4; }
        return 5;
    }"""
    texts = {code: setting_of(inputs).stdin for code, inputs in _short(code).items()}
    assert set(texts) == {1, 2, 3, 4, 5}
    assert texts[4] == b"7 9"
    assert texts[2] is not None and texts[2].isdigit() and int(texts[2]) > 20


def test_what_is_not_looked_at_is_not_there() -> None:
    code = """int main(void) {
        char b[8] = {0};
        size_t n = fread(b, 1, 8, stdin);
        if (n < 2) return 1;
        if (b[1] == 'k') { puts("k"); return 2; }
        return 3;
    }"""
    found = _short(code)
    assert setting_of(found[2]).stdin == b"\0k"
    assert setting_of(found[1]).stdin == b""
