"""What changes from one visit of a header to the next."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

from clew.execute.codegen.context import Watch
from clew.execute.state import State
from clew.expr import build
from clew.expr.sort import bv
from clew.memory.space import AddressSpace
from clew.techniques.summaries.tables import Family, Stop, Table, Variable, same, tabulate
from unit.memory.support import space64, word

X, Y = build.symbol("x", bv(32)), build.symbol("y", bv(32))


def stops(
    space: AddressSpace, *changes: Callable[[Any], None], values: tuple[Any, ...] = ((), (), ())
) -> tuple[Stop, ...]:
    """Three visits; ``changes`` are made to the state before the second and the third."""
    made = []
    state = SimpleNamespace(memory=space, inputs=None, symbols=0, environment={}, frame=SimpleNamespace(allocated=()))
    for number in range(3):
        if number and changes:
            changes[min(number, len(changes)) - 1](state)
        taken = SimpleNamespace(
            **{**vars(state), "memory": state.memory.fork(), "frame": SimpleNamespace(**vars(state.frame))}
        )
        made.append(Stop(cast(State, taken), values[number], Family(Watch())))
    return tuple(made)


def phis(*columns: tuple[Any, Any, Any], widths: tuple[int | None, ...] = ()) -> Table:
    rows = tuple(zip(*columns, strict=True))
    return tabulate(stops(space64(), values=rows), widths or (32,) * len(columns), {})


def test_phis_that_go_on_in_steps() -> None:
    start = build.add(X, 5, 32)
    found = phis(
        (0, 2, 4), (start, X, build.sub(X, 5, 32)), (X, build.add(X, Y, 32), build.add(X, build.mul(Y, 2, 32), 32))
    )
    assert [(variable.place, step) for variable, step in found.steady] == [(0, 2), (1, 0xFFFFFFFB), (2, Y)]
    assert found.steady[1][0] == Variable(1, 0, 32, start, X)
    assert not found.odd and not found.odd_places and not found.problem


def test_phis_that_stay_are_no_variables() -> None:
    assert phis((7, 7, 7), (X, X, X)) == Table(())


def test_steps_wrap_around() -> None:
    assert phis((254, 255, 0), widths=(8,)).steady == ((Variable(0, 0, 8, 254, 255), 1),)


def test_phis_that_change_in_some_other_way() -> None:
    found = phis((1, 2, 4), (0, 0, 1), (X, Y, X))
    assert [variable.place for variable in found.odd] == [0, 1, 2] and not found.steady


def test_phis_that_are_no_numbers() -> None:
    found = phis((1.0, 2.0, 3.0), (True, True, True), (0, 1, 2), widths=(None, None, 32))
    assert found.odd_places == (0,) and [variable.place for variable, _ in found.steady] == [2]


def test_what_is_the_same() -> None:
    assert same(1, 1) and not same(1, 2) and not same(1, True) and not same(0, 0.0)
    assert same(X, X) and not same(X, Y) and not same(X, 1)


def counting(address: int, size: int, *values: Any) -> tuple[Callable[[Any], None], ...]:
    return tuple(lambda state, value=value: state.memory.store_bits(address, value, size) for value in values)


def test_cells_of_memory() -> None:
    space = space64()
    base = space.allocate(16, "global", "counters", initial=b"")
    found = tabulate(stops(space, *counting(base + 4, 4, 300, 600)), (), {})
    assert found.steady == ((Variable(-1, base + 4, 32, 0, 300), 300),)
    assert found.steady[0][0].size == 4


def test_cells_are_as_wide_as_the_words_in_them() -> None:
    space = space64()
    base = space.allocate(16, "global", "counters", initial=b"")
    wide = word("wide", 8)
    space.store_bits(base + 8, wide, 8)
    one, two = build.add(wide, 1, 64), build.add(wide, 2, 64)
    found = tabulate(stops(space, *counting(base + 8, 8, one, two)), (), {})
    assert found.steady == ((Variable(-1, base + 8, 64, wide, one), 1),)


def test_cells_whose_size_is_known() -> None:
    space = space64()
    base = space.allocate(16, "global", "bytes", initial=bytes(range(16)))
    found = tabulate(stops(space, *counting(base + 5, 1, 255, 249)), (), {base + 5: 1})
    assert found.steady == ((Variable(-1, base + 5, 8, 5, 255), 250),)


def test_cells_do_not_reach_beyond_their_object() -> None:
    space = space64()
    base = space.allocate(6, "global", "short", initial=b"")
    found = tabulate(stops(space, *counting(base + 4, 1, 1, 2)), (), {})
    assert found.steady == ((Variable(-1, base + 4, 16, 0, 1), 1),)


def test_cells_without_a_value_are_a_problem() -> None:
    space = space64()
    base = space.allocate(4, "stack", "late")
    found = tabulate(stops(space, *counting(base, 4, 1, 2)), (), {})
    assert found.problem == "late gets its first value in it" and not found.steady


def test_other_changes_are_problems() -> None:
    def problem(change: Callable[[Any], None]) -> str:
        return tabulate(stops(space64(), change), (), {}).problem

    assert problem(lambda state: None) == ""
    assert "reads inputs" in problem(lambda state: setattr(state, "inputs", object()))
    assert "unknown values" in problem(lambda state: setattr(state, "symbols", state.symbols + 1))
    assert "C library" in problem(lambda state: setattr(state, "environment", {"errno": 1}))
    assert "allocated" in problem(lambda state: setattr(state.frame, "allocated", (4096,)))
    assert "allocated" in problem(lambda state: state.memory.allocate(4, "heap", "new", initial=b""))
