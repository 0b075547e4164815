"""Jump threading: control flow without blocks where edges merge only to part again at once.

Clang lets a ``return`` out of nested blocks pass through the same blocks as the normal end of a loop, with a number
that tells where to go. The way with less code behind it is cut off there, so that what holds on the other one is seen.
For ``clew.techniques.invariants.closed_forms``, which need not be right.
"""

from __future__ import annotations

from clew.analysis.graph import ControlFlow, control_flow, loop_forest, postorder
from clew.program import instructions as ir
from clew.program.module import Block, Function
from clew.program.values import ConstInt, ConstZero, Register


def main_flow(function: Function) -> ControlFlow:
    """The control flow of a function without such ways."""
    graph = control_flow(function)
    successors: list[tuple[int, ...]] | None = None
    for number, block in enumerate(function.blocks):
        if len(graph.predecessors[number]) < 2 or not isinstance(block.terminator, ir.Switch):
            continue
        leaving = _minor(block, graph)
        if leaving and loop_forest(graph).headed_by(number) is None:
            successors = successors or list(graph.successors)
            for source in leaving:
                successors[source] = tuple(to for to in successors[source] if to != number)
    return graph if successors is None else ControlFlow.of(graph.names, successors)


def _minor(block: Block, graph: ControlFlow) -> list[int]:
    """The predecessors of a block that do not go on to where most of the code is."""
    switch = block.terminator
    assert isinstance(switch, ir.Switch)
    for phi in block.instructions:
        if isinstance(phi, ir.Phi) and isinstance(switch.value, Register) and phi.result == switch.value:
            break
    else:
        return []
    cases = dict(switch.cases)
    ways: dict[int, int] = {}
    for value, source in phi.incoming:
        if isinstance(value, ConstInt | ConstZero):
            number = value.value if isinstance(value, ConstInt) else 0
            ways[graph.numbers[source]] = graph.numbers[cases.get(number, switch.default)]
    if not ways:
        return []
    most = max(set(ways.values()), key=lambda target: (len(postorder(graph.successors, target)), -target))
    return [source for source in graph.predecessors[graph.numbers[block.name]] if ways.get(source) != most]
