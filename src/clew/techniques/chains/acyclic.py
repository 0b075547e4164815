"""Functions without cycles: every loop taken apart into complete iterations and the pass that leaves it.

A path through a loop is a number of complete iterations and then, perhaps, a part of one more. If the complete ones
are summed up by counters, what is left has no cycles:

    passage (b, closing)      block ``b``; for the loops in ``closing``, all complete iterations are behind

Entering a loop, or coming back to its header, leads to the header with the loop in ``closing``: there the counters
are applied. From there no edge leads back to the header. Blocks of loops that are not in ``closing`` are the rest of
an iteration that was under way when control was looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from clew.analysis.graph import Loop, control_flow, loop_forest
from clew.base.dataclass import dataclass
from clew.base.errors import Unsupported
from clew.base.memo import remembered
from clew.program.module import Block, Function


class Passage(NamedTuple):
    """A block on its way; see the module."""

    block: str
    closing: frozenset[int]


@dataclass(frozen=True, slots=True)
class Expansion:
    """What can come after a start, without cycles."""

    start: Passage
    order: tuple[Passage, ...]
    """Every passage before those it leads to."""
    onward: dict[Passage, dict[str, Passage | None]]
    """Per successor block: the passage; None: the iteration of the expanded loop is complete."""
    useful: frozenset[Passage]
    """Those from which a goal can be reached."""
    paths: int
    """How many ways lead from the start to a goal."""


class AcyclicFunction:
    """Blocks and loops of one function."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.blocks: dict[str, Block] = {block.name: block for block in function.blocks}
        graph = control_flow(function)
        forest = loop_forest(graph)
        if any(loop.irreducible for loop in forest.loops):
            raise Unsupported(f"a loop of {function.source_name} that is entered by goto")
        self.loops: tuple[Loop, ...] = forest.loops
        self.successors = {graph.names[n]: tuple(graph.names[m] for m in ms) for n, ms in enumerate(graph.successors)}
        self.header = {loop.index: graph.names[loop.header] for loop in forest.loops}
        self.headed = {name: index for index, name in self.header.items()}
        self.around = {
            name: frozenset(loop.index for loop in forest.around(number)) for name, number in graph.numbers.items()
        }

    @property
    def entry(self) -> Passage:
        name = self.function.blocks[0].name
        return Passage(name, frozenset({self.headed[name]} if name in self.headed else ()))

    def follow(self, passage: Passage, successor: str) -> Passage | None:
        """Where an edge leads; None if it would complete another iteration of a loop that is being left."""
        before, after = self.around[passage.block], self.around[successor]
        closing = passage.closing & after
        headed = self.headed.get(successor)
        if headed is not None:
            if headed in before and headed in passage.closing:
                return None
            closing |= {headed}
        return Passage(successor, closing)

    def iteration(self, loop: int) -> Passage:
        """The start of an iteration of a loop."""
        return Passage(self.header[loop], frozenset())

    @remembered
    def expansion(self, start: Passage, loop: int | None, goals: frozenset[str], returns: bool) -> Expansion:
        """Everything after ``start``: up to the end of the iteration of ``loop``, if one is given.

        Goals are: the end of that iteration; blocks in ``goals``; with ``returns``, blocks that return.
        """
        onward: dict[Passage, dict[str, Passage | None]] = {}
        order: list[Passage] = []
        stack: list[tuple[Passage, Iterator[Passage | None]]] = []

        def visit(passage: Passage) -> None:
            onward[passage] = dict(self._edges(passage, loop))
            stack.append((passage, iter(tuple(onward[passage].values()))))

        visit(start)
        while stack:
            passage, rest = stack[-1]
            for following in rest:
                if following is not None and following not in onward:
                    visit(following)
                    break
            else:
                order.append(passage)
                stack.pop()
        ways: dict[Passage, int] = {}
        for passage in order:
            leaving = sum(1 if to is None else ways[to] for to in onward[passage].values())
            is_end = returns and not self.successors[passage.block]
            ways[passage] = leaving + (passage.block in goals) + is_end
        order.reverse()
        useful = frozenset(passage for passage, count in ways.items() if count)
        return Expansion(start, tuple(order), onward, useful, ways[start])

    def _edges(self, passage: Passage, loop: int | None) -> Iterator[tuple[str, Passage | None]]:
        for successor in self.successors[passage.block]:
            if loop is not None:
                if successor == self.header[loop]:
                    yield successor, None
                    continue
                if loop not in self.around[successor]:
                    continue
            following = self.follow(passage, successor)
            if following is not None:
                yield successor, following
