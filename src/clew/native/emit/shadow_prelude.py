"""What stands before the functions of a traced program: nodes are made where a shadow is not 0, and only there.

``c/trace.c`` has the functions that these call.
"""

from __future__ import annotations

from clew.native import places, trace_places

TRACED = "!tbaa !15"

_DECLARATIONS = """
!5 = !{!"trace", !0, i64 0}
!15 = !{!5, !5, i64 0}
declare i32 @clew_node(i32, i32, i32, i64, i64, i64) cold
declare i32 @clew_unary(i32, i32, i64) cold
declare i32 @clew_choice(i32, i32, i32, i32, i64, i64, i64) cold
declare i32 @clew_element(i32, i32, i64, i64, i32, i64) cold
declare i32 @clew_ternary(i32, i32, i32, i32, i64, i64, i64, i64) cold
declare void @clew_fix_string(i32, i64)
declare void @clew_fork(i32, i32, i32) cold
declare void @clew_case(i32, i32, i64) cold
declare void @clew_fix(i32, i32, i64) cold
declare void @clew_lose(i32) cold
declare void @clew_bounds(i32, i32, i64, i64) cold
declare i32 @clew_load_at(i32, i32, i64, i32, i64) cold
declare void @clew_store_node(i64, i32, i32) cold
declare void @clew_clear_nodes(i64, i64)
declare void @clew_fix_memory(i32, i64, i64)
declare void @clew_copy_nodes(i64, i64, i64)
declare i64 @clew_traced_input(i32)
declare void @clew_traced_input_to(i64, i64)
"""


def shadow_prelude() -> str:
    """All of it."""
    parts = [
        _guarded("i32", "node", "i32 %what, i32 %a, i32 %b, i64 %left, i64 %right, i64 %value", "or i32 %a, %b"),
        _guarded("i32", "unary", "i32 %what, i32 %a, i64 %value", "or i32 %a, 0"),
        _guarded(
            "i32",
            "ternary",
            "i32 %what, i32 %a, i32 %b, i32 %c, i64 %first, i64 %second, i64 %third, i64 %value",
            "or i32 %two, %c",
            "  %two = or i32 %a, %b\n",
        ),
        _guarded("i32", "element", "i32 %a, i32 %b, i64 %base, i64 %index, i32 %width, i64 %step", "or i32 %a, %b"),
        _guarded("void", "fork", "i32 %site, i32 %node, i32 %taken", "or i32 %node, 0"),
        _guarded("void", "case", "i32 %site, i32 %node, i64 %value", "or i32 %node, 0"),
        _guarded("void", "fix", "i32 %site, i32 %node, i64 %value", "or i32 %node, 0"),
        _guarded("void", "bounds", "i32 %site, i32 %node, i64 %address, i64 %size", "or i32 %node, 0"),
        _guarded(
            "i32",
            "load_at",
            "i32 %site, i32 %at, i64 %address, i32 %size, i64 %value",
            "or i32 %marks, %at",
            _marks(),
        ),
        _guarded("void", "store_node", "i64 %address, i32 %size, i32 %node", "or i32 %marks, %node", _marks()),
        _CHOICE,
    ]
    return "".join([_DECLARATIONS, *parts])


def _guarded(result: str, name: str, parameters: str, any_shadow: str, before: str = "") -> str:
    """A call of the runtime, if a shadow is there; without one the answer is 0."""
    call = f"call {result} @clew_{name}({parameters})"
    makes, gives = (f"%made = {call}", "ret i32 %found") if result == "i32" else (call, "ret void")
    found = "  %found = phi i32 [ 0, %entry ], [ %made, %make ]\n" if result == "i32" else ""
    return f"""
define internal {result} @clew.{name}({parameters}) alwaysinline {{
entry:
{before}  %any = {any_shadow}
  %none = icmp eq i32 %any, 0
  br i1 %none, label %done, label %make, !prof !20
make:
  {makes}
  br label %done
done:
{found}  {gives}
}}
"""


def _marks() -> str:
    """Whether the line of an address, or the one after it, has a byte with a shadow."""
    return f"""  %offset = sub i64 %address, {places.ARENA}
  %line = lshr i64 %offset, {trace_places.LINE_BITS}
  %where = add i64 %line, {trace_places.LINES}
  %place = inttoptr i64 %where to ptr
  %two = load i16, ptr %place, align 1, {TRACED}
  %marks = zext i16 %two to i32
"""


_CHOICE = """
define internal i32 @clew.choice(
    i32 %width, i32 %if, i1 %is, i32 %a, i32 %b, i64 %left, i64 %right, i64 %value) alwaysinline {
entry:
  %chosen = select i1 %is, i32 %a, i32 %b
  %none = icmp eq i32 %if, 0
  br i1 %none, label %done, label %make, !prof !20
make:
  %made = call i32 @clew_choice(i32 %width, i32 %if, i32 %a, i32 %b, i64 %left, i64 %right, i64 %value)
  br label %done
done:
  %found = phi i32 [ %chosen, %entry ], [ %made, %make ]
  ret i32 %found
}
"""
