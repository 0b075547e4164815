"""Handlers of memory access: ``alloca``, ``load``, ``store`` and the atomic forms.

A load of a plain word tries the table of ready views first and falls back to the engine on any
surprise: a symbolic address, an object that is partly symbolic, not fully initialised or shared, a
misaligned or invalid address. An address that was deferred goes straight into the look-up.

    try:
        if v3 & 3: raise IndexError
        v9 = r4[v3 >> 32][(v3 & 4294967295) >> 2]
    except SLOW:
        v9 = load(s, f, 12, (v3, v5), v3, 4)
"""

from __future__ import annotations

from collections.abc import Callable

from clew.execute.codegen.addresses import Address
from clew.execute.codegen.arithmetic import literal
from clew.execute.codegen.emitter import Emitter, emits
from clew.program import instructions as ir
from clew.program.types import FloatKind, FloatType, IntType, PointerType, Type
from clew.program.values import ConstUndef, Register, Value

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


def _cell(e: Emitter, table: str, size: int, pointer: Value) -> tuple[str, str]:
    """The place of a word in its table, and a test that must be false for it to be right."""
    bits = e.context.page_bits
    mask = (1 << bits) - 1
    shift = size.bit_length() - 1
    address = e.addresses.get(pointer.name) if isinstance(pointer, Register) else None
    if address is None and (register := e.number(pointer)) is not None:
        address = e.path.facts.addresses.get(register)
    if (
        address is None
        or address.constant < 0
        or any(p % size for p in (address.constant, *[s for _, s in address.terms]))
    ):
        address = Address(e.value(pointer), e.alignment(pointer))
    number = literal(address.base)
    steps = _steps(address, size)
    if number is not None:
        page, first, misaligned = str(number >> bits), (number & mask) // size + address.constant // size, ""
        if number % size:
            misaligned = "True"
        cell = " + ".join([*([str(first)] if first or not steps else []), *steps])
    else:
        page = f"{address.base} >> {bits}"
        inner = f"({address.base} & {mask})" if size == 1 else f"({address.base} >> {shift} & {mask >> shift})"
        offset = [str(address.constant // size)] if address.constant else []
        cell = " + ".join([inner, *steps, *offset])
        misaligned = f"{address.base} & {size - 1}" if address.alignment % size else ""
    return f"{e.table(table)}[{page}][{cell}]", misaligned


def _steps(address: Address, size: int) -> list[str]:
    """The variable parts of the number of a cell.

    Where nodes could add up to an int, in the width that they have before they are extended, a sign in front makes them
    raise: they have none.
    """
    factors = [(variable, scale // size) for variable, scale in address.terms]
    if [factor for _, factor in factors] == [1]:
        return [variable for variable, _ in factors]
    return [f"+{variable}" if factor == 1 else f"+{variable} * {factor}" for variable, factor in factors]


def _attempt(e: Emitter, misaligned: str, fast: str, slow: Callable[[], str]) -> None:
    if misaligned == "True":
        e.out.line(slow())
        return
    with e.out.block("try:"):
        if misaligned:
            e.out.line(f"if {misaligned}: raise IndexError")
        e.out.line(fast)
    with e.out.block("except SLOW:"), e.aside():
        e.out.line(slow())


@emits(ir.Load)
def _load(e: Emitter, i: ir.Load) -> None:
    assert i.result is not None
    target = e.target(i)
    word = _word(e, i.result.type)
    if word is None:
        e.out.line(f"{target} = load_typed({e.here()}, {e.value(i.pointer)}, {e.constant(i.result.type)})")
        return
    suffix, size = word
    cell, misaligned = _cell(e, "r" + suffix, size, i.pointer)
    helper = "load_float" if suffix in "fd" else "load"

    def slow() -> str:
        address = e.value(i.pointer)
        return f"{target} = {helper}({e.here()}, {address}, {size})"

    _attempt(e, misaligned, f"{target} = {cell}", slow)


@emits(ir.Store)
def _store(e: Emitter, i: ir.Store) -> None:
    if isinstance(i.value, ConstUndef):
        e.out.line(f"store_undefined({e.here()}, {e.value(i.pointer)}, {e.constant(i.value.type)})")
        return
    value = e.value(i.value)
    word = _word(e, i.value.type)
    if word is None:
        e.out.line(f"store_typed({e.here()}, {e.value(i.pointer)}, {value}, {e.constant(i.value.type)})")
        return
    suffix, size = word
    cell, misaligned = _cell(e, "w" + suffix, size, i.pointer)
    helper = "store_float" if suffix in "fd" else "store"

    def slow() -> str:
        address = e.value(i.pointer)
        return f"{helper}({e.here()}, {address}, {value}, {size})"

    _attempt(e, misaligned, f"{cell} = {value}", slow)


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
