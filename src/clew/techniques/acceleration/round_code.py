"""The code of one round of a loop over arrays, without branches: for values of the counters that are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from clew.analysis.absint.views import overflow_operation
from clew.analysis.loops.arrays import ArrayLoop
from clew.analysis.loops.loop_code import LoopCode, aggregate_of
from clew.execute.instrument.comprehension import choice, peek
from clew.program import instructions as ir
from clew.program.editing import Draft
from clew.program.types import I1, I8, I64, PTR, IntType, PointerType, Type
from clew.program.values import Constant, ConstInt, Register, Value

_COMPUTING = frozenset(("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr"))
_DIVIDING = frozenset(("udiv", "sdiv", "urem", "srem"))
_CONVERTING = frozenset(("trunc", "zext", "sext", "ptrtoint", "inttoptr"))


class Unclear(Exception):
    """Something cannot be computed from the number of a round."""


class RoundWriter:
    """Writes instructions into a block."""

    def __init__(self, draft: Draft, name: Callable[[str], str]) -> None:
        self.draft = draft
        self.name = name

    def register(self, type: Type) -> Register:
        return Register(self.name("t"), type)

    def add(self, instruction: ir.Instruction) -> Value:
        return self.draft.add(instruction)

    def binary(self, op: str, left: Value, right: Value) -> Value:
        return self.add(ir.Binary(self.register(left.type), None, op, left, right))

    def compare(self, predicate: str, left: Value, right: Value) -> Value:
        return self.add(ir.Compare(self.register(I1), None, predicate, left, right))

    def number(self, value: Value, to: Type, op: str = "zext") -> Value:
        """A value as an integer of another width."""
        if value.type == to:
            return value
        if isinstance(value.type, PointerType):
            return self.add(ir.Cast(self.register(to), None, "ptrtoint", value, to))
        assert isinstance(value.type, IntType) and isinstance(to, IntType)
        kind = op if value.type.width < to.width else "trunc"
        return self.add(ir.Cast(self.register(to), None, kind, value, to))

    def moved(self, value: Value, step: int, rounds: Value) -> Value:
        """A value after some rounds that move it."""
        if step == 0:
            return value
        if isinstance(value.type, PointerType):
            distance = self.binary("mul", rounds, constant(I64, step))
            return self.add(ir.GetElementPtr(self.register(PTR), None, I8, value, (distance,)))
        factor = constant(value.type, step)
        return self.binary("add", value, self.binary("mul", self.number(rounds, value.type), factor))

    def all(self, conditions: list[Value]) -> Value:
        total: Value = ConstInt(I1, 1)
        for condition in conditions:
            total = self.binary("and", total, condition)
        return total


class Round:
    """The code of one round without branches, with values for the phis of the header; without them, as they are.
    Memory is read as it is where the code is written, but for what the round itself has stored."""

    def __init__(
        self,
        out: RoundWriter,
        code: LoopCode,
        phis: Mapping[str, Value] | None,
        shape: ArrayLoop | None = None,
    ) -> None:
        self._out = out
        self._code = code
        self._known: dict[str, Value] = dict(phis or {})
        self._fixed = phis is None
        self._shape = shape
        self._reached: dict[str, Value] = {}
        self._current: dict[object, Value] = {}

    def give(self, name: str, value: Value) -> Value:
        """Say what a register is."""
        self._known[name] = value
        return value

    def value(self, value: Value) -> Value:
        """A value of the round; Unclear if it is not computed from phis and what is fixed, by simple means."""
        if isinstance(value, Constant) or not isinstance(value, Register):
            return value
        known = self._known.get(value.name)
        if known is not None:
            return known
        made = self._code.definitions.get(value.name)
        if made is None or (self._fixed and value.name in self._code.phis):
            return value
        if value.name in self._code.phis:
            raise Unclear("it computes elements, or where they are, from a variable that it changes in irregular ways")
        result = self._known[value.name] = self._computed(made)
        return result

    def _computed(self, made: ir.Instruction) -> Value:
        out, value = self._out, self.value
        match made:
            case ir.Binary(op=op, left=left, right=right) if op in _COMPUTING:
                return out.binary(op, value(left), value(right))
            case ir.Binary(op=op, left=left, right=ConstInt(value=divisor, type=IntType(width=width))) if (
                op in _DIVIDING and 0 < divisor < (1 << width) - 1
            ):
                return out.binary(op, value(left), made.right)
            case ir.Compare(predicate=predicate, left=left, right=right, floating=False):
                return out.compare(predicate, value(left), value(right))
            case ir.Cast(op=op, operand=operand, to=to) if op in _CONVERTING:
                return out.add(ir.Cast(out.register(to), None, op, value(operand), to))
            case ir.GetElementPtr(source_type=source, base=base, indices=indices):
                parts = tuple(value(index) for index in indices)
                return out.add(ir.GetElementPtr(out.register(PTR), None, source, value(base), parts))
            case ir.Select(condition=condition, if_true=yes, if_false=no) if isinstance(condition.type, IntType):
                return self._choice(value(condition), value(yes), value(no))
            case ir.ExtractValue(indices=(which,)):
                call = aggregate_of(self._code.definitions, made)
                operation = overflow_operation(call)
                if isinstance(call, ir.Call) and operation is not None:
                    return self._overflowing(call, operation[0], which)
            case ir.Load(result=Register(type=type), pointer=pointer) if isinstance(type, IntType | PointerType):
                return out.add(peek(out.register(type), value(pointer)))
            case ir.Phi(result=Register() as result):
                return self._joined(made, result)
        raise Unclear("it computes elements, or where they are, in a way that nothing is known about")

    def _choice(self, condition: Value, yes: Value, no: Value) -> Value:
        return self._out.add(choice(self._out.register(yes.type), condition, yes, no))

    def _overflowing(self, call: ir.Call, op: str, which: int) -> Value:
        left, right = (self.value(argument.value) for argument in call.arguments)
        if which == 0:
            return self._out.binary(op, left, right)
        assert call.result is not None
        arguments = (ir.Argument(left), ir.Argument(right))
        both = self._out.add(ir.Call(self._out.register(call.result.type), None, call.callee, call.type, arguments))
        return self._out.add(ir.ExtractValue(self._out.register(I1), None, both, (1,)))

    # What comes to its end, by way of which blocks

    def elements(self) -> list[Value]:
        """What each place that is stored to holds when the round is over."""
        shape = self._shape
        assert shape is not None
        keys = [self._code.number(store.pointer) for store in shape.stores]
        for key, store in zip(keys, shape.stores, strict=True):
            self._current[key] = self._out.add(peek(self._out.register(store.type), self.value(store.pointer)))
        for block in self._code.blocks:
            for instruction in block.instructions:
                self._run(instruction, block.name)
        return [self._current[key] for key in keys]

    def _run(self, instruction: ir.Instruction, block: str) -> None:
        """Loads and stores, in their order."""
        match instruction:
            case ir.Load(result=Register(name=name, type=type), pointer=pointer):
                key = self._code.number(pointer)
                held = self._current.get(key) if key is not None else None
                if held is not None and held.type == type:
                    self._known[name] = held
            case ir.Store(value=value, pointer=pointer):
                key = self._code.number(pointer)
                new, condition = self.value(value), self._reaches(block)
                is_certain = isinstance(condition, ConstInt)
                self._current[key] = new if is_certain else self._choice(condition, new, self._current[key])

    def stays(self) -> list[Value]:
        """Whether the round comes to its end, as far as that is known."""
        found: list[Value] = []
        for stay in self._shape.stays if self._shape is not None else ():
            try:
                condition = self.value(stay.condition)
            except Unclear:
                continue
            found.append(condition if stay.value else self._out.binary("xor", condition, ConstInt(I1, 1)))
        return found

    def _reaches(self, block: str) -> Value:
        """Whether the round comes by a block, if it comes to its end."""
        known = self._reached.get(block)
        if known is not None:
            return known
        total: Value = ConstInt(I1, 0)
        if block == self._code.blocks[0].name:
            total = ConstInt(I1, 1)
        else:
            for source in self._code.blocks:
                if block in ir.successors(source.terminator):
                    total = self._either(total, self._over(source.name, block))
        self._reached[block] = total
        return total

    def _either(self, one: Value, other: Value) -> Value:
        if isinstance(one, ConstInt):
            return one if one.value else other
        if isinstance(other, ConstInt):
            return other if other.value else one
        return self._out.binary("or", one, other)

    def _over(self, source: str, target: str) -> Value:
        """Whether the round goes from a block to another."""
        reached = self._reaches(source)
        inside = {block.name for block in self._code.blocks}
        last = next(block for block in self._code.blocks if block.name == source).terminator
        match last:
            case ir.Jump():
                return reached
            case ir.Branch(if_true=yes, if_false=no) if yes == no or len({yes, no} & inside) == 1:
                return reached
            case ir.Branch(condition=condition, if_true=yes):
                taken = self.value(condition)
                if yes != target:
                    taken = self._out.binary("xor", taken, ConstInt(I1, 1))
                is_certain = isinstance(reached, ConstInt) and reached.value
                return taken if is_certain else self._out.binary("and", reached, taken)
        raise Unclear("it has a branch that nothing is known about")

    def _joined(self, phi: ir.Phi, result: Register) -> Value:
        """A phi where ways of the round meet."""
        block = next(block.name for block in self._code.blocks if phi in block.instructions)
        inside = {each.name for each in self._code.blocks}
        ways = [(value, source) for value, source in phi.incoming if source in inside]
        total = self.value(ways[-1][0])
        for value, source in reversed(ways[:-1]):
            total = self._choice(self._over(source, block), self.value(value), total)
        return total


def constant(type: Type, value: int) -> ConstInt:
    """A number as a constant of a type."""
    assert isinstance(type, IntType)
    return ConstInt(type, value % (1 << type.width))
