"""Pointers that are known to point to one place: what makes memory cells variables.

A register of a frame that always points to the same offset of the same global, or of the same ``alloca`` of a frame,
has a ``CellAddress``. Cells that are only ever accessed through such registers, or forgotten when something else may
write them (``clew.analysis.mod_ref``), can be followed as if they were registers.
"""

from __future__ import annotations

from clew.analysis.absint.frames import Supergraph
from clew.analysis.absint.variables import GLOBAL, Cell
from clew.analysis.absint.views import is_number
from clew.analysis.escape import Object
from clew.analysis.graph import reverse_postorder
from clew.base.dataclass import dataclass
from clew.program import instructions as ir
from clew.program.layout import DataLayout, offset_of
from clew.program.module import Program
from clew.program.types import ArrayType, StructType, Type
from clew.program.values import (
    ConstAggregate,
    Constant,
    ConstBytes,
    ConstExpr,
    ConstInt,
    ConstZero,
    GlobalRef,
    Register,
    Value,
)


@dataclass(frozen=True, slots=True)
class CellAddress:
    """An offset in an object."""

    frame: int
    """``GLOBAL`` for a global."""
    object: Object
    offset: int

    def moved(self, by: int) -> CellAddress:
        return CellAddress(self.frame, self.object, self.offset + by)


class Places:
    """The known places of all pointers of a graph, and the cells that are accessed through them."""

    def __init__(self, program: Program, graph: Supergraph) -> None:
        self._program = program
        self._layout = program.layout
        self._graph = graph
        self._known: list[dict[str, CellAddress]] = []
        self.cells: dict[Object, list[Cell]] = {}
        """By object, in the order in which they are met."""
        for frame in range(len(graph.frames)):
            self._study(frame)

    def of(self, frame: int, pointer: Value) -> CellAddress | None:
        """Where a pointer of a frame points to, if that is known."""
        if isinstance(pointer, Register):
            return self._known[frame].get(pointer.name)
        return self._constant(pointer)

    def cell(self, frame: int, pointer: Value, type: Type) -> Cell | None:
        """The cell that an access of an integer through a pointer goes to."""
        if not is_number(type):
            return None
        place = self.of(frame, pointer)
        if place is None:
            return None
        return Cell(place.frame, place.object, place.offset, self._layout.store_size(type))

    def overlapping(self, place: CellAddress, size: int) -> list[Cell]:
        """The cells that share bytes with an access."""
        return [
            cell
            for cell in self.cells.get(place.object, ())
            if cell.frame == place.frame
            and cell.offset < place.offset + size
            and place.offset < cell.offset + cell.size
        ]

    # Inside

    def _study(self, number: int) -> None:
        frame = self._graph.frames[number]
        known: dict[str, CellAddress] = {}
        self._known.append(known)
        if frame.parent is not None and frame.call is not None:
            block, index = frame.call
            call = self._graph.frame_outline(frame.parent).blocks[block].instructions[index]
            assert isinstance(call, ir.Call)
            for parameter, argument in zip(frame.function.parameters, call.arguments, strict=True):
                place = self.of(frame.parent, argument.value) if argument.byval is None else None
                if place is not None and isinstance(parameter.value, Register):
                    known[parameter.value.name] = place
        outline = self._graph.frame_outline(number)
        once = outline.forest.innermost[0] < 0
        for position in reverse_postorder(outline.graph):
            for instruction in frame.function.blocks[position].instructions:
                if isinstance(instruction, ir.Alloca):
                    # In a loop there may be several at a time: pointers do not say to which.
                    if once and position == 0 and instruction.result is not None:
                        thing = (frame.function.name, instruction.result.name)
                        known[instruction.result.name] = CellAddress(number, thing, 0)
                    continue
                place = self._through(number, instruction)
                if place is not None and instruction.result is not None:
                    known[instruction.result.name] = place
        for instruction in frame.function.instructions():
            self._collect(number, instruction)

    def _through(self, frame: int, instruction: ir.Instruction) -> CellAddress | None:
        match instruction:
            case ir.GetElementPtr(base=base, source_type=type, indices=indices):
                place = self.of(frame, base)
                by = None if place is None else offset_of(self._layout, type, indices)
                return None if place is None or by is None else place.moved(by)
            case ir.Cast(op="bitcast" | "addrspacecast", operand=operand) | ir.Freeze(operand=operand):
                return self.of(frame, operand)
            case ir.Phi(incoming=incoming):
                places = {self.of(frame, value) for value, _ in incoming}
                return places.pop() if len(places) == 1 else None
            case ir.Select(if_true=yes, if_false=no):
                place = self.of(frame, yes)
                return place if place == self.of(frame, no) else None
        return None

    def _constant(self, value: Value) -> CellAddress | None:
        match value:
            case GlobalRef(name=name) if name in self._program.globals:
                return CellAddress(GLOBAL, name, 0)
            case ConstExpr(op="getelementptr", operands=(base, *indices), source_type=type) if type is not None:
                place = self._constant(base)
                by = None if place is None else offset_of(self._layout, type, tuple(indices))
                return None if place is None or by is None else place.moved(by)
        return None

    def _collect(self, frame: int, instruction: ir.Instruction) -> None:
        match instruction:
            case ir.Load(pointer=pointer, result=result) if result is not None:
                cell = self.cell(frame, pointer, result.type)
            case ir.Store(pointer=pointer, value=value):
                cell = self.cell(frame, pointer, value.type)
            case _:
                return
        if cell is not None:
            known = self.cells.setdefault(cell.object, [])
            if cell not in known:
                known.append(cell)


def initial_value(layout: DataLayout, initializer: Constant | None, offset: int, size: int) -> int | None:
    """The unsigned integer in some bytes of an initializer; None if it is not plain to see."""
    value = initializer
    while value is not None:
        if isinstance(value, ConstZero):
            return 0 if offset >= 0 and offset + size <= layout.size(value.type) else None
        if isinstance(value, ConstInt):
            return value.value if offset == 0 and size == layout.store_size(value.type) else None
        if isinstance(value, ConstBytes):
            data = value.data[offset : offset + size] if offset >= 0 else b""
            return int.from_bytes(data, "little") if len(data) == size else None
        if not isinstance(value, ConstAggregate):
            return None
        value, offset = _element(layout, value, offset)
    return None


def _element(layout: DataLayout, value: ConstAggregate, offset: int) -> tuple[Constant | None, int]:
    """The element of an aggregate that holds an offset, and the offset in it."""
    if offset < 0:
        return None, offset
    if isinstance(value.type, ArrayType):
        step = layout.size(value.type.element)
        at = offset // step if step else 0
        return (value.elements[at], offset - at * step) if at < len(value.elements) else (None, offset)
    if isinstance(value.type, StructType):
        for start, element in reversed(list(zip(layout.offsets(value.type), value.elements, strict=True))):
            if start <= offset:
                return element, offset - start
    return None, offset
