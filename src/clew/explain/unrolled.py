"""The whole program as one graph without cycles: calls inlined, loops unrolled, both as far as asked for.

A *node* is one piece of a block (blocks are cut after calls into C functions) in one *scope*: an
activation of a function, and within it one iteration of each loop around the block. An edge leads to
the node that runs next:

    branch        to a block of the same iteration, of an outer one, or of iteration 0 of an inner loop
    back edge     to the header in the next iteration
    call, return  to the callee's first node in a scope of its own; back behind the call

Loops and recursion make the graph infinite, so it grows on demand: a *frontier* is a node whose
successors are not there yet, ``expand`` adds them. Only what can still lead to a *goal* is of
interest: other nodes are there, as ends.

Nodes and edges carry numbers (``var``) for use as propositional variables: an edge that is the only
way on from its source shares the source's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from enum import Enum

from clew.analysis.graph import NONE, control_flow, loop_forest
from clew.base.dataclass import dataclass
from clew.base.errors import Unsupported
from clew.base.memo import remembered
from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.operands import registers

INDIRECT = ""
"""What ``enters`` says of a call through a pointer."""
RETURN = "(return)"
EAGER_NODES = 4000
"""Callees are inlined at once until an expansion has made so many nodes; further ones wait until they matter."""

CodePoint = tuple[str, str, int]
"""An instruction: function, block, index."""
Enters = Callable[[ir.Instruction], "str | None"]
"""The C function a call enters, INDIRECT if only execution tells, None for everything else."""


class Status(Enum):
    """What is known of a node's successors."""

    FRONTIER = "frontier"
    INNER = "inner"
    GOAL = "goal"
    EXIT = "exit"
    """No goal can be reached from here."""


@dataclass(slots=True, eq=False, repr=False)
class Edge:
    """A step from one node to the next."""

    source: UnrolledNode
    target: UnrolledNode
    key: str
    """The successor's block, the callee's name, or RETURN."""
    var: int

    def __repr__(self) -> str:
        return f"{self.source} -> {self.target}"


@dataclass(slots=True, eq=False, repr=False)
class UnrolledNode:
    """A piece of a block in a scope: instructions ``first`` up to, not including, ``end``."""

    scope: Scope
    block: str
    piece: int
    first: int
    end: int
    var: int
    status: Status = Status.FRONTIER
    goal: int = -1
    """Number of the goal it is."""
    open: int = 0
    """Of a call through a pointer: the variable of all targets that execution has not found yet."""
    outs: dict[str, Edge] = field(default_factory=dict)
    ins: list[Edge] = field(default_factory=list)

    def __repr__(self) -> str:
        piece = f".{self.piece}" if self.piece else ""
        return f"{self.scope}{self.block}{piece}"


@dataclass(slots=True, eq=False, repr=False)
class Scope:
    """An activation of a function (``loop`` is NONE), or one iteration of a loop in it."""

    shape: Shape
    parent: Scope | None
    loop: int
    index: int
    """Of an iteration: how many came before it. Of an activation: how many of the same function are around it."""
    activation: Scope = field(init=False)
    nodes: dict[tuple[str, int], UnrolledNode] = field(default_factory=dict)
    inner: dict[tuple[int, int], Scope] = field(default_factory=dict)
    caller: UnrolledNode | None = None
    indirect: bool = False
    """Of an activation: called through a pointer."""
    next: Scope | None = None
    """Of an activation nobody calls: what runs when it returns."""
    continues: int = 0
    """Of an activation: the mask of the goals that can be reached after it has returned."""

    def __post_init__(self) -> None:
        self.activation = self.parent.activation if self.parent is not None and self.loop != NONE else self

    def iteration(self, loop: int, index: int) -> Scope:
        known = self.inner.get((loop, index))
        if known is None:
            known = self.inner[loop, index] = Scope(self.shape, self, loop, index)
        return known

    def depth_of(self, function: str) -> int:
        """How many activations of a function there are from here outwards."""
        count, scope = 0, self.activation
        while True:
            count += scope.shape.name == function
            if scope.caller is None:
                return count
            scope = scope.caller.scope.activation

    def __repr__(self) -> str:
        if self.loop == NONE:
            return f"{self.shape.name}:" if self.caller is None else f"{self.caller}({self.shape.name}:"
        return f"{self.parent}#{self.index}:"


