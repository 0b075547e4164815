"""What C types say about memory: sizes, the cells of an object, and where objects of one type lie inside another.

struct s { int v; struct s *next; char text[8]; };
cells      v: a number at 0, next: a pointer at 8, text: 8 numbers at 16
offsets(int, struct s)    0            offsets(char, struct s)    every byte
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from enum import Enum

from clew.base.dataclass import dataclass
from clew.program.ctypes import CArray, CBase, CEnum, CFunction, CMember, CNamed, CPointer, CRecord, CType, CTypes
from clew.program.layout import DataLayout
from clew.program.module import Function, Program
from clew.program.types import PointerType

MOST_OFFSETS = 4096
"""Places of one type inside another that are told apart."""


class CellKind(Enum):
    """What a cell holds."""

    NUMBER = "number"
    POINTER = "pointer"
    BYTES = "bytes"
    """Bytes whose type is not known, or not the only one: unions, bit-fields, ``void``."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Part of an object that gets a value of its own: ``count`` elements of ``bits`` bits from ``offset`` on."""

    offset: int
    kind: CellKind
    ctype: int
    bits: int
    count: int = 1
    name: str = ""
    """What follows the object's name: ``.next``."""
    constant: bool = False
    counted: bool = False
    """Of a pointer: another member says how many elements are behind it."""


@dataclass(frozen=True, slots=True)
class Span:
    """``count`` offsets from ``start`` on, ``stride`` apart."""

    start: int
    stride: int = 1
    count: int = 1


