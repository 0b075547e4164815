"""LLVM types. Values of these classes are immutable and compare by structure.

Pointers are opaque, so no type is recursive.
"""

from __future__ import annotations

from enum import Enum

from clew.base.dataclass import dataclass


class Type:
    """Root of all types."""

    __slots__ = ()


class FloatKind(Enum):
    """The floating-point formats LLVM knows, by their name in LLVM text."""

    HALF = "half"
    BFLOAT = "bfloat"
    FLOAT = "float"
    DOUBLE = "double"
    X86_FP80 = "x86_fp80"
    FP128 = "fp128"
    PPC_FP128 = "ppc_fp128"


@dataclass(frozen=True, slots=True)
class IntType(Type):
    """``iN``."""

    width: int

    def __str__(self) -> str:
        return f"i{self.width}"


@dataclass(frozen=True, slots=True)
class FloatType(Type):
    """``float``, ``double`` and the formats C code meets more rarely."""

    kind: FloatKind

    def __str__(self) -> str:
        return self.kind.value


@dataclass(frozen=True, slots=True)
class PointerType(Type):
    """``ptr``."""

    address_space: int = 0

    def __str__(self) -> str:
        return "ptr" if not self.address_space else f"ptr addrspace({self.address_space})"


@dataclass(frozen=True, slots=True)
class ArrayType(Type):
    """``[N x T]``."""

    count: int
    element: Type

    def __str__(self) -> str:
        return f"[{self.count} x {self.element}]"


@dataclass(frozen=True, slots=True)
class VectorType(Type):
    """``<N x T>``."""

    count: int
    element: Type

    def __str__(self) -> str:
        return f"<{self.count} x {self.element}>"


@dataclass(frozen=True, slots=True)
class StructType(Type):
    """``{ T, ... }`` or ``<{ T, ... }>`` (packed).."""

    fields: tuple[Type, ...]
    packed: bool = False

    def __str__(self) -> str:
        inner = ", ".join(str(field) for field in self.fields)
        return f"<{{ {inner} }}>" if self.packed else f"{{ {inner} }}"


@dataclass(frozen=True, slots=True)
class FunctionType(Type):
    """``R (P, ...)``."""

    result: Type
    params: tuple[Type, ...]
    varargs: bool = False

    def __str__(self) -> str:
        params = [str(param) for param in self.params] + (["..."] if self.varargs else [])
        return f"{self.result} ({', '.join(params)})"


@dataclass(frozen=True, slots=True)
class VoidType(Type):
    """``void``."""

    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class LabelType(Type):
    """The type of a basic block."""

    def __str__(self) -> str:
        return "label"


@dataclass(frozen=True, slots=True)
class MetadataType(Type):
    """The type of metadata passed to an intrinsic."""

    def __str__(self) -> str:
        return "metadata"


@dataclass(frozen=True, slots=True)
class OpaqueType(Type):
    """A struct whose body is not known in this module."""

    name: str

    def __str__(self) -> str:
        return f"opaque {self.name}"


VOID = VoidType()
LABEL = LabelType()
METADATA = MetadataType()
PTR = PointerType()
I1 = IntType(1)
I8 = IntType(8)
I16 = IntType(16)
I32 = IntType(32)
I64 = IntType(64)
FLOAT = FloatType(FloatKind.FLOAT)
DOUBLE = FloatType(FloatKind.DOUBLE)


def is_word(type: Type) -> bool:
    """Whether values of a type are integers of a common width."""
    return isinstance(type, IntType) and type.width in (8, 16, 32, 64)


def is_plain(type: Type) -> bool:
    """Whether values of a type are addresses or common integers."""
    return isinstance(type, PointerType) or is_word(type)
