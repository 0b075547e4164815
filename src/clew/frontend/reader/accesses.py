"""Instructions that touch memory: ``alloca load store atomicrmw cmpxchg fence``; the complete readers."""

from __future__ import annotations

import re

from clew.base.location import Location
from clew.frontend.reader.cursor import Cursor, Malformed, UnsupportedText
from clew.frontend.reader.operands import Scope
from clew.frontend.reader.straight import Reader
from clew.program.instructions import (
    Alloca,
    AtomicUpdate,
    CompareExchange,
    Fence,
    Instruction,
    Load,
    Store,
)
from clew.program.types import I1, I32, OpaqueType, PointerType, StructType
from clew.program.values import ConstInt, Value

_ORDERINGS = ("unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst")
_ONE = ConstInt(I32, 1)
_ALIGN = re.compile(r", align (\d+)\b")


def _pointer(scope: Scope, cursor: Cursor) -> Value:
    pointer = scope.typed_value(cursor)
    if not isinstance(pointer.type, PointerType):
        raise Malformed(f"a pointer is expected, not a value of type {pointer.type}")
    return pointer


def _skip_ordering(cursor: Cursor) -> None:
    if cursor.accept_word("syncscope"):
        cursor.skip_brackets()
    while cursor.accept_word(*_ORDERINGS):
        pass


def _align(cursor: Cursor) -> int:
    """``, align N`` and the address space an alloca may have after it; 0 if not given."""
    align = 0
    match = cursor.match(_ALIGN)
    if match is not None:
        align = int(match[1])
    while cursor.peek() == ",":
        start = cursor.pos
        cursor.expect(",")
        if cursor.accept_word("align"):
            align = cursor.integer()
        elif cursor.accept_word("addrspace"):
            cursor.skip_brackets()
        else:
            cursor.pos = start
            break
    return align


def _alloca(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    cursor.accept_word("inalloca")
    cursor.accept_word("swifterror")
    type = scope.context.types.read(cursor)
    if isinstance(type, OpaqueType):
        raise UnsupportedText(f"a variable of type {type}")
    count: Value = _ONE
    start = cursor.pos
    if cursor.accept(","):
        if scope.context.types.starts_type(cursor):
            count = scope.typed_value(cursor)
        else:
            cursor.pos = start
    align = _align(cursor) or scope.context.natural_align(type)
    return Alloca(scope.result(name, PointerType()), location, type, count, align)


def _load(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    cursor.accept_word("atomic")
    volatile = bool(cursor.accept_word("volatile"))
    type = scope.context.types.read(cursor)
    cursor.expect(",")
    pointer = _pointer(scope, cursor)
    _skip_ordering(cursor)
    result = scope.result(name, type)
    return Load(result, location, pointer, _align(cursor) or scope.context.natural_align(type), volatile)


def _store(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    cursor.accept_word("atomic")
    volatile = bool(cursor.accept_word("volatile"))
    value = scope.typed_value(cursor)
    cursor.expect(",")
    pointer = _pointer(scope, cursor)
    _skip_ordering(cursor)
    align = _align(cursor) or scope.context.natural_align(value.type)
    return Store(None, location, value, pointer, align, volatile)


def _atomic_update(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    cursor.accept_word("volatile")
    operation = cursor.word()
    pointer = _pointer(scope, cursor)
    cursor.expect(",")
    value = scope.typed_value(cursor)
    _skip_ordering(cursor)
    _align(cursor)
    return AtomicUpdate(scope.result(name, value.type), location, operation, pointer, value)


def _compare_exchange(
    scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None
) -> Instruction:
    while cursor.accept_word("weak", "volatile"):
        pass
    pointer = _pointer(scope, cursor)
    cursor.expect(",")
    expected = scope.typed_value(cursor)
    cursor.expect(",")
    replacement = scope.typed_value(cursor)
    _skip_ordering(cursor)
    _align(cursor)
    result = scope.result(name, StructType((expected.type, I1)))
    return CompareExchange(result, location, pointer, expected, replacement)


def _fence(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    _skip_ordering(cursor)
    return Fence(None, location)


ACCESSES: dict[str, Reader] = {
    "alloca": _alloca,
    "load": _load,
    "store": _store,
    "atomicrmw": _atomic_update,
    "cmpxchg": _compare_exchange,
    "fence": _fence,
}
