"""Supposed rounds: which ends of paths count, which states may follow each other, who is told, and what probes do."""

from __future__ import annotations

import pytest

from clew.execute.events import SupposedState
from clew.execute.instrument.havoc import havoc_register
from clew.execute.instrument.hypothesis import Probing, another_round, arrive, open_level, stay, suppose
from clew.program import instructions as ir
from clew.program.module import Program
from clew.program.types import I1, I32, PTR
from clew.program.values import ConstInt, Register
from unit.execute.support import explore, with_added

PROGRAM = """
define i32 @main() {
entry:
  %p = alloca i32
  store i32 3, ptr %p
  %v = load i32, ptr %p
  %bad = icmp eq i32 %v, 9
  br i1 %bad, label %yes, label %no
yes:
  call void @abort()
  unreachable
no:
  ret i32 0
}
"""
LEFT = ConstInt(I32, 1)
NONE_LEFT = ConstInt(I32, 0)
VALUE, OTHER = Register("any", I32), Register("other", I32)
STORED = ir.Store(None, None, VALUE, Register("p", PTR), 4)
"""Where it is 9, the program aborts."""


def changed(*added: ir.Instruction) -> Program:
    """The program with instructions more, before the load."""
    return with_added(PROGRAM, 2, *added)


def endings(*added: ir.Instruction) -> dict[str, int]:
    return dict(explore(changed(havoc_register(VALUE), STORED, *added)).endings)


def test_errors_of_supposed_rounds_are_of_no_interest() -> None:
    assert endings() == {"exit": 1, "bug": 1}
    assert endings(open_level(), suppose(LEFT, (), ())) == {"exit": 1, "dropped": 1}


def test_they_count_again_when_no_round_is_left() -> None:
    assert endings(open_level(), suppose(LEFT, (), ()), another_round(NONE_LEFT, (), ())) == {"exit": 1, "bug": 1}
    assert endings(open_level(), suppose(LEFT, (), ()), another_round(LEFT, (), ())) == {"exit": 1, "dropped": 1}


def test_unless_a_loop_around_supposes_otherwise() -> None:
    around = (open_level(), suppose(LEFT, (), ()))
    inside = (open_level(), suppose(LEFT, (), ()), another_round(NONE_LEFT, (), ()))
    assert endings(*around, *inside) == {"exit": 1, "dropped": 1}
    assert endings(*around, *inside, another_round(NONE_LEFT, (), ())) == {"exit": 1, "bug": 1}


def test_an_error_of_what_makes_a_state_up_is_a_loss() -> None:
    around = (open_level(), suppose(LEFT, (), ()))
    assert endings(*around, open_level()) == {"exit": 1, "lost": 1}


def test_states_of_rounds_differ() -> None:
    told = ((), (VALUE,))
    again = (havoc_register(OTHER), suppose(LEFT, *told), another_round(NONE_LEFT, (), (OTHER,)))
    ways = explore(changed(havoc_register(VALUE), STORED, open_level(), *again)).ways
    assert {way.how for way in ways} == {"exit", "bug"}
    assert all(way.inputs[0] != way.inputs[1] for way in ways)
    assert endings(open_level(), suppose(LEFT, *told), another_round(NONE_LEFT, *told)) == {"dropped": 1}


def test_objects_are_part_of_states() -> None:
    told = (((Register("p", PTR), 4),), ())
    same = (open_level(), suppose(LEFT, *told), another_round(NONE_LEFT, *told))
    assert endings(*same) == {"dropped": 1}
    assert endings(*same[:2], ir.Store(None, None, LEFT, Register("p", PTR), 4), same[2]) == {"exit": 1}


def test_a_path_stays_in_a_supposed_round() -> None:
    assert endings(stay(ConstInt(I1, 1))) == {"exit": 1, "bug": 1}
    assert endings(stay(ConstInt(I1, 0))) == {"dropped": 1}


@pytest.mark.parametrize(("heads", "arrivals", "ends"), [(0, 0, 1), (0, 1, 0), (1, 1, 1), (1, 2, 0)])
def test_probes_come_to_heads_so_many_times(heads: int, arrivals: int, ends: int) -> None:
    seen = []

    def told(at: SupposedState) -> None:
        seen.append(at.rounds)
        at.state.extend(Probing(heads))

    program = changed(
        havoc_register(VALUE),
        STORED,
        open_level(),
        suppose(LEFT, (), ()),
        *[arrive()] * arrivals,
        stay(ConstInt(I1, 0)),
    )
    ways = explore(program, listen=lambda events: events.supposed_state.append(told)).ways
    assert seen == [1]
    assert sum(way.how == "exit" for way in ways) == ends
