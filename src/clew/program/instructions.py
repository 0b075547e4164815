"""Instructions. Immutable; every one has ``result`` (None if it yields nothing) and ``location``.

Opcode names are LLVM's own, as strings (``"add"``, ``"slt"``, ``"zext"``), so that printer, reader,
compiler and documentation agree without a translation table.
"""

from __future__ import annotations

from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.program.types import FunctionType, Type
from clew.program.values import GlobalRef, Register, Value


@dataclass(frozen=True, slots=True)
class Instruction:
    """Root of all instructions."""

    result: Register | None
    location: Location | None


@dataclass(frozen=True, slots=True)
class Binary(Instruction):
    """``add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem``."""

    op: str
    left: Value
    right: Value
    flags: frozenset[str] = frozenset()
    """Of ``nsw nuw exact disjoint`` and the fast-math flags."""


@dataclass(frozen=True, slots=True)
class FNeg(Instruction):
    """``fneg``."""

    operand: Value


@dataclass(frozen=True, slots=True)
class Compare(Instruction):
    """``icmp`` and ``fcmp``: ``predicate`` is LLVM's (``eq``, ``slt``, ``oeq``, ...), ``floating`` tells which."""

    predicate: str
    left: Value
    right: Value
    floating: bool = False
    flags: frozenset[str] = frozenset()


NEGATED = {
    "eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt",
    "ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt",
}  # fmt: skip
"""The predicate of integers that holds where another does not."""


@dataclass(frozen=True, slots=True)
class Cast(Instruction):
    """A conversion.

    ``op`` is one of ``trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr bitcast
    addrspacecast``.
    """

    op: str
    operand: Value
    to: Type
    flags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Select(Instruction):
    """``select``; the condition is ``i1`` or a vector of it."""

    condition: Value
    if_true: Value
    if_false: Value


@dataclass(frozen=True, slots=True)
class Freeze(Instruction):
    """``freeze``."""

    operand: Value


@dataclass(frozen=True, slots=True)
class Phi(Instruction):
    """``phi``: pairs of (value, name of the predecessor block)."""

    incoming: tuple[tuple[Value, str], ...]


@dataclass(frozen=True, slots=True)
class Alloca(Instruction):
    """``alloca``: ``count`` elements of ``allocated``."""

    allocated: Type
    count: Value
    align: int


@dataclass(frozen=True, slots=True)
class Load(Instruction):
    """``load``."""

    pointer: Value
    align: int
    volatile: bool = False


@dataclass(frozen=True, slots=True)
class Store(Instruction):
    """``store``."""

    value: Value
    pointer: Value
    align: int
    volatile: bool = False


@dataclass(frozen=True, slots=True)
class GetElementPtr(Instruction):
    """``getelementptr`` over ``source_type``; ``flags`` of ``inbounds nuw nusw``."""

    source_type: Type
    base: Value
    indices: tuple[Value, ...]
    flags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ExtractValue(Instruction):
    """``extractvalue``."""

    aggregate: Value
    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class InsertValue(Instruction):
    """``insertvalue``."""

    aggregate: Value
    element: Value
    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ExtractElement(Instruction):
    """``extractelement``."""

    vector: Value
    index: Value


@dataclass(frozen=True, slots=True)
class InsertElement(Instruction):
    """``insertelement``."""

    vector: Value
    element: Value
    index: Value


@dataclass(frozen=True, slots=True)
class ShuffleVector(Instruction):
    """``shufflevector``; a mask entry of None is poison."""

    left: Value
    right: Value
    mask: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call, or the declaration of one parameter."""

    value: Value
    byval: Type | None = None
    sret: Type | None = None
    align: int = 0
    nonnull: bool = False
    """Of a parameter: callers never pass null."""
    dereferenceable: int = 0
    """Of a parameter: there are at least so many bytes behind it."""


@dataclass(frozen=True, slots=True)
class Call(Instruction):
    """``call``; ``callee`` is a GlobalRef for direct calls. ``type`` is the called function's type."""

    callee: Value
    type: FunctionType
    arguments: tuple[Argument, ...]
    noreturn: bool = False


@dataclass(frozen=True, slots=True)
class VaArg(Instruction):
    """``va_arg``: the next variable argument of the list at ``list``, whose type is the result's."""

    list: Value


@dataclass(frozen=True, slots=True)
class AtomicUpdate(Instruction):
    """``atomicrmw`` (``op`` names the operation), executed as a plain read-modify-write: one thread only."""

    op: str
    pointer: Value
    value: Value


@dataclass(frozen=True, slots=True)
class CompareExchange(Instruction):
    """``cmpxchg``; yields ``{ T, i1 }``."""

    pointer: Value
    expected: Value
    replacement: Value


@dataclass(frozen=True, slots=True)
class Fence(Instruction):
    """``fence``: nothing to do in one thread."""


@dataclass(frozen=True, slots=True)
class UnsupportedInstruction(Instruction):
    """Text the reader recognises as an instruction Clew does not model; reaching it ends the path."""

    text: str


@dataclass(frozen=True, slots=True)
class Terminator(Instruction):
    """Root of what ends a block. ``result`` is always None."""


@dataclass(frozen=True, slots=True)
class Jump(Terminator):
    """``br label``."""

    target: str


@dataclass(frozen=True, slots=True)
class Branch(Terminator):
    """``br i1``."""

    condition: Value
    if_true: str
    if_false: str
    implicit: bool = False
    """Part of a check that the compiler put in: no branch of the source."""


@dataclass(frozen=True, slots=True)
class Switch(Terminator):
    """``switch``; case values are unsigned."""

    value: Value
    default: str
    cases: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class IndirectBranch(Terminator):
    """``indirectbr``."""

    address: Value
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Return(Terminator):
    """``ret``."""

    value: Value | None


@dataclass(frozen=True, slots=True)
class Unreachable(Terminator):
    """``unreachable``."""


def successors(terminator: Instruction) -> tuple[str, ...]:
    """Names of the blocks control may go to, in order and without repetition."""
    match terminator:
        case Jump(target=target):
            return (target,)
        case Branch(if_true=yes, if_false=no):
            return (yes, no) if yes != no else (yes,)
        case Switch(default=default, cases=cases):
            return tuple(dict.fromkeys([*(target for _, target in cases), default]))
        case IndirectBranch(targets=targets):
            return tuple(dict.fromkeys(targets))
        case _:
            return ()


def lifetime_mark(instruction: Instruction) -> str | None:
    """``"start"`` or ``"end"`` for a call of that lifetime intrinsic."""
    if type(instruction) is Call and type(instruction.callee) is GlobalRef:
        name = instruction.callee.name
        if name.startswith("llvm.lifetime."):
            return "start" if name.startswith("llvm.lifetime.start") else "end"
    return None
