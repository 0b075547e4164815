"""Instructions that touch memory: ``alloca load store atomicrmw cmpxchg fence``."""

from __future__ import annotations

import re

from clew.frontend.reader.cursor import Cursor, Malformed, UnsupportedText
from clew.frontend.reader.operands import Line, Reader
from clew.program import instructions as ir
from clew.program.types import I1, I32, OpaqueType, PointerType, StructType
from clew.program.values import ConstInt, Value

_ORDERINGS = ("unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst")
_ONE = ConstInt(I32, 1)
_ALIGN = re.compile(r", align (\d+)\b")


def _pointer(line: Line) -> Value:
    pointer = line.value()
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


def _alloca(line: Line) -> ir.Instruction:
    line.accept_word("inalloca")
    line.accept_word("swifterror")
    type = line.type()
    if isinstance(type, OpaqueType):
        raise UnsupportedText(f"a variable of type {type}")
    count: Value = _ONE
    start = line.pos
    if line.accept(","):
        if line.scope.context.types.starts_type(line):
            count = line.value()
        else:
            line.pos = start
    align = _align(line) or line.scope.context.natural_align(type)
    return ir.Alloca(line.result(PointerType()), line.location, type, count, align)


def _load(line: Line) -> ir.Instruction:
    line.accept_word("atomic")
    volatile = bool(line.accept_word("volatile"))
    type = line.type()
    line.expect(",")
    pointer = _pointer(line)
    _skip_ordering(line)
    result = line.result(type)
    return ir.Load(result, line.location, pointer, _align(line) or line.scope.context.natural_align(type), volatile)


def _store(line: Line) -> ir.Instruction:
    line.accept_word("atomic")
    volatile = bool(line.accept_word("volatile"))
    value = line.value()
    line.expect(",")
    pointer = _pointer(line)
    _skip_ordering(line)
    align = _align(line) or line.scope.context.natural_align(value.type)
    return ir.Store(None, line.location, value, pointer, align, volatile)


def _atomic_update(line: Line) -> ir.Instruction:
    line.accept_word("volatile")
    operation, pointer, value = line.word(), _pointer(line), line.next_value()
    _skip_ordering(line)
    _align(line)
    return ir.AtomicUpdate(line.result(value.type), line.location, operation, pointer, value)


def _compare_exchange(line: Line) -> ir.Instruction:
    while line.accept_word("weak", "volatile"):
        pass
    pointer, expected, replacement = _pointer(line), line.next_value(), line.next_value()
    _skip_ordering(line)
    _align(line)
    result = line.result(StructType((expected.type, I1)))
    return ir.CompareExchange(result, line.location, pointer, expected, replacement)


def _fence(line: Line) -> ir.Instruction:
    _skip_ordering(line)
    return ir.Fence(None, line.location)


ACCESSES: dict[str, Reader] = {
    "alloca": _alloca,
    "load": _load,
    "store": _store,
    "atomicrmw": _atomic_update,
    "cmpxchg": _compare_exchange,
    "fence": _fence,
}
