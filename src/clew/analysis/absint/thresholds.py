"""Constraints that a loop's own comparisons suggest: what widening should try to keep."""

from __future__ import annotations

from clew.analysis.absint.fixpoint import Component
from clew.analysis.absint.frames import Supergraph
from clew.analysis.absint.linear import Constraint, Variable, at_least, at_most
from clew.analysis.absint.numbers import Numbers
from clew.analysis.absint.variables import Held
from clew.analysis.absint.views import is_number
from clew.base.memo import remembered
from clew.program import instructions as ir
from clew.program.values import Register

MOST = 48
"""Constraints per loop."""


class Thresholds:
    """Finds thresholds for components of one graph, once each."""

    def __init__(self, graph: Supergraph, numbers: Numbers) -> None:
        self._graph = graph
        self._numbers = numbers

    @remembered
    def of(self, part: Component) -> tuple[Constraint, ...]:
        """For the component with this head."""
        frame = self._graph.nodes[part.head].frame
        block = self._graph.nodes[part.head].block.name
        alive = self._graph.frame_outline(frame).live_in[block]
        found: dict[Constraint, None] = {}
        carried = self._carried(part)
        for number in sorted(part.nodes):
            node = self._graph.nodes[number]
            if node.frame != frame:
                continue
            for instruction in node.block.instructions[node.first : node.stop]:
                if isinstance(instruction, ir.Compare) and not instruction.floating:
                    for suggested in self._suggested(frame, instruction):
                        constraint = suggested.about(suggested.linear.renamed(lambda v: carried.get(v, v)))
                        if all(isinstance(v, Held) and v.register in alive for v in constraint.variables):
                            found[constraint] = None
        return tuple(found)[:MOST]

    def _suggested(self, frame: int, compare: ir.Compare) -> tuple[Constraint, ...]:
        if not is_number(compare.left.type):
            return ()
        signed = compare.predicate[0] != "u"
        left, right = self._numbers.own(frame, compare.left, signed), self._numbers.own(frame, compare.right, signed)
        if left is None or right is None or (left - right).is_number:
            return ()
        return (at_most(left, right), at_least(left, right), at_most(left, right - 1), at_least(left, right + 1))

    def _carried(self, part: Component) -> dict[Variable, Held]:
        """Values that become phis of the head in the next round: what is said of them is worth keeping of those."""
        head = self._graph.nodes[part.head]
        inside = {self._graph.nodes[number].block.name for number in part.nodes if self._in(number, head.frame)}
        found: dict[Variable, Held] = {}
        for instruction in head.block.phis:
            assert instruction.result is not None
            for value, source in instruction.incoming:
                if source in inside and isinstance(value, Register):
                    found[Held(head.frame, value.name)] = Held(head.frame, instruction.result.name)
        return found

    def _in(self, number: int, frame: int) -> bool:
        return self._graph.nodes[number].frame == frame
