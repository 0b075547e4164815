"""New pointers and objects for a function: cells become inputs, pointers in them wait until they matter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from clew.base.dataclass import dataclass
from clew.base.specification import Area
from clew.execute.heap.facts import KnownObject, LazyPointer, RawBytes
from clew.execute.heap.guesses import ELEMENTS, is_string
from clew.execute.heap.shapes import Cell, CellKind, Span
from clew.execute.heap.surroundings import VOID_SIZE, Surroundings
from clew.execute.inputs import HeapFact, InputKind, InputRead, new_input
from clew.execute.state import InputRecord, State
from clew.expr import build
from clew.expr.node import Bool, Expr
from clew.expr.sort import bv
from clew.program.ctypes import CBase, CPointer
from clew.report.values import HeapByte, Route


@dataclass(frozen=True, slots=True)
class Whence:
    """Where a new input belongs: in memory, or to a call of a callback; how deep it is."""

    at: HeapByte | None = None
    call: int = 0
    depth: int = 0
    kind: InputKind = InputKind.CELL
    outside: bool = False
    """Whether callbacks know what is there."""


def surroundings_of(s: State) -> Surroundings:
    """What the run knows about the function's surroundings, of which there are some."""
    found = s.run.surroundings
    assert found is not None
    return found


# Pointers


def new_pointer(
    s: State, name: str, target: int, whence: Whence, alone: bool = False, area: Area | None = None
) -> Expr:
    """A pointer from outside to an object of C type ``target``; by default it is to point to one of its own."""
    around = surroundings_of(s)
    shapes, options, bits = around.shapes, around.options, s.run.pointer_bits
    number = s.heap.homes
    s.heap = replace(s.heap, homes=number + 1)
    is_function = shapes.is_function(target)
    home = around.region.function(number) if is_function else around.region.object(number)
    low = shapes.align(target).bit_length() - 1
    position = s.inputs.count if s.inputs is not None else 0
    symbol = build.symbol(f"{name}@{position}&{number}:{target}", bv(bits - low))
    term: Any = build.concat(symbol, bits - low, 0, low) if low else symbol
    cut = options.depth is not None and whence.depth > options.depth
    if area is None and options.guesses and is_string(shapes, target):
        area = Area(options.characters, text=True)
    pointer = LazyPointer(term, target, name, whence.depth, home, cut, alone, whence.outside or whence.call > 0, area)
    s.run.lazy[symbol] = pointer
    if whence.outside:
        s.heap = s.heap.tell(term, target)
    if not cut:
        s.model = s.model.updated({symbol: home >> low})
    s.path = s.path.add(_domain(s, around, pointer, bits))
    size = 1 if is_function else max(1, shapes.size(target))
    spelling = shapes.ctypes.spell(target)
    spelling = spelling if is_function else f"{spelling}*" if spelling.endswith("*") else f"{spelling} *"
    fact = HeapFact(whence.at, whence.call, target=size)
    kind = InputKind.POINTER if whence.kind is InputKind.CELL and whence.at is None else whence.kind
    s.inputs = InputRecord(s.inputs, InputRead(name, spelling, kind, bits, (term,), None, heap=fact))
    return term  # type: ignore[no-any-return]


def _domain(s: State, around: Surroundings, pointer: LazyPointer, bits: int) -> Bool:
    """What a pointer from outside may be at all."""
    term, region = pointer.term, around.region
    null = build.eq(term, 0, bits)
    if pointer.cut:
        return null
    cases: list[Bool] = [null] if around.options.nulls else []
    if around.shapes.is_function(pointer.target):
        cases.append(_between(term, region.functions, region.high, bits))
        cases += [build.eq(term, address, bits) for address in around.functions(pointer.target)]
    else:
        cases.append(_between(term, region.low, region.functions, bits))
        cases += [inside(term, known.base, span, bits) for known, span in static_places(around, pointer)]
        shown = [known for known in s.heap.objects if not region.holds(known.base)]
        for known in shown if around.options.aliases else ():
            cases += [inside(term, known.base, span, bits) for span in places_in(around, pointer, known)]
    return build.disjunction(cases)


def _between(term: Expr, low: int, high: int, bits: int) -> Bool:
    return build.land(build.ule(low, term, bits), build.ult(term, high, bits))


def static_places(around: Surroundings, pointer: LazyPointer) -> Iterator[tuple[KnownObject, Span]]:
    """Where a pointer may point in variables of the program."""
    writable = not around.shapes.is_constant(pointer.target)
    for known in around.variables if around.options.aliases else ():
        if not (writable and around.is_constant(known)):
            for span in places_in(around, pointer, known):
                yield known, span


def places_in(around: Surroundings, pointer: LazyPointer, known: KnownObject) -> list[Span]:
    """Where a pointer may point in an object that is not its own: with room for what it leads to.

    One that is guessed to lead to a string may lead into another string.
    """
    area = pointer.area
    if area is None or not area.own:
        return spans_in(around, pointer.target, known, None if area is None else area.count)
    return spans_in(around, pointer.target, known, 1) if area.text and known.text and not area.exact else []


