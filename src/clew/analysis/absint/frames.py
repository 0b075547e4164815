"""One graph of a whole program, with calls followed into the functions they go to.

A *frame* is a chain of calls. A *node* is a stretch of a block in a frame: a call that is followed ends one stretch,
and the next one begins behind it. Calls are followed as far as limits allow, and never into recursion. A function that
may run because of a call that is not followed, or for reasons that are not in the code (its address is taken), has a
*general* frame beside: one that begins with nothing known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field
from enum import Enum

from clew.analysis.callees import CalleeKind
from clew.analysis.callgraph import accepts
from clew.analysis.graph import ControlFlow, LoopForest, control_flow, loop_forest
from clew.analysis.liveness import Liveness
from clew.analysis.mod_ref import ModRef
from clew.base.dataclass import dataclass
from clew.program import instructions as ir
from clew.program.module import Block, Function
from clew.program.operands import registers
from clew.program.types import I1
from clew.program.values import Register


@dataclass(frozen=True, slots=True)
class CallString:
    """An activation of a function: of all there are with the same chain of calls, the one that runs."""

    number: int
    function: Function
    parent: int | None = None
    call: tuple[str, int] | None = None
    """Block and index of the call in the parent."""
    general: bool = False


class EdgeKind(Enum):
    """How control goes from one node to another."""

    FLOW = "flow"
    CALL = "call"
    RETURN = "return"


@dataclass(frozen=True, slots=True)
class Edge:
    """``number`` is its position among all edges; for FLOW, both nodes are in one frame."""

    number: int
    kind: EdgeKind
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class FlowNode:
    """Instructions ``first`` to ``stop`` (not included) of a block, in a frame. ``first`` 0: phis are done already."""

    number: int
    frame: int
    block: Block
    first: int
    stop: int


class FunctionOutline:
    """What frames of one function share."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.blocks = {block.name: block for block in function.blocks}
        self.graph: ControlFlow = control_flow(function)
        self.forest: LoopForest = loop_forest(self.graph)
        self.liveness = Liveness(function)
        self.definitions = function.definitions()
        self.parts: dict[str, list[ir.ExtractValue]] = {}
        """For a register that is a struct: the instructions that take something out of it."""
        for instruction in function.instructions():
            if isinstance(instruction, ir.ExtractValue) and isinstance(instruction.aggregate, Register):
                self.parts.setdefault(instruction.aggregate.name, []).append(instruction)
        self.passing = frozenset(_passing(function))
        """Conditions that one instruction of their own block reads, and nothing else."""
        names = list(self.liveness.numbers)
        self.live_in = {
            block: frozenset(names[number] for number in live) for block, live in self.liveness.live_in.items()
        }


def _passing(function: Function) -> Iterator[str]:
    uses = Counter[str]()
    passing: set[str] = set()
    for block in function.blocks:
        own: set[str] = set()
        for instruction in block.instructions:
            read = [register.name for register in registers(instruction)]
            uses.update(read)
            if not isinstance(instruction, ir.Phi):
                passing.update(own.intersection(read))
            result = instruction.result
            if isinstance(instruction, ir.Compare | ir.Binary | ir.ExtractValue) and result and result.type == I1:
                own.add(result.name)
    return (name for name in passing if uses[name] == 1)


@dataclass(frozen=True, slots=True)
class Reach:
    """How far calls are followed."""

    nodes: int = 600
    """Of the whole graph: beyond that, no more calls are followed."""
    depth: int = 12


@dataclass(slots=True)
class Supergraph:
    """All frames of a program, with their nodes and edges."""

    frames: list[CallString] = field(default_factory=list)
    nodes: list[FlowNode] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    outgoing: list[list[Edge]] = field(default_factory=list)
    incoming: list[list[Edge]] = field(default_factory=list)
    outlines: dict[str, FunctionOutline] = field(default_factory=dict)
    entries: list[int] = field(default_factory=list)
    """Nodes where something begins: the entry's, then those of general frames."""
    starts: dict[tuple[int, str], int] = field(default_factory=dict)
    """The first node of each block of each frame."""
    followed: dict[tuple[int, str, int], int] = field(default_factory=dict)
    """The frames of calls that are followed: by the frame, block and index of the call."""
    of_function: dict[str, list[int]] = field(default_factory=dict)
    """Frames by function."""

    def frame_outline(self, frame: int) -> FunctionOutline:
        return self.outlines[self.frames[frame].function.name]

    def may_repeat(self, frame: int, block: str) -> bool:
        """Whether control may come to a block more than once while the entry's function runs."""
        at: int | None = frame
        while at is not None:
            outline = self.frame_outline(at)
            if outline.forest.innermost[outline.graph.numbers[block]] >= 0:
                return True
            call = self.frames[at].call
            at, block = self.frames[at].parent, call[0] if call is not None else ""
        return False

    def segments(self, frame: int, block: str) -> Iterable[FlowNode]:
        """The nodes of a block."""
        number = self.starts[frame, block]
        while number < len(self.nodes):
            node = self.nodes[number]
            if node.frame != frame or node.block.name != block:
                return
            yield node
            number += 1

    def _connect(self, kind: EdgeKind, source: int, target: int) -> None:
        edge = Edge(len(self.edges), kind, source, target)
        self.edges.append(edge)
        self.outgoing[source].append(edge)
        self.incoming[target].append(edge)


