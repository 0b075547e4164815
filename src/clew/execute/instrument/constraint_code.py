"""Linear constraints over the integers as instructions: computed in so many bits that nothing wraps around.

An equality is computed in the width of its operands as well, as the program itself computes: solvers see through that
with ease.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from clew.analysis.absint.linear import Constraint, Variable
from clew.base.dataclass import dataclass
from clew.execute.instrument.havoc import assume
from clew.program import instructions as ir
from clew.program.editing import Draft, binary
from clew.program.types import I1, I8, I32, I64, PTR, IntType
from clew.program.values import ConstInt, GlobalRef, Register, Value

WIDTHS = (32, 64, 128)
"""Bits in which something is computed: the least of them that are enough."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A value of some integer type, and whether it is read as a signed number."""

    value: Value
    signed: bool

    @property
    def width(self) -> int:
        type = self.value.type
        assert isinstance(type, IntType)
        return type.width


def computing_width(constraint: Constraint, width: Callable[[Variable], int]) -> int | None:
    """Bits in which a constraint over variables of some widths can be computed without wrapping around, if any are."""
    largest = abs(constraint.linear.constant)
    for variable, factor in constraint.linear.terms.items():
        largest += abs(factor) << width(variable)
    return next((bits for bits in WIDTHS if largest.bit_length() < bits), None)


class ConstraintCode:
    """Writes conditions into a block; ``operand`` gives the values of variables, each of which is asked for once."""

    def __init__(self, draft: Draft, name: Callable[[str], str], operand: Callable[[Variable], Operand]) -> None:
        self.draft = draft
        self._name = name
        self._make = operand
        self._operands: dict[Variable, Operand] = {}
        self._wide: dict[tuple[Variable, int], Value] = {}

    def holds(self, constraint: Constraint) -> list[Value]:
        """Conditions that a constraint implies, and that imply it if it is one that can be computed."""
        terms = constraint.linear.terms
        if not terms:
            return [ConstInt(I1, constraint.is_true)]
        conditions = []
        width = computing_width(constraint, lambda variable: self._operand(variable).width)
        if constraint.equality:
            own = max(self._operand(variable).width for variable in terms)
            if own != width:
                conditions.append(self._condition(constraint, own))
        if width is not None:
            conditions.append(self._condition(constraint, width))
        return conditions

    def congruent(self, terms: Sequence[tuple[int, tuple[Variable, ...]]], bits: int) -> list[Value]:
        """Conditions that a sum of products being zero modulo a power of two implies, and that imply it if that is not
        too large to be computed."""
        own = max((self._operand(variable).width for _, variables in terms for variable in variables), default=bits)
        enough = next((width for width in WIDTHS if bits <= width), None)
        conditions = [self._congruence(terms, own, own)] if own < bits else []
        return conditions if enough is None else [*conditions, self._congruence(terms, bits, enough)]

    def _congruence(self, terms: Iterable[tuple[int, tuple[Variable, ...]]], bits: int, width: int) -> Value:
        type = IntType(width)
        total: Value = ConstInt(type, 0)
        for factor, variables in terms:
            product: Value = ConstInt(type, factor % (1 << width))
            for variable in variables:
                product = self._binary("mul", product, self._widened(variable, width))
            total = self._binary("add", total, product)
        low = self._binary("shl", total, ConstInt(type, width - bits)) if bits < width else total
        return self.draft.add(ir.Compare(self._register("congruent", I1), None, "eq", low, ConstInt(type, 0)))

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
            total = self._binary(op, total, condition)
        return total

    def _condition(self, constraint: Constraint, width: int) -> Value:
        """A constraint computed in so many bits."""
        type = IntType(width)
        total: Value = ConstInt(type, constraint.linear.constant % (1 << width))
        for variable, factor in sorted(constraint.linear.terms.items(), key=repr):
            value = self._widened(variable, width)
            if factor != 1:
                value = self._binary("mul", value, ConstInt(type, factor % (1 << width)))
            total = self._binary("add", total, value)
        predicate = "eq" if constraint.equality else "sge"
        return self.draft.add(ir.Compare(self._register("holds", I1), None, predicate, total, ConstInt(type, 0)))

    def _operand(self, variable: Variable) -> Operand:
        if variable not in self._operands:
            self._operands[variable] = self._make(variable)
        return self._operands[variable]

    def _widened(self, variable: Variable, width: int) -> Value:
        operand = self._operand(variable)
        if operand.width == width:
            return operand.value
        if (variable, width) not in self._wide:
            op = "sext" if operand.signed and operand.width > 1 else "zext"
            op = "trunc" if operand.width > width else op
            cast = ir.Cast(self._register("wide", IntType(width)), None, op, operand.value, IntType(width))
            self._wide[variable, width] = self.draft.add(cast)
        return self._wide[variable, width]

    def _binary(self, op: str, left: Value, right: Value) -> Value:
        return self.draft.add(binary(self._name(op), op, left, right))

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