def spans_in(around: Surroundings, target: int, known: KnownObject, elements: int | None = None) -> list[Span]:
    """Where a pointer to ``target`` may point in an object: with room for so many elements, or as pointers have."""
    shapes = around.shapes
    if shapes.is_void(target):
        return _starts(around, known)
    room = known.size - shapes.size(target) * (elements or around.options.array_length)
    if shapes.is_byte(target):
        spans = [Span(0, 1, room + 1)]
    elif known.ctype < 0 or shapes.is_byte(known.ctype):
        align = shapes.align(target)  # bytes may be anything, if there are enough of them
        spans = [Span(0, align, room // align + 1)]
    else:
        spans = shapes.spans(target, known.ctype, known.count)
    fitting = [replace(span, count=min(span.count, (room - span.start) // span.stride + 1)) for span in spans]
    return [span for span in fitting if span.count > 0]


def _starts(around: Surroundings, known: KnownObject) -> list[Span]:
    """Where members and elements of an object begin: a pointer of unknown type points to one of them."""
    if known.ctype < 0:
        return [Span(0, 8, max(1, known.size // 8))] if known.size else []
    return [
        Span(cell.offset, cell.bits // 8, cell.count)
        if cell.kind is not CellKind.BYTES
        else Span(cell.offset, 8, max(1, cell.count // 8))
        for cell, _ in cells_of(around, known)
    ]


def inside(term: Expr, base: int, span: Span, bits: int) -> Bool:
    """The condition that a pointer is at one of the offsets of a span."""
    if span.count == 1:
        return build.eq(term, base + span.start, bits)
    offset = build.sub(term, base + span.start, bits)
    most = span.stride * (span.count - 1)
    whole = build.eq(build.urem(offset, span.stride, bits), 0, bits) if span.stride > 1 else True
    return build.land(build.ule(offset, most, bits), whole)


def overlaps(s: State, pointer: LazyPointer, objects: Iterable[KnownObject]) -> Bool:
    """The condition that what a pointer points to has bytes in common with some object.

    If none of the places in an object that its type lets it point to is possible, that cannot be, as objects have one
    type. Or the object would be inside of the larger one that the pointer points to, and that is another choice.
    """
    around, bits = surroundings_of(s), s.run.pointer_bits
    elements = pointer.area.count if pointer.area is not None else around.options.array_length
    need = max(1, around.shapes.size(pointer.target) * elements)
    first = [build.sub(pointer.term, (obj.base - need + 1) % (1 << bits), bits) for obj in objects]
    sizes = [obj.size + need - 1 for obj in objects]
    return build.disjunction([build.ult(at, size, bits) for at, size in zip(first, sizes, strict=True)])


# Objects


def new_object(s: State, base: int, target: int, pointer: LazyPointer) -> KnownObject:
    """An object for a pointer: as many elements as the user wants, or bytes where the type does not tell its size."""
    around, area = surroundings_of(s), pointer.area if target == pointer.target else None
    typed = not around.shapes.is_void(target)
    exact, text = area is not None and area.exact, area is not None and area.text
    length = area.count + text if area is not None else around.options.array_length
    count = length if typed or exact else VOID_SIZE
    size = around.shapes.size(target) * count if typed else count
    tail = around.shapes.tail(target, ELEMENTS) if typed and count == 1 else []
    size = max([size, *(cell.offset + cell.bits // 8 * cell.count for cell in tail)])
    sized = typed and not tail and not (area is not None and area.counted)
    around.region.object(0, size)
    label = f"*{pointer.name}"
    ctype = around.shapes.bare(target) if typed else -1
    known = KnownObject(
        base, ctype, count, size, label, s.heap.numbers, sized, pointer.depth, pointer.alone, exact, text
    )
    s.memory.place(base, size, "input", label, known)
    declare(s, known)
    fill(s, known, pointer.outside)
    if typed and not sized:
        s.run.note_loss("bounded", f"less memory behind {pointer.name} than {ELEMENTS} elements, or more", s)
    if text:
        last = s.memory.load_bits(base + size - 1, 1)
        assert isinstance(last, Expr)
        s.model = s.model.updated({last: 0})
        s.path = s.path.add(build.eq(last, 0, 8))
    return known


def declare(s: State, known: KnownObject, call: int = 0, route: Route | None = None, shared: bool = True) -> None:
    """Note an object that tests are to have a number for; input pointers may point to it if it is ``shared``."""
    numbers = max(s.heap.numbers, known.number + 1)
    objects = (*s.heap.objects, known) if shared else s.heap.objects
    s.heap = replace(s.heap, objects=objects, numbers=numbers)
    ctypes = surroundings_of(s).shapes.ctypes
    spelling = ctypes.spell(known.ctype) if known.ctype >= 0 else "unsigned char"
    if known.count != 1:
        spelling = f"{spelling}[{known.count}]"
    fact = HeapFact(HeapByte(known.number), call, known.base, route)
    read = InputRead(known.name, spelling, InputKind.MEMORY, 64, (known.size,), None, heap=fact)
    s.inputs = InputRecord(s.inputs, read)


def fill(s: State, known: KnownObject, outside: bool = False) -> None:
    """Inputs for all cells of a new object; ``outside``: one that callbacks know."""
    around = surroundings_of(s)
    for cell, label in (*cells_of(around, known), *padding_of(around, known)):
        whence = Whence(HeapByte(known.number, cell.offset), 0, known.depth, outside=outside)
        store(s, known.base, cell, new_values(s, cell, label, whence))
    size = around.shapes.size(known.ctype)
    for (member, counter), index in product(around.shapes.counted(known.ctype), range(known.count)):
        kind = around.shapes.strip(member.ctype)
        if isinstance(kind, CPointer):
            start = known.base + index * size
            pointer = s.memory.load_bits(start + member.offset // 8, kind.bits // 8)
            number = s.memory.load_bits(start + counter.offset // 8, counter.bits // 8)
            at_most = build.sle if around.shapes.is_signed(counter.ctype) else build.ule
            none = at_most(number, 0, counter.bits)
            s.path = s.path.add(build.lor(none, build.ne(pointer, 0, kind.bits)))


def padding_of(around: Surroundings, known: KnownObject) -> Iterator[tuple[Cell, str]]:
    """The bytes of an object that no cell has: they may hold anything, too."""
    at, label = 0, f"padding of {known.name}"
    for cell, _ in sorted(cells_of(around, known), key=lambda item: item[0].offset):
        if cell.offset > at:
            yield Cell(at, CellKind.BYTES, -1, 8, cell.offset - at), label
        at = max(at, cell.offset + cell.bits // 8 * cell.count)
    if at < known.size:
        yield Cell(at, CellKind.BYTES, -1, 8, known.size - at), label


def cells_of(around: Surroundings, known: KnownObject) -> list[tuple[Cell, str]]:
    """The cells of an object with their names."""
    if known.ctype < 0:
        return [(Cell(0, CellKind.BYTES, -1, 8, known.size), known.name)] if known.size else []
    shapes, found = around.shapes, []
    kind = shapes.strip(known.ctype)
    if isinstance(kind, CBase) and known.count > 1:
        return [(Cell(0, CellKind.NUMBER, known.ctype, kind.bits, known.count), known.name)]
    size = shapes.size(known.ctype)
    inner = [
        *shapes.cells(known.ctype),
        *(shapes.tail(known.ctype, ELEMENTS) if known.size > size * known.count else ()),
    ]
    for index in range(known.count):
        element = known.name if known.count == 1 else f"{known.name.removeprefix('*')}[{index}]"
        for cell in inner:
            label = f"{element}{cell.name}"
            if element.startswith("*") and cell.name.startswith("."):
                label = f"{element[1:]}->{cell.name[1:]}"
            found.append((replace(cell, offset=cell.offset + index * size), label))
    return found


def new_values(s: State, cell: Cell, name: str, whence: Whence) -> tuple[Any, ...]:
    """Inputs for the elements of a cell."""
    around = surroundings_of(s)
    shapes, run = around.shapes, s.run
    if cell.kind is CellKind.POINTER:
        kind = shapes.strip(cell.ctype)
        assert isinstance(kind, CPointer)
        area = Area(ELEMENTS, own=False, counted=True) if cell.counted and not shapes.is_void(kind.to) else None
        return (new_pointer(s, name, kind.to, replace(whence, depth=whence.depth + 1), False, area),)
    spelling = shapes.ctypes.spell(cell.ctype) if cell.kind is CellKind.NUMBER else "unsigned char"
    if cell.count > 1:
        spelling = f"{spelling}[{cell.count}]"
    fact = HeapFact(whence.at, whence.call)
    place = "" if whence.at is None else f"/{whence.at.object}.{whence.at.offset}"
    values = new_input(s, name, spelling, cell.bits, cell.count, whence.kind, fact, place)
    if cell.kind is CellKind.BYTES and whence.at is not None:
        for index, value in enumerate(values):
            target = shapes.pointer_in_union(cell.ctype, index)
            run.lazy[value] = RawBytes(HeapByte(whence.at.object, whence.at.offset + index), target)
    base = shapes.strip(cell.ctype)
    if isinstance(base, CBase) and base.encoding == "boolean":
        for value in values:
            s.path = s.path.add(build.ule(value, 1, cell.bits))
    return values


def store(s: State, base: int, cell: Cell, values: tuple[Any, ...]) -> None:
    """Put values into a cell; no write of the program's."""
    step = cell.bits // 8
    for index, value in enumerate(values):
        s.memory.store_bits(base + cell.offset + index * step, value, step)


def load(s: State, base: int, cell: Cell) -> tuple[Any, ...]:
    """What is in a cell."""
    step = cell.bits // 8
    return tuple(s.memory.load_bits(base + cell.offset + index * step, step) for index in range(cell.count))
