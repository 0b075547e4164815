"""What a condition says about the state in which it is found true or false.

Conditions are followed back to the comparisons they are made of. That is sound anywhere a condition is used: SSA form
sees to it that the operands of its definition have not been defined anew since.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from clew.analysis.absint.arithmetic import Arithmetic, product_bounds, scaled_product
from clew.analysis.absint.domain import Abstract
from clew.analysis.absint.frames import FunctionOutline, Supergraph
from clew.analysis.absint.linear import Constraint, Linear, at_least, at_most, equal, within
from clew.analysis.absint.numbers import Numbers, limits
from clew.analysis.absint.views import is_number, overflow_operation
from clew.program import instructions as ir
from clew.program.types import IntType
from clew.program.values import ConstInt, ConstZero, GlobalRef, Register, Value

DEEPEST = 24
"""Conditions within conditions that are looked into."""
MOST_WAYS = 4
"""To a place where control comes together, that are looked at."""
_SWAPPED = {
    "eq": "eq", "ne": "ne", "slt": "sgt", "sgt": "slt", "sle": "sge", "sge": "sle",
    "ult": "ugt", "ugt": "ult", "ule": "uge", "uge": "ule",
}  # fmt: skip


class Conditions:
    """Refines states by conditions on the registers of one graph."""

    def __init__(self, graph: Supergraph, numbers: Numbers, arithmetic: Arithmetic) -> None:
        self._graph = graph
        self._numbers = numbers
        self._arithmetic = arithmetic

    def assume(self, state: Abstract, frame: int, condition: Value, truth: bool, depth: int = 0) -> Abstract:
        """The part of a state in which a condition has a truth value; of an integer: that it is not zero."""
        if state.is_bottom or depth > DEEPEST:
            return state
        if isinstance(condition, ConstInt | ConstZero):
            value = condition.value if isinstance(condition, ConstInt) else 0
            return state if bool(value) == truth else state.assume((Constraint(Linear.number(-1)),))
        if not isinstance(condition, Register) or not is_number(condition.type):
            return state
        outline = self._graph.frame_outline(frame)
        definition = outline.definitions.get(condition.name)
        if definition is not None:
            state = self._definition(state, frame, outline, definition, truth, depth + 1)
            if condition.name in outline.passing:
                return state  # nobody is going to ask for the condition itself
        held = Linear.of(self._numbers.held(frame, condition))
        if condition.type == IntType(1):
            return state.assume((equal(held, int(truth)),))
        return self._unequal(state, held) if truth else state.assume((equal(held, 0),))

    def _definition(
        self, state: Abstract, frame: int, outline: FunctionOutline, i: ir.Instruction, truth: bool, depth: int
    ) -> Abstract:
        match i:
            case ir.Compare(floating=False, predicate=predicate, left=left, right=right):
                return self._compared(state, frame, predicate if truth else ir.NEGATED[predicate], left, right, depth)
            case ir.Binary(op="xor", left=left, right=ConstInt(type=IntType(width=1), value=1)):
                return self.assume(state, frame, left, not truth, depth)
            case ir.Binary(op="and" | "or" as op, left=left, right=right) if left.type == IntType(1):
                return self._both(state, frame, (left, right), (op == "and") == truth, truth, depth)
            case ir.Select(condition=chosen, if_true=yes, if_false=no) if yes.type == IntType(1):
                return self._chosen(state, frame, chosen, yes, no, truth, depth)
            case ir.Phi() if i.result is not None and i.result.type == IntType(1):
                return self._merged(state, frame, outline, i, truth, depth)
            case ir.Freeze(operand=operand) | ir.Cast(op="zext" | "sext", operand=operand):
                return self.assume(state, frame, operand, truth, depth)
            case ir.ExtractValue(aggregate=Register(name=name), indices=(1,)):
                told = self._overflow if truth else self._no_overflow
                return told(state, frame, outline, name)
            case ir.Call(callee=GlobalRef(name=name), arguments=arguments) if name.startswith("llvm.expect."):
                return self.assume(state, frame, arguments[0].value, truth, depth)
        return state

    def _both(
        self, state: Abstract, frame: int, parts: Sequence[Value], all_: bool, truth: bool, depth: int
    ) -> Abstract:
        """All parts have the truth value, or at least one has."""
        if all_:
            for part in parts:
                state = self.assume(state, frame, part, truth, depth)
            return state
        first = self.assume(state, frame, parts[0], truth, depth)
        rest = self.assume(self.assume(state, frame, parts[0], not truth, depth), frame, parts[1], truth, depth)
        return first.join(rest)

    def _chosen(
        self, state: Abstract, frame: int, chosen: Value, yes: Value, no: Value, truth: bool, depth: int
    ) -> Abstract:
        first = self.assume(self.assume(state, frame, chosen, True, depth), frame, yes, truth, depth)
        second = self.assume(self.assume(state, frame, chosen, False, depth), frame, no, truth, depth)
        return first.join(second)

    def _merged(
        self, state: Abstract, frame: int, outline: FunctionOutline, phi: ir.Phi, truth: bool, depth: int
    ) -> Abstract:
        """What ``a && b`` is where control comes together again: as on one of the ways there that may give that.

        Not at the head of a loop: there conditions of the last round may have been computed anew since.
        """
        ways = [way for way in phi.incoming if not isinstance(way[0], ConstInt | ConstZero) or _truth(way[0]) == truth]
        graph = outline.graph
        ends = {to for _, source in phi.incoming for to in graph.successors[graph.numbers[source]]}
        here = next(graph.names[to] for to in ends if phi in outline.blocks[graph.names[to]].phis)
        if outline.forest.headed_by(graph.numbers[here]) is not None or not 0 < len(ways) <= MOST_WAYS:
            return state
        joined: Abstract | None = None
        for value, source in ways:
            way = self.assume(state, frame, value, truth, depth)
            for condition, taken in _edges(outline, source, here):
                way = self.assume(way, frame, condition, taken, depth)
            joined = way if joined is None else joined.join(way)
        return state if joined is None else joined

    # Overflow

    def _overflow(self, state: Abstract, frame: int, outline: FunctionOutline, name: str) -> Abstract:
        """An operation has told of overflow: its exact result is too small, or too large."""
        result = self._exact(state, frame, outline, name)
        if result is None:
            return state
        one, other, exact, _, (least, greatest) = result
        low, high = (None, None) if exact is None else state.roughly(exact)
        if low is None or low < least or high is None or high > greatest:
            low, high = product_bounds(state, one, other) if exact is None else state.bounds(exact)
        if low is not None and low >= least:
            if high is not None and high <= greatest:
                return state.assume((Constraint(Linear.number(-1)),))
            return state if exact is None else state.assume((at_least(exact, greatest + 1),))
        if high is not None and high <= greatest and exact is not None:
            return state.assume((at_most(exact, least - 1),))
        return state

    def _no_overflow(self, state: Abstract, frame: int, outline: FunctionOutline, name: str) -> Abstract:
        """An operation that tells of overflow has not told: its result is the exact one."""
        result = self._exact(state, frame, outline, name)
        if result is None:
            return state
        one, other, exact, signed, (least, greatest) = result
        known: list[Constraint] = [] if exact is None else [at_least(exact, least), at_most(exact, greatest)]
        for part in outline.parts.get(name, ()):
            held = self._numbers.held(frame, part.result) if part.indices == (0,) and part.result is not None else None
            if held is None or self._numbers.is_signed(held) != signed:
                continue
            if exact is not None:
                known.append(equal(Linear.of(held), exact))
            else:
                known += within(held, *product_bounds(state, one, other))
        return state.assume(known)

    def _exact(
        self, state: Abstract, frame: int, outline: FunctionOutline, name: str
    ) -> tuple[Linear, Linear, Linear | None, bool, tuple[int, int]] | None:
        """Of an operation that tells of overflow: operands, the exact result if it is linear, view and range."""
        operation = overflow_operation(outline.definitions.get(name))
        if operation is None:
            return None
        op, signed, left, right = operation
        assert isinstance(left.type, IntType)
        one, other = self._numbers.read(state, frame, left, signed), self._numbers.read(state, frame, right, signed)
        if one is None or other is None:
            return None
        exact = one + other if op == "add" else one - other if op == "sub" else scaled_product(state, one, other)
        return one, other, exact, signed, limits(left.type.width, signed)

    # Comparisons

    def _compared(self, state: Abstract, frame: int, predicate: str, left: Value, right: Value, depth: int) -> Abstract:
        if isinstance(left, ConstInt | ConstZero) and isinstance(right, Register):
            left, right, predicate = right, left, _SWAPPED[predicate]
        if not is_number(left.type):
            return state
        if predicate in ("eq", "ne"):
            flag = self._flag(frame, left, right)
            if flag is not None:
                state = self.assume(state, frame, left, (predicate == "eq") == flag, depth)
            return self._equality(state, frame, predicate == "eq", left, right)
        if predicate[0] == "s":
            if left.type == IntType(1):
                return state  # a set bit is -1 there
            return self._ordered(state, frame, predicate[1:], left, right, True)
        if predicate[1] == "g":
            left, right, predicate = right, left, _SWAPPED[predicate]
        return self._unsigned(state, frame, predicate == "ult", left, right)

    def _flag(self, frame: int, left: Value, right: Value) -> bool | None:
        """Of a comparison with 0, or of a widened condition with 1: which truth value equality means."""
        if not isinstance(left, Register) or not isinstance(right, ConstInt | ConstZero):
            return None
        value = right.value if isinstance(right, ConstInt) else 0
        definition = self._graph.frame_outline(frame).definitions.get(left.name)
        widened = isinstance(definition, ir.Cast) and definition.op == "zext" and definition.operand.type == IntType(1)
        if value == 0:
            return False
        return True if value == 1 and (widened or left.type == IntType(1)) else None

    def _equality(self, state: Abstract, frame: int, same: bool, left: Value, right: Value) -> Abstract:
        numbers = self._numbers
        view = numbers.view_of(frame, left)
        signed = view if view is not None else numbers.view_of(frame, right) is not False
        one, other = numbers.read(state, frame, left, signed), numbers.read(state, frame, right, signed)
        if one is None or other is None:
            one, other = numbers.read(state, frame, left, not signed), numbers.read(state, frame, right, not signed)
        if one is None or other is None:
            return state
        return state.assume((equal(one, other),)) if same else self._unequal(state, one - other)

    @staticmethod
    def _unequal(state: Abstract, difference: Linear) -> Abstract:
        """Not zero: of use where zero is at one end of what is possible."""
        low, high = state.bounds(difference)
        if low == 0:
            return state.assume((at_least(difference, 1),))
        if high == 0:
            return state.assume((at_most(difference, -1),))
        return state

    def _ordered(self, state: Abstract, frame: int, relation: str, left: Value, right: Value, signed: bool) -> Abstract:
        one = self._numbers.read(state, frame, left, signed)
        other = self._numbers.read(state, frame, right, signed)
        if one is None or other is None:
            return state
        return state.assume(order(relation, one, other))

    def _unsigned(self, state: Abstract, frame: int, strictly: bool, left: Value, right: Value) -> Abstract:
        """``left`` is less than (or equal to) ``right``, without signs."""
        numbers = self._numbers
        one, other = numbers.read(state, frame, left, False), numbers.read(state, frame, right, False)
        if one is None and other is not None and isinstance(left, Register):
            # Below something that is not negative when read with a sign: then this is not negative, either.
            assert isinstance(left.type, IntType)
            high = state.bounds(other)[1]
            if high is not None and high < 1 << (left.type.width - 1):
                one = numbers.own(frame, left)
                assert one is not None
                state = state.assume((at_least(one, 0),))
        if one is None or other is None:
            return state
        return state.assume(order("lt" if strictly else "le", one, other))


def _truth(value: ConstInt | ConstZero) -> bool:
    return isinstance(value, ConstInt) and bool(value.value)


def _edges(outline: FunctionOutline, source: str, target: str) -> Iterator[tuple[Value, bool]]:
    """The conditions on the way over an edge, and over those that are the only ones to its source."""
    graph = outline.graph
    for _ in range(DEEPEST):
        match outline.blocks[source].terminator:
            case ir.Branch(condition=condition, if_true=yes, if_false=no) if yes != no:
                yield condition, target == yes
        before = graph.predecessors[graph.numbers[source]]
        if len(before) != 1 or graph.numbers[source] == 0:
            return
        source, target = graph.names[before[0]], source


def order(relation: str, left: Linear, right: Linear) -> Iterable[Constraint]:
    """``left relation right`` over the integers."""
    match relation:
        case "lt":
            return (at_most(left, right - 1),)
        case "le":
            return (at_most(left, right),)
        case "gt":
            return (at_least(left, right + 1),)
        case _:
            return (at_least(left, right),)
