"""Where loops are: from the program's control flow, or from the blocks that a path has run.

The second way is for code whose control flow nobody knows, and follows Godefroid and Luchaup, section 5.1. A path keeps
the graph of the blocks it has run, one for each function that is active. A loop shows when its header is run for the
second time, so its first iteration is lost; a block that was never run before counts as part of the loop that control
was in, so that it may not be clear when a loop is left. Neither does harm: what is said about a loop rests on
iterations that were run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, NamedTuple

from clew.analysis.graph import ControlFlow, loop_forest
from clew.base.dataclass import dataclass
from clew.execute.events import Visit
from clew.execute.state import State
from clew.techniques.summaries.generic_iteration import IterationKey
from clew.techniques.summaries.loop_records import activations, set_activations
from clew.techniques.summaries.loop_status import LoopFacts, Loops

TRACE = "trace"
"""Begins the names under which a state keeps the blocks it has run: with the depth of the frame, and the function."""


class Arrival(NamedTuple):
    """Control is at the header of a loop; ``first``: from outside of it."""

    loop: LoopFacts
    first: bool


class FromProgram:
    """Loops of the control flow graph."""

    def __init__(self, loops: Loops) -> None:
        self._loops = loops

    def arrive(self, visit: Visit, key: IterationKey) -> Arrival | None:
        """What a visit of a block means; None if no loop starts there."""
        return Arrival(self.known(key), visit.first)

    def known(self, key: IterationKey) -> LoopFacts:
        """The loop with this header."""
        return self._loops.of(key[1])[key[2]]

    def around(self, state: State, outer: IterationKey, inner: IterationKey) -> bool:
        """Whether one of two loops of the same frame is around the other, or the same."""
        return outer[1] == inner[1] and inner[2] in self.known(outer).blocks


@dataclass(frozen=True, slots=True)
class Trace:
    """The blocks that one activation of a function has run, with the edges between them; ``current`` is the last."""

    names: tuple[str, ...]
    edges: frozenset[tuple[int, int]] = frozenset()
    current: int = 0
    loops: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Headers, with the blocks of their loops."""

    def to(self, block: str) -> Trace:
        """Control goes to a block."""
        if block not in self.names:
            here = self.names[self.current]
            loops = {header: blocks | {block} if here in blocks else blocks for header, blocks in self.loops.items()}
            number = len(self.names)
            return Trace((*self.names, block), self.edges | {(self.current, number)}, number, loops)
        number = self.names.index(block)
        if (self.current, number) in self.edges:
            return Trace(self.names, self.edges, number, self.loops)
        edges = self.edges | {(self.current, number)}
        return Trace(self.names, edges, number, _loops(self.names, edges))


def _loops(names: tuple[str, ...], edges: frozenset[tuple[int, int]]) -> dict[str, frozenset[str]]:
    onward: list[list[int]] = [[] for _ in names]
    for source, target in sorted(edges):
        onward[source].append(target)
    return {
        names[loop.header]: frozenset(names[block] for block in loop.blocks)
        for loop in loop_forest(ControlFlow.of(names, onward)).loops
        if not loop.irreducible
    }


class FromTrace:
    """Loops of what was run; every block has to be seen."""

    def __init__(self, loops: Loops) -> None:
        self._loops = loops

    def arrive(self, visit: Visit, key: IterationKey) -> Arrival | None:
        state = visit.state
        depth, function, block = key
        name = (TRACE, depth, function)
        before: Trace | None = activations(state).get(name)
        entry = visit.frame.function.function.blocks[0].name
        now = Trace((block,)) if before is None or block == entry else before.to(block)
        kept = activations(state)
        for other in list(kept):
            if isinstance(other, tuple) and _is_over(other, depth, block == entry):
                kept = kept.delete(other)
        set_activations(state, kept.set(name, now))
        inside = now.loops.get(block)
        if inside is None or before is None:
            return None
        return Arrival(self.known(key), before.names[before.current] not in inside)

    def known(self, key: IterationKey) -> LoopFacts:
        return self._loops.at(key[1], key[2])

    def around(self, state: State, outer: IterationKey, inner: IterationKey) -> bool:
        trace: Trace | None = activations(state).get((TRACE, inner[0], inner[1]))
        return outer[1] == inner[1] and trace is not None and inner[2] in trace.loops.get(outer[2], ())


Structure = FromProgram | FromTrace
"""Says what is a loop."""


def _is_over(name: tuple[Any, ...], depth: int, begins: bool) -> bool:
    """Whether what a state keeps under a name belongs to a function that has returned.

    Deeper frames are gone; so are those of the same depth if a function ``begins``.
    """
    of = name[1] if name[0] == TRACE else name[0]
    return bool(of > depth or (begins and of == depth))
