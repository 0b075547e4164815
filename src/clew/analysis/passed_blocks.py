"""Which blocks a run may have gone through, from the branches that it took.

A block counts if control flow leads to it over branches that were taken: from the beginning of its function, which
code that counts calls, or mentions. So where a run went, the answer is yes; and mostly it is no where it did not.
"""

from __future__ import annotations

from collections.abc import Iterator

from clew.program import instructions as ir
from clew.program.module import FINISH, Block, Function, Program
from clew.program.operands import operands, references

BranchId = tuple[str, str, int]
"""A branch as coverage names it: function, block, which of its successors."""


class PassedBlocks:
    """Of runs of one program from ``entry`` on, of whose branches ``known`` are told where they are taken."""

    def __init__(self, program: Program, entry: Function, known: frozenset[BranchId]) -> None:
        self._program = program
        self._known = known
        self._blocks = {name: {block.name: block for block in one.blocks} for name, one in program.functions.items()}
        self._mentioned: dict[tuple[str, str], frozenset[str]] = {}
        values = (one.initializer for one in program.globals.values() if one.initializer is not None)
        targets = (one.target for one in program.aliases.values())
        everywhere = (name for value in (*values, *targets) for name in references(value))
        self._begin = {entry.name, FINISH, *program.constructors, *program.destructors, *everywhere}
        """Functions that may run whatever the branches."""

    def of(self, taken: frozenset[BranchId]) -> set[tuple[str, str]]:
        """Those of a run that took these branches: names of functions, and of blocks."""
        passed: set[tuple[str, str]] = set()
        work = list(self._begin)
        called = set(work)
        while work:
            for block in self._passed_in(work.pop(), taken):
                passed.add(block)
                fresh = self._mentions(block) - called
                called |= fresh
                work += fresh
        return passed

    def _passed_in(self, function: str, taken: frozenset[BranchId]) -> Iterator[tuple[str, str]]:
        """Blocks of a function that runs."""
        blocks = self._blocks.get(function)
        if not blocks:
            return
        work = [next(iter(blocks))]
        seen = set(work)
        while work:
            block = blocks[work.pop()]
            yield function, block.name
            for target in self._ways(function, block, taken):
                if target not in seen:
                    seen.add(target)
                    work.append(target)

    def _ways(self, function: str, block: Block, taken: frozenset[BranchId]) -> Iterator[str]:
        for position, target in enumerate(ir.successors(block.terminator)):
            branch = (function, block.name, position)
            if branch in taken or branch not in self._known:
                yield target

    def _mentions(self, place: tuple[str, str]) -> frozenset[str]:
        """Functions that a block mentions."""
        known = self._mentioned.get(place)
        if known is None:
            block = self._blocks[place[0]][place[1]]
            named = (name for one in block.instructions for value in operands(one) for name in references(value))
            known = self._mentioned[place] = frozenset(name for name in named if name in self._blocks)
        return known
