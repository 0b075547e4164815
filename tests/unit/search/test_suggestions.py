"""Values that comparisons suggest: which there are, and that paths stay what they are."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import cast

from clew.execute.state import State
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Bool
from clew.expr.sort import bv
from clew.search.suggestions import Suggestions
from clew.solver.path import EMPTY_PATH
from unit.execute.support import c_program

PROGRAM = c_program(
    """
    int main(void) {
      char c = __VERIFIER_nondet_char();
      int n = __VERIFIER_nondet_int();
      if (c == '[') return 1;
      if (c < -3) return 2;
      switch (n) { case 1000: return 3; case -70000: return 4; }
      return 0;
    }
    """
)
C, D, N = (build.symbol(name, bv(width)) for name, width in (("c", 8), ("d", 8), ("n", 32)))


def path_of(model: Model, *constraints: Bool) -> State:
    path = EMPTY_PATH
    for constraint in constraints:
        assert model.eval(constraint)
        path = path.add(constraint)
    return cast(State, SimpleNamespace(model=model, path=path, model_is_fixed=False))


def values(state: State, symbol: object, tries: int = 300) -> set[int]:
    suggestions = Suggestions(PROGRAM, Random(1))
    return {suggestions.model(state).eval(symbol) for _ in range(tries)}


def test_constants_of_a_byte() -> None:
    found = values(path_of(Model({C: 1}), build.ne(C, 0, 8)), C)
    assert ord("[") in found and 0xFD in found
    assert 0 not in found and max(found) <= 0xFF


def test_wider_numbers_stay_small() -> None:
    assert values(path_of(Model({N: 1}), build.ne(N, 5, 32)), N) == {1}


def test_a_value_that_is_decided_stays() -> None:
    assert values(path_of(Model({C: 65}), build.eq(C, 65, 8)), C) == {65}


def test_the_rest_of_the_path_holds() -> None:
    model = Model({C: 1, D: 2})
    earlier = build.ult(C, D, 8)
    state = path_of(model, earlier, build.ult(D, 95, 8), build.ne(C, 0, 8))
    suggestions, changed = Suggestions(PROGRAM, Random(1)), 0
    for _ in range(300):
        found = suggestions.model(state)
        assert all(found.eval(constraint) for constraint in state.path)
        assert found.eval(D) == 2
        changed += found.eval(C) != 1
    assert changed == 0, "no constant of the program is between 0 and 2"
    state = path_of(Model({C: 1, D: 94}), earlier, build.ult(D, 95, 8), build.ne(C, 0, 8))
    assert values(state, C) == {1, ord("[")}


def test_a_model_that_is_fixed_stays() -> None:
    state = path_of(Model({C: 1}), build.ne(C, 0, 8))
    state.model_is_fixed = True
    assert values(state, C) == {1}


def test_many_symbols() -> None:
    symbols = [build.symbol(f"s{number}", bv(8)) for number in range(20)]
    model = Model(dict.fromkeys(symbols, 1))
    state = path_of(model, build.disjunction([build.ne(symbol, 0, 8) for symbol in symbols]))
    found = Suggestions(PROGRAM, Random(1)).model(state)
    assert 0 < sum(found.eval(symbol) != 1 for symbol in symbols) <= 8


def test_the_same_seed_gives_the_same_values() -> None:
    state = path_of(Model({C: 1, D: 1}), build.ne(build.add(C, D, 8), 0, 8))

    def some() -> list[tuple[int, int]]:
        suggestions = Suggestions(PROGRAM, Random(4))
        return [(model.eval(C), model.eval(D)) for model in (suggestions.model(state) for _ in range(20))]

    assert some() == some()


def test_a_program_that_compares_nothing() -> None:
    suggestions = Suggestions(c_program("int main(void) { return __VERIFIER_nondet_int(); }"), Random(1))
    state = path_of(Model({C: 1}), build.ne(C, 0, 8))
    assert suggestions.model(state) is state.model
