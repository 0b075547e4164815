"""What stands before a program's functions: the checks that its code makes in place, and what of the runtime it calls.

The program's memory, the shadow, the counters and the fuel are apart from each other, and the metadata say so: LLVM may
keep a counter in a register, or look only once whether the same address may be read.
"""

from __future__ import annotations

from clew.native import places

WORD_SIZES = (1, 2, 4, 8)
"""Of accesses that are checked in place."""
MEMORY, SHADOW, _COUNTER, _FUEL = (f"!tbaa !{number}" for number in (10, 11, 12, 13))

_METADATA = """
!0 = !{!"clew"}
!1 = !{!"memory", !0, i64 0}
!2 = !{!"shadow", !0, i64 0}
!3 = !{!"counter", !0, i64 0}
!4 = !{!"fuel", !0, i64 0}
!10 = !{!1, !1, i64 0}
!11 = !{!2, !2, i64 0}
!12 = !{!3, !3, i64 0}
!13 = !{!4, !4, i64 0}
!20 = !{!"branch_weights", i32 1000000, i32 1}
"""

_DECLARATIONS = """
declare void @clew_check(i64, i64) cold
declare void @clew_wrong(i64, i64) cold noreturn nounwind
declare void @clew_outside() cold noreturn nounwind
declare void @clew_note_numbers(i64, i64) cold
declare void @clew_no_room() cold noreturn nounwind
declare void @clew_fail(i32, i64) cold noreturn nounwind
declare void @clew_unsupported(i64) cold noreturn nounwind
declare void @clew_out_of_fuel() cold noreturn nounwind
declare i64 @clew_enter(ptr)
declare void @clew_leave(i64)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @clew_push(i64, i64)
declare void @clew_restore(i64)
declare i64 @clew_input(i32)
declare void @clew_input_to(i64, i64)
declare ptr @clew_target(i64, i64, i64)
declare void @clew_va_start(i64, i64)
declare void @clew_set_result(i32)
"""

_ENSURE = """
define internal void @clew.ensure(i1 %right, i32 %bug, i64 %site) alwaysinline {
  br i1 %right, label %fine, label %wrong, !prof !20
wrong:
  call void @clew_fail(i32 %bug, i64 %site)
  unreachable
fine:
  ret void
}

define internal void @clew.within(i64 %address, i64 %base, i64 %last) alwaysinline {
  %offset = sub i64 %address, %base
  %inside = icmp ule i64 %offset, %last
  br i1 %inside, label %fine, label %outside, !prof !20
outside:
  call void @clew_outside()
  unreachable
fine:
  ret void
}

define internal void @clew.room(i1 %fits) alwaysinline {
  br i1 %fits, label %fine, label %full, !prof !20
full:
  call void @clew_no_room()
  unreachable
fine:
  ret void
}
"""


def prelude() -> str:
    """All of it."""
    return "".join([_METADATA, _DECLARATIONS, _ENSURE, _fuel(), _counter(), *map(_check, WORD_SIZES)])


def _fuel() -> str:
    """One unit less; a run without any ends."""
    return f"""
define internal void @clew.burn() alwaysinline {{
  %before = load i64, ptr inttoptr (i64 {places.FUEL} to ptr), {_FUEL}
  %after = sub i64 %before, 1
  store i64 %after, ptr inttoptr (i64 {places.FUEL} to ptr), {_FUEL}
  %enough = icmp sge i64 %after, 0
  br i1 %enough, label %fine, label %empty, !prof !20
empty:
  call void @clew_out_of_fuel()
  unreachable
fine:
  ret void
}}
"""


def _counter() -> str:
    """A branch is taken: once more, up to 255 times, or at all; two numbers are compared."""
    return f"""
define internal void @clew.count(i64 %site) alwaysinline {{
  %address = add i64 %site, {places.COUNTERS}
  %place = inttoptr i64 %address to ptr
  %before = load i8, ptr %place, {_COUNTER}
  %after = call i8 @llvm.uadd.sat.i8(i8 %before, i8 1)
  store i8 %after, ptr %place, {_COUNTER}
  ret void
}}
define internal void @clew.compare(i64 %one, i64 %other) alwaysinline {{
  %noting = load i64, ptr inttoptr (i64 {places.SHARED + 24} to ptr), {_FUEL}
  %off = icmp eq i64 %noting, 0
  br i1 %off, label %done, label %note, !prof !20
note:
  call void @clew_note_numbers(i64 %one, i64 %other)
  br label %done
done:
  ret void
}}
define internal void @clew.cover(i64 %site) alwaysinline {{
  %address = add i64 %site, {places.COUNTERS}
  %place = inttoptr i64 %address to ptr
  store i8 1, ptr %place, {_COUNTER}
  ret void
}}
declare i8 @llvm.uadd.sat.i8(i8, i8)
"""


def _check(size: int) -> str:
    """Two kinds of checks of an access of so many bytes. The first one is for addresses that the program's own types
    say are aligned, so that the bytes lie in one granule; the second one knows of others."""
    inside = f"""
  %offset = sub i64 %address, {places.ARENA}
  %granule = lshr i64 %offset, 3
  %inside = icmp ult i64 %granule, {places.ARENA_SIZE >> 3}
  br i1 %inside, label %look, label %wrong, !prof !20
look:
  %where = add i64 %granule, {places.SHADOW}
  %place = inttoptr i64 %where to ptr
  %open = load i8, ptr %place, {SHADOW}
  %bytes = zext i8 %open to i64
  %first = and i64 %address, 7
  %end = add i64 %first, {size}
  %fine = icmp ule i64 %end, %bytes
  br i1 %fine, label %done, label %wrong, !prof !20
done:
  ret void
wrong:
"""
    return f"""
define internal void @clew.aligned{size}(i64 %address) alwaysinline {{{inside}
  call void @clew_wrong(i64 %address, i64 {size})
  unreachable
}}
define internal void @clew.check{size}(i64 %address) alwaysinline {{{inside}
  call void @clew_check(i64 %address, i64 {size})
  ret void
}}
"""
