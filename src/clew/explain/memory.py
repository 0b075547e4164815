"""Memory along a path: which store a load reads, and which choices that depends on.

A load's value is that of the last store to its bytes. On other paths another store may come in
between, so the definition of the loaded value carries the choices that rule this out: for every join
between store and load, the way it was entered, unless nothing on any way from the join's dominator
(or through the loop, or through the call) may write to the object. Stores to addresses that are
computed count only as long as their addresses stay what they are.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from immutables import Map

from clew.analysis.graph import NONE
from clew.analysis.mod_ref import ModRef
from clew.base.dataclass import dataclass
from clew.explain.definitions import Definition, is_fixed
from clew.explain.prefix import Prefix
from clew.explain.unrolled import RETURN, Edge, Scope, UnrolledNode

MOST_JOINS = 4000
"""Joins between store and load after which the whole path is blamed."""


@dataclass(slots=True, eq=False, repr=False)
class Step:
    """A node on the path, with the way it was entered."""

    node: UnrolledNode
    edge: Edge | None
    previous: Step | None
    number: int = field(init=False)

    def __post_init__(self) -> None:
        self.number = self.previous.number + 1 if self.previous is not None else 0


@dataclass(slots=True, eq=False, repr=False)
class Write:
    """A store, or something less clear (``value`` None), at some step of the path."""

    address: int
    size: int
    value: Any
    address_definition: Any
    mask: int
    step: Step
    serial: int
    previous: Write | None = None
    """The next older one in a list of such."""


@dataclass(slots=True, eq=False, repr=False)
class MemoryTrail:
    """What a path has done to memory so far. Copies are cheap: everything in it is persistent."""

    _effects: ModRef
    bytes: Map[int, Write] = field(default_factory=Map)
    """The last store to each byte."""
    objects: Map[int, int] = field(default_factory=Map)
    """Mask of the object on a page, for local variables."""
    computed: Write | None = None
    """Stores to addresses that depend on something, newest first."""
    unclear: Write | None = None
    """Writes of unknown extent, newest first."""
    steps: Map[UnrolledNode, Step] = field(default_factory=Map)
    serial: int = 0

    def store(self, address: Any, size: int, value: Any, definition: Any, mask: int, step: Step) -> None:
        """``address`` as it is on the path, ``definition`` where it came from."""
        self.serial += 1
        if type(address) is not int:
            self.clobber(mask, step)
            return
        depends = not is_fixed(definition)
        write = Write(address, size, value, definition if depends else None, mask, step, self.serial, self.computed)
        if depends:
            self.computed = write
        with self.bytes.mutate() as changed:
            for byte in range(address, address + size):
                changed[byte] = write
            self.bytes = changed.finish()

    def clobber(self, mask: int, step: Step) -> None:
        """Something may have been written to any of the objects."""
        if mask:
            self.serial += 1
            self.unclear = Write(0, 0, None, None, mask, step, self.serial, self.unclear)

    def load(
        self, address: Any, size: int, definition: Any, mask: int, step: Step, prefix: Prefix, value: Any
    ) -> Definition:
        """The definition of a loaded value."""
        blamed = Definition(prefix=prefix, value=value)
        if type(address) is not int:
            return blamed
        found = [self.bytes.get(byte) for byte in range(address, address + size)]
        write = found[0]
        if any(other is not write for other in found):
            return blamed
        since, until = -1, None
        if write is not None:
            if write.address != address or write.size != size:
                return blamed
            since, until = write.serial, write.step
        if self.unclear is not None and _any_since(self.unclear, since, mask):
            return blamed
        found_guards = self._guards(step, until, mask)
        if found_guards is None:
            return blamed
        guards, entered = found_guards
        also = [] if is_fixed(definition) else [definition]
        other = self.computed
        while other is not None and other.serial >= since:
            if other.mask & mask:
                also.append(other.address_definition)
            other = other.previous
        if write is None:
            return Definition(literals=guards, also=tuple(also), value=value, entered=entered)
        return Definition((write.value,), None, guards, tuple(also), value=value, entered=entered)

    def _guards(self, step: Step, until: Step | None, mask: int) -> tuple[tuple[int, ...], tuple[Scope, ...]] | None:
        """The choices between a store and a load that keep other stores out; loops that were entered in between."""
        literals: list[int] = []
        entered: list[Scope] = []
        stop = -1 if until is None else until.number
        while step.number > stop and step.edge is not None:
            edge, before = step.edge, step.previous
            assert before is not None
            scope = step.node.scope
            if scope.loop != NONE and step.node.block == scope.shape.header[scope.loop]:
                if not self._effects.loop_written(scope.shape.name, step.node.block) & mask:
                    # The same in all iterations: on with the way into the loop.
                    first = self._first_iteration(step)
                    assert first.edge is not None and first.previous is not None
                    if first.previous.number >= stop:
                        literals += [first.edge.var] if guarded(first.edge) else []
                        step = first.previous
                        continue
                if scope.index == 0:
                    entered.append(scope)
            jump = self._jump(step, mask) if guarded(edge) else before
            if jump is None or jump.number < stop:
                literals.append(edge.var)
                jump = before
            step = jump
            if len(literals) > MOST_JOINS:
                return None
        return tuple(literals), tuple(entered)

    def _first_iteration(self, step: Step) -> Step:
        """Where the path entered the loop whose header this is."""
        scope = step.node.scope
        assert scope.parent is not None
        return self.steps[scope.parent.iteration(scope.loop, 0).nodes[step.node.block, 0]]

    def _jump(self, step: Step, mask: int) -> Step | None:
        """A step further back such that nothing on any way from there to here writes to the objects."""
        node, edge = step.node, step.edge
        assert edge is not None
        effects, scope = self._effects, node.scope
        if edge.key == RETURN:
            caller = edge.source.scope.activation.caller
            if caller is None:
                return None
            # Through a pointer, other functions might have been called, too.
            call = caller.scope.shape.blocks[caller.block].instructions[caller.end - 1]
            written = effects.written_by(caller.scope.shape.name, call)
            return None if written & mask else self.steps.get(caller)
        if node.piece:
            return None
        if scope.loop != NONE and node.block == scope.shape.header[scope.loop]:
            return None
        region = effects.region(scope.shape.name, node.block)
        if region is None or region.written & mask:
            return None
        anchor = _anchor(scope, region.anchor)
        return None if anchor is None else self.steps.get(anchor)


def _anchor(scope: Scope, block: str) -> UnrolledNode | None:
    """The node of a dominating block, seen from a scope; of a loop that was left: the header at its start."""
    shape = scope.shape
    loop = shape.loop_of[block]
    outer: Scope = scope
    while outer.loop != NONE and block not in shape.members[outer.loop]:
        assert outer.parent is not None
        outer = outer.parent
    if loop != outer.loop:
        if shape.header[loop] != block:
            return None
        outer = outer.iteration(loop, 0)
        return outer.nodes.get((block, 0))
    return outer.nodes.get((block, shape.pieces(block) - 1))


def guarded(edge: Edge) -> bool:
    """Whether other edges may lead to the same node, now or when the graph has grown."""
    target = edge.target
    shape = target.scope.shape
    if edge.key == RETURN:
        return edge.source.scope.shape.ways_back != 1 or edge.source.scope.activation.indirect
    if target.piece:
        return True
    if target.scope.caller is edge.source:
        return False
    return shape.joins(target.block, target.scope.loop == NONE or target.scope.index == 0)


def _any_since(write: Write | None, serial: int, mask: int) -> bool:
    while write is not None and write.serial > serial:
        if write.mask & mask:
            return True
        write = write.previous
    return False
