"""What a generated program is made of: C types, variables, structs, functions, and the scope that names them.

Lowest of the generator's files (`generator.py` is the top). Nothing here draws random numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class CType:
    """An arithmetic type. ``wide`` is the unsigned type its arithmetic is done in, so that nothing overflows."""

    spelling: str
    tag: str
    bits: int
    signed: bool
    wide: str
    floating: bool = False

    @property
    def last_bit(self) -> str:
        """Width minus one, as C sees it: right for every data model."""
        return f"(sizeof({self.spelling}) * 8 - 1)"


UINT, ULONG, ULLONG = "unsigned int", "unsigned long", "unsigned long long"

CHAR = CType("char", "char", 8, True, UINT)
UCHAR = CType("unsigned char", "uchar", 8, False, UINT)
SHORT = CType("short", "short", 16, True, UINT)
USHORT = CType("unsigned short", "ushort", 16, False, UINT)
INT = CType("int", "int", 32, True, UINT)
UNSIGNED = CType(UINT, "uint", 32, False, UINT)
LONG = CType("long", "long", 64, True, ULONG)
ULONG_TYPE = CType(ULONG, "ulong", 64, False, ULONG)
LLONG = CType("long long", "longlong", 64, True, ULLONG)
ULLONG_TYPE = CType(ULLONG, "ulonglong", 64, False, ULLONG)
FLOAT = CType("float", "float", 32, True, "float", floating=True)
DOUBLE = CType("double", "double", 64, True, "double", floating=True)

INTEGERS = (CHAR, UCHAR, SHORT, USHORT, INT, UNSIGNED, LONG, ULONG_TYPE, LLONG, ULLONG_TYPE)
FLOATS = (FLOAT, DOUBLE)
SCALARS = INTEGERS + FLOATS


@dataclass(frozen=True)
class Field:
    """A member of a struct; ``width`` is that of a bit-field; ``length`` that of an array member."""

    name: str
    type: CType
    width: int = 0
    length: int = 0


@dataclass(frozen=True)
class Struct:
    name: str
    fields: tuple[Field, ...]
    inner: Struct | None = None
    """The type of a last member called ``inner``, for nesting."""


@dataclass(frozen=True)
class Variable:
    """A scalar lvalue, by the text that denotes it."""

    text: str
    type: CType
    writable: bool = True
    plain: bool = True
    """An object of its own, whose address may be taken: no bit-field, no member of a union."""


@dataclass(frozen=True)
class Array:
    text: str
    type: CType
    lengths: tuple[int, ...]
    plain: bool = True


@dataclass(frozen=True)
class Record:
    """An lvalue of struct type."""

    text: str
    struct: Struct


@dataclass(frozen=True)
class Function:
    """A function to call at statement level only: it may have side effects, and C leaves the order of calls open."""

    name: str
    result: CType | Struct
    parameters: tuple[CType | Struct, ...]
    recursive: bool = False
    in_table: bool = False


@dataclass
class Scope:
    """What may be named at a point of the program; an inner block works on a copy."""

    variables: list[Variable] = field(default_factory=list)
    arrays: list[Array] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    in_loop: bool = False

    def inner(self, *, in_loop: bool | None = None) -> Scope:
        loop = self.in_loop if in_loop is None else in_loop
        return Scope(list(self.variables), list(self.arrays), list(self.records), loop)

    def add_record(self, text: str, struct: Struct) -> None:
        """Make a struct and all its members known."""
        self.records.append(Record(text, struct))
        for member in struct.fields:
            place = f"{text}.{member.name}"
            if member.length:
                self.arrays.append(Array(place, member.type, (member.length,)))
            else:
                self.variables.append(Variable(place, member.type, plain=not member.width))
        if struct.inner is not None:
            self.add_record(f"{text}.inner", struct.inner)
