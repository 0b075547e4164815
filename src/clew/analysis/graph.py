"""Control flow of one function: graph, orders, dominators, frontiers, loops.

Sits directly above ``clew.program``. Blocks are numbered by their position in the function (the
entry is 0) and every result is indexed by that number; ``ControlFlow.names`` leads back. Blocks
that cannot be reached from the entry are kept as nodes, but belong to no order, tree or loop.

Nothing here recurses, and nothing is quadratic in the length of a function made of a long row
of branches, loops or early exits.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from clew.base.dataclass import dataclass
from clew.program.instructions import successors
from clew.program.module import Function

Node = TypeVar("Node", bound=Hashable)

NONE = -1
"""Stands for "no block" wherever a block number is expected."""


@dataclass(frozen=True, slots=True)
class ControlFlow:
    """Blocks and edges. Parallel edges (two switch cases with one target) count once."""

    names: tuple[str, ...]
    numbers: dict[str, int]
    successors: tuple[tuple[int, ...], ...]
    predecessors: tuple[tuple[int, ...], ...]

    @staticmethod
    def of(names: tuple[str, ...], successors: Iterable[Iterable[int]]) -> ControlFlow:
        """The graph with these edges. There may be nodes without a name behind the others."""
        edges = tuple(map(tuple, successors))
        back: list[list[int]] = [[] for _ in edges]
        for source, targets in enumerate(edges):
            for target in targets:
                back[target].append(source)
        return ControlFlow(names, {name: n for n, name in enumerate(names)}, edges, tuple(map(tuple, back)))

    def __len__(self) -> int:
        return len(self.names)


def control_flow(function: Function) -> ControlFlow:
    """The control flow graph of a function with a body."""
    numbers = {block.name: number for number, block in enumerate(function.blocks)}
    edges = ([numbers[name] for name in successors(block.terminator)] for block in function.blocks)
    return ControlFlow.of(tuple(numbers), edges)


def may_loop(function: Function) -> bool:
    """Whether there may be a loop: some block leads to itself, or to one that is written before it. Takes little."""
    before: set[str] = set()
    for block in function.blocks:
        before.add(block.name)
        if not before.isdisjoint(successors(block.terminator)):
            return True
    return False


def depth_first(edges: Sequence[Sequence[int]], root: int = 0) -> tuple[list[int], list[int], list[int]]:
    """A depth-first search: the nodes reachable from ``root`` in preorder and in postorder, and all nodes' parents."""
    parent = [NONE] * len(edges)
    seen = bytearray(len(edges))
    seen[root] = 1
    before, after = [root], []
    stack = [(root, iter(edges[root]))]
    while stack:
        node, rest = stack[-1]
        for target in rest:
            if not seen[target]:
                seen[target] = 1
                parent[target] = node
                before.append(target)
                stack.append((target, iter(edges[target])))
                break
        else:
            after.append(node)
            stack.pop()
    return before, after, parent


def postorder(edges: Sequence[Sequence[int]], root: int = 0) -> list[int]:
    """Nodes reachable from ``root``, each after everything it leads to (back edges aside)."""
    return depth_first(edges, root)[1]


def reverse_postorder(graph: ControlFlow) -> list[int]:
    """Reachable blocks, each before everything it leads to (back edges aside); the entry is first."""
    return postorder(graph.successors)[::-1]


@dataclass(frozen=True, slots=True)
class DominatorTree:
    """Who dominates whom. ``parent`` is NONE for the root and for unreachable blocks."""

    parent: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    preorder: tuple[int, ...]
    """Reachable blocks, each after its parent."""
    _enter: tuple[int, ...]
    _leave: tuple[int, ...]

    def reachable(self, block: int) -> bool:
        return self._enter[block] >= 0

    def dominates(self, above: int, below: int) -> bool:
        """Does every way to ``below`` pass ``above``? A block dominates itself. Costs O(1)."""
        return 0 <= self._enter[above] <= self._enter[below] <= self._leave[above]


def dominators(graph: ControlFlow) -> DominatorTree:
    """The dominator tree of a function."""
    return _tree(_immediate_dominators(graph.successors, graph.predecessors))


