"""Blocks under construction, and blocks with some of their instructions changed: what rewritings of programs share."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import field

from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.program import instructions as ir
from clew.program.module import Block
from clew.program.types import I1, VOID, FunctionType
from clew.program.values import ConstUndef, GlobalRef, Register, Value


@dataclass(slots=True)
class Draft:
    """A block under construction."""

    name: str
    instructions: list[ir.Instruction] = field(default_factory=list)

    def add(self, instruction: ir.Instruction) -> Value:
        self.instructions.append(instruction)
        return instruction.result if instruction.result is not None else ConstUndef(I1)

    def block(self) -> Block:
        return Block(self.name, tuple(self.instructions))


def binary(name: str, op: str, left: Value, right: Value) -> ir.Binary:
    return ir.Binary(Register(name, left.type), None, op, left, right)


def call_to(name: str, *values: Value, result: Register | None = None, location: Location | None = None) -> ir.Call:
    """A call of a function that takes these values."""
    type = FunctionType(VOID if result is None else result.type, tuple(value.type for value in values))
    return ir.Call(result, location, GlobalRef(name), type, tuple(ir.Argument(value) for value in values))


def with_phis(block: Block, phis: list[ir.Instruction]) -> Block:
    """The block with other phis, as many as there may be."""
    rest = [i for i in block.instructions if not isinstance(i, ir.Phi)]
    more = len(phis) + len(rest) - len(block.instructions)
    return dataclasses.replace(
        block,
        instructions=(*phis, *rest),
        updates=tuple(dataclasses.replace(update, index=update.index + more) for update in block.updates),
        landmarks=tuple(dataclasses.replace(known, index=known.index + more) for known in block.landmarks),
    )


def rewritten(block: Block, write: Callable[[Draft, int, ir.Instruction], None]) -> Block:
    """The block with what ``write`` adds in the place of each instruction; what is known by index moves along."""
    draft = Draft(block.name)
    places: list[int] = []
    for number, instruction in enumerate(block.instructions):
        places.append(len(draft.instructions))
        write(draft, number, instruction)
    places.append(len(draft.instructions))
    return Block(
        block.name,
        tuple(draft.instructions),
        tuple(dataclasses.replace(update, index=places[update.index]) for update in block.updates),
        tuple(dataclasses.replace(known, index=places[known.index]) for known in block.landmarks),
    )


def redirected(block: Block, old: str, new: str) -> Block:
    """The block with its way to another one changed."""

    def to(name: str) -> str:
        return new if name == old else name

    match block.terminator:
        case ir.Jump(target=target) as jump:
            last: ir.Instruction = dataclasses.replace(jump, target=to(target))
        case ir.Branch(if_true=yes, if_false=no) as branch:
            last = dataclasses.replace(branch, if_true=to(yes), if_false=to(no))
        case ir.Switch(default=default, cases=cases) as switch:
            last = dataclasses.replace(
                switch, default=to(default), cases=tuple((number, to(target)) for number, target in cases)
            )
        case other:
            last = other
    return dataclasses.replace(block, instructions=(*block.instructions[:-1], last))


def split(block: Block, index: int, name: str) -> tuple[Block, Block]:
    """The block up to an instruction, which has no way out yet, and a block of another name from there on."""
    first = Block(
        block.name,
        block.instructions[:index],
        tuple(update for update in block.updates if update.index <= index),
        tuple(known for known in block.landmarks if known.index < index),
    )
    second = Block(
        name,
        block.instructions[index:],
        tuple(dataclasses.replace(u, index=u.index - index) for u in block.updates if u.index > index),
        tuple(dataclasses.replace(k, index=k.index - index) for k in block.landmarks if k.index >= index),
    )
    return first, second


def arriving_from(block: Block, old: str, new: str) -> Block:
    """The block with another name for one that control comes from."""
    instructions = tuple(
        dataclasses.replace(
            i, incoming=tuple((value, new if source == old else source) for value, source in i.incoming)
        )
        if isinstance(i, ir.Phi)
        else i
        for i in block.instructions
    )
    return dataclasses.replace(block, instructions=instructions)
