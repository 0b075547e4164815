"""Memory as far as it can be foreseen: cells, what hides them, iterations, objects that do not exist yet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.expr import build
from clew.expr.node import Expr, symbol
from clew.expr.sort import bv
from clew.program.layout import DataLayout
from clew.techniques.chains.acyclic import AcyclicFunction
from clew.techniques.chains.forward_evaluation import MergedEvaluator, Way
from clew.techniques.chains.memory import ANYTHING, Cell, Ground, Memory, cell_at
from unit.memory.support import space64
from unit.techniques.chains.looking import Looking

LAYOUT = DataLayout(pointer_bits=64)
FIRST, SECOND = 1, 2
"""Masks of the two objects of the state."""
LATER = symbol("later", bv(64))
OTHER = symbol("other", bv(64))
MASK_LATER = 4


class World:
    """A state with two objects of 16 bytes, and one of which nothing is known; two objects to come."""

    def __init__(self) -> None:
        self.space = space64()
        self.first, self.second, self.heap = (
            self.space.allocate(16, "global", initial=bytes(range(16 * n, 16 * n + 16))) for n in range(3)
        )
        self.ground = Ground(self.space, LAYOUT, {self.first: FIRST, self.second: SECOND})
        self.future = {LATER: MASK_LATER, OTHER: MASK_LATER}
        self.memory = Memory(self.ground, self.future)

    def cell(self, base: int, offset: int = 0, size: int = 4) -> Cell:
        return Cell(None, base + offset, size)


@pytest.fixture
def world() -> World:
    return World()


# Addresses


def test_addresses_that_are_known() -> None:
    future = {LATER: MASK_LATER}
    assert cell_at(4096, 4, future) == Cell(None, 4096, 4)
    assert cell_at(LATER, 8, future) == Cell(LATER, 0, 8)
    assert cell_at(build.add(LATER, 12, 64), 2, future) == Cell(LATER, 12, 2)
    assert cell_at(build.sub(LATER, 4, 64), 2, future) == Cell(LATER, -4, 2)


@pytest.mark.parametrize(
    "address",
    [
        OTHER,
        build.add(OTHER, 4, 64),
        build.add(LATER, OTHER, 64),
        build.mul(LATER, 2, 64),
        build.add(build.mul(LATER, 3, 64), 4, 64),
    ],
)
def test_addresses_that_are_not(address: Expr) -> None:
    assert cell_at(address, 4, {LATER: MASK_LATER}) is None


@given(st.integers(0, 9), st.integers(1, 8), st.integers(0, 9), st.integers(1, 8))
def test_cells_overlap_if_they_have_a_byte_in_common(a: int, size: int, b: int, other: int) -> None:
    common = bool(set(range(a, a + size)) & set(range(b, b + other)))
    for base in (None, LATER):
        assert Cell(base, a, size).overlaps(Cell(base, b, other)) is common
    assert not Cell(LATER, a, size).overlaps(Cell(OTHER, b, other))
    assert not Cell(None, a, size).overlaps(Cell(OTHER, b, other))


# What the state has


def test_the_ground(world: World) -> None:
    assert world.memory.read(world.cell(world.first)) == 0x03020100
    assert world.memory.read(world.cell(world.second, 14, 2)) == 0x1F1E
    assert world.memory.read(world.cell(world.first, 14)) is None  # beyond the end
    assert world.memory.read(Cell(None, 8, 4)) is None  # nothing is there
    assert world.memory.read(Cell(LATER, 0, 4)) is None


def test_bytes_without_value_are_not_known(world: World) -> None:
    base = world.space.allocate(8, "stack")
    world.space.store_bits(base, 7, 2)
    assert world.memory.read(Cell(None, base, 2)) == 7
    assert world.memory.read(Cell(None, base, 4)) is None


def test_objects_of_a_size_that_is_not_known(world: World) -> None:
    base = world.space.allocate_sized(symbol("n", bv(64)), 8, "heap", zeroed=True)
    assert world.memory.read(Cell(None, base, 4)) is None


def test_symbolic_bytes(world: World) -> None:
    x = symbol("x", bv(16))
    world.space.store_bits(world.first + 1, x, 2)
    assert world.memory.read(world.cell(world.first, 1, 2)) is x
    byte = world.memory.read(world.cell(world.first, 2, 1))
    assert isinstance(byte, Expr) and byte.symbols == {x} and byte.width == 8


def test_masks(world: World) -> None:
    assert world.ground.mask(world.first + 5) == FIRST
    assert world.ground.mask(world.heap) == ANYTHING
    assert world.ground.mask(8) == ANYTHING
    assert world.ground.mask(world.space.allocate(4, "global", initial=b"abcd", constant=True)) == 0
    assert world.memory.mask_of(Cell(LATER, 3, 1)) == MASK_LATER


# Writing


def test_what_is_written_is_read(world: World) -> None:
    memory, cell, value = world.memory, world.cell(world.first), symbol("v", bv(32))
    memory.write(cell, value)
    assert memory.read(cell) is value
    assert memory.read(world.cell(world.first, 4)) == 0x07060504
    memory.write(cell, 0)
    assert memory.read(cell) == 0


def test_a_part_of_what_was_written_is_not_known(world: World) -> None:
    memory = world.memory
    memory.write(world.cell(world.first, 4), 99)
    for offset, size in ((4, 2), (6, 4), (2, 4), (4, 8), (7, 1)):
        assert memory.read(world.cell(world.first, offset, size)) is None
    assert memory.read(world.cell(world.first, 8, 1)) == 8
    assert memory.read(world.cell(world.first, 3, 1)) == 3


def test_a_write_hides_what_it_overlaps(world: World) -> None:
    memory = world.memory
    memory.write(world.cell(world.first, 4), 99)
    memory.write(world.cell(world.first, 6, 1), 5)
    assert memory.read(world.cell(world.first, 4)) is None
    assert memory.read(world.cell(world.first, 6, 1)) == 5


def test_other_objects_are_others(world: World) -> None:
    memory = world.memory
    memory.write(Cell(LATER, 0, 4), 1)
    memory.write(Cell(OTHER, 0, 4), 2)
    assert memory.read(Cell(LATER, 0, 4)) == 1
    assert memory.read(Cell(OTHER, 0, 4)) == 2
    assert memory.read(Cell(LATER, 4, 4)) is None


def test_copies(world: World) -> None:
    cell = world.cell(world.first)
    copy = world.memory.copy()
    copy.write(cell, 5)
    copy.forget(SECOND)
    assert (copy.read(cell), copy.read(world.cell(world.second))) == (5, None)
    assert world.memory.read(cell) == 0x03020100
    assert world.memory.read(world.cell(world.second)) == 0x13121110


# Forgetting


def test_what_is_forgotten(world: World) -> None:
    memory = world.memory
    memory.write(world.cell(world.first), 5)
    memory.write(world.cell(world.second), 6)
    memory.write(Cell(LATER, 0, 4), 7)
    memory.forget(FIRST)
    assert memory.read(world.cell(world.first)) is None
    assert memory.read(world.cell(world.first, 8)) is None
    assert memory.read(world.cell(world.second)) == 6
    assert memory.read(Cell(LATER, 0, 4)) == 7
    memory.forget(MASK_LATER)
    assert memory.read(Cell(LATER, 0, 4)) is None
    memory.forget(0)
    assert memory.read(world.cell(world.second)) == 6


def test_what_is_not_known_to_be_another_object_is_forgotten_with_all(world: World) -> None:
    world.memory.forget(SECOND)
    assert world.memory.read(world.cell(world.heap)) is None
    assert world.memory.read(world.cell(world.first)) is not None
    world.memory.forget(ANYTHING)
    assert world.memory.read(world.cell(world.first)) is None


def test_after_that_it_can_be_written_again(world: World) -> None:
    world.memory.forget(ANYTHING)
    world.memory.write(world.cell(world.first), 5)
    assert world.memory.read(world.cell(world.first)) == 5
    assert world.memory.read(world.cell(world.first, 4)) is None


# Iterations


class Names:
    """Names for cells, as they are asked for."""

    def __init__(self) -> None:
        self.given: dict[Cell, Expr] = {}

    def __call__(self, cell: Cell) -> Expr:
        return self.given.setdefault(cell, symbol(f"cell{len(self.given)}", bv(8 * cell.size)))


def test_an_iteration_starts_with_names_for_what_the_loop_writes(world: World) -> None:
    names = Names()
    world.memory.write(world.cell(world.second), 77)
    world.memory.write(world.cell(world.first), 88)
    inner = world.memory.iteration(FIRST | MASK_LATER, names)
    named = inner.read(world.cell(world.first))
    assert named is names.given[world.cell(world.first)] and named is inner.read(world.cell(world.first))
    assert inner.read(world.cell(world.second)) == 77
    assert inner.read(world.cell(world.second, 4)) == 0x17161514
    assert inner.read(Cell(LATER, 0, 8)) is names.given[Cell(LATER, 0, 8)]
    assert len(names.given) == 2


def test_what_an_iteration_writes_is_its_own(world: World) -> None:
    names = Names()
    inner = world.memory.iteration(FIRST, names)
    inner.write(world.cell(world.first), 5)
    assert inner.read(world.cell(world.first)) == 5
    assert inner.read(world.cell(world.first, 2, 1)) is None
    assert not names.given
    assert world.memory.read(world.cell(world.first)) == 0x03020100
    inner.forget(FIRST)
    assert inner.read(world.cell(world.first)) is None
    assert inner.copy().iteration(0, names).read(world.cell(world.first)) is None


def test_what_was_lost_before_the_loop_has_names_in_it(world: World) -> None:
    """It has some value at the start of each iteration."""
    names = Names()
    world.memory.forget(FIRST | SECOND)
    inner = world.memory.iteration(FIRST, names)
    assert inner.read(world.cell(world.first)) is names.given[world.cell(world.first)]
    assert inner.read(world.cell(world.second)) is None


def test_iterations_in_iterations(world: World) -> None:
    outer_names, inner_names = Names(), Names()
    outer = world.memory.iteration(FIRST, outer_names)
    outer.write(world.cell(world.first, 4), 9)
    inner = outer.iteration(SECOND, inner_names)
    assert inner.read(world.cell(world.first, 4)) == 9
    assert inner.read(world.cell(world.first)) is outer_names.given[world.cell(world.first)]
    assert inner.read(world.cell(world.second)) is inner_names.given[world.cell(world.second)]
    assert set(outer_names.given) == {world.cell(world.first)}


def test_objects_nobody_knows_may_be_what_the_loop_writes(world: World) -> None:
    names = Names()
    inner = world.memory.iteration(SECOND, names)
    assert inner.read(world.cell(world.heap)) is names.given[world.cell(world.heap)]
    assert world.memory.iteration(0, names).read(world.cell(world.heap)) == 0x23222120


# Where ways meet


@pytest.fixture(scope="module")
def ahead() -> MergedEvaluator:
    looking = Looking("int main(void) { if (__VERIFIER_nondet_int()) reach_error(); }")

    def close(ahead: MergedEvaluator, outline: AcyclicFunction, loop: int, way: Way) -> Way:
        raise AssertionError("there are no loops")

    return MergedEvaluator(looking.survey, World().ground, close, looking.questions)


LEFT = build.eq(symbol("side", bv(8)), 0, 8)


def meet(ahead: MergedEvaluator, *memories: Memory) -> Memory:
    """By ways that one condition tells apart."""
    conditions = [LEFT, build.lnot(LEFT)]
    return ahead.merge([Way(c, {}, m) for c, m in zip(conditions, memories, strict=True)], ()).memory


def test_cells_of_both_ways(world: World, ahead: MergedEvaluator) -> None:
    one, other, cell = world.memory, world.memory.copy(), world.cell(world.first)
    one.write(cell, 1)
    other.write(cell, 2)
    value = meet(ahead, one, other).read(cell)
    assert value is build.ite(LEFT, 1, 2, bv(32))


def test_a_cell_of_one_way_is_as_it_was_on_the_other(world: World, ahead: MergedEvaluator) -> None:
    one, other, cell = world.memory, world.memory.copy(), world.cell(world.first)
    one.write(cell, 1)
    value = meet(ahead, one, other).read(cell)
    assert value is build.ite(LEFT, 1, 0x03020100, bv(32))
    assert meet(ahead, one, other).read(world.cell(world.second)) == 0x13121110


def test_what_one_way_has_lost(world: World, ahead: MergedEvaluator) -> None:
    one, other, cell = world.memory, world.memory.copy(), world.cell(world.first)
    one.write(cell, 1)
    other.forget(FIRST)
    merged = meet(ahead, one, other)
    value = merged.read(cell)
    assert isinstance(value, Expr) and value in ahead.notes.symbols  # anything
    assert merged.read(world.cell(world.first, 4)) is None
    assert merged.read(world.cell(world.second)) == 0x13121110


def test_cells_that_overlap(world: World, ahead: MergedEvaluator) -> None:
    one, other = world.memory, world.memory.copy()
    whole, part = world.cell(world.first), world.cell(world.first, 2, 1)
    one.write(whole, 1)
    other.write(part, 2)
    merged = meet(ahead, one, other)
    for cell in (whole, part):
        value = merged.read(cell)
        assert value is None or value in ahead.notes.symbols
    assert merged.read(world.cell(world.first, 1, 1)) is None


def test_nothing_was_written(world: World, ahead: MergedEvaluator) -> None:
    assert meet(ahead, world.memory, world.memory) is world.memory


def test_names_are_given_where_only_one_way_writes(world: World, ahead: MergedEvaluator) -> None:
    names, cell = Names(), world.cell(world.first)
    one = world.memory.iteration(FIRST, names)
    other = one.copy()
    one.write(cell, 1)
    value = meet(ahead, one, other).read(cell)
    assert value is build.ite(LEFT, 1, names.given[cell], bv(32))
