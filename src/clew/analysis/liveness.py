"""Live registers of a function, as sets of register numbers.

Used by the block compiler to decide what a suspended frame must remember. A phi's result counts as
live-in of its own block (it is assigned on the edge), its operands as used on the edge. Sets are
grown from each use back to the definition, so the cost is the size of the answer, even for
functions with very many registers.
"""

from __future__ import annotations

from collections.abc import Callable

from clew.program import instructions as ir
from clew.program.module import Block, Function
from clew.program.operands import registers
from clew.program.values import Register


class Liveness:
    """Numbers registers by order of definition and answers what is live where."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.blocks = {block.name: block for block in function.blocks}
        self.numbers: dict[str, int] = {}
        self._defined_in: list[str] = []
        self._phis: dict[str, set[int]] = {block.name: set() for block in function.blocks}
        entry = function.blocks[0].name
        for parameter in function.parameters:
            assert isinstance(parameter.value, Register)
            self._define(parameter.value.name, entry)
        for block in function.blocks:
            for instruction in block.instructions:
                if instruction.result is not None:
                    number = self._define(instruction.result.name, block.name)
                    if isinstance(instruction, ir.Phi):
                        self._phis[block.name].add(number)
        self.predecessors: dict[str, list[str]] = {name: [] for name in self.blocks}
        for block in function.blocks:
            for successor in ir.successors(block.terminator):
                self.predecessors[successor].append(block.name)
        self._edge_uses: dict[tuple[str, str], set[int]] = {}
        self.live_in: dict[str, set[int]] = {name: set(phis) for name, phis in self._phis.items()}
        """Per block: phi results, and what is live before the first instruction that is no phi."""
        self._solve()

    def _define(self, name: str, block: str) -> int:
        number = self.numbers[name] = len(self.numbers)
        self._defined_in.append(block)
        return number

    def _solve(self) -> None:
        entry = self.function.blocks[0].name
        parameters = len(self.function.parameters)
        for block in self.function.blocks:
            defined: set[int] = set()
            for instruction in block.instructions:
                if isinstance(instruction, ir.Phi):
                    for value, source in instruction.incoming:
                        if isinstance(value, Register):
                            number = self.numbers[value.name]
                            self._edge_uses.setdefault((source, block.name), set()).add(number)
                            if self._defined_in[number] != source or number in self._phis[source]:
                                self._mark(number, source)
                    continue
                for register in registers(instruction):
                    number = self.numbers[register.name]
                    if number not in defined and number not in self._phis[block.name]:
                        self._mark(number, block.name)
                if instruction.result is not None:
                    defined.add(self.numbers[instruction.result.name])
        self.live_in[entry].update(range(parameters))

    def _mark(self, number: int, block: str) -> None:
        """Register ``number`` is needed at the start of ``block``: and in every block up to its definition."""
        work = [block]
        while work:
            name = work.pop()
            live = self.live_in[name]
            if number in live:
                continue
            live.add(number)
            if self._defined_in[number] == name and name == self.function.blocks[0].name:
                continue
            for predecessor in self.predecessors[name]:
                if self._defined_in[number] != predecessor or number in self._phis[predecessor]:
                    work.append(predecessor)

    def on_edge(self, source: str, target: str) -> set[int]:
        """What must be known to walk the edge: live in the target, with phis replaced by their operands."""
        live = self.live_in[target] - self._phis[target]
        live |= self._edge_uses.get((source, target), set())
        return live

    def live_out(self, name: str) -> set[int]:
        """Live before the edges that leave the block."""
        live: set[int] = set()
        for successor in ir.successors(self.blocks[name].terminator):
            live |= self.on_edge(name, successor)
        return live

    def around(
        self, block: Block, wanted: Callable[[ir.Instruction], bool]
    ) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
        """For each wanted instruction of ``block``: what is live before it (operands included) and after it."""
        live = self.live_out(block.name)
        result: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        for position in range(len(block.instructions) - 1, -1, -1):
            instruction = block.instructions[position]
            if isinstance(instruction, ir.Phi):
                break
            want = wanted(instruction)
            if instruction.result is not None:
                live.discard(self.numbers[instruction.result.name])
            after = tuple(sorted(live)) if want else ()
            live.update(self.numbers[register.name] for register in registers(instruction))
            if want:
                result[position] = (tuple(sorted(live)), after)
        return result
