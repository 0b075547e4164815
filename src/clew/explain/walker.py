"""Walks along paths that were executed, choice by choice.

A walk from one choice to the next needs only what execution logged on the way. Trails are kept with
the prefixes they belong to, so what paths share is walked once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from clew.analysis.mod_ref import ModRef
from clew.base.errors import InternalError
from clew.execute.machine import Machine
from clew.explain.definitions import Definition, Lost
from clew.explain.memory import MemoryTrail, Step
from clew.explain.prefix import Prefix, Split
from clew.explain.steps import Stepper, itself, last_instruction
from clew.explain.trail import Constraint, Cursor, Ending, Trail, TrailFrame
from clew.explain.unrolled import Edge, Unrolled
from clew.expr import build
from clew.expr.node import Expr
from clew.program import instructions as ir
from clew.program.values import Register


class Walker(Stepper):
    """Makes trails."""

    def __init__(self, graph: Unrolled, machine: Machine, effects: ModRef) -> None:
        super().__init__(graph, machine, effects)
        self.trails: dict[Prefix, Trail] = {}
        """Where prefixes start."""
        self._endings: dict[Prefix, Ending] = {}
        self._kept: OrderedDict[Prefix, None] = OrderedDict()
        self.limit = 3000
        """Prefixes that keep their trails."""

    # Along the tree

    def begin(self, root: Prefix, arguments: tuple[tuple[str, tuple[Any, ...]], ...]) -> None:
        """``arguments``: the functions that are to run, outermost first, with the values of their parameters."""
        activation: TrailFrame | None = None
        for name, values in arguments:
            parameters = self._machine.program.functions[name].parameters
            registers = {}
            for parameter, value in zip(parameters, values, strict=True):
                assert isinstance(parameter.value, Register)
                registers[parameter.value.name] = Definition(value=value) if isinstance(value, Expr) else value
            activation = TrailFrame(name, registers, activation)
        assert activation is not None
        step = Step(root.node, None, None)
        memory = MemoryTrail(self._effects)
        memory.steps = memory.steps.set(root.node, step)
        self.trails[root] = Trail(root.node, root.node.first, step, activation, memory)

    def ending(self, prefix: Prefix) -> Ending:
        """The prefix's next choice; Lost if it has none."""
        known = self._endings.get(prefix)
        if known is None:
            self._reach(prefix)
            known = self._endings[prefix] = Ending(*self._walk(prefix, None))
            self._keep(prefix)
        return known

    def _reach(self, prefix: Prefix) -> None:
        """Make the trail at the start of a prefix, and on the way there what is missing."""
        chain = []
        at: Prefix | None = prefix
        while at is not None and at not in self.trails:
            chain.append(at)
            at = at.parent
        for missing in reversed(chain):
            self.trails[missing] = self._start(missing)
            self._keep(missing)

    def before(self, prefix: Prefix, place: Split) -> Trail:
        """The trail at an instruction between a prefix's choice and the next."""
        self._reach(prefix)
        trail, _ = self._walk(prefix, place)
        return trail

    def _keep(self, prefix: Prefix) -> None:
        self._kept[prefix] = None
        self._kept.move_to_end(prefix)
        while len(self._kept) > self.limit:
            oldest, _ = self._kept.popitem(last=False)
            if oldest.parent is not None:
                self.trails.pop(oldest, None)
                self._endings.pop(oldest, None)

    def _start(self, prefix: Prefix) -> Trail:
        """The trail at the start of a prefix, from its parent's."""
        parent = prefix.parent
        assert parent is not None
        if prefix.split is not None:
            trail, _ = self._walk(parent, prefix.split)
            self._constrain_opaque(trail, prefix)
            return trail
        assert prefix.edge is not None
        ending = self._endings.get(parent)
        if ending is None:
            ending = self._endings[parent] = Ending(*self._walk(parent, None))
        trail = ending.trail.copy()
        if prefix.constraint is not None:
            trail.constrain(prefix.constraint, self.constraint(ending, prefix.edge))
        items = Cursor(prefix.items)
        self._prefix = prefix
        self._enter(trail, prefix.edge, items)
        trail.read = items.at
        return trail

    def constraint(self, ending: Ending, edge: Edge) -> Constraint:
        """What taking an edge says of the value the choice depends on."""
        terminator = last_instruction(ending.trail.node)
        return Constraint(edge.var, ending.subject, self._says(terminator, edge))

    def _says(self, terminator: ir.Instruction, edge: Edge) -> Callable[[Any], Any]:
        match terminator:
            case ir.Branch(if_true=yes):
                return itself if edge.key == yes else build.lnot
            case ir.Switch(value=value, default=default, cases=cases):
                width = self._machine.layout.bits(value.type)
                if edge.key == default:
                    others = [case for case, target in cases if target != default]
                    return lambda v: build.conjunction([build.ne(v, case, width) for case in others])
                mine = [case for case, target in cases if target == edge.key]
                return lambda v: build.disjunction([build.eq(v, case, width) for case in mine])
            case ir.Call():
                address = self._machine.globals.addresses.get(edge.key)
                bits = self._machine.layout.pointer_bits
                return lambda v: build.eq(v, address, bits) if address is not None else True
            case ir.IndirectBranch():
                address = self._machine.globals.block_address(edge.source.scope.shape.name, edge.key)
                return lambda v: build.eq(v, address, self._machine.layout.pointer_bits)
        raise InternalError(f"{type(terminator).__name__} chooses nothing")

    def _constrain_opaque(self, trail: Trail, prefix: Prefix) -> None:
        """What an instruction in the middle of a block has added: known of this prefix only."""
        if prefix.constraint is not None:
            opaque = Definition(prefix=prefix, value=prefix.constraint)
            trail.constrain(prefix.constraint, Constraint(prefix.literal, opaque, itself))

    # Along a prefix

    def _walk(self, prefix: Prefix, split: Split | None) -> tuple[Trail, Any]:
        """From the start of a prefix to its next choice, or to the instruction of a split."""
        trail = self.trails[prefix].copy()
        items = Cursor(prefix.items, trail.read)
        self._prefix = prefix
        while True:
            node = trail.node
            if split is not None and self._run_to_split(trail, split, items):
                return trail, None
            self._run(trail, node.end - 1, items)
            last = last_instruction(node)
            if len(node.outs) > 1 or node.open:
                return trail, self._subject(trail, last)
            if not node.outs:
                raise Lost
            (edge,) = node.outs.values()
            self._enter(trail, edge, items)

    def _run_to_split(self, trail: Trail, split: Split, items: Cursor) -> bool:
        depth, block, index = split
        node = trail.node
        if node.block != block or not trail.index <= index < node.end or trail.activation.depth != depth:
            return False
        self._run(trail, index, items)
        trail.read = 0
        return items.at >= len(items.items)
