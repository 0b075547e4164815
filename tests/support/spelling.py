"""Values as LLVM text: ``i32 -1``, ``ptr @g``, ``[2 x i8] c"a\\00"``. Below ``printer``.

The reader reads every spelling back as the same value.
"""

from __future__ import annotations

import re
import struct

from clew.program.types import FloatKind, FloatType, IntType, StructType, VectorType
from clew.program.values import (
    BlockAddress,
    ConstAggregate,
    Constant,
    ConstBytes,
    ConstExpr,
    ConstFloat,
    ConstInt,
    ConstNull,
    ConstUndef,
    ConstZero,
    GlobalRef,
    InlineAsm,
    MetadataArg,
    Register,
    Value,
)

CASTS = frozenset(["trunc", "ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast", "zext", "sext"])
_PLAIN_NAME = re.compile(r"[-\w$.]+", re.ASCII)
_LETTERS = {FloatKind.X86_FP80: ("K", 20), FloatKind.HALF: ("H", 4), FloatKind.BFLOAT: ("R", 4)}


def spell_name(sigil: str, name: str) -> str:
    """A name with its sigil, quoted if it has to be."""
    if _PLAIN_NAME.fullmatch(name):
        return sigil + name
    return f'{sigil}"{escape(name.encode("utf-8", "surrogateescape"))}"'


def escape(data: bytes) -> str:
    r"""Bytes as the inside of an LLVM string: everything but plain characters as ``\XX``."""
    return "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data)


def spell_typed(value: Value) -> str:
    """``T V``."""
    return f"{value.type} {spell(value)}"


def spell(value: Value) -> str:
    """A value without its type."""
    match value:
        case Register(name=name):
            return spell_name("%", name)
        case ConstInt(type=type, value=number):
            return _spell_int(type, number)
        case ConstFloat(type=FloatType(kind=kind), bits=bits):
            return _spell_float(kind, bits)
        case ConstNull():
            return "null"
        case ConstZero():
            return "zeroinitializer"
        case ConstUndef(poison=poison):
            return "poison" if poison else "undef"
        case GlobalRef(name=name):
            return spell_name("@", name)
        case MetadataArg(text=text):
            return text
        case Constant():
            return _spell_compound(value)
        case _:
            raise TypeError(f"no spelling for {value!r}")


def _spell_compound(value: Constant) -> str:
    match value:
        case ConstBytes(data=data):
            return f'c"{escape(data)}"'
        case ConstAggregate(type=type, elements=elements):
            return _spell_aggregate(type, ", ".join(spell_typed(element) for element in elements))
        case BlockAddress(function=function, block=block):
            return f"blockaddress({spell_name('@', function)}, {spell_name('%', block)})"
        case ConstExpr(op=op, type=type, operands=operands, source_type=source):
            inner = ", ".join(spell_typed(operand) for operand in operands)
            prefix = f"{source}, " if source is not None else ""
            suffix = f" to {type}" if op in CASTS else ""
            return f"{op} ({prefix}{inner}{suffix})"
        case InlineAsm(text=text, constraints=constraints):
            quoted = (escape(part.encode("utf-8", "surrogateescape")) for part in (text, constraints))
            return "asm " + ", ".join(f'"{part}"' for part in quoted)
        case _:
            raise TypeError(f"no spelling for {value!r}")


def _spell_aggregate(type: object, inner: str) -> str:
    match type:
        case StructType(packed=True):
            return f"<{{ {inner} }}>"
        case StructType():
            return f"{{ {inner} }}"
        case VectorType():
            return f"<{inner}>"
        case _:
            return f"[{inner}]"


def _spell_int(type: object, value: int) -> str:
    width = type.width if isinstance(type, IntType) else 64
    if width == 1:
        return "true" if value else "false"
    return str(value - (1 << width) if value >> (width - 1) else value)


def _spell_float(kind: FloatKind, bits: int) -> str:
    if kind in _LETTERS:
        letter, digits = _LETTERS[kind]
        return f"0x{letter}{bits:0{digits}X}"
    if kind in (FloatKind.FP128, FloatKind.PPC_FP128):
        letter = "L" if kind is FloatKind.FP128 else "M"
        return f"0x{letter}{bits & (1 << 64) - 1:016X}{bits >> 64:016X}"
    wide = bits if kind is FloatKind.DOUBLE else _widen(bits)
    number: float = struct.unpack("<d", struct.pack("<Q", wide))[0]
    text = f"{number:e}"
    exact = struct.pack("<d", float(text)) == struct.pack("<Q", wide) and "n" not in text
    return text if exact else f"0x{wide:016X}"


def _widen(bits: int) -> int:
    """The bits of a single as those of a double; NaNs keep their payload."""
    sign, exponent, fraction = bits >> 31, bits >> 23 & 0xFF, bits & (1 << 23) - 1
    if exponent == 0xFF:
        return sign << 63 | 0x7FF << 52 | fraction << 29
    number: float = struct.unpack("<f", struct.pack("<I", bits))[0]
    wide: int = struct.unpack("<Q", struct.pack("<d", number))[0]
    return wide
