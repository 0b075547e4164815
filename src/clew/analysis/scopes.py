"""Which value each C variable has at a point of a function: debug info, carried along control flow.

Debug info says where a variable gets a value (``VariableUpdate``). Behind a join it has the value that it has on all
ways there; if these differ, none is known (a variable that is still needed then has a phi, which is an update of its
own). A value that is a register is the register's *last* one: promotion to SSA gives a variable no register that is
computed again before the variable is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from clew.analysis.graph import control_flow, reverse_postorder
from clew.base.dataclass import dataclass
from clew.program.module import Block, Function, Variable, VariableUpdate
from clew.program.values import ConstUndef, Register, Value


@dataclass(frozen=True, slots=True)
class Content:
    """What a variable has: a value, or a place in memory."""

    value: Value
    """The address, if it is in memory."""
    in_memory: bool = False


Scope = Mapping[Variable, Content]
"""Variables whose value is known at a point."""


class Scopes:
    """The scopes of one function with a body. Blocks that cannot be reached have none."""

    def __init__(self, function: Function) -> None:
        self._blocks = {block.name: block for block in function.blocks}
        self._starts: dict[str, dict[Variable, Content]] = {}
        self._ends: dict[str, dict[Variable, Content]] = {}
        graph = control_flow(function)
        names = graph.names
        order = reverse_postorder(graph)
        waiting = set(order)
        while waiting:  # a scope only ever gets smaller: this ends
            for number in order:
                if number in waiting:
                    waiting.discard(number)
                    if self._visit(names[number], [names[p] for p in graph.predecessors[number]], number == 0):
                        waiting.update(graph.successors[number])

    @property
    def reached(self) -> Collection[str]:
        """Blocks that the entry leads to."""
        return self._starts.keys()

    def start(self, block: str) -> Scope:
        """At the beginning of a block, its phis assigned; nothing of what its code does has happened."""
        return self._starts.get(block, {})

    def at(self, block: str, index: int) -> Scope:
        """Before an instruction of a block."""
        scope = dict(self.start(block))
        _apply(scope, (update for update in self._blocks[block].updates if update.index <= index))
        return scope

    def end(self, block: str) -> Scope:
        """When control leaves a block; phis of the next one are not assigned yet."""
        return self._ends.get(block, {})

    def _visit(self, name: str, predecessors: list[str], is_entry: bool) -> bool:
        """Computes a block's scopes; returns whether the one at its end has changed."""
        met = [self._ends[source] for source in predecessors if source in self._ends]
        scope = {} if is_entry else _common(met)
        block = self._blocks[name]
        _apply(scope, _phi_updates(block))
        self._starts[name] = dict(scope)
        _apply(scope, block.updates)
        changed = self._ends.get(name) != scope
        self._ends[name] = scope
        return changed


def _common(scopes: list[dict[Variable, Content]]) -> dict[Variable, Content]:
    if len(scopes) == 1:
        return dict(scopes[0])
    first, *others = scopes
    return {
        variable: content
        for variable, content in first.items()
        if all(other.get(variable) == content for other in others)
    }


def _phi_updates(block: Block) -> list[VariableUpdate]:
    phis = {phi.result.name for phi in block.phis if phi.result is not None}
    return [
        update
        for update in block.updates
        if isinstance(update.value, Register) and update.value.name in phis and update.index <= len(phis)
    ]


def _apply(scope: dict[Variable, Content], updates: Iterable[VariableUpdate]) -> None:
    for update in updates:
        if isinstance(update.value, ConstUndef):  # declared, and nothing else
            scope.pop(update.variable, None)
        else:
            scope[update.variable] = Content(update.value, update.declares)
