"""Control flow of a whole program as one graph of numbered blocks, and distances over it.

For strategies that head for certain blocks. A call leads into its callee: a block is as far from a goal as the nearest
of what it calls and of what follows it. Ways that lead out of a function again are not in the graph: which call it
returns to only a state knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.values import GlobalRef

FAR = 1 << 30
"""The distance of what no way leads to."""

BlockId = tuple[str, str]
"""The names of a function and of a block."""


def direct(call: ir.Call) -> tuple[str, ...]:
    """The function a call names."""
    return (call.callee.name,) if isinstance(call.callee, GlobalRef) else ()


class Flow:
    """Blocks of all given functions: who leads to them, and who calls the functions they begin."""

    def __init__(
        self, functions: Iterable[Function], callees: Callable[[ir.Call], Iterable[str]] = direct, jump: int = 1
    ) -> None:
        """``callees``: what a call may enter. ``jump``: the cost of an edge where nothing is decided; others cost 1."""
        functions = tuple(functions)
        self.numbers: dict[BlockId, int] = {
            (function.name, block.name): number
            for number, (function, block) in enumerate((f, b) for f in functions for b in f.blocks)
        }
        self.entries = {f.name: self.numbers[f.name, f.blocks[0].name] for f in functions}
        self.blocks = tuple(block for function in functions for block in function.blocks)
        self.successors: list[tuple[int, ...]] = []
        self.cost: list[int] = []
        """What it costs to leave each block for a successor."""
        self.calls: list[tuple[tuple[int, int], ...]] = []
        """For each block, in order: the position of a call, and the entry of a function it may enter."""
        for function in functions:
            for block in function.blocks:
                targets = ir.successors(block.terminator)
                self.successors.append(tuple(self.numbers[function.name, target] for target in targets))
                self.cost.append(1 if len(targets) > 1 else jump)
                self.calls.append(tuple(self._entered(block.instructions, callees)))
        self._before: list[list[int]] = [[] for _ in self.blocks]
        self._callers: list[list[int]] = [[] for _ in self.blocks]
        for number in range(len(self.blocks)):
            for after in self.successors[number]:
                self._before[after].append(number)
            for entry in {entry for _, entry in self.calls[number]}:
                self._callers[entry].append(number)

    def _entered(
        self, instructions: Iterable[ir.Instruction], callees: Callable[[ir.Call], Iterable[str]]
    ) -> Iterable[tuple[int, int]]:
        for position, instruction in enumerate(instructions):
            if type(instruction) is ir.Call:
                for name in callees(instruction):
                    if name in self.entries:
                        yield position, self.entries[name]

    def distances(self, goals: Mapping[int, int], *, into_calls: bool = True) -> list[int]:
        """The distance of every block to the nearest goal. Goals come with what is left to go from them.

        Backwards from the goals in the order of distance; with ``into_calls`` false, inside functions only.
        """
        result = [FAR] * len(self.blocks)
        levels: dict[int, list[int]] = {}
        for number, rest in goals.items():
            levels.setdefault(rest, []).append(number)
        while levels:
            distance = min(levels)
            for number in levels[distance]:  # which grows meanwhile, where edges cost nothing
                if result[number] <= distance:
                    continue
                result[number] = distance
                for source in self._before[number]:
                    if result[source] > distance + self.cost[source]:
                        levels.setdefault(distance + self.cost[source], []).append(source)
                if into_calls:
                    for source in self._callers[number]:
                        if result[source] > distance + 1:
                            levels.setdefault(distance + 1, []).append(source)
            del levels[distance]
        return result
