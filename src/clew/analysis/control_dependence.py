"""Where ways of a function that a decision separated come together, and what lies on these ways.

Sits above ``clew.analysis.graph``; ``clew.analysis.divergence`` asks it which decisions matter where. Ways that only
end the program (every one leads to an ``unreachable``: traps of sanitizers, failed assertions, ``exit``) do not come
back, so they are left out: a block all of whose other ways are such decides nothing.

The nodes are the blocks, by number, and a few more: one for the end of the function, to which all its ``ret`` lead; and
for the header of a loop one where several edges from outside meet and one where several edges from inside do. So what
happens in the body of a loop and what happened before it have joins of their own, and the header itself, where the two
take turns, is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from clew.analysis.graph import ControlFlow, Loop, control_flow, dominators, loop_forest, postorder
from clew.base.dataclass import dataclass
from clew.base.memo import remembered
from clew.program import instructions as ir
from clew.program.module import Function

WORK = 20
"""How many nodes, per block of a function, may be looked at to find the decisions behind its joins.

Every branch of a long ``else if`` has a join of its own around all that follow. With more of that, all choices are held
to matter for the joins that are left.
"""


@dataclass(slots=True)
class Join:
    """A node where ways meet."""

    node: int
    block: int
    """The block in front of whose first instruction that is; the node of the end for itself."""
    sources: frozenset[int]
    """The blocks the edges come from."""
    between: frozenset[int]
    """The nodes on ways to the join that are not on all of them, with the last one that is (unless they are looped)."""
    decisions: frozenset[int]
    """The nodes whose choice decides by which edge one comes."""
    decided: bool = False
    """For the user: whether one of these choices was found to be of interest."""
    passed: set[int] = field(default_factory=set)
    """What ``Joins.passing`` has told already."""


class Joins:
    """The joins of one function. What only ends the program counts as not there."""

    def __init__(self, function: Function) -> None:
        self.graph = control_flow(function)
        self.forest = loop_forest(self.graph)
        self.end = len(self.graph)
        """The node of the function's end."""
        self.alive: set[int] = set()
        """The nodes from which a way leads to the end, or into a loop without one."""
        self._headers: dict[int, Loop] = {}
        """The loops that the nodes in front of headers are in, or in front of."""
        self._entering: set[int] = set()
        self._wide = self._connect([type(block.terminator) is ir.Return for block in function.blocks])
        self._tree = dominators(self._wide)
        self._place = {node: place for place, node in enumerate(postorder(self._wide.successors))}
        self._rest = WORK * (self.end + 50)
        self._any = frozenset(self.alive)
        self.of_block: dict[int, list[Join]] = {}
        """The joins in front of a block (or at the end)."""
        self.meetings: dict[int, list[Join]] = {}
        """The joins that a block's choice matters for, but for the vague ones."""
        self.vague: list[Join] = []
        """The joins that all choices are held to matter for."""
        for node, sources in enumerate(self._wide.predecessors):
            if len(sources) > 1 and self._tree.reachable(node):
                join = self._join(node)
                self.of_block.setdefault(join.block, []).append(join)
                if join.decisions is self._any:
                    self.vague.append(join)
                    continue
                for block in join.decisions:
                    self.meetings.setdefault(block, []).append(join)

    def leaves(self, loop: Loop, block: int) -> bool:
        """Whether an edge from a block of the loop leads out of it, and on from there."""
        return block in self._leaving(loop.index)

    @remembered
    def _leaving(self, loop: int) -> set[int]:
        return {source for source, target in self.forest.loops[loop].exits if target in self.alive}

    def passing(self, join: Join, decision: int) -> list[int]:
        """The blocks on ways from a decision to a join that it matters for, but those told before."""
        edges = self._wide.successors
        work, found = [decision], []
        while work:
            for target in edges[work.pop()]:
                if target in join.between and target not in join.passed:
                    join.passed.add(target)
                    work.append(target)
                    if target < self.end:
                        found.append(target)
        return found

    # The graph

    def _connect(self, leaving: list[bool]) -> ControlFlow:
        """The graph with the nodes that are no blocks, without the ways that do not come back."""
        graph, end = self.graph, self.end
        edges = [list(targets) for targets in graph.successors] + [[]]
        for block, leaves in enumerate(leaving):
            if leaves:
                edges[block].append(end)
        self.alive = _leading_to([end], graph, leaving)
        endless = [loop.header for loop in self.forest.loops if loop.header not in self.alive]
        for header in endless:  # stands for an end of that loop
            edges[header].append(end)
        self.alive |= _leading_to(endless, graph, leaving)
        for block in range(end):
            edges[block] = [to for to in edges[block] if to in self.alive] if block in self.alive else []
        for loop in self.forest.loops:
            if loop.irreducible or loop.header not in self.alive:
                continue
            sources = [source for source in graph.predecessors[loop.header] if source in self.alive]
            for inside in (True, False):
                group = [source for source in sources if (source in loop.blocks) == inside]
                if len(group) > 1:
                    self._headers[len(edges)] = loop
                    if not inside:
                        self._entering.add(len(edges))
                    for source in group:
                        edges[source][edges[source].index(loop.header)] = len(edges)
                    edges.append([loop.header])
        return ControlFlow.of(graph.names, edges)

    def _around(self, node: int) -> list[Loop]:
        """The loops a node lies in."""
        if node < self.end:
            return self.forest.around(node)
        loop = self._headers.get(node)
        if loop is None:
            return []
        return self.forest.around(loop.header)[1 if node in self._entering else 0 :]

    def _is_inside(self, node: int, loop: Loop) -> bool:
        """Whether a node lies in a loop."""
        own = self._headers.get(node)
        if own is None:
            return node in loop.blocks
        return own.header in loop.blocks and not (own is loop and node in self._entering)

    # Decisions

    def _join(self, node: int) -> Join:
        loop = self._headers.get(node)
        block = node if loop is None else loop.header
        sources = frozenset(self._wide.predecessors[node])
        header = self.forest.headed_by(node) if node < self.end else None
        top = self._top(node)
        if header is not None and not header.irreducible:
            return Join(node, block, sources, frozenset(), frozenset())  # its rounds take turns
        between = self._between(node, top)
        if self._rest < 0:
            return Join(node, block, sources, self._any, self._any)
        return Join(node, block, sources, frozenset(between), self._decisions(node, top, between))

    def _top(self, join: int) -> int:
        """The last node that all ways to ``join`` pass, and pass once since they came into the loops around it."""
        parent = self._tree.parent
        top = parent[join]
        around = {loop.index for loop in self._around(join)}
        while True:
            left = [loop for loop in self._around(top) if loop.index not in around]
            if not left or parent[top] < 0:
                return top
            while parent[top] >= 0 and self._is_inside(top, left[-1]):
                top = parent[top]

    def _between(self, join: int, top: int) -> list[int]:
        """The nodes on ways from ``top`` to ``join``, those closer to the join first as far as there is an order."""
        inside = {top}
        work = [join]
        while work and self._rest >= 0:
            for source in self._wide.predecessors[work.pop()]:
                if source not in inside and source != join and self._tree.reachable(source):
                    inside.add(source)
                    work.append(source)
                    self._rest -= 1
        return sorted(inside, key=self._place.__getitem__)

    def _decisions(self, join: int, top: int, between: list[int]) -> frozenset[int]:
        """The nodes with two ways to ``join`` that have nothing in common but their ends.

        Each node gets the last node that all ways from it to the join pass: itself, where they part for good.
        """
        last: dict[int, int] = {}
        parting: set[int] = set()
        changed = True
        while changed:
            changed = False
            self._rest -= len(between)
            for node in between:
                if node in parting:
                    continue
                ends = set()
                for target in self._wide.successors[node]:
                    if target == join:
                        ends.add(node)
                    elif target != top and target in last:
                        ends.add(last[target])
                if len(ends) > 1:
                    parting.add(node)
                    ends = {node}
                if ends and last.get(node) not in ends:
                    last[node] = ends.pop()
                    changed = True
        return frozenset(parting)


def _leading_to(goals: list[int], graph: ControlFlow, leaving: list[bool]) -> set[int]:
    """Nodes from which ways lead to one of ``goals``; the function's end is one behind each block that leaves."""
    found, work = set(goals), list(goals)
    while work:
        node = work.pop()
        if node < len(graph):
            sources: Iterable[int] = graph.predecessors[node]
        else:
            sources = [block for block, leaves in enumerate(leaving) if leaves]
        for source in sources:
            if source not in found:
                found.add(source)
                work.append(source)
    return found
