"""Operands of instructions: registers and constants. Immutable, compared by structure."""

from __future__ import annotations

from clew.base.dataclass import dataclass
from clew.program.types import METADATA, PTR, Type


class Value:
    """Root of everything an instruction can take as operand. Every value has a ``type``."""

    __slots__ = ()
    type: Type


@dataclass(frozen=True, slots=True)
class Register(Value):
    """An SSA value of a function, by its LLVM name without the ``%``; parameters are registers too."""

    name: str
    type: Type

    def __str__(self) -> str:
        return f"%{self.name}"


class Constant(Value):
    """Root of constants."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ConstInt(Constant):
    """An integer in its unsigned form: ``0 <= value < 2**width`` (``i1 true`` is 1)."""

    type: Type
    value: int


@dataclass(frozen=True, slots=True)
class ConstFloat(Constant):
    """A floating-point constant as the bits of its own format (32 of them for ``float``)."""

    type: Type
    bits: int


@dataclass(frozen=True, slots=True)
class ConstNull(Constant):
    """The null pointer."""

    type: Type = PTR


@dataclass(frozen=True, slots=True)
class ConstZero(Constant):
    """``zeroinitializer`` of any type."""

    type: Type


@dataclass(frozen=True, slots=True)
class ConstUndef(Constant):
    """``undef`` or ``poison`` (``poison`` true)."""

    type: Type
    poison: bool = False


@dataclass(frozen=True, slots=True)
class ConstAggregate(Constant):
    """A struct, array or vector constant given element by element (splats are expanded)."""

    type: Type
    elements: tuple[Constant, ...]


@dataclass(frozen=True, slots=True)
class ConstBytes(Constant):
    """``c"..."``: an array of ``i8``."""

    type: Type
    data: bytes


@dataclass(frozen=True, slots=True)
class GlobalRef(Constant):
    """The address of a global variable, function or alias, by its name without the ``@``."""

    name: str
    type: Type = PTR


@dataclass(frozen=True, slots=True)
class BlockAddress(Constant):
    """``blockaddress(@function, %block)``."""

    function: str
    block: str
    type: Type = PTR


@dataclass(frozen=True, slots=True)
class ConstExpr(Constant):
    """A constant expression: ``op`` is an LLVM opcode name (``getelementptr``, ``ptrtoint``, ``sub``, ...).

    ``source_type`` is the element type of a ``getelementptr`` and None for everything else.
    """

    op: str
    type: Type
    operands: tuple[Constant, ...]
    source_type: Type | None = None


@dataclass(frozen=True, slots=True)
class InlineAsm(Constant):
    """Inline assembly as a callee; kept so that the path that meets it can say what it met."""

    text: str
    constraints: str
    type: Type = PTR


@dataclass(frozen=True, slots=True)
class MetadataArg(Constant):
    """A metadata operand of an intrinsic call, as text."""

    text: str
    type: Type = METADATA
