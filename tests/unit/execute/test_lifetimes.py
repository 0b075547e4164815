"""Which lifetime marks get code: those of blocks that are run again, or end before their function does."""

from __future__ import annotations

from clew.analysis.callees import Callees
from clew.analysis.nonescaping import Contained
from clew.execute.codegen.lifetimes import telling_marks
from clew.frontend.reader import read_module
from clew.models.registry import all_models

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
  %v = load i32, ptr %x
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


_SET_FIRST = """
declare void @keep(ptr)
define i32 @read(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}
define i32 @f(i1 %c, i32 %n) {
entry:
  %x = alloca i32
  br label %body
body:
  call void @llvm.lifetime.start.p0(ptr %x)
  STORE
  %v = call i32 @read(ptr %x)
  call void @llvm.lifetime.end.p0(ptr %x)
  br i1 %c, label %body, label %done
done:
  AFTERWARDS
  ret i32 %v
}
"""


def marks(text: str, *repeated: str) -> list[tuple[str, int]]:
    program = read_module(text + _MARKS)
    contained = Contained(program, Callees(program, all_models()))
    function = program.functions["f"]
    found = telling_marks(
        function, lambda block: block in repeated, lambda name: contained.registers("f", name), program.layout
    )
    return sorted(found)


def set_first(store: str, afterwards: str = "") -> bool:
    """Whether a variable that is read in a loop needs no code."""
    found = marks(_SET_FIRST.replace("STORE", store).replace("AFTERWARDS", afterwards), "body")
    assert len(found) in (0, 2)
    return not found


def test_a_variable_of_the_whole_function_needs_none() -> None:
    assert marks(_ONE_BLOCK) == []


def test_a_block_that_ends_before_the_function() -> None:
    assert marks(_USED_AFTERWARDS) == [("entry", 3)]


def test_a_block_that_is_run_again() -> None:
    assert marks(_LOOP, "body") == [("body", 0), ("body", 2)]


def test_no_variable_ends_where_control_may_come_back() -> None:
    assert marks(_COME_BACK_TO) == [("entry", 1)]


def test_only_local_variables_have_a_life_that_is_marked() -> None:
    assert marks(_NO_VARIABLE) == []


def test_a_variable_that_is_set_whenever_its_block_begins_needs_none() -> None:
    assert set_first("store i32 %n, ptr %x")


def test_one_that_may_have_no_value_is_new_each_time() -> None:
    assert not set_first("")
    assert not set_first("store i16 1, ptr %x")
    assert not set_first("%q = getelementptr i8, ptr %x, i64 1\n  store i8 1, ptr %q\n  store i16 0, ptr %x")


def test_one_that_others_may_get_at_ends_with_its_block() -> None:
    assert not set_first("store i32 1, ptr %x\n  call void @keep(ptr %x)")


def test_one_that_is_used_behind_its_block_ends_there() -> None:
    assert not set_first("store i32 1, ptr %x", "%w = load i32, ptr %x")
    assert not set_first("store i32 1, ptr %x", "store i32 2, ptr %x")
    assert set_first("store i32 1, ptr %x", "%same = icmp eq ptr %x, null")
