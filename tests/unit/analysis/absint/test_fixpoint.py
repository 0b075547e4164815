"""Fixpoints: random programs of any control flow are walked through, and every state met is in the invariant there."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.analysis.absint.analyse import Limits
from clew.analysis.absint.fixpoint import Pace
from clew.analysis.absint.linear import Linear, at_least, at_most, equal
from clew.analysis.absint.variables import GLOBAL, Cell, Held
from depth import examples
from unit.analysis.absint.analysed import invariants
from unit.analysis.absint.machine_words import DOMAINS, binary, compare, signed_value
from unit.execute.support import llvm

NAMES = "xyz"
PREDICATES = ("eq", "ne", "slt", "sge", "ult", "ugt")


@dataclass(frozen=True)
class Change:
    """``target = one op other``, on bytes; ``other`` is a variable or a number."""

    target: str
    op: str
    one: str
    other: str | int

    def lines(self, number: str) -> list[str]:
        right = f"%q{number}" if isinstance(self.other, str) else str(self.other)
        second = [f"%q{number} = load i8, ptr @{self.other}"] if isinstance(self.other, str) else []
        return [
            f"%p{number} = load i8, ptr @{self.one}",
            *second,
            f"%r{number} = {self.op} i8 %p{number}, {right}",
            f"store i8 %r{number}, ptr @{self.target}",
        ]


@dataclass(frozen=True)
class Piece:
    """A block: changes, and two successors that a comparison (or, without one, chance) chooses from."""

    changes: tuple[Change, ...]
    test: tuple[str, str, int] | None
    targets: tuple[int, int]


OPERATIONS = ("add", "add", "sub", "mul", "and", "udiv", "lshr")


@st.composite
def pieces(draw: st.DrawFn) -> list[Piece]:
    size = draw(st.integers(2, 5))
    name = st.sampled_from(NAMES)
    number = st.integers(0, 6) | st.sampled_from((10, 100, 127, 128, 200, 255))

    def change() -> Change:
        op = draw(st.sampled_from(OPERATIONS))
        other = draw(st.integers(1, 7)) if op in ("udiv", "lshr") else draw(st.one_of(number, name))
        return Change(draw(name), op, draw(name), other)

    found = []
    for _ in range(size):
        test = draw(st.none() | st.tuples(name, st.sampled_from(PREDICATES), number))
        target = st.integers(1, size)  # the last one is the end
        changes = tuple(change() for _ in range(draw(st.integers(0, 2))))
        found.append(Piece(changes, test, (draw(target), draw(target))))
    return found


def text_of(program: list[Piece]) -> str:
    lines = [f"@{name} = global i8 {at * 5}" for at, name in enumerate(NAMES)]
    lines += ["define i32 @main() {"]
    for at, piece in enumerate(program):
        lines += [f"b{at}:"]
        for number, change in enumerate(piece.changes):
            lines += change.lines(f"{at}.{number}")
        name, predicate, limit = piece.test or ("", "ne", 0)
        loaded = f"load i8, ptr @{name}" if name else "call i8 @__VERIFIER_nondet_uchar()"
        lines += [f"%t{at} = {loaded}", f"%c{at} = icmp {predicate} i8 %t{at}, {limit}"]
        lines += [f"br i1 %c{at}, label %b{piece.targets[0]}, label %b{piece.targets[1]}"]
    return "\n".join((*lines, f"b{len(program)}:", "ret i32 0", "}"))


@settings(max_examples=examples(80))
@given(pieces(), st.lists(st.booleans(), min_size=40, max_size=40), DOMAINS, st.sampled_from((0, 1, 2)))
def test_every_state_on_a_walk_is_in_the_invariant(
    program: list[Piece], choices: list[bool], domain: str, delay: int
) -> None:
    known = invariants(llvm(text_of(program)), domain=domain, limits=Limits(pace=Pace(delay=delay)))
    values = {name: at * 5 for at, name in enumerate(NAMES)}
    at = 0
    for choice in choices:
        state = known.before(0, f"b{at}")
        assert not state.is_bottom, f"b{at} is reached"
        cells = {Cell(GLOBAL, name, 0, 1): value for name, value in values.items()}
        seen = {cell: signed_value(value, 8) if known.signed(cell) else value for cell, value in cells.items()}
        for constraint in state.constraints():
            if all(variable in seen for variable in constraint.variables):
                assert constraint.holds(seen), (f"b{at}", constraint, values)
        for cell, value in seen.items():
            low, high = state.bounds(Linear.of(cell))
            assert (low is None or low <= value) and (high is None or value <= high), (f"b{at}", cell, low, high, value)
        if at == len(program):
            break
        piece = program[at]
        for change in piece.changes:
            other = values[change.other] if isinstance(change.other, str) else change.other
            values[change.target] = binary(change.op, 8, values[change.one], other)
        if piece.test is not None:
            name, predicate, limit = piece.test
            choice = compare(predicate, 8, values[name], limit)
        at = piece.targets[0 if choice else 1]


LOOP = """
define i32 @main() {
entry:
br label %head
head:
%i = phi i32 [ 0, %entry ], [ %next, %body ]
%s = phi i32 [ 0, %entry ], [ %sum, %body ]
%c = icmp slt i32 %i, 1000
br i1 %c, label %body, label %end
body:
%next = add i32 %i, 1
%sum = add i32 %s, 3
br label %head
end:
ret i32 %s
}
"""
INDEX, S = Linear.of(Held(0, "i")), Linear.of(Held(0, "s"))


@pytest.mark.parametrize(("delay", "narrowings"), [(0, 3), (2, 3), (5, 1)])
def test_widening_then_narrowing_finds_the_bound_of_a_loop(delay: int, narrowings: int) -> None:
    known = invariants(llvm(LOOP), limits=Limits(pace=Pace(delay=delay, narrowings=narrowings)))
    assert known.before(0, "head").bounds(INDEX) == (0, 1000)
    assert known.before(0, "end").entails(equal(S, 3000))


def test_without_narrowing_what_is_known_is_less_but_true() -> None:
    known = invariants(llvm(LOOP), limits=Limits(pace=Pace(narrowings=0)))
    assert known.before(0, "head").entails(at_least(INDEX, 0)) and known.before(0, "head").entails(equal(S, INDEX * 3))
    assert known.before(0, "end").entails(at_least(S, 3000))


@pytest.mark.slow
def test_a_loop_in_a_loop_is_computed_anew_each_time() -> None:
    known = invariants(
        llvm("""
        define i32 @main(i32 %n) {
        entry:
        br label %outer
        outer:
        %i = phi i32 [ 0, %entry ], [ %next, %latch ]
        %c = icmp slt i32 %i, 10
        br i1 %c, label %inner, label %end
        inner:
        %j = phi i32 [ %i, %outer ], [ %more, %body ]
        %d = icmp slt i32 %j, 20
        br i1 %d, label %body, label %latch
        body:
        %more = add i32 %j, 1
        br label %inner
        latch:
        %next = add i32 %i, 1
        br label %outer
        end:
        ret i32 %i
        }
        """)
    )
    i, j = Linear.of(Held(0, "i")), Linear.of(Held(0, "j"))
    assert known.before(0, "inner").entails(at_least(j, i)) and known.before(0, "inner").bounds(j) == (0, 20)
    assert known.on_edge(0, "inner", "latch").bounds(j) == (20, 20)
    assert known.before(0, "end").bounds(i) == (10, 10)
    assert known.before(0, "latch").entails(at_most(i, 9))


def test_what_comes_in_beside_the_head_is_seen() -> None:
    known = invariants(
        llvm("""
        define i32 @main(i1 %c) {
        entry:
        br i1 %c, label %one, label %two
        one:
        %a = phi i32 [ 100, %entry ], [ %b, %two ]
        %x = icmp slt i32 %a, 200
        br i1 %x, label %two, label %end
        two:
        %b = phi i32 [ 7, %entry ], [ %a, %one ]
        %y = icmp slt i32 %b, 200
        br i1 %y, label %one, label %end
        end:
        ret i32 0
        }
        """)
    )
    for name, block in (("a", "one"), ("b", "two")):
        low, high = known.before(0, block).bounds(Linear.of(Held(0, name)))
        assert low is not None and high is not None and low <= 7 and high >= 100
        assert (low, high) == (7, 100)
