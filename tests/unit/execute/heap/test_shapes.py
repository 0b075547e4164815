"""C types as memory: cells, and where objects of one type lie inside another."""

from __future__ import annotations

from clew.execute.heap.shapes import CellKind, Shapes, Span
from clew.program.ctypes import CArray, CBase, CMember, CNamed, CPointer, CRecord, CTypes
from clew.program.layout import DataLayout

INT, CHAR, NODE, TO_NODE, NUMBERS, PAIR, TO_VOID, CONST_INT, BITS, EITHER = range(10)
TYPES = CTypes(
    (
        CBase("int", 32, "signed"),
        CBase("char", 8, "signed_char"),
        CRecord("node", False, 128, (CMember("v", INT, 0, 32), CMember("next", TO_NODE, 64, 64))),
        CPointer(NODE, 64),
        CArray(INT, 3, 96),
        CRecord("pair", False, 256, (CMember("a", NODE, 0, 128), CMember("k", NUMBERS, 128, 96))),
        CPointer(-1, 64),
        CNamed("const", INT, True),
        CRecord("bits", False, 32, (CMember("x", INT, 0, 3, True), CMember("y", INT, 3, 9, True))),
        CRecord("either", True, 64, (CMember("p", TO_NODE, 0, 64), CMember("i", INT, 0, 32))),
    )
)
SHAPES = Shapes(TYPES, DataLayout())


def test_cells_are_what_gets_a_value_of_its_own() -> None:
    cells = [(cell.offset, cell.kind, cell.bits, cell.count, cell.name) for cell in SHAPES.cells(PAIR)]
    assert cells == [
        (0, CellKind.NUMBER, 32, 1, ".a.v"),
        (8, CellKind.POINTER, 64, 1, ".a.next"),
        (16, CellKind.NUMBER, 32, 3, ".k"),
    ]
    assert [(cell.kind, cell.offset) for cell in SHAPES.cells(BITS)] == [(CellKind.BYTES, 0), (CellKind.BYTES, 1)]
    (union,) = SHAPES.cells(EITHER)
    assert (union.kind, union.count) == (CellKind.BYTES, 8)
    assert SHAPES.pointer_in_union(EITHER, 0) == NODE


def test_where_types_lie_in_others() -> None:
    assert SHAPES.spans(INT, NODE) == [Span(0)]
    assert SHAPES.spans(INT, NODE, 3) == [Span(0, 16, 3)]
    assert SHAPES.spans(NODE, PAIR) == [Span(0)]
    assert SHAPES.spans(CONST_INT, NUMBERS) == [Span(0, 4, 3)]
    assert SHAPES.spans(CHAR, NODE) == [Span(0, 1, 16)]
    assert SHAPES.spans(PAIR, NODE) == []
    covered = {span.start + n * span.stride for span in SHAPES.spans(INT, PAIR) for n in range(span.count)}
    assert covered == {0, 16, 20, 24}


def test_what_may_be_one_and_the_same() -> None:
    assert SHAPES.key(INT) == SHAPES.key(CONST_INT)
    assert SHAPES.key(INT) != SHAPES.key(CHAR)
    assert SHAPES.is_byte(CHAR) and SHAPES.is_byte(-1) and not SHAPES.is_byte(INT)
    assert SHAPES.bare(CONST_INT) == INT and SHAPES.is_constant(CONST_INT)
    assert (SHAPES.align(NODE), SHAPES.align(CHAR), SHAPES.align(-1)) == (8, 1, 1)


def test_types_that_pointers_lead_to() -> None:
    assert SHAPES.pointees([TO_NODE]) == [TO_NODE, NODE]
    assert SHAPES.has_pointers(PAIR) and not SHAPES.has_pointers(NUMBERS)