class Shape:
    """What unrolling needs to know of one function, without context."""

    def __init__(self, function: Function, enters: Enters) -> None:
        self.function = function
        self.name = function.name
        graph = control_flow(function)
        forest = loop_forest(graph)
        if any(loop.irreducible for loop in forest.loops):
            raise Unsupported(f"a goto into a loop (in {function.name})")
        names = graph.names
        self.loops = forest.loops
        self.loop_of = dict(zip(names, forest.innermost, strict=True))
        self.header = [names[loop.header] for loop in forest.loops]
        self.members = [frozenset(names[block] for block in loop.blocks) for loop in forest.loops]
        self.blocks = {block.name: block for block in function.blocks}
        self.successors = {block.name: ir.successors(block.terminator) for block in function.blocks}
        self.sources = {names[n]: [names[source] for source in sources] for n, sources in enumerate(graph.predecessors)}
        self.cuts: dict[str, tuple[int, ...]] = {}
        self.calls: set[str] = set()
        """Names of the functions it calls; INDIRECT among them."""
        for block in function.blocks:
            entered = [(index, enters(instruction)) for index, instruction in enumerate(block.instructions)]
            self.cuts[block.name] = tuple(index for index, name in entered if name is not None)
            self.calls.update(name for _, name in entered if name is not None)
        self.entry = function.blocks[0].name
        self.returns = self._leading(
            (block.name, len(block.instructions), 1)
            for block in function.blocks
            if isinstance(block.terminator, ir.Return)
        )
        """Pieces from which a return can be reached: 1, else 0."""
        self.types = {i.result.name: i.result.type for i in function.instructions() if i.result is not None}
        self.outliving = self._find_outliving()
        """Per loop: the registers set in it that are used behind it."""
        self.ways_back = sum(isinstance(block.terminator, ir.Return) for block in function.blocks)
        self._joins = self._find_joins()
        self.leads: dict[tuple[str, int], int] = {}
        """For each piece: the mask of the goals that can be reached from it without returning."""

    def pieces(self, block: str) -> int:
        return len(self.cuts[block]) + 1

    def bounds(self, block: str, piece: int) -> tuple[int, int]:
        """The instructions of a piece: first, and past the last."""
        cuts = self.cuts[block]
        first = 0 if piece == 0 else cuts[piece - 1] + 1
        return first, (cuts[piece] + 1 if piece < len(cuts) else len(self.blocks[block].instructions))

    def _leading(self, places: Iterable[tuple[str, int, int]]) -> dict[tuple[str, int], int]:
        """For each piece: what lies ahead within the function of ``places`` (block, index, mask), as one mask."""
        within: dict[str, list[tuple[int, int]]] = {}
        for block, index, mask in places:
            within.setdefault(block, []).append((index, mask))
        entered = {block: _union(mask for _, mask in found) for block, found in within.items()}
        """What can be reached from the start of a block."""
        onward: dict[str, int] = {}
        """What can be reached from its end."""
        work = list(entered)
        while work:
            block = work.pop()
            for source in self.sources[block]:
                onward[source] = onward.get(source, 0) | entered[block]
                before = entered.get(source, 0)
                entered[source] = before | onward[source]
                if entered[source] != before:
                    work.append(source)
        return {
            (block, piece): onward.get(block, 0)
            | _union(mask for index, mask in within.get(block, ()) if index >= self.bounds(block, piece)[0])
            for block in self.blocks
            for piece in range(self.pieces(block))
        }

    def _find_outliving(self) -> list[frozenset[str]]:
        home = {
            instruction.result.name: block.name
            for block in self.function.blocks
            for instruction in block.instructions
            if instruction.result is not None and self.loop_of[block.name] != NONE
        }
        found: list[set[str]] = [set() for _ in self.loops]
        for block in self.function.blocks:
            for instruction in block.instructions:
                for register in registers(instruction):
                    loop = self.loop_of[home[register.name]] if register.name in home else NONE
                    while loop != NONE:
                        # A phi reads its values in the blocks before it: one of them may be in the loop.
                        if block.name not in self.members[loop]:
                            found[loop].add(register.name)
                        loop = self.loops[loop].parent
        return [frozenset(names) for names in found]

    def joins(self, block: str, first: bool) -> bool:
        """Whether several edges may lead to a node of the block: for a header, in its ``first`` iteration or later."""
        return self._joins[block, first]

    def _find_joins(self) -> dict[tuple[str, bool], bool]:
        found = {}
        for block, before in self.sources.items():
            loop = self.loop_of[block]
            is_header = loop != NONE and self.header[loop] == block
            inside = [source for source in before if is_header and source in self.members[loop]]
            outside = [source for source in before if source not in inside]
            # What comes out of a loop may do so in any of its iterations.
            single = len(outside) == 1 and (self.loop_of[outside[0]] == NONE or self._around(outside[0], block))
            found[block, True] = not single
            again = len(inside) == 1 and self.loop_of[inside[0]] == loop
            found[block, False] = not again if is_header else not single
        return found

    def _around(self, source: str, block: str) -> bool:
        """Whether the innermost loop of ``source`` contains ``block``, too."""
        return block in self.members[self.loop_of[source]]

    def mark(self, places: Iterable[tuple[str, int, int]]) -> None:
        self.leads = self._leading(places)


