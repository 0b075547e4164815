"""Types and constants in LLVM's words. Pointers are plain 64-bit numbers: what LLVM knows of pointers, and would make
use of where a program breaks its rules, is not said.
"""

from __future__ import annotations

import struct

from clew.base.errors import Unsupported
from clew.native.library import PREFIX
from clew.native.places import Places
from clew.program.types import (
    ArrayType,
    FloatKind,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
    VoidType,
)
from clew.program.values import (
    ConstAggregate,
    Constant,
    ConstBytes,
    ConstFloat,
    ConstInt,
    ConstNull,
    ConstUndef,
    ConstZero,
    GlobalRef,
    MetadataArg,
)

_LETTERS = {FloatKind.X86_FP80: ("K", 20), FloatKind.HALF: ("H", 4), FloatKind.BFLOAT: ("R", 4)}


def type_text(type: Type) -> str:
    """A type; Unsupported for one that values do not have."""
    match type:
        case IntType() | FloatType() | VoidType():
            return str(type)
        case PointerType():
            return "i64"
        case ArrayType(count=count, element=element):
            return f"[{count} x {type_text(element)}]"
        case VectorType(count=count, element=element):
            return f"<{count} x {type_text(element)}>"
        case StructType(fields=fields, packed=packed):
            inner = ", ".join(type_text(field) for field in fields)
            return f"<{{ {inner} }}>" if packed else f"{{ {inner} }}"
    raise Unsupported(f"values of type {type}")


def is_plain(type: Type) -> bool:
    """Whether the processor computes with it: no floating-point format but the two that are C's."""
    match type:
        case FloatType(kind=kind):
            return kind in (FloatKind.FLOAT, FloatKind.DOUBLE)
        case ArrayType(element=element) | VectorType(element=element):
            return is_plain(element)
        case StructType(fields=fields):
            return all(is_plain(field) for field in fields)
    return True


def constant_text(value: Constant, places: Places) -> str:
    """A constant without its type. What is undefined is zero."""
    match value:
        case ConstInt(type=type, value=number):
            return _int_text(type, number)
        case ConstFloat(type=FloatType(kind=kind), bits=bits):
            return _float_text(kind, bits)
        case ConstNull():
            return "0"
        case ConstZero() | ConstUndef():
            return "zeroinitializer"
        case ConstBytes(data=data):
            return f'c"{escaped(data)}"'
        case ConstAggregate(type=type, elements=elements):
            inner = ", ".join(f"{type_text(one.type)} {constant_text(one, places)}" for one in elements)
            return _closed(type, inner)
        case MetadataArg():
            raise Unsupported("metadata as a value")
        case GlobalRef(name=name) if name in places.tables:
            return f"ptrtoint (ptr @{name.removeprefix(PREFIX)} to i64)"
    if isinstance(value.type, IntType | PointerType):
        return _int_text(value.type, places.value(value))
    raise Unsupported(f"constant {value}")


def escaped(data: bytes) -> str:
    """Bytes as the inside of a string."""
    return "".join(f"\\{byte:02X}" for byte in data)


def _closed(type: Type, inner: str) -> str:
    match type:
        case StructType(packed=True):
            return f"<{{ {inner} }}>"
        case StructType():
            return f"{{ {inner} }}"
        case VectorType():
            return f"<{inner}>"
    return f"[{inner}]"


def _int_text(type: Type, value: int) -> str:
    width = type.width if isinstance(type, IntType) else 64
    if width == 1:
        return "true" if value else "false"
    return str(value - (1 << width) if value >> (width - 1) else value)


def _float_text(kind: FloatKind, bits: int) -> str:
    if kind in _LETTERS:
        letter, digits = _LETTERS[kind]
        return f"0x{letter}{bits:0{digits}X}"
    if kind in (FloatKind.FP128, FloatKind.PPC_FP128):
        letter = "L" if kind is FloatKind.FP128 else "M"
        return f"0x{letter}{bits & (1 << 64) - 1:016X}{bits >> 64:016X}"
    return f"0x{bits if kind is FloatKind.DOUBLE else _widened(bits):016X}"


def _widened(bits: int) -> int:
    """The bits of a single as those of a double, as LLVM's text has it; NaNs keep their payload."""
    if bits >> 23 & 0xFF == 0xFF:
        return bits >> 31 << 63 | 0x7FF << 52 | (bits & (1 << 23) - 1) << 29
    number: float = struct.unpack("<f", struct.pack("<I", bits))[0]
    wide: int = struct.unpack("<Q", struct.pack("<d", number))[0]
    return wide
