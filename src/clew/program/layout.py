"""Sizes, alignments and offsets of types, from LLVM's data layout string.

Sizes are in bytes. ``size`` is the alloc size (with tail padding, the distance of array elements),
``store_size`` the bytes a load or store of the type touches.
"""

from __future__ import annotations

from dataclasses import field

from clew.base.dataclass import dataclass
from clew.program.types import (
    ArrayType,
    FloatKind,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
)
from clew.program.values import ConstInt, ConstZero, Value

_FLOAT_BITS = {
    FloatKind.HALF: 16,
    FloatKind.BFLOAT: 16,
    FloatKind.FLOAT: 32,
    FloatKind.DOUBLE: 64,
    FloatKind.X86_FP80: 80,
    FloatKind.FP128: 128,
    FloatKind.PPC_FP128: 128,
}


def _round_up(value: int, align: int) -> int:
    return -(-value // align) * align


@dataclass(frozen=True, slots=True)
class _Shape:
    """What a struct looks like in memory."""

    type: StructType
    """Whose it is; kept, so that no other struct gets its identity in this process."""
    offsets: tuple[int, ...]
    size: int
    align: int


@dataclass(frozen=True, slots=True)
class DataLayout:
    """What the target says about the shape of data. Little-endian targets only."""

    text: str = ""
    pointer_bits: int = 64
    _int_align: tuple[tuple[int, int], ...] = ((1, 1), (8, 1), (16, 2), (32, 4), (64, 4))
    _float_align: tuple[tuple[int, int], ...] = ((16, 2), (32, 4), (64, 8), (128, 16))
    _sizes: dict[Type, int] = field(default_factory=dict, init=False, compare=False, repr=False)
    """Of scalars and vectors."""
    _shapes: dict[int, _Shape] = field(default_factory=dict, init=False, compare=False, repr=False)
    """Of structs, by identity: a struct of a hundred fields takes longer to hash than to look up."""

    @staticmethod
    def parse(text: str) -> DataLayout:
        """Read a ``target datalayout`` string."""
        pointer_bits = 64
        ints = {1: 1, 8: 1, 16: 2, 32: 4, 64: 4}
        floats = {16: 2, 32: 4, 64: 8, 128: 16}
        for part in text.split("-"):
            head, *rest = part.split(":")
            if head in ("p", "p0") and rest:
                pointer_bits = int(rest[0])
            elif head[:1] == "i" and head[1:].isdigit() and rest:
                ints[int(head[1:])] = int(rest[0]) // 8
            elif head[:1] == "f" and head[1:].isdigit() and rest:
                floats[int(head[1:])] = int(rest[0]) // 8
        return DataLayout(text, pointer_bits, tuple(sorted(ints.items())), tuple(sorted(floats.items())))

    @property
    def pointer_bytes(self) -> int:
        return self.pointer_bits // 8

    def bits(self, type: Type) -> int:
        """Width in bits of an integer, float or pointer type."""
        match type:
            case IntType(width=width):
                return width
            case PointerType():
                return self.pointer_bits
            case FloatType(kind=kind):
                return _FLOAT_BITS[kind]
            case VectorType(count=count, element=element):
                return count * self.bits(element)
            case _:
                raise TypeError(f"{type} has no bit width")

    def store_size(self, type: Type) -> int:
        if isinstance(type, ArrayType | StructType):
            return self.size(type)
        return (self.bits(type) + 7) // 8

    def align(self, type: Type) -> int:
        """ABI alignment."""
        match type:
            case IntType(width=width):
                for bits, align in self._int_align:
                    if bits >= width:
                        return align
                return self._int_align[-1][1]
            case FloatType(kind=kind):
                bits = _FLOAT_BITS[kind]
                for width, align in self._float_align:
                    if width == bits:
                        return align
                return 16
            case PointerType():
                return self.pointer_bytes
            case ArrayType(element=element):
                return self.align(element)
            case StructType():
                return self._shape(type).align
            case VectorType():
                size = self.store_size(type)
                return 1 << max(0, (size - 1).bit_length())
            case _:
                raise TypeError(f"{type} has no alignment")

    def size(self, type: Type) -> int:
        """Bytes from one element of an array of ``type`` to the next."""
        if isinstance(type, StructType):
            return self._shape(type).size
        if isinstance(type, ArrayType):
            return type.count * self.size(type.element)
        known = self._sizes.get(type)
        if known is None:
            known = self._sizes[type] = _round_up(self.store_size(type), self.align(type))
        return known

    def offsets(self, type: StructType) -> tuple[int, ...]:
        """Byte offset of each field."""
        return self._shape(type).offsets

    def _shape(self, type: StructType) -> _Shape:
        known = self._shapes.get(id(type))
        if known is None or known.type is not type:  # a copy has the identities of the original
            known = self._shapes[id(type)] = self._laid_out(type)
        return known

    def _laid_out(self, type: StructType) -> _Shape:
        """Each field as near to the one before as its alignment allows."""
        position, align, offsets = 0, 1, []
        for element in type.fields:
            if not type.packed:
                own = self.align(element)
                position, align = _round_up(position, own), max(align, own)
            offsets.append(position)
            position += self.size(element)
        return _Shape(type, tuple(offsets), _round_up(position, align), align)

    def step(self, type: Type, index: Value) -> tuple[int | tuple[int], Type]:
        """One index of a ``getelementptr`` into ``type``: how far it leads, and to which type.

        The distance is the scale an array index is multiplied with, or, for a struct, a 1-tuple of
        the field's fixed offset.
        """
        match type:
            case ArrayType(element=element) | VectorType(element=element):
                return self.size(element), element
            case StructType(fields=fields) if isinstance(index, ConstInt):
                return (self.offsets(type)[index.value],), fields[index.value]
            case StructType(fields=fields) if isinstance(index, ConstZero):
                return (0,), fields[0]
            case _:
                raise TypeError(f"cannot index {type} by {index}")


def offset_of(layout: DataLayout, type: Type, indices: tuple[Value, ...]) -> int | None:
    """How far constant indices lead; None if one is not constant."""
    offset = 0
    for place, index in enumerate(indices):
        if isinstance(index, ConstZero):
            number = 0
        elif isinstance(index, ConstInt) and isinstance(index.type, IntType):
            number = index.value
            if number >> (index.type.width - 1):
                number -= 1 << index.type.width
        else:
            return None
        if place == 0:
            offset += number * layout.size(type)
            continue
        step, type = layout.step(type, index)
        offset += step[0] if isinstance(step, tuple) else step * number
    return offset
