"""Which lifetime marks get code: those of blocks that are run again, or end before their function does."""

from __future__ import annotations

from clew.execute.codegen.lifetimes import telling_marks
from clew.frontend.reader import read_module

_MARKS = "declare void @llvm.lifetime.start.p0(ptr)\ndeclare void @llvm.lifetime.end.p0(ptr)\n"
_ONE_BLOCK = """
define i32 @f() {
entry:
  %x = alloca i32
  call void @llvm.lifetime.start.p0(ptr %x)
  store i32 1, ptr %x
  %v = load i32, ptr %x
  call void @llvm.lifetime.end.p0(ptr %x)
  ret i32 %v
}
"""
_USED_AFTERWARDS = """
define i32 @f() {
entry:
  %x = alloca i32
  call void @llvm.lifetime.start.p0(ptr %x)
  store i32 1, ptr %x
  call void @llvm.lifetime.end.p0(ptr %x)
  %v = load i32, ptr %x
  ret i32 %v
}
"""
_LOOP = """
define void @f(i1 %c) {
entry:
  %x = alloca i32
  br label %body
body:
  call void @llvm.lifetime.start.p0(ptr %x)
  call void @llvm.lifetime.end.p0(ptr %x)
  br i1 %c, label %body, label %done
done:
  ret void
}
"""
_COME_BACK_TO = """
declare i32 @setjmp(ptr)
define i32 @f(ptr %where) {
entry:
  %x = alloca i32
  call void @llvm.lifetime.start.p0(ptr %x)
  %again = call i32 @setjmp(ptr %where)
  store i32 1, ptr %x
  call void @llvm.lifetime.end.p0(ptr %x)
  %v = load i32, ptr %x
  ret i32 %v
}
"""
_NO_VARIABLE = """
define void @f(ptr %p) {
entry:
  call void @llvm.lifetime.end.p0(ptr %p)
  store i32 1, ptr %p
  ret void
}
"""


def marks(text: str, *repeated: str) -> list[tuple[str, int]]:
    function = read_module(text + _MARKS).functions["f"]
    return sorted(telling_marks(function, lambda block: block in repeated))


def test_a_variable_of_the_whole_function_needs_none() -> None:
    assert marks(_ONE_BLOCK) == []


def test_a_block_that_ends_before_the_function() -> None:
    assert marks(_USED_AFTERWARDS) == [("entry", 3)]


def test_a_block_that_is_run_again() -> None:
    assert marks(_LOOP, "body") == [("body", 0), ("body", 1)]


def test_no_variable_ends_where_control_may_come_back() -> None:
    assert marks(_COME_BACK_TO) == [("entry", 1)]


def test_only_local_variables_have_a_life_that_is_marked() -> None:
    assert marks(_NO_VARIABLE) == []
