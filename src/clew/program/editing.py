"""Blocks with instructions added, for passes that make something visible to the engine."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from clew.program.instructions import Instruction
from clew.program.module import Block


def inserted(block: Block, added: Mapping[int, tuple[Instruction, ...]]) -> Block:
    """The block with instructions before those at the given indices; what is known by index moves along."""
    instructions: list[Instruction] = []
    for index, instruction in enumerate(block.instructions):
        instructions += added.get(index, ())
        instructions.append(instruction)

    def moved(index: int) -> int:
        return index + sum(len(more) for place, more in added.items() if place < index)

    return dataclasses.replace(
        block,
        instructions=tuple(instructions),
        updates=tuple(dataclasses.replace(update, index=moved(update.index)) for update in block.updates),
        landmarks=tuple(dataclasses.replace(known, index=moved(known.index)) for known in block.landmarks),
    )
