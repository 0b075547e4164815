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
    """An address as ``base + variable * scale + ... + constant``, with any number of ``terms``.

    ``variable`` is the text of an index before its extension to pointer width: where that matters (a
    negative index) it is so large that no table has such a cell, and the exact text is used.
    """

    base: str
    alignment: int
    """Of the base."""
    terms: tuple[tuple[str, int], ...] = ()
    constant: int = 0

    def whole_alignment(self) -> int:
        """Of the address."""
        return min([self.alignment, *[part & -part for part in (self.constant, *[s for _, s in self.terms]) if part]])


@emits(ir.GetElementPtr)
def _getelementptr(e: Emitter, i: ir.GetElementPtr) -> None:
    if isinstance(i.base.type, VectorType) or any(isinstance(index.type, VectorType) for index in i.indices):
        e.out.line(f"unsupported({e.here()}, 'getelementptr on a vector of pointers')")
        e.assign(i, OperationText("None"))
        return
    assert i.result is not None
    address, form = _address(e, i)
    if i.result.name in e.context.deferred:
        e.addresses[i.result.name] = address
    if i.result.name in e.context.deferred or literal(address.base) is None or not address.terms:
        e.assign(i, form)
        number = e.number(i.result)
    else:
        number = e.put_off(i, form)
        e.path.facts.addresses[number] = address
    if number is not None:
        e.path.facts.aligned[number] = max(address.whole_alignment(), e.path.facts.aligned.get(number, 1))


def _address(e: Emitter, i: ir.GetElementPtr) -> tuple[Address, OperationText]:
    """The address taken apart, and the exact text of it."""
    layout = e.context.layout
    mask = (1 << layout.pointer_bits) - 1
    number = e.number(i.base)
    outer = e.path.facts.addresses.get(number) if number is not None and number in e.path.facts.lazy else None
    base = e.value(i.base) if outer is None or number is None else e.register(number)
    waits = (
        literal(base) is not None or outer is not None or (i.result is not None and i.result.name in e.context.deferred)
    )
    constant = 0
    terms: list[tuple[OperationText, str, int]] = []
    for scale, index in _steps(e, i.source_type, i.indices):
        if index is None:
            constant += scale
            continue
        form, width = _peek(e, index) if waits else OperationText(e.value(index)), e.width(index.type)
        text = form.general
        fixed = literal(text)
        if fixed is not None:
            constant += scale * signed(fixed, width)
        elif scale:
            extended = form if width == layout.pointer_bits else _extended(text, width, layout.pointer_bits)
            terms.append((extended, _plain_index(e, index, text if width >= 32 else extended.general), scale))

    def sum_of(texts: list[str]) -> str:
        parts = [text if scale == 1 else f"{text} * {scale}" for text, (_, _, scale) in zip(texts, terms, strict=True)]
        if constant:
            parts.append(str(constant & mask))
        return f"({base} + {' + '.join(parts)}) & {mask}" if parts else base

    exact = OperationText(sum_of([form.general for form, _, _ in terms]))
    if any(form.fast for form, _, _ in terms):
        exact = OperationText(exact.general, sum_of([form.fast or form.general for form, _, _ in terms]))
    steps = tuple((plain, scale) for _, plain, scale in terms)
    if outer is not None:
        return Address(outer.base, outer.alignment, (*outer.terms, *steps), outer.constant + constant), exact
    return Address(base, e.alignment(i.base), steps, constant), exact


def _peek(e: Emitter, index: Value) -> OperationText:
    """The text of an index, which is not computed here if that was put off."""
    number = e.number(index)
    if number is None:
        return OperationText(e.value(index))
    form = e.path.facts.lazy.get(number)
    fast = f"({form.fast})" if form is not None and form.fast and number not in e.pending else ""
    return OperationText(e.register(number), fast)


def _steps(e: Emitter, source_type: Type, indices: tuple[Value, ...]) -> list[tuple[int, Value | None]]:
    """Each index with its scale; a struct's field as its offset alone."""
    layout = e.context.layout
    type = source_type
    steps: list[tuple[int, Value | None]] = [(layout.size(type), indices[0])]
    for index in indices[1:]:
        step, type = layout.step(type, index)
        steps.append((step[0], None) if isinstance(step, tuple) else (step, index))
    return steps


def _extended(text: str, width: int, pointer_bits: int) -> OperationText:
    resized = arithmetic.resize("trunc" if width > pointer_bits else "sext", text, width, pointer_bits)
    return OperationText(f"({resized.general})")


def _plain_index(e: Emitter, index: Value, text: str) -> str:
    """The index as it was before a deferred extension."""
    number = e.number(index)
    if not isinstance(index, Register) or number is None:
        return text
    extension = e.path.facts.extended.get(number)
    return e.plain.get(index.name, text) if extension is None else extension.text
