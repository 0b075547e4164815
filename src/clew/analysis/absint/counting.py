"""Loop counters: variables that the program does not have, and that tell how often a loop has gone round.

A loop whose head decides whether to go on (``while``, ``for``) is counted when control goes from the head into the
body; any other one when control comes to the head. So a counter is the number of times that the body has been entered.
"""

from __future__ import annotations

from clew.analysis.absint.frames import Supergraph
from clew.analysis.absint.linear import Linear, Variable
from clew.analysis.absint.variables import Count, Total
from clew.analysis.graph import ControlFlow, Loop
from clew.base.memo import remembered

MOST = 6
"""Loops of a function whose counters stay known after the loop has ended."""


def has_test(loop: Loop) -> bool:
    """Whether the head of a loop decides if the body is entered."""
    return any(block == loop.header for block, _ in loop.exits) and loop.header not in loop.latches


class Counting:
    """The counters of one graph."""

    def __init__(self, graph: Supergraph) -> None:
        self._graph = graph

    def updates(self, frame: int, source: str, target: str) -> dict[Variable, Linear]:
        """What an edge between two blocks does to counters."""
        function = self._graph.frames[frame].function.name
        result: dict[Variable, Linear] = {}
        for header, total, change in self._found(function, source, target):
            variable = Total(frame, header) if total else Count(frame, header)
            if change is None:
                result[variable] = Linear.number(0)
            else:
                result[variable] = result.get(variable, Linear.of(variable)) + change
        return result

    @remembered
    def _found(self, function: str, source: str, target: str) -> list[tuple[str, bool, int | None]]:
        """Of an edge: header, whether it is the total, and what is added; None: starts at 0."""
        outline = self._graph.outlines[function]
        graph = outline.graph
        start, end = graph.numbers[source], graph.numbers[target]
        found: list[tuple[str, bool, int | None]] = []
        for loop in reversed(outline.forest.around(end)):
            header = graph.names[loop.header]
            if start not in loop.blocks:
                found.append((header, False, None))
                # Totals of all loops inside start with an outermost loop.
                if loop.parent < 0:
                    found += [
                        (graph.names[inner.header], True, None)
                        for inner in outline.forest.loops
                        if inner.parent >= 0 and inner.blocks < loop.blocks
                    ]
            if self._counts(loop, start, end):
                found.append((header, False, 1))
                if loop.parent >= 0:
                    found.append((header, True, 1))
        return found

    @staticmethod
    def _counts(loop: Loop, start: int, end: int) -> bool:
        if has_test(loop):
            return start == loop.header and end in loop.blocks
        return end == loop.header

    def dropped(self, frame: int, source: str, target: str) -> list[Variable]:
        """Counters that an edge makes superfluous: of loops it leaves, in a function with very many."""
        outline = self._graph.frame_outline(frame)
        if len(outline.forest.loops) <= MOST:
            return []
        graph = outline.graph
        left = [
            loop for loop in outline.forest.around(graph.numbers[source]) if graph.numbers[target] not in loop.blocks
        ]
        return [variable for loop in left for variable in self._of(frame, graph, loop)]

    def all(self, frame: int) -> list[Variable]:
        """The counters of a frame."""
        outline = self._graph.frame_outline(frame)
        return [variable for loop in outline.forest.loops for variable in self._of(frame, outline.graph, loop)]

    @staticmethod
    def _of(frame: int, graph: ControlFlow, loop: Loop) -> list[Variable]:
        header = graph.names[loop.header]
        return [Count(frame, header), Total(frame, header)] if loop.parent >= 0 else [Count(frame, header)]
