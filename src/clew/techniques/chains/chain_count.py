"""How many chains a program has, as the paper counts them: found by counting, without making any.

Root chains are simple ways from the start to the target; a loop's subchains are simple ways around it, and count once
for each way on which the loop is come to. Functions that are looked into count as part of their callers. (Systems are
built without telling all these apart: ways that meet are one again, and so are chains with the same effect.)
"""

from __future__ import annotations

from typing import NamedTuple

from clew.analysis.callees import CalleeKind
from clew.base.memo import remembered
from clew.program import instructions as ir
from clew.techniques.chains.acyclic import AcyclicFunction, Expansion, Passage
from clew.techniques.chains.program_facts import ProgramFacts


class ChainCount(NamedTuple):
    """Numbers of ways to a goal, and of subchains on all of them."""

    ways: int
    subchains: int


class Counting:
    """Counts chains of one program and target."""

    def __init__(self, survey: ProgramFacts) -> None:
        self._survey = survey
        self._active: list[str] = []

    @remembered
    def to_target(self, function: str) -> ChainCount:
        """From the start of a function to the target."""
        outline = self._survey.outline(function)
        expansion = outline.expansion(outline.entry, None, self._survey.goals(function), returns=False)
        return self._count(outline, expansion, hunting=True, returns=False)

    @remembered
    def _call(self, function: str) -> ChainCount:
        """From the start of a function to its end."""
        outline = self._survey.outline(function)
        expansion = outline.expansion(outline.entry, None, frozenset(), returns=True)
        return self._count(outline, expansion, hunting=False, returns=True)

    def _count(self, outline: AcyclicFunction, expansion: Expansion, hunting: bool, returns: bool) -> ChainCount:
        """Forwards: on how many ways each passage is come to."""
        arriving: dict[Passage, int] = {expansion.start: 1}
        ways = subchains = 0
        self._active.append(outline.function.name)
        for passage in expansion.order:
            count = arriving.get(passage, 0)
            if not count or passage not in expansion.useful:
                continue
            loop = outline.headed.get(passage.block)
            if loop is not None and loop in passage.closing:
                subchains += count * self._around(outline, loop)
            following = expansion.onward[passage].values()
            goes_on = not hunting or any(to in expansion.useful for to in following)
            count, found, more = self._block(outline, passage.block, count, hunting, goes_on)
            ways += found
            subchains += more
            if not outline.successors[passage.block]:
                ways += count if returns else 0
            for to in following:
                if to is None:
                    ways += count
                else:
                    arriving[to] = arriving.get(to, 0) + count
        self._active.pop()
        return ChainCount(ways, subchains)

    def _around(self, outline: AcyclicFunction, loop: int) -> int:
        """The subchains of a loop, and those in them."""
        expansion = outline.expansion(outline.iteration(loop), loop, frozenset(), returns=False)
        return sum(self._count(outline, expansion, hunting=False, returns=False))

    def _block(
        self, outline: AcyclicFunction, block: str, count: int, hunting: bool, goes_on: bool
    ) -> tuple[int, int, int]:
        """Ways that come through a block, arrivals in it, and subchains on the way.

        ``goes_on``: whether ways behind the block are of interest.
        """
        function, survey = outline.function.name, self._survey
        found = subchains = 0
        instructions = outline.blocks[block].instructions
        goals = [
            index
            for index, i in enumerate(instructions)
            if (function, block, index) in survey.spots or (isinstance(i, ir.Call) and survey.may_reach(i))
        ]
        for index, instruction in enumerate(instructions):
            if (function, block, index) in survey.spots:
                return 0, found + (count if hunting else 0), subchains
            if not isinstance(instruction, ir.Call):
                continue
            callee = survey.callees.resolve(instruction)
            if callee.kind is not CalleeKind.FUNCTION or callee.name in self._active or self._is_deep(callee.name):
                continue
            if hunting and survey.holds_target(callee.name):
                inner = self.to_target(callee.name)
                found += count * inner.ways
                subchains += count * inner.subchains
                if not goes_on and index == goals[-1]:
                    return 0, found, subchains
            through = self._call(callee.name)
            subchains += count * through.subchains
            count *= through.ways
        if hunting:
            found += count * sum(edge[:2] == (function, block) for edge in survey.edges)
        return count, found, subchains

    def _is_deep(self, function: str) -> bool:
        return len(self._active) > self._survey.limits.call_depth or self._survey.effects.calls.is_recursive(function)
