"""Addresses: ``getelementptr`` as arithmetic, or taken apart for a direct look at a memory table."""

from __future__ import annotations

from typing import NamedTuple

from clew.base.bits import signed
from clew.execute.codegen import arithmetic
from clew.execute.codegen.arithmetic import OperationText, literal
from clew.execute.codegen.emitter import Emitter, emits
from clew.program import instructions as ir
from clew.program.types import Type, VectorType
from clew.program.values import Register, Value


class Address(NamedTuple):
    """An address as ``base + variable * scale + constant``; ``variable`` is empty if there is none.

    ``variable`` is the text of an index before its extension to pointer width: where that matters (a
    negative index) it is so large that no table has such a cell, and the exact text is used.
    """

    exact: str
    base: str
    variable: str
    scale: int
    constant: int


@emits(ir.GetElementPtr)
def _getelementptr(e: Emitter, i: ir.GetElementPtr) -> None:
    if isinstance(i.base.type, VectorType) or any(isinstance(index.type, VectorType) for index in i.indices):
        e.out.line(f"unsupported({e.here()}, 'getelementptr on a vector of pointers')")
        e.assign(i, OperationText("None"))
        return
    assert i.result is not None
    address = _address(e, i)
    if i.result.name in e.context.deferred:
        e.addresses[i.result.name] = address
    e.assign(i, OperationText(address.exact))


def _address(e: Emitter, i: ir.GetElementPtr) -> Address:
    layout = e.context.layout
    mask = (1 << layout.pointer_bits) - 1
    base = e.value(i.base)
    constant = 0
    terms: list[tuple[str, str, int]] = []
    for scale, index in _steps(e, i.source_type, i.indices):
        if index is None:
            constant += scale
            continue
        text = e.value(index)
        number, width = literal(text), e.width(index.type)
        if number is not None:
            constant += scale * signed(number, width)
        elif scale:
            extended = _extended(text, width, layout.pointer_bits)
            terms.append((extended, _plain_index(e, index, text if width >= 32 else extended), scale))
    parts = [text if scale == 1 else f"{text} * {scale}" for text, _, scale in terms]
    if constant:
        parts.append(str(constant & mask))
    exact = f"({base} + {' + '.join(parts)}) & {mask}" if parts else base
    variable, scale = (terms[0][1], terms[0][2]) if len(terms) == 1 else ("", 0)
    return Address(exact, base, variable, scale, constant)


def _steps(e: Emitter, source_type: Type, indices: tuple[Value, ...]) -> list[tuple[int, Value | None]]:
    """Each index with its scale; a struct's field as its offset alone."""
    layout = e.context.layout
    type = source_type
    steps: list[tuple[int, Value | None]] = [(layout.size(type), indices[0])]
    for index in indices[1:]:
        step, type = layout.step(type, index)
        steps.append((step[0], None) if isinstance(step, tuple) else (step, index))
    return steps


def _extended(text: str, width: int, pointer_bits: int) -> str:
    if width == pointer_bits:
        return text
    return f"({arithmetic.resize('trunc' if width > pointer_bits else 'sext', text, width, pointer_bits).general})"


def _plain_index(e: Emitter, index: Value, text: str) -> str:
    """The index as it was before a deferred extension."""
    return e.plain.get(index.name, text) if isinstance(index, Register) else text