class Shapes:
    """The C types of a program as memory."""

    def __init__(self, ctypes: CTypes, layout: DataLayout) -> None:
        self.ctypes = ctypes
        self._layout = layout
        self._offsets: dict[tuple[Hashable, Hashable], tuple[int, ...]] = {}

    def strip(self, ctype: int) -> CType | None:
        """The type without typedefs and qualifiers; None for ``void`` or not known."""
        return self.ctypes.strip(ctype)

    def size(self, ctype: int) -> int:
        """Bytes of an object; 0 where the type does not tell."""
        match self.strip(ctype):
            case CBase(bits=bits) | CPointer(bits=bits) | CArray(bits=bits) | CRecord(bits=bits) | CEnum(bits=bits):
                return bits // 8
        return 0

    def is_signed(self, ctype: int) -> bool:
        """Whether numbers of this type may be negative."""
        match self.strip(ctype):
            case CBase(encoding=encoding):
                return encoding in ("signed", "signed_char")
            case CEnum(signed=signed):
                return signed
        return False

    def align(self, ctype: int) -> int:
        """What an address of such an object is a multiple of."""
        match self.strip(ctype):
            case CBase(bits=bits) | CEnum(bits=bits) | CPointer(bits=bits) if bits >= 8:
                natural = 1 << (bits // 8).bit_length() - 1
                return min(natural, 16 if self._layout.pointer_bits == 64 else 4)
            case CArray(element=element):
                return self.align(element)
            case CRecord(members=members, bits=bits):
                most = max((self.align(m.ctype) for m in members if not m.bitfield), default=1)
                # A packed struct has members where their alignment would not allow them.
                while most > 1 and (bits // 8 % most or any(m.offset // 8 % self.align(m.ctype) for m in members)):
                    most //= 2
                return most
        return 1

    def is_void(self, ctype: int) -> bool:
        """Whether nothing is known about what a pointer to this type points to."""
        return not isinstance(self.strip(ctype), CFunction) and self.size(ctype) == 0

    def is_function(self, ctype: int) -> bool:
        return isinstance(self.strip(ctype), CFunction)

    def is_byte(self, ctype: int) -> bool:
        """Whether a pointer to this type may point into any object."""
        kind = self.strip(ctype)
        return self.is_void(ctype) or (isinstance(kind, CBase) and kind.bits == 8 and kind.encoding != "boolean")

    def bare(self, ctype: int) -> int:
        """The type without qualifiers: what they say holds for a pointer, not for what it points to."""
        while 0 <= ctype < len(self.ctypes.entries):
            entry = self.ctypes.entries[ctype]
            if not isinstance(entry, CNamed) or not entry.qualifier:
                break
            ctype = entry.to
        return ctype

    def is_constant(self, ctype: int) -> bool:
        """Whether the type is ``const``, below any typedefs."""
        inner = self.strip(ctype)
        return self._is_qualified(ctype, "const") or (isinstance(inner, CArray) and self.is_constant(inner.element))

    def is_restrict(self, ctype: int) -> bool:
        """Whether a pointer's type is ``restrict``, below any typedefs."""
        return self._is_qualified(ctype, "restrict")

    def _is_qualified(self, ctype: int, word: str) -> bool:
        while 0 <= ctype < len(self.ctypes.entries) and isinstance(entry := self.ctypes.entries[ctype], CNamed):
            if entry.qualifier and entry.name == word:
                return True
            ctype = entry.to
        return False

    def is_handle(self, ctype: int) -> bool:
        """Whether a type with a name of its own is a pointer to a struct: ``typedef struct parser *Parser;``."""
        kind, bare = self.strip(ctype), self.bare(ctype)
        to_record = isinstance(kind, CPointer) and isinstance(self.strip(kind.to), CRecord)
        return to_record and isinstance(self.ctypes.entries[bare], CNamed)

    def key(self, ctype: int) -> Hashable:
        """Equal for types whose objects may be one and the same: signs and names of typedefs do not matter."""
        match self.strip(ctype):
            case CBase(bits=bits, encoding=encoding):
                return ("float" if encoding == "float" else "bool" if encoding == "boolean" else "int", bits)
            case CEnum(bits=bits):
                return ("int", bits)
            case CPointer(to=to):
                return ("pointer", self.key(to))
            case CArray(element=element, count=count):
                return ("array", count, self.key(element))
            case CRecord(name=name, union=union, bits=bits, members=members):
                return ("record", name, union, bits, tuple((m.name, m.offset) for m in members))
            case CFunction(result=result, params=params, varargs=varargs):
                return ("function", self.key(result), tuple(self.key(p) for p in params), varargs)
        return "void"

    # Inside of objects

    def cells(self, ctype: int, name: str = "", offset: int = 0, constant: bool = False) -> Iterator[Cell]:
        """What an object of a type consists of; padding is left out."""
        constant = constant or self.is_constant(ctype)
        match self.strip(ctype):
            case CBase(bits=bits) | CEnum(bits=bits) if bits in (8, 16, 32, 64):
                yield Cell(offset, CellKind.NUMBER, ctype, bits, 1, name, constant)
            case CPointer(bits=bits):
                yield Cell(offset, CellKind.POINTER, ctype, bits, 1, name, constant)
            case CArray(element=element, count=count) if count > 0:
                yield from self._elements(ctype, element, count, name, offset, constant)
            case CRecord(union=False, members=members) if members:
                yield from self._members(members, name, offset, constant)
            case _:
                yield from self._bytes(self.size(ctype), name, offset, constant, ctype)

    def _elements(self, ctype: int, element: int, count: int, name: str, offset: int, constant: bool) -> Iterator[Cell]:
        match self.strip(element):
            case CBase(bits=bits) | CEnum(bits=bits) if bits in (8, 16, 32, 64):
                yield Cell(offset, CellKind.NUMBER, element, bits, count, name, constant)
                return
        size = self.size(element)
        for index in range(count):
            yield from self.cells(element, f"{name}[{index}]", offset + index * size, constant)

    def _members(self, members: tuple[CMember, ...], name: str, offset: int, constant: bool) -> Iterator[Cell]:
        shared: set[int] = set()
        for member in members:
            if member.bitfield:
                shared.update(range(member.offset // 8, (member.offset + member.bits - 1) // 8 + 1))
            else:
                cells = self.cells(member.ctype, f"{name}.{member.name}", offset + member.offset // 8, constant)
                yield from (replace(cell, counted=True) for cell in cells) if member.counted_by else cells
        for at in sorted(shared):
            yield from self._bytes(1, f"{name}+{at}", offset + at, constant)

    def counted(self, ctype: int) -> list[tuple[CMember, CMember]]:
        """Members of a struct of which another one says how many elements they have, each with that one."""
        kind = self.strip(ctype)
        members = kind.members if isinstance(kind, CRecord) else ()
        named = {member.name: member for member in members if not member.bitfield}
        return [(each, named[each.counted_by]) for each in members if each.counted_by in named]

    def tail(self, ctype: int, count: int) -> list[Cell]:
        """The cells of ``count`` elements of an array without a length that a struct ends with, if it is counted."""
        for member, _ in self.counted(ctype):
            kind = self.strip(member.ctype)
            if isinstance(kind, CArray) and kind.count <= 0:
                constant = self.is_constant(kind.element)
                offset = member.offset // 8
                return list(self._elements(ctype, kind.element, count, f".{member.name}", offset, constant))
        return []

    @staticmethod
    def _bytes(size: int, name: str, offset: int, constant: bool, ctype: int = -1) -> Iterator[Cell]:
        if size:
            yield Cell(offset, CellKind.BYTES, ctype, 8, size, name, constant)

    def pointer_in_union(self, ctype: int, offset: int) -> int:
        """What a pointer points to that is a member of a union; -1 if there is none, or several."""
        kind = self.strip(ctype)
        members = kind.members if isinstance(kind, CRecord) and kind.union else ()
        found = [
            inner.to for m in members if m.offset == 8 * offset and isinstance(inner := self.strip(m.ctype), CPointer)
        ]
        return found[0] if len({self.key(to) for to in found}) == 1 else -1

    def spans(self, inner: int, outer: int, count: int = 1) -> list[Span]:
        """Where objects of type ``inner`` lie in ``count`` objects of type ``outer``."""
        size = self.size(outer)
        if self.is_byte(inner):
            return [Span(0, 1, size * count)] if size * count else []
        runs = _runs(self._inside(inner, outer))
        return [span for run in runs for span in _repeated(run, size, count)]

    def _inside(self, inner: int, outer: int) -> tuple[int, ...]:
        pair = (self.key(inner), self.key(outer))
        known = self._offsets.get(pair)
        if known is None:
            known = self._offsets[pair] = tuple(sorted(set(self._find(pair[0], outer, 0))))[:MOST_OFFSETS]
        return known

    def _find(self, wanted: Hashable, outer: int, offset: int) -> Iterator[int]:
        if self.key(outer) == wanted:
            yield offset
        match self.strip(outer):
            case CArray(element=element, count=count):
                size = self.size(element)
                for index in range(max(0, count)):
                    yield from self._find(wanted, element, offset + index * size)
            case CRecord(members=members):
                for member in members:
                    if not member.bitfield:
                        yield from self._find(wanted, member.ctype, offset + member.offset // 8)

    def pointees(self, roots: list[int]) -> list[int]:
        """The types that pointers in objects of these types may lead to, each once, the types themselves included."""
        seen: dict[Hashable, int] = {}
        queue = list(roots)
        for ctype in queue:
            if self.key(ctype) in seen or self.is_void(ctype):
                continue
            seen[self.key(ctype)] = ctype
            queue.extend(self._targets(ctype))
        return [ctype for ctype in seen.values() if not self.is_function(ctype)]

    def has_pointers(self, ctype: int) -> bool:
        """Whether an object of a type holds pointers."""
        return next(self._targets(ctype), None) is not None

    def _targets(self, ctype: int) -> Iterator[int]:
        match self.strip(ctype):
            case CPointer(to=to):
                yield to
            case CArray(element=element):
                yield from self._targets(element)
            case CRecord(members=members):
                for member in members:
                    yield from self._targets(member.ctype)
            case CFunction(result=result, params=params):
                for part in (result, *params):
                    yield from self._targets(part)


def _runs(offsets: tuple[int, ...]) -> list[Span]:
    """Sorted offsets as few spans."""
    result: list[Span] = []
    for offset in offsets:
        last = result[-1] if result else None
        if last is not None and last.count == 1:
            result[-1] = Span(last.start, offset - last.start, 2)
        elif last is not None and offset == last.start + last.stride * last.count:
            result[-1] = Span(last.start, last.stride, last.count + 1)
        else:
            result.append(Span(offset))
    return result


def _repeated(span: Span, size: int, count: int) -> Iterator[Span]:
    """A span in each of ``count`` objects that follow each other."""
    if span.count == 1 and count > 1:
        yield Span(span.start, size, count)
    else:
        for index in range(count):
            yield Span(span.start + index * size, span.stride, span.count)


def is_given_pointers(program: Program, function: Function) -> bool:
    """Whether a function has pointers among its parameters, or in them."""
    shapes = Shapes(program.ctypes, program.layout)
    kind = shapes.strip(function.ctype)
    if any(isinstance(parameter.value.type, PointerType) for parameter in function.parameters if not parameter.sret):
        return True
    return isinstance(kind, CFunction) and any(shapes.has_pointers(ctype) for ctype in kind.params)