def _immediate_dominators(edges: Sequence[Sequence[int]], back: Sequence[Sequence[int]]) -> list[int]:
    """Semidominators by Lengauer and Tarjan's algorithm with path compression; from these, dominators (Semi-NCA).

    Works on depth-first numbers: ``semi`` is the semidominator, ``ancestor`` and ``label`` are
    the compressed forest. The simpler iterative algorithms need quadratic time on long ladders
    of early exits, which generated code is full of.
    """
    order, _, tree_parent = depth_first(edges)
    number = [NONE] * len(edges)
    for position, node in enumerate(order):
        number[node] = position
    count = len(order)
    parent = [NONE] + [number[tree_parent[node]] for node in order[1:]]
    semi = list(range(count))
    label = list(range(count))
    ancestor = [NONE] * count
    for w in range(count - 1, 0, -1):
        for source in back[order[w]]:
            v = number[source]
            if v >= 0:
                semi[w] = min(semi[w], semi[_best(v, ancestor, label, semi)])
        ancestor[w] = parent[w]
    idom = parent
    for w in range(1, count):  # what dominates it is the first above in the tree that is not below its semidominator
        while idom[w] > semi[w]:
            idom[w] = idom[idom[w]]
    result = [NONE] * len(edges)
    for w in range(1, count):
        result[order[w]] = order[idom[w]]
    return result


def _best(node: int, ancestor: list[int], label: list[int], semi: list[int]) -> int:
    """The node with the least semidominator between ``node`` and its forest root, compressing the way."""
    if ancestor[node] == NONE:
        return node
    path = []
    while ancestor[ancestor[node]] != NONE:
        path.append(node)
        node = ancestor[node]
    top = ancestor[node]
    best = label[node]
    for below in reversed(path):
        if semi[best] < semi[label[below]]:
            label[below] = best
        best = label[below]
        ancestor[below] = top
    return best


def _tree(parent: Sequence[int]) -> DominatorTree:
    children: list[list[int]] = [[] for _ in parent]
    for node, above in enumerate(parent):
        if above >= 0:
            children[above].append(node)
    enter, leave = [NONE] * len(parent), [NONE] * len(parent)
    preorder, _, _ = depth_first(children)
    for position, node in enumerate(preorder):
        enter[node] = leave[node] = position
    for node in reversed(preorder):
        if parent[node] >= 0:
            leave[parent[node]] = max(leave[parent[node]], leave[node])
    return DominatorTree(tuple(parent), tuple(map(tuple, children)), tuple(preorder), tuple(enter), tuple(leave))


def dominance_frontiers(graph: ControlFlow, tree: DominatorTree) -> list[list[int]]:
    """For each block, the blocks where its dominance ends: where a value it sets meets others."""
    frontiers: list[list[int]] = [[] for _ in graph.names]
    for join in tree.preorder:
        # The entry is its own frontier when something jumps back to it, so it has no lower limit on joins.
        sources = [source for source in graph.predecessors[join] if tree.reachable(source)]
        if len(sources) < 2 and tree.parent[join] != NONE:
            continue
        stop = tree.parent[join]
        for runner in sources:
            # A block that already has this join was passed by an earlier walk, which did the rest of the way.
            while runner != stop and not (frontiers[runner] and frontiers[runner][-1] == join):
                frontiers[runner].append(join)
                runner = tree.parent[runner]
    return frontiers


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop: a set of blocks that lead back to each other, with its nesting.

    An *irreducible* loop can be entered at more than one block, by ``goto`` into its body; its
    ``header`` is then the entry that comes first in reverse postorder.
    """

    index: int
    header: int
    blocks: frozenset[int]
    entries: tuple[int, ...]
    """Blocks of the loop with a predecessor outside; just the header for a natural loop."""
    latches: tuple[int, ...]
    """Blocks of the loop with an edge to the header."""
    exits: tuple[tuple[int, int], ...]
    """Edges (from inside, to outside)."""
    parent: int
    """Index of the loop around it, or NONE."""
    depth: int
    """1 for an outermost loop."""

    @property
    def irreducible(self) -> bool:
        return len(self.entries) > 1


@dataclass(frozen=True, slots=True)
class LoopForest:
    """All loops of a function, outer before inner; ``innermost`` gives each block its loop's index or NONE."""

    loops: tuple[Loop, ...]
    innermost: tuple[int, ...]

    def around(self, block: int) -> list[Loop]:
        """The loops a block lies in, from the innermost outwards."""
        result, index = [], self.innermost[block]
        while index != NONE:
            result.append(self.loops[index])
            index = self.loops[index].parent
        return result

    def headed_by(self, block: int) -> Loop | None:
        """The loop whose header the block is."""
        index = self.innermost[block]
        return self.loops[index] if index != NONE and self.loops[index].header == block else None


