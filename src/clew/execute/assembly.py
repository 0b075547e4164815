"""Inline assembly whose effect is known (``clew.program.assembly``)."""

from __future__ import annotations

from typing import Any

from clew.execute.inputs import InputKind, read_input
from clew.execute.state import State
from clew.expr import build
from clew.program import instructions as ir
from clew.program.assembly import AsmEffect, tied_inputs
from clew.program.types import IntType, StructType, VoidType
from clew.program.values import InlineAsm

_C_TYPES = {8: "unsigned char", 16: "unsigned short", 32: "unsigned int", 64: "unsigned long long"}


def assembly(s: State, effect: AsmEffect, call: ir.Call, arguments: tuple[Any, ...]) -> Any:
    """What the assembly gives: a value, or several as a struct."""
    code, result = call.callee, call.type.result
    assert isinstance(code, InlineAsm)
    if isinstance(result, VoidType):
        return None
    if effect is AsmEffect.INPUT:
        parts = result.fields if isinstance(result, StructType) else (result,)
        found = tuple(_answer(s, code, part.width, call) for part in parts if isinstance(part, IntType))
        return found if isinstance(result, StructType) else found[0]
    values = tuple(arguments[place] for place in tied_inputs(code)) if effect is AsmEffect.NOTHING else ()
    if effect is AsmEffect.NOTHING:
        return values if isinstance(result, StructType) else values[0]
    assert isinstance(result, IntType)
    swapped: Any = build.bswap(arguments[-1], result.width)
    if effect is AsmEffect.SWAP_PAIRS:  # all bytes, and then the pairs
        for width in (w for w in (32, 64) if w <= result.width):
            swapped = _halves_swapped(swapped, width, result.width)
    return swapped


def _halves_swapped(value: Any, width: int, bits: int) -> Any:
    """Each group of so many bits with its halves exchanged."""
    half = width // 2
    low = sum(((1 << half) - 1) << at for at in range(0, bits, width))
    return build.or_(
        build.shl(build.and_(value, low, bits), half, bits), build.and_(build.lshr(value, half, bits), low, bits), bits
    )


def _answer(s: State, code: InlineAsm, bits: int, call: ir.Call) -> Any:
    name = code.text.strip().split()[0].rstrip(";")
    return read_input(s, name, _C_TYPES.get(bits, "unsigned long long"), bits, InputKind.NONDET, call.location)