@dataclass(slots=True)
class _Builder:
    _effects: ModRef
    _reach: Reach
    _graph: Supergraph = field(default_factory=Supergraph)
    _general: dict[str, None] = field(default_factory=dict)
    """Functions that need a general frame, in the order in which that turned out."""

    def build(self, entry: str, others: Iterable[str]) -> Supergraph:
        self._add(entry, False)
        self._general.update(dict.fromkeys(others))
        done: set[str] = set()
        while waiting := [name for name in self._general if name not in done]:
            for name in waiting:
                done.add(name)
                self._add(name, True)
        return self._graph

    def _add(self, name: str, general: bool) -> None:
        """A frame at the top of a chain of calls, and all that are followed from there."""
        frame, followed = self._frame(name, None, None, 0, general)
        self._graph.entries.append(self._graph.starts[frame.number, frame.function.blocks[0].name])
        work = [(call, frame.number, 1) for call in reversed(followed)]
        while work:
            (name, caller, place), parent, depth = work.pop()
            frame, followed = self._frame(name, parent, place, depth, False)
            self._graph._connect(EdgeKind.CALL, caller, self._graph.starts[frame.number, frame.function.blocks[0].name])
            for last in self._graph.nodes:
                whole = last.frame == frame.number and last.stop == len(last.block.instructions)
                if whole and isinstance(last.block.terminator, ir.Return):
                    self._graph._connect(EdgeKind.RETURN, last.number, caller + 1)
            work += [(call, frame.number, depth + 1) for call in reversed(followed)]

    def _frame(
        self, name: str, parent: int | None, call: tuple[str, int] | None, depth: int, general: bool
    ) -> tuple[CallString, list[tuple[str, int, tuple[str, int]]]]:
        """A frame with its nodes, and the calls to be followed: the function, the node before, the place."""
        graph = self._graph
        function = self._effects.program.functions[name]
        if name not in graph.outlines:
            graph.outlines[name] = FunctionOutline(function)
        outline = graph.outlines[name]
        frame = CallString(len(graph.frames), function, parent, call, general)
        graph.frames.append(frame)
        if parent is not None and call is not None:
            graph.followed[parent, *call] = frame.number
        graph.of_function.setdefault(name, []).append(frame.number)
        followed: list[tuple[str, int, tuple[str, int]]] = []
        last: dict[str, int] = {}
        for block in function.blocks:
            first = 0
            graph.starts[frame.number, block.name] = len(graph.nodes)
            for index, instruction in enumerate(block.instructions):
                if isinstance(instruction, ir.Call):
                    target = self._target(instruction, depth, len(followed))
                    if target is not None:
                        followed.append((target, self._node(frame, block, first, index), (block.name, index)))
                        first = index + 1
            last[block.name] = self._node(frame, block, first, len(block.instructions))
        for source, targets in enumerate(outline.graph.successors):
            for place in targets:
                to = graph.starts[frame.number, outline.graph.names[place]]
                graph._connect(EdgeKind.FLOW, last[outline.graph.names[source]], to)
        return frame, followed

    def _node(self, frame: CallString, block: Block, first: int, stop: int) -> int:
        graph = self._graph
        graph.nodes.append(FlowNode(len(graph.nodes), frame.number, block, first, stop))
        graph.outgoing.append([])
        graph.incoming.append([])
        return len(graph.nodes) - 1

    def _target(self, call: ir.Call, depth: int, waiting: int) -> str | None:
        """The function a call is followed into; what it may go to otherwise gets a general frame."""
        for target in self._effects.calls.possible_targets(call):
            if target.kind is not CalleeKind.FUNCTION:
                continue
            function = self._effects.program.functions[target.name]
            if (
                self._effects.callees.resolve(call).kind is CalleeKind.FUNCTION
                and not self._effects.calls.is_recursive(target.name)
                and depth < self._reach.depth
                and len(self._graph.nodes) + len(function.blocks) + waiting < self._reach.nodes
                and _fits(call, function)
            ):
                return target.name
            self._general[target.name] = None
        return None


def _fits(call: ir.Call, function: Function) -> bool:
    exactly = len(call.arguments) == len(function.parameters) and not function.type.varargs
    return exactly and accepts(function, call)


def supergraph(effects: ModRef, entry: str, others: Iterable[str], reach: Reach) -> Supergraph:
    """The graph of a program that starts at ``entry``; ``others`` are functions that may run at any time."""
    return _Builder(effects, reach).build(entry, others)