def _union(masks: Iterable[int]) -> int:
    result = 0
    for mask in masks:
        result |= mask
    return result


class Unrolled:
    """The graph. ``fresh`` collects nodes that were expanded since somebody last looked."""

    def __init__(
        self,
        functions: Mapping[str, Function],
        roots: Sequence[str],
        enters: Enters,
        goals: Mapping[CodePoint, int],
        indirect_targets: frozenset[str],
        eager_nodes: int = EAGER_NODES,
    ) -> None:
        """``roots``: functions that run one after the other; ``goals``: instructions that are goals, with a number."""
        self._eager_nodes = eager_nodes
        self._functions = functions
        self._enters = enters
        self._goals = goals
        self.last_var = 0
        self.frontiers: dict[UnrolledNode, None] = {}
        self.owner: dict[int, UnrolledNode | Edge] = {}
        """What a variable stands for."""
        self.open_calls: list[UnrolledNode] = []
        """Calls through pointers: not all their targets are known."""
        self.fresh: list[UnrolledNode] = []
        self.nodes = 0
        self._mark_goals(roots, indirect_targets)
        self.first = self._root(roots)
        self.expand(self.first)

    def new_var(self) -> int:
        self.last_var += 1
        return self.last_var

    @remembered
    def shape(self, name: str) -> Shape:
        return Shape(self._functions[name], self._enters)

    # Goals

    def _mark_goals(self, roots: Sequence[str], indirect_targets: frozenset[str]) -> None:
        """Find out from where goals can be reached, in every function that may run."""
        work, seen = [*roots], set(roots)
        callers: dict[str, set[str]] = {}
        while work:
            name = work.pop()
            for callee in self.shape(name).calls:
                for target in indirect_targets if callee == INDIRECT else (callee,):
                    callers.setdefault(target, set()).add(name)
                    if target not in seen:
                        seen.add(target)
                        work.append(target)
        fruits = dict.fromkeys(seen, 0)
        for (function, _, _), goal in self._goals.items():
            if function in seen:
                fruits[function] |= 1 << goal
        work = list(seen)
        while work:
            name = work.pop()
            for caller in callers.get(name, ()):
                if fruits[name] & ~fruits[caller]:
                    fruits[caller] |= fruits[name]
                    work.append(caller)
        wild = _union(fruits.get(name, 0) for name in indirect_targets)
        for name in seen:
            shape = self.shape(name)
            places = [(b, index, 1 << goal) for (f, b, index), goal in self._goals.items() if f == name]
            for label, cuts in shape.cuts.items():
                for index in cuts:
                    entered = self._enters(shape.blocks[label].instructions[index])
                    assert entered is not None
                    places.append((label, index, wild if entered == INDIRECT else fruits[entered]))
            shape.mark(places)

    def _root(self, roots: Sequence[str]) -> UnrolledNode:
        following: Scope | None = None
        for name in reversed(roots):
            scope = Scope(self.shape(name), None, NONE, 0)
            scope.next = following
            scope.continues = 0 if following is None else self._ahead(following, following.shape.entry, 0)
            following = scope
        assert following is not None
        return self._node(following, following.shape.entry, 0)

    @staticmethod
    def _ahead(scope: Scope, block: str, piece: int) -> int:
        """The mask of the goals that can be reached from there."""
        shape = scope.shape
        mask = shape.leads.get((block, piece), 0)
        return mask | scope.activation.continues if shape.returns.get((block, piece)) else mask

    def ahead(self, node: UnrolledNode) -> int:
        """The mask of the goals that can be reached from a node."""
        return self._ahead(node.scope, node.block, node.piece)

    # Growth

    def expand(self, frontier: UnrolledNode) -> None:
        """Add what follows a frontier, up to the next ones."""
        self.frontiers.pop(frontier, None)
        work = [frontier]
        limit = self.nodes + self._eager_nodes
        while work:
            node = work.pop()
            self.fresh.append(node)
            for edge in self._successors(node):
                target = edge.target
                if target.status is Status.FRONTIER and len(target.ins) == 1 and target not in self.frontiers:
                    if self._waits(edge, limit):
                        self.frontiers[target] = None
                    else:
                        work.append(target)

    def _waits(self, edge: Edge, limit: int) -> bool:
        """Whether a new node is left as a frontier for now."""
        target = edge.target.scope
        if edge.target.piece:
            return False
        if target.loop != NONE and target.index > 0 and edge.target.block == target.shape.header[target.loop]:
            return True
        entered = target.caller is edge.source and target is target.activation
        return entered and (target.index > 0 or self.nodes > limit)

    def _successors(self, node: UnrolledNode) -> list[Edge]:
        """Make the edges out of a node, and the nodes they lead to."""
        scope, shape = node.scope, node.scope.shape
        instructions = shape.blocks[node.block].instructions
        for index in range(node.first, node.end):
            goal = self._goals.get((shape.name, node.block, index))
            if goal is not None:
                node.status, node.goal = Status.GOAL, goal
                return []
        if not self.ahead(node):
            node.status = Status.EXIT
            return []
        node.status = Status.INNER
        if node.piece < len(shape.cuts[node.block]):
            callee = self._enters(instructions[node.end - 1])
            assert callee is not None
            if callee == INDIRECT:
                # Edges are added as execution finds out where they lead.
                node.open = self.new_var()
                self.open_calls.append(node)
                return []
            return [self.call(node, callee)]
        if isinstance(instructions[-1], ir.Return):
            return [self._return(node)]
        targets = shape.successors[node.block]
        if not targets:
            node.status = Status.EXIT
        alone = len(targets) == 1
        return [self._connect(node, self._target(scope, target), target, alone) for target in targets]

    def call(self, node: UnrolledNode, name: str) -> Edge:
        """The edge into a callee. One found by execution is expanded here."""
        shape = self.shape(name)
        scope = Scope(shape, node.scope, NONE, node.scope.depth_of(name))
        scope.caller = node
        scope.continues = self._ahead(node.scope, node.block, node.piece + 1)
        instruction = node.scope.shape.blocks[node.block].instructions[node.end - 1]
        scope.indirect = self._enters(instruction) == INDIRECT
        edge = self._connect(node, self._node(scope, shape.entry, 0), name, alone=not scope.indirect)
        if scope.indirect:
            self._found(edge)
        return edge

    def skip(self, node: UnrolledNode, name: str) -> Edge:
        """The edge over a call through a pointer to something that is no C function."""
        edge = self._connect(node, self._node(node.scope, node.block, node.piece + 1), name, alone=False)
        self._found(edge)
        return edge

    def _found(self, edge: Edge) -> None:
        """An edge that execution has found out about."""
        if edge.target.status is Status.FRONTIER and edge.target not in self.frontiers:
            if self._waits(edge, self.nodes):
                self.frontiers[edge.target] = None
            else:
                self.expand(edge.target)

    def _return(self, node: UnrolledNode) -> Edge:
        activation = node.scope.activation
        if activation.caller is not None:
            caller = activation.caller
            target = self._node(caller.scope, caller.block, caller.piece + 1)
        else:
            assert activation.next is not None
            target = self._node(activation.next, activation.next.shape.entry, 0)
        return self._connect(node, target, RETURN, alone=True)

    def _target(self, scope: Scope, target: str) -> UnrolledNode:
        """The node of a successor block, seen from a scope."""
        shape = scope.shape
        while scope.loop != NONE and target not in shape.members[scope.loop]:
            assert scope.parent is not None
            scope = scope.parent
        loop = shape.loop_of[target]
        if loop == scope.loop:
            if loop != NONE and shape.header[loop] == target:
                assert scope.parent is not None
                scope = scope.parent.iteration(loop, scope.index + 1)
        else:
            scope = scope.iteration(loop, 0)
        return self._node(scope, target, 0)

    def _node(self, scope: Scope, block: str, piece: int) -> UnrolledNode:
        known = scope.nodes.get((block, piece))
        if known is None:
            first, end = scope.shape.bounds(block, piece)
            known = scope.nodes[block, piece] = UnrolledNode(scope, block, piece, first, end, self.new_var())
            self.owner[known.var] = known
            self.nodes += 1
        return known

    def _connect(self, source: UnrolledNode, target: UnrolledNode, key: str, alone: bool) -> Edge:
        edge = Edge(source, target, key, source.var if alone else self.new_var())
        if not alone:
            self.owner[edge.var] = edge
        source.outs[key] = edge
        target.ins.append(edge)
        return edge
