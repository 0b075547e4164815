"""Linear constraints over the integers as instructions (see ``constraint_terms``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from clew.analysis.absint.linear import Variable
from clew.execute.instrument.constraint_terms import ConstraintTerms, Operand
from clew.execute.instrument.havoc import assume
from clew.program import instructions as ir
from clew.program.editing import Draft, binary
from clew.program.types import I1, I8, I32, I64, PTR, IntType
from clew.program.values import ConstInt, GlobalRef, Register, Value


def operand(value: Value, signed: bool) -> Operand[Value]:
    """A value of some integer type."""
    assert isinstance(value.type, IntType)
    return Operand(value, value.type.width, signed)


class ConstraintCode(ConstraintTerms[Value]):
    """Writes conditions into a block."""

    def __init__(self, draft: Draft, name: Callable[[str], str], of: Callable[[Variable], Operand[Value]]) -> None:
        super().__init__(of)
        self.draft = draft
        self._name = name

    def all(self, conditions: Iterable[Value]) -> Value:
        """Whether all of some conditions hold."""
        return self._joined("and", list(conditions), True)

    def any(self, conditions: Iterable[Value]) -> Value:
        """Whether one of some conditions holds."""
        return self._joined("or", list(conditions), False)

    def assume(self, condition: Value) -> None:
        """End the path where a condition does not hold."""
        self.draft.add(assume(self.draft.add(ir.Cast(self._register("flag", I32), None, "zext", condition, I32))))

    def _joined(self, op: str, conditions: list[Value], empty: bool) -> Value:
        total: Value = conditions[0] if conditions else ConstInt(I1, empty)
        for condition in conditions[1:]:
            total = self.draft.add(binary(self._name(op), op, total, condition))
        return total

    def number(self, value: int, width: int) -> Value:
        return ConstInt(IntType(width), value)

    def computed(self, op: str, left: Value, right: Value, width: int) -> Value:
        return self.draft.add(binary(self._name(op), op, left, right))

    def resized(self, operand: Operand[Value], width: int) -> Value:
        op = "sext" if operand.signed and operand.width > 1 else "zext"
        op = "trunc" if operand.width > width else op
        return self.draft.add(ir.Cast(self._register("wide", IntType(width)), None, op, operand.value, IntType(width)))

    def compared(self, predicate: str, value: Value, width: int) -> Value:
        return self.draft.add(ir.Compare(self._register("holds", I1), None, predicate, value, self.number(0, width)))

    def _register(self, what: str, type: IntType) -> Register:
        return Register(self._name(what), type)


def place_in(draft: Draft, name: Callable[[str], str], object: object, offset: int) -> Value:
    """The address of some bytes of a global, by its name, or of an ``alloca``, by its function and register."""
    if isinstance(object, str):
        where: Value = GlobalRef(object)
    else:
        assert isinstance(object, tuple)
        where = Register(object[1], PTR)
    if not offset:
        return where
    distance = ConstInt(I64, offset % (1 << 64))
    return draft.add(ir.GetElementPtr(Register(name("place"), PTR), None, I8, where, (distance,)))


def load_from(draft: Draft, name: Callable[[str], str], object: object, offset: int, size: int) -> Value:
    """The integer in these bytes."""
    where = place_in(draft, name, object, offset)
    return draft.add(ir.Load(Register(name("cell"), IntType(8 * size)), None, where, 1))
