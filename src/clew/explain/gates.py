"""Joins of simple branches: there a phi is a function of the branch's condition.

    before: br c, left, right      left: x1 = ...; br join      right: br join      join: x = phi x1, x0

``x = c ? x1 : x0`` holds on every path through the join, so that a reason which needs ``x`` need not say
which way was taken. Only arms without effects count: what the way not taken would have computed is
worked out as well.
"""

from __future__ import annotations

from typing import NamedTuple

from clew.explain.unrolled import Shape
from clew.program import instructions as ir
from clew.program.values import Value

MOST_INSTRUCTIONS = 12
_PURE = (
    ir.Binary, ir.Compare, ir.Select, ir.Freeze, ir.GetElementPtr, ir.ExtractValue, ir.InsertValue,
)  # fmt: skip


class Gate(NamedTuple):
    """The branch a join belongs to."""

    condition: Value
    sides: dict[str, bool]
    """For each of the two predecessors: the value of the condition that leads over it."""
    arms: dict[str, tuple[ir.Instruction, ...]]
    """For each predecessor: what is computed on the way."""


def gate_of(shape: Shape, join: str) -> Gate | None:
    """The gate of a join; None if it is not that simple."""
    sources = shape.sources[join]
    if len(sources) != 2 or (shape.loop_of[join] >= 0 and shape.header[shape.loop_of[join]] == join):
        return None
    heads = {_head(shape, source, join) for source in sources}
    if len(heads) != 1:
        return None
    (head,) = heads
    if head is None or any(shape.loop_of[block] != shape.loop_of[join] for block in (head, *sources)):
        return None
    branch = shape.blocks[head].terminator
    if not isinstance(branch, ir.Branch) or branch.if_true == branch.if_false:
        return None
    sides, arms = {}, {}
    for source in sources:
        sides[source] = branch.if_true == (join if source == head else source)
        arms[source] = () if source == head else shape.blocks[source].instructions[:-1]
    return Gate(branch.condition, sides, arms) if len(set(sides.values())) == 2 else None


def _is_plain(instruction: ir.Instruction) -> bool:
    """Arithmetic; not the number of a pointer, which may be another on other paths."""
    if isinstance(instruction, ir.Cast):
        return instruction.op not in ("ptrtoint", "ptrtoaddr")
    return isinstance(instruction, _PURE)


def _head(shape: Shape, source: str, join: str) -> str | None:
    """The block that branches: the source itself, or what alone leads to it when it is an arm."""
    if len(shape.successors[source]) == 2:
        return source
    before = shape.sources[source]
    instructions = shape.blocks[source].instructions
    if (
        len(before) != 1
        or len(instructions) > MOST_INSTRUCTIONS
        or not isinstance(instructions[-1], ir.Jump)
        or not all(_is_plain(instruction) for instruction in instructions[:-1])
    ):
        return None
    return before[0]
