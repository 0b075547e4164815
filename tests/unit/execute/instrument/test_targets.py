"""Marks are put where they belong, leave the rest as it is, and end paths."""

from __future__ import annotations

from clew.base.location import Location
from clew.checks.properties import Site
from clew.execute.instrument.targets import REACHED, TARGET, insert_probes, probes_of
from clew.frontend.reader import read_module
from support.concrete import run_concrete
from support.printer import print_function
from support.verifier import verify_function

TEXT = """
define i32 @main() {
entry:
  %c = icmp eq i32 1, 1
  br i1 %c, label %yes, label %no
yes:
  %x = phi i32 [ 1, %entry ]
  %y = add i32 %x, 1
  ret i32 %y
no:
  ret i32 0
}
"""
PLACE = Location("p.c", 7)


def test_a_mark_stands_before_its_spot() -> None:
    program = insert_probes(read_module(TEXT), [(Site("main", "yes", 1), PLACE), (Site("main", "yes", 2), None)])
    verify_function(program.functions["main"])
    block = program.functions["main"].blocks[1]
    assert [type(instruction).__name__ for instruction in block.instructions] == [
        "Phi",
        "Call",
        "Binary",
        "Call",
        "Return",
    ]
    assert block.instructions[1].location == PLACE
    assert probes_of(program) == (Site("main", "yes", 1), Site("main", "yes", 3))
    assert print_function(program.functions["main"]).count(f"call void @{TARGET}()") == 2


def test_what_has_no_mark_is_the_same() -> None:
    program = read_module(TEXT)
    marked = insert_probes(program, [(Site("main", "no", 0), None)])
    assert marked.functions["main"].blocks[:2] == program.functions["main"].blocks[:2]
    assert insert_probes(program, []) == program
    assert probes_of(program) == ()


def test_who_meets_a_mark_has_reached_it() -> None:
    program = read_module(TEXT)
    outcome = run_concrete(insert_probes(program, [(Site("main", "yes", 1), PLACE)]), [])
    assert (outcome.end, outcome.kind, outcome.location) == ("bug", REACHED, PLACE)
    outcome = run_concrete(insert_probes(program, [(Site("main", "no", 0), PLACE)]), [])
    assert (outcome.end, outcome.exit_code) == ("exit", 2)
