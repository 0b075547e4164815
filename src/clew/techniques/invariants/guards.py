"""What must hold on the way to a block: conditions of branches that dominate it, over inputs and rounds of loops.

For loops on the way there is more: where a loop has gone round, its conditions held in the first and in the last of the
rounds before (and so in all between, being linear). For ``clew.techniques.invariants.closed_form_inputs``; no more
sound than the closed forms it uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clew.analysis.absint.intervals import Propagation, Row, rows_of
from clew.analysis.absint.linear import Linear
from clew.analysis.callees import Callees
from clew.analysis.graph import Loop
from clew.base.dataclass import dataclass
from clew.program import instructions as ir
from clew.program.types import IntType
from clew.program.values import ConstInt, ConstZero, GlobalRef, Register, Value
from clew.techniques.invariants.closed_forms import ClosedFormActivation, ClosedForms, Rounds, first, previous
from clew.techniques.invariants.limits import USUAL, Limits

_PASSES = 3
"""Of the propagation of bounds over all facts."""


@dataclass(frozen=True, slots=True)
class Fact:
    """``linear >= 0``, or ``linear == 0``, or ``linear != 0``: ``relation`` tells."""

    linear: Linear
    relation: str = ">="


class Box(Propagation):
    """Bounds for each variable that was spoken of."""

    __slots__ = ()

    def tighten(self, facts: Iterable[Fact]) -> bool:
        """Use facts; False if they leave nothing. Inequations are left aside."""
        rows: list[Row] = []
        for fact in facts:
            if fact.relation != "!=":
                rows += rows_of(fact.linear, fact.relation == "==")
        return self.propagate(rows, _PASSES)

    def holds(self, fact: Fact) -> bool:
        """Whether a fact holds where all its variables have one value; no if they do not."""
        low, high = self.bounds(fact.linear)
        if low is None or low != high:
            return False
        return low >= 0 if fact.relation == ">=" else (low == 0) == (fact.relation == "==")


Facts = list[Fact]
Groups = list[tuple[Rounds, Facts]]
"""For loops: what holds if they have gone round."""


class Guards:
    """The conditions in the code of closed forms that guard its blocks and loops."""

    def __init__(self, forms: ClosedForms, resolver: Callees, limits: Limits = USUAL) -> None:
        self._limits = limits
        self._forms = forms
        self._resolver = resolver
        self._at: dict[tuple[int, int], Facts] = {}

    def taken(self, at: ClosedFormActivation, source: int, target: str) -> Facts:
        """What the choice of a successor says; nothing if that is not linear."""
        match at.function.blocks[source].terminator:
            case ir.Branch(condition=condition, if_true=yes, if_false=no) if yes != no:
                return self._resolved(self._condition(at, condition, target == yes, 0))
            case ir.Switch(value=value, default=default, cases=cases) if default != target:
                linear = self._forms.linear(at.number, value)
                numbers = [number for number, to in cases if to == target]
                if linear is not None and len(numbers) == 1:
                    return self._resolved([Fact(linear - numbers[0], "==")])
        return []

    def to(self, at: ClosedFormActivation, block: int) -> Facts:
        """What holds when control is at the end of a block, on the whole way there."""
        found: Facts = []
        here: ClosedFormActivation | None = at
        while here is not None:
            for above in here.above(block):
                found += self._into(here, above)
            block, here = here.call, here.parent
        return found

    def returned(self, at: ClosedFormActivation) -> Facts:
        """What held where a function returned, from its own code; nothing if it does in several places."""
        ends = [n for n, block in enumerate(at.function.blocks) if isinstance(block.terminator, ir.Return)]
        return [fact for above in at.above(ends[0]) for fact in self._into(at, above)] if len(ends) == 1 else []

    def loops(self, at: ClosedFormActivation, block: int) -> Iterator[tuple[ClosedFormActivation, Loop]]:
        """The loops that control has come to on every way to a block, outer and earlier ones first."""
        if at.parent is not None:
            yield from self.loops(at.parent, at.call)
        for above in reversed(list(at.above(block))):
            loop = at.forest.headed_by(above)
            if loop is not None:
                yield at, loop

    def around(self, at: ClosedFormActivation, loop: Loop) -> Groups:
        """What holds if a loop has gone round at all; then the same of loops inside that each round goes through."""
        rounds = at.rounds(loop)
        chain = self._chain(at, loop)
        facts = [fact for block in chain if block != loop.header for fact in self._into(at, block)]
        groups = [(rounds, self._earlier(facts, rounds))]
        for block in reversed(chain):
            inner = at.forest.headed_by(block)
            if inner is not None and inner is not loop:
                for count, more in self.around(at, inner):
                    groups.append((Rounds(count.frame, count.header, True), self._earlier(more, rounds)))
        return groups

    def _earlier(self, facts: Facts, rounds: Rounds) -> Facts:
        found: Facts = []
        for fact in facts:
            whole = self._forms.full(fact.linear, rounds)
            for linear in dict.fromkeys((previous(whole, rounds), first(whole, rounds))):
                found.append(Fact(linear, fact.relation))
        return found

    @staticmethod
    def _chain(at: ClosedFormActivation, loop: Loop) -> list[int]:
        """The blocks that each round of a loop passes, last first."""
        chain: list[int] | None = None
        for latch in loop.latches:
            blocks = [block for block in at.above(latch) if block in loop.blocks]
            chain = blocks if chain is None else [block for block in chain if block in blocks]
        return chain or []

    def _into(self, at: ClosedFormActivation, block: int) -> Facts:
        """What is known in a block from the branch that leads there, and from assumptions in it."""
        key = (at.number, block)
        known = self._at.get(key)
        if known is None:
            known = []
            if len(at.graph.predecessors[block]) == 1:
                known += self.taken(at, at.graph.predecessors[block][0], at.graph.names[block])
            for i in at.function.blocks[block].instructions:
                if isinstance(i, ir.Call) and i.arguments and self._resolver.resolve(i).effect.assumes:
                    known += self._resolved(self._condition(at, i.arguments[0].value, True, 0))
            self._at[key] = known
        return known

    def _resolved(self, facts: Facts) -> Facts:
        found = ((self._forms.resolved(fact.linear), fact.relation) for fact in facts)
        return [Fact(linear, relation) for linear, relation in found if linear is not None]

    # Conditions

    def _condition(self, at: ClosedFormActivation, value: Value, truth: bool, depth: int) -> Facts:
        definition = at.definitions.get(value.name) if isinstance(value, Register) else None
        if depth > self._limits.condition_depth:
            return []
        match definition:
            case ir.Compare(floating=False, predicate=predicate, left=left, right=right):
                if _is_flag(at, left) and isinstance(right, ConstInt | ConstZero) and predicate in ("eq", "ne"):
                    is_set = isinstance(right, ConstInt) and right.value != 0
                    return self._condition(at, left, (predicate == "eq") == (is_set == truth), depth + 1)
                return self._compared(at.number, predicate if truth else ir.NEGATED[predicate], left, right)
            case ir.Binary(op="xor", left=left, right=ConstInt(type=IntType(width=1), value=1)):
                return self._condition(at, left, not truth, depth + 1)
            case ir.Binary(op="and" | "or" as op, left=left, right=right) if (op == "and") == truth:
                return [fact for part in (left, right) for fact in self._condition(at, part, truth, depth + 1)]
            case ir.Freeze(operand=operand) | ir.Cast(op="zext" | "sext", operand=operand):
                return self._condition(at, operand, truth, depth + 1)
            case ir.Call(callee=GlobalRef(name=name), arguments=arguments) if name.startswith("llvm.expect."):
                return self._condition(at, arguments[0].value, truth, depth + 1)
        return []

    def _compared(self, frame: int, predicate: str, left: Value, right: Value) -> Facts:
        signed = predicate[0] != "u"
        one, other = self._forms.linear(frame, left, signed), self._forms.linear(frame, right, signed)
        if one is None or other is None:
            return []
        if predicate in ("eq", "ne"):
            return [Fact(one - other, "==" if predicate == "eq" else "!=")]
        if predicate[1] == "g":
            one, other = other, one
        found = [Fact(other - one - (predicate[2] == "t"))]
        return found if signed else [*found, Fact(one)]


def _is_flag(at: ClosedFormActivation, value: Value) -> bool:
    """Whether a value is a condition, as a number."""
    if value.type == IntType(1):
        return True
    definition = at.definitions.get(value.name) if isinstance(value, Register) else None
    return isinstance(definition, ir.Cast) and definition.op == "zext" and definition.operand.type == IntType(1)