def loop_forest(graph: ControlFlow) -> LoopForest:
    """Loops by nested strongly connected components.

    A component is a loop; taking away the edges to its header leaves the components that are its
    inner loops. Natural loops with the same header come out as one loop, as in LLVM. Each level
    of nesting costs one pass over the blocks in it.
    """
    order = reverse_postorder(graph)
    position = {block: place for place, block in enumerate(order)}
    loops: list[Loop] = []
    innermost = [NONE] * len(graph)
    work: list[tuple[list[int], int, int]] = [(order, NONE, 0)]
    while work:
        region, parent, depth = work.pop()
        inner = []
        for component in _components(graph, region):
            loop = _make_loop(graph, component, position, len(loops), parent, depth + 1)
            loops.append(loop)
            for block in component:
                innermost[block] = loop.index
            inner.append(([block for block in component if block != loop.header], loop.index, depth + 1))
        work.extend(reversed(inner))
    return LoopForest(tuple(loops), tuple(innermost))


def _make_loop(
    graph: ControlFlow, component: list[int], position: dict[int, int], index: int, parent: int, depth: int
) -> Loop:
    blocks = frozenset(component)
    ordered = sorted(component, key=position.__getitem__)
    entries = tuple(
        block
        for block in ordered
        if block == 0 or any(source not in blocks and source in position for source in graph.predecessors[block])
    )
    header = entries[0]
    latches = tuple(source for source in graph.predecessors[header] if source in blocks)
    exits = tuple((block, to) for block in ordered for to in graph.successors[block] if to not in blocks)
    return Loop(index, header, blocks, entries, latches, exits, parent, depth)


def _components(graph: ControlFlow, region: Iterable[int]) -> list[list[int]]:
    """Strongly connected components of a region that hold a cycle, in reverse postorder of their first block."""
    nodes = list(region)
    place = {node: at for at, node in enumerate(nodes)}
    if not any(place.get(to, at + 1) <= at for at, node in enumerate(nodes) for to in graph.successors[node]):
        return []  # no way leads back
    found = [
        sorted(component, key=place.__getitem__)
        for component in strong_components(graph.successors, nodes)
        if len(component) > 1 or component[0] in graph.successors[component[0]]
    ]
    return sorted(found, key=lambda component: place[component[0]])


class Edges(Protocol[Node]):
    """The successors of each node: a table of any kind."""

    def __getitem__(self, node: Node, /) -> Iterable[Node]: ...


def strong_components(edges: Edges[Node], nodes: Collection[Node]) -> list[list[Node]]:
    """Strongly connected components of a part of a graph, each after those it leads to (Tarjan)."""
    allowed = set(nodes)
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    open_nodes: list[Node] = []
    is_open: set[Node] = set()
    found: list[list[Node]] = []
    stack: list[tuple[Node, Iterator[Node]]] = []

    def enter(node: Node) -> None:
        index[node] = low[node] = len(index)
        open_nodes.append(node)
        is_open.add(node)
        stack.append((node, iter(edges[node])))

    for root in nodes:
        if root not in index:
            enter(root)
        while stack:
            node, rest = stack[-1]
            for target in rest:
                if target not in allowed:
                    continue
                if target not in index:
                    enter(target)
                    break
                if target in is_open and index[target] < low[node]:
                    low[node] = index[target]
            else:
                stack.pop()
                if stack and low[node] < low[stack[-1][0]]:
                    low[stack[-1][0]] = low[node]
                if low[node] == index[node]:
                    at = len(open_nodes) - 1
                    while open_nodes[at] != node:
                        at -= 1
                    found.append(open_nodes[at:])
                    is_open.difference_update(found[-1])
                    del open_nodes[at:]
    return found
