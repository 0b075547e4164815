"""Merge points are put where they belong, and tell listeners of every path that comes there."""

from __future__ import annotations

from clew.execute.events import Events, MergePoint
from clew.execute.instrument.merge_points import MERGE_POINT, insert_merge_points
from clew.program import instructions as ir
from clew.program.values import GlobalRef
from support.verifier import verify_function
from unit.execute.support import explore, llvm

PROGRAM = """
define i32 @main() {
entry:
  %x = call i32 @__VERIFIER_nondet_int()
  %c = icmp sgt i32 %x, 5
  br i1 %c, label %high, label %join
high:
  br label %join
join:
  %f = phi i32 [ 1, %high ], [ 2, %entry ]
  ret i32 %f
}
"""


def test_a_call_stands_at_each_place() -> None:
    program = llvm(PROGRAM)
    assert insert_merge_points(program, {}) == program
    marked = insert_merge_points(program, {"main": (("join", 1),)})
    verify_function(marked.functions["main"])
    call = marked.functions["main"].blocks[2].instructions[1]
    assert isinstance(call, ir.Call) and call.callee == GlobalRef(MERGE_POINT)


def test_every_path_tells_of_it() -> None:
    told: list[MergePoint] = []

    def listen(events: Events) -> None:
        events.merge_point.append(told.append)

    found = explore(insert_merge_points(llvm(PROGRAM), {"main": (("join", 1),)}), listen=listen)
    assert sorted(found.codes) == [1, 2] and len(told) == 2
    assert {arrival.live for arrival in told} == {(1,), (2,)}
    assert len({(arrival.frame.function.name, arrival.point) for arrival in told}) == 1
