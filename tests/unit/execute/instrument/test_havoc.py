"""Havoc and assume: any value, any contents, and only the paths on which something holds."""

from __future__ import annotations

from clew.execute.instrument.havoc import assume, havoc_object, havoc_register
from clew.program import instructions as ir
from clew.program.types import I32, I64, PTR
from clew.program.values import ConstInt, Register
from unit.execute.support import explore, llvm, with_added

PROGRAM = """
define i32 @main() {
entry:
  %p = alloca i32
  store i32 3, ptr %p
  %v = load i32, ptr %p
  %big = icmp ugt i32 %v, 9
  br i1 %big, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 0
}
"""


def test_without_it_there_is_one_path() -> None:
    assert explore(llvm(PROGRAM)).codes == [0]


def test_an_object_has_any_contents() -> None:
    program = with_added(PROGRAM, 2, havoc_object(Register("p", PTR), ConstInt(I64, 4)))
    assert sorted(explore(program).codes) == [0, 1]


def test_a_register_has_any_value() -> None:
    any_value = Register("any", I32)
    stored = ir.Store(None, None, any_value, Register("p", PTR), 4)
    assert sorted(explore(with_added(PROGRAM, 2, havoc_register(any_value), stored)).codes) == [0, 1]


def test_an_assumption_keeps_only_some_paths() -> None:
    any_value = Register("any", I32)
    stored = ir.Store(None, None, any_value, Register("p", PTR), 4)
    ways = explore(with_added(PROGRAM, 2, havoc_register(any_value), assume(any_value), stored)).ways
    assert sorted(way.code for way in ways) == [0, 1]
    assert all(way.inputs[0] != 0 for way in ways)
    assert all(way.how != "exit" for way in explore(with_added(PROGRAM, 2, assume(ConstInt(I32, 0)))).ways)
