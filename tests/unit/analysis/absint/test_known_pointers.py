"""Pointers that point to one place, cells of memory, and what initializers say about them."""

from __future__ import annotations

import pytest

from clew.analysis.absint.known_pointers import CellAddress, Places, initial_value, offset_of
from clew.analysis.absint.variables import GLOBAL, Cell
from clew.program import instructions as ir
from clew.program.values import ConstInt, ConstUndef
from unit.analysis.absint.analysed import graph_of
from unit.execute.support import c_program, llvm

TEXT = """
%pair = type { i32, i8, [4 x i16] }
@g = global [3 x %pair] zeroinitializer
@other = global i32 0
@pointer = global ptr null
define void @take(ptr %p, ptr %q) {
entry:
%field = getelementptr %pair, ptr %p, i64 0, i32 2, i64 3
%v = load i16, ptr %field
store i32 1, ptr %q
ret void
}
define i32 @main(i1 %c, i64 %n) {
entry:
%x = alloca i32
%y = alloca %pair
%one = getelementptr [3 x %pair], ptr @g, i64 0, i64 2, i32 1
%back = getelementptr i8, ptr %one, i64 -4
%cast = freeze ptr %back
%any = getelementptr [3 x %pair], ptr @g, i64 0, i64 %n
%same = select i1 %c, ptr %x, ptr %x
%either = select i1 %c, ptr %x, ptr @other
%loaded = load ptr, ptr @pointer
call void @take(ptr %y, ptr %x)
call void @take(ptr @g, ptr %either)
br i1 %c, label %left, label %right
left:
%z = alloca i32
%moved = getelementptr i32, ptr %y, i64 1
br label %right
right:
%joined = phi ptr [ %x, %entry ], [ %same, %left ]
%mixed = phi ptr [ %x, %entry ], [ %y, %left ]
store i8 7, ptr %one
ret i32 0
}
"""


def places() -> Places:
    program = llvm(TEXT)
    return Places(program, graph_of(program))


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("x", CellAddress(0, ("main", "x"), 0)),
        ("one", CellAddress(GLOBAL, "g", 2 * 16 + 4)),
        ("back", CellAddress(GLOBAL, "g", 2 * 16)),
        ("cast", CellAddress(GLOBAL, "g", 2 * 16)),
        ("any", None),
        ("same", CellAddress(0, ("main", "x"), 0)),
        ("either", None),
        ("loaded", None),
        ("z", None),
        ("moved", CellAddress(0, ("main", "y"), 4)),
        ("joined", CellAddress(0, ("main", "x"), 0)),
        ("mixed", None),
    ],
)
def test_where_registers_point_to(name: str, place: CellAddress | None) -> None:
    program = llvm(TEXT)
    graph = graph_of(program)
    register = graph.frame_outline(0).definitions[name].result
    assert register is not None
    assert Places(program, graph).of(0, register) == place


def test_parameters_point_to_what_their_call_was_given() -> None:
    program = llvm(TEXT)
    graph = graph_of(program)
    known = Places(program, graph)
    found = {}
    for frame in graph.of_function["take"]:
        p, q = (parameter.value for parameter in graph.frames[frame].function.parameters)
        found[graph.frames[frame].call] = (known.of(frame, p), known.of(frame, q))
    calls = [i for i, one in enumerate(program.functions["main"].blocks[0].instructions) if isinstance(one, ir.Call)]
    assert found == {
        ("entry", calls[0]): (CellAddress(0, ("main", "y"), 0), CellAddress(0, ("main", "x"), 0)),
        ("entry", calls[1]): (CellAddress(GLOBAL, "g", 0), None),
    }


def test_cells_are_those_that_are_accessed() -> None:
    found = {thing: {(cell.frame, cell.offset, cell.size) for cell in cells} for thing, cells in places().cells.items()}
    assert found == {
        "g": {(GLOBAL, 36, 1), (GLOBAL, 12, 2)},
        ("main", "x"): {(0, 0, 4)},
        ("main", "y"): {(0, 12, 2)},
    }


def test_cells_that_share_bytes() -> None:
    known = places()
    cell = Cell(GLOBAL, "g", 12, 2)
    for offset, size, meets in (
        (12, 2, True),
        (13, 1, True),
        (10, 3, True),
        (0, 48, True),
        (8, 4, False),
        (14, 4, False),
    ):
        assert (cell in known.overlapping(CellAddress(GLOBAL, "g", offset), size)) == meets
    assert known.overlapping(CellAddress(5, ("main", "x"), 0), 4) == [], "of another frame"


def test_an_alloca_in_a_loop_is_no_place() -> None:
    program = llvm("""
    define i32 @main() {
    entry:
    br label %loop
    loop:
    %x = alloca i32
    store i32 1, ptr %x
    br label %loop
    }
    """)
    assert Places(program, graph_of(program)).cells == {}


def test_a_pointer_that_moves_is_no_place() -> None:
    program = llvm("""
    define i32 @main() {
    entry:
    %x = alloca [8 x i32]
    br label %loop
    loop:
    %p = phi ptr [ %x, %entry ], [ %q, %loop ]
    %q = getelementptr i32, ptr %p, i64 1
    store i32 1, ptr %q
    br label %loop
    }
    """)
    assert Places(program, graph_of(program)).cells == {}


def test_offsets_need_constant_indices() -> None:
    program = llvm(TEXT)
    instruction = graph_of(program).frame_outline(0).definitions["one"]
    assert isinstance(instruction, ir.GetElementPtr)
    index = ConstInt(instruction.indices[0].type, 1)
    assert offset_of(program.layout, instruction.source_type, (index,)) == 48
    assert offset_of(program.layout, instruction.source_type, (ConstUndef(index.type),)) is None


INITIALIZED = """
struct inner { char c; short s; };
struct outer { int a; struct inner in[2]; char text[5]; char rest[6]; unsigned char bytes[3]; int *p; } o = {
  -2, {{1, 2}, {3, -4}}, "abc", {0}, {250, 251, 252}, &o.a
};
static int plain = 77;
static long zero;
extern int outside;
int main(void) { return o.a + plain + (int)zero + outside; }
"""


@pytest.mark.parametrize(
    ("name", "offset", "size", "value"),
    [
        ("plain", 0, 4, 77), ("plain", 0, 2, None), ("plain", 4, 4, None), ("plain", -4, 4, None),
        ("zero", 0, 8, 0), ("zero", 4, 4, None), ("zero", 8, 1, None), ("zero", 6, 4, None), ("outside", 0, 4, None),
        ("o", 0, 4, 0xFFFFFFFE), ("o", 4, 1, 1), ("o", 6, 2, 2), ("o", 8, 1, 3), ("o", 10, 2, 0xFFFC),
        ("o", 12, 1, ord("a")), ("o", 14, 2, ord("c")), ("o", 16, 1, 0), ("o", 17, 1, 0), ("o", 23, 1, 250),
        ("o", 25, 1, 252), ("o", 32, 8, None), ("o", 40, 1, None), ("o", -1, 1, None), ("o", 0, 8, None),
    ],
)  # fmt: skip
def test_initial_values(name: str, offset: int, size: int, value: int | None) -> None:
    program = c_program(INITIALIZED)
    found = initial_value(program.layout, program.globals[name].initializer, offset, size)
    assert found == value
