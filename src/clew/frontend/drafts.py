"""A function that is being rebuilt: blocks that can be changed, who leads to whom, and registers that stand for others.

For passes of ours that change control flow. What is said about a register through ``become`` is carried out when the
function is finished; until then ``now`` tells what a value is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from clew.analysis.graph import control_flow, reverse_postorder
from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.frontend.substitute import Names, replaced, substitute
from clew.program.instructions import Instruction, Phi, Terminator, successors
from clew.program.module import Block, Function, VariableUpdate
from clew.program.values import Register, Value


@dataclass(slots=True)
class Joint:
    """A phi; the value for each predecessor."""

    result: Register
    location: Location | None
    incoming: dict[str, Value]


@dataclass(slots=True, eq=False)
class Draft:
    """A block. The places of ``updates`` count from the first instruction of ``body``."""

    name: str
    joints: list[Joint]
    body: list[Instruction]
    terminator: Terminator
    updates: list[VariableUpdate]
    before: dict[str, None]
    """Names of the predecessors."""


class Body:
    """The blocks of a function that control flow reaches, in reverse postorder."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._replacement: dict[str, Value] = {}
        self._names = Names(function)
        graph = control_flow(function)
        order = [function.blocks[number] for number in reverse_postorder(graph)]
        self.order = {block.name: place for place, block in enumerate(order)}
        self.blocks = {block.name: self._draft(block) for block in order}
        for block in order:
            for target in successors(block.terminator):
                self.blocks[target].before[block.name] = None

    def _draft(self, block: Block) -> Draft:
        phis = [i for i in block.instructions if isinstance(i, Phi)]
        joints = [
            Joint(phi.result, phi.location, {source: value for value, source in phi.incoming if source in self.order})
            for phi in phis
            if phi.result is not None
        ]
        rest = list(block.instructions[len(phis) : -1])
        updates = [replace(u, index=min(max(u.index - len(phis), 0), len(rest))) for u in block.updates]
        return Draft(block.name, joints, rest, block.terminator, updates, {})

    # Registers

    def now(self, value: Value) -> Value:
        """What a value has become."""
        while isinstance(value, Register) and value.name in self._replacement:
            value = self._replacement[value.name]
        return value

    def become(self, register: Register, value: Value) -> None:
        """From now on the register, which nothing defines any more, is ``value``."""
        self._replacement[register.name] = value

    def fresh(self, like: Register) -> Register:
        """A new register with a name and the type of another."""
        return Register(self._names.fresh(like.name), like.type)

    def leave_out(self, block: Draft, known: Mapping[str, Value]) -> None:
        """Take instructions out of a block whose results are known."""
        kept: list[Instruction] = []
        places = []
        for instruction in block.body:
            places.append(len(kept))
            if instruction.result is not None and instruction.result.name in known:
                self.become(instruction.result, known[instruction.result.name])
            else:
                kept.append(instruction)
        block.body = kept
        places.append(len(kept))
        block.updates = [replace(update, index=places[update.index]) for update in block.updates]

    # Control flow

    def drop_joints(self, block: Draft) -> None:
        """With one predecessor there is nothing to join."""
        for joint in block.joints:
            (value,) = joint.incoming.values()
            self.become(joint.result, value)
        block.joints.clear()

    def absorb(self, block: Draft, following: Draft) -> None:
        """Put a block that only ``block`` leads to, by a jump, at the end of it."""
        self.drop_joints(following)
        self.append(block, following.body, following.updates)
        block.terminator = following.terminator
        del self.blocks[following.name]
        for target in successors(following.terminator):
            self.redirect(self.blocks[target], following.name, block.name)

    @staticmethod
    def append(block: Draft, body: Iterable[Instruction], updates: Iterable[VariableUpdate]) -> None:
        """More instructions at the end of a block, with their debug information."""
        shift = len(block.body)
        block.body.extend(body)
        block.updates.extend(replace(update, index=update.index + shift) for update in updates)

    @staticmethod
    def redirect(block: Draft, old: str, new: str) -> None:
        """A predecessor of a block has another name now."""
        del block.before[old]
        block.before[new] = None
        for joint in block.joints:
            joint.incoming[new] = joint.incoming.pop(old)

    def finished(self) -> Function:
        """The function as it is now, its blocks in the order they had."""
        final = {name: self.now(value) for name, value in self._replacement.items()}
        blocks = tuple(
            self._finished_block(self.blocks[block.name], final)
            for block in self._function.blocks
            if block.name in self.blocks
        )
        return replace(self._function, blocks=blocks)

    @staticmethod
    def _finished_block(draft: Draft, final: dict[str, Value]) -> Block:
        phis = [Phi(j.result, j.location, tuple((v, source) for source, v in j.incoming.items())) for j in draft.joints]
        instructions = (*phis, *draft.body, draft.terminator)
        updates = tuple(
            replace(update, index=update.index + len(phis), value=replaced(update.value, final))
            for update in draft.updates
        )
        return Block(draft.name, tuple(substitute(instruction, final) for instruction in instructions), updates)
