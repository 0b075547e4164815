"""Handlers of struct, array and vector values, which are Python tuples at run time."""

from __future__ import annotations

from clew.execute.codegen.emitter import Emitter, emits
from clew.program import instructions as ir
from clew.program.types import VectorType


@emits(ir.ExtractValue)
def _extract(e: Emitter, i: ir.ExtractValue) -> None:
    number = e.number(i.aggregate)
    pair = e.path.facts.pairs.get(number) if number is not None else None
    if pair is not None and i.result is not None:
        e.path.facts.texts[e.context.numbers[i.result.name]] = pair[i.indices[0]]
        return
    path = "".join(f"[{index}]" for index in i.indices)
    e.out.line(f"{e.target(i)} = {e.value(i.aggregate)}{path}")


@emits(ir.InsertValue)
def _insert(e: Emitter, i: ir.InsertValue) -> None:
    e.out.line(f"{e.target(i)} = with_element({e.value(i.aggregate)}, {i.indices}, {e.value(i.element)})")


@emits(ir.ExtractElement)
def _extract_element(e: Emitter, i: ir.ExtractElement) -> None:
    vector, index = e.value(i.vector), e.value(i.index)
    if index.isdigit():
        e.out.line(f"{e.target(i)} = {vector}[{index}]")
    else:
        e.out.line(f"{e.target(i)} = {vector}[concretize({e.here()}, {index}, {e.width(i.index.type)})]")


@emits(ir.InsertElement)
def _insert_element(e: Emitter, i: ir.InsertElement) -> None:
    index = e.value(i.index)
    if not index.isdigit():
        index = f"concretize({e.here()}, {index}, {e.width(i.index.type)})"
    e.out.line(f"{e.target(i)} = with_element({e.value(i.vector)}, ({index},), {e.value(i.element)})")


@emits(ir.ShuffleVector)
def _shuffle(e: Emitter, i: ir.ShuffleVector) -> None:
    assert isinstance(i.left.type, VectorType)
    both = f"({e.value(i.left)} + {e.value(i.right)})"
    # A poison lane may hold anything: lane 0 will do.
    lanes = "".join(f"p[{lane or 0}], " for lane in i.mask)
    e.out.line(f"p = {both}")
    e.out.line(f"{e.target(i)} = ({lanes})")
