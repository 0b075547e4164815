"""C types from debug info, for harnesses, for input values shown to people, and for test files.

C types may be recursive (a list node points to list nodes), so they refer to each other by index
into the program's ``CTypes`` table; -1 stands for ``void`` or not known.
"""

from __future__ import annotations

from dataclasses import field

from clew.base.dataclass import dataclass


class CType:
    """Root of C types."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class CBase(CType):
    """``int``, ``unsigned char``, ``double``, ``_Bool``.

    ``encoding`` is DWARF's: ``signed unsigned float boolean signed_char unsigned_char``.
    """

    name: str
    bits: int
    encoding: str


@dataclass(frozen=True, slots=True)
class CPointer(CType):
    to: int
    bits: int


@dataclass(frozen=True, slots=True)
class CArray(CType):
    """``count`` is -1 for a flexible or incomplete array. One dimension per node."""

    element: int
    count: int
    bits: int


@dataclass(frozen=True, slots=True)
class CMember:
    """A member; ``offset`` and ``bits`` are in bits, so that bit-fields fit."""

    name: str
    ctype: int
    offset: int
    bits: int
    bitfield: bool = False
    counted_by: str = ""
    """The member that says how many elements there are, or are behind it, where the declaration tells."""


@dataclass(frozen=True, slots=True)
class CRecord(CType):
    """A struct or a union."""

    name: str
    union: bool
    bits: int
    members: tuple[CMember, ...]


@dataclass(frozen=True, slots=True)
class CEnum(CType):
    name: str
    bits: int
    signed: bool
    constants: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class CNamed(CType):
    """A typedef, or a qualified type (``name`` is then ``const``, ``volatile``, ...)."""

    name: str
    to: int
    qualifier: bool = False


@dataclass(frozen=True, slots=True)
class CFunction(CType):
    result: int
    params: tuple[int, ...]
    varargs: bool = False


@dataclass(frozen=True, slots=True)
class CTypes:
    """The table of a program's C types."""

    entries: tuple[CType, ...] = field(default=())

    def strip(self, index: int) -> CType | None:
        """The type at ``index`` without typedefs and qualifiers; None for ``void`` or not known."""
        for _ in range(len(self.entries) + 1):
            if not 0 <= index < len(self.entries):
                return None
            entry = self.entries[index]
            if not isinstance(entry, CNamed):
                return entry
            index = entry.to
        return None

    def spell(self, index: int) -> str:
        """The type as C text, good enough for a person to read (``unsigned int``, ``struct S *``)."""
        if not 0 <= index < len(self.entries):
            return "void"
        match self.entries[index]:
            case CBase(name=name):
                return name
            case CPointer(to=to):
                inner = self.spell(to)
                if "(*" in inner:  # a function is spelled as what points to it
                    direct = 0 <= to < len(self.entries) and isinstance(self.entries[to], CFunction)
                    return inner if direct else inner.replace("(*", "(**", 1)
                return f"{inner}*" if inner.endswith("*") else f"{inner} *"
            case CArray(element=element, count=count):
                inner = self.spell(element)
                # The outermost dimension comes first: an array of 2 arrays of 3 is [2][3].
                cut = inner.index("[") if inner.endswith("]") else len(inner)
                return f"{inner[:cut]}[{count if count >= 0 else ''}]{inner[cut:]}"
            case CRecord(name=name, union=union):
                return f"{'union' if union else 'struct'} {name or '<anonymous>'}"
            case CEnum(name=name):
                return f"enum {name or '<anonymous>'}"
            case CNamed(name=name, to=to, qualifier=True):
                return f"{name} {self.spell(to)}"
            case CNamed(name=name):
                return name
            case CFunction(result=result, params=params):
                return f"{self.spell(result)} (*)({', '.join(self.spell(p) for p in params)})"
            case _:
                return "void"
