"""Handlers of memory access: ``alloca``, ``load``, ``store`` and the atomic forms.

A load of a plain word tries the table of ready views first and falls back to the engine on any
surprise: a symbolic address, an object that is partly symbolic, not fully initialised or shared, a
misaligned or invalid address.

    try:
        if v3 & 3: raise IndexError
        v9 = r4[v3 >> 32][(v3 & 4294967295) >> 2]
    except SLOW:
        v9 = load(s, f, 12, (v3, v5), v3, 4)
"""

from __future__ import annotations

from clew.execute.codegen.arithmetic import literal
from clew.execute.codegen.emitter import Emitter, emits
from clew.program import instructions as ir
from clew.program.types import FloatKind, FloatType, IntType, PointerType, Type
from clew.program.values import ConstUndef

_WORDS = {8: "1", 16: "2", 32: "4", 64: "8"}
_FLOATS = {FloatKind.FLOAT: ("f", 4), FloatKind.DOUBLE: ("d", 8)}


def _word(e: Emitter, type: Type) -> tuple[str, int] | None:
    """The suffix of the table that holds words of this type, and their size; None for other types."""
    match type:
        case IntType(width=width) if width in _WORDS:
            return _WORDS[width], width // 8
        case PointerType():
            return _WORDS[e.context.layout.pointer_bits], e.context.layout.pointer_bytes
        case FloatType(kind=kind) if kind in _FLOATS:
            return _FLOATS[kind]
    return None


def _cell(e: Emitter, table: str, size: int, address: str) -> str:
    """The place of a word in its table."""
    bits = e.context.page_bits
    mask = (1 << bits) - 1
    number = literal(address)
    if number is not None:
        return f"{e.table(table)}[{number >> bits}][{(number & mask) // size}]"
    if size == 1:
        return f"{e.table(table)}[{address} >> {bits}][{address} & {mask}]"
    shift = size.bit_length() - 1
    return f"{e.table(table)}[{address} >> {bits}][{address} >> {shift} & {mask >> shift}]"


def _attempt(e: Emitter, address: str, size: int, fast: str, slow: str) -> None:
    number = literal(address)
    if number is not None and number % size:
        e.out.line(slow)
        return
    with e.out.block("try:"):
        if size > 1 and number is None:
            e.out.line(f"if {address} & {size - 1}: raise IndexError")
        e.out.line(fast)
    with e.out.block("except SLOW:"):
        e.out.line(slow)


@emits(ir.Load)
def _load(e: Emitter, i: ir.Load) -> None:
    assert i.result is not None
    address, target = e.value(i.pointer), e.target(i)
    word = _word(e, i.result.type)
    if word is None:
        e.out.line(f"{target} = load_typed({e.here()}, {address}, {e.constant(i.result.type)})")
        return
    suffix, size = word
    fast = f"{target} = {_cell(e, 'r' + suffix, size, address)}"
    helper = "load_float" if suffix in "fd" else "load"
    _attempt(e, address, size, fast, f"{target} = {helper}({e.here()}, {address}, {size})")


@emits(ir.Store)
def _store(e: Emitter, i: ir.Store) -> None:
    address = e.value(i.pointer)
    if isinstance(i.value, ConstUndef):
        # Storing nothing in particular is allowed to leave memory as it is, but the address must be valid.
        e.out.line(f"store_undefined({e.here()}, {address}, {e.constant(i.value.type)})")
        return
    value = e.value(i.value)
    word = _word(e, i.value.type)
    if word is None:
        e.out.line(f"store_typed({e.here()}, {address}, {value}, {e.constant(i.value.type)})")
        return
    suffix, size = word
    fast = f"{_cell(e, 'w' + suffix, size, address)} = {value}"
    helper = "store_float" if suffix in "fd" else "store"
    _attempt(e, address, size, fast, f"{helper}({e.here()}, {address}, {value}, {size})")


@emits(ir.Alloca)
def _alloca(e: Emitter, i: ir.Alloca) -> None:
    assert i.result is not None
    size = e.context.layout.size(i.allocated)
    where = e.constant((i.result.name, i.location))
    e.out.line(f"{e.target(i)} = allocate({e.here()}, {size}, {e.value(i.count)}, {i.align}, {where})")


@emits(ir.AtomicUpdate)
def _atomic_update(e: Emitter, i: ir.AtomicUpdate) -> None:
    assert i.result is not None
    type = e.constant(i.result.type)
    arguments = f"{e.here()}, {i.op!r}, {e.value(i.pointer)}, {e.value(i.value)}, {type}"
    e.out.line(f"{e.target(i)} = atomic_update({arguments})")


@emits(ir.CompareExchange)
def _compare_exchange(e: Emitter, i: ir.CompareExchange) -> None:
    type = e.constant(i.expected.type)
    arguments = f"{e.value(i.pointer)}, {e.value(i.expected)}, {e.value(i.replacement)}, {type}"
    e.out.line(f"{e.target(i)} = compare_exchange({e.here()}, {arguments})")


@emits(ir.Fence)
def _fence(e: Emitter, i: ir.Fence) -> None:
    """One thread: nothing to order."""
