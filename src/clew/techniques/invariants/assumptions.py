"""Code that assumes linear constraints: what is known at the head of a loop, for programs that jump there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from clew.analysis.absint.analyse import Invariants
from clew.analysis.absint.linear import Constraint
from clew.analysis.absint.variables import Cell, Held
from clew.analysis.escape import Object
from clew.execute.instrument.havoc import assume
from clew.program import instructions as ir
from clew.program.editing import Draft, binary
from clew.program.types import I1, I8, I32, I64, PTR, IntType
from clew.program.values import ConstInt, GlobalRef, Register, Value


def address_of(thing: Object) -> Value:
    """Of a global, or of a local variable of the function that the code is in."""
    if isinstance(thing, str):
        return GlobalRef(thing)
    assert isinstance(thing, tuple)
    return Register(thing[1], PTR)


class Assumptions:
    """Writes assumptions to the end of a block; ``name`` makes names for registers."""

    def __init__(self, invariants: Invariants, draft: Draft, name: Callable[[str], str]) -> None:
        self._invariants = invariants
        self._draft = draft
        self._name = name

    def assume(self, constraints: Sequence[Constraint], renewed: Mapping[str, Value]) -> None:
        """Only paths go on for which these hold; ``renewed`` are registers whose values are others by now."""
        for constraint in constraints:
            widths = [self._invariants.width(v) for v in constraint.variables if isinstance(v, Held | Cell)]
            if constraint.equality:
                # As the program itself computes, modulo the width: solvers see through that with ease.
                self._assume(constraint, max(widths), renewed)
            width = self._width(constraint)
            if width is not None:
                self._assume(constraint, width, renewed)

    def _assume(self, constraint: Constraint, width: int, renewed: Mapping[str, Value]) -> None:
        """A constraint computed in so many bits."""
        add, name = self._draft.add, self._name
        total: Value = ConstInt(IntType(width), constraint.linear.constant % (1 << width))
        for variable, factor in sorted(constraint.linear.terms.items(), key=repr):
            assert isinstance(variable, Held | Cell)
            value = self._widened(self._value(variable, renewed), variable, width)
            scaled = add(binary(name("scaled"), "mul", value, ConstInt(value.type, factor % (1 << width))))
            total = add(binary(name("sum"), "add", total, scaled))
        predicate = "eq" if constraint.equality else "sge"
        holds = add(ir.Compare(Register(name("holds"), I1), None, predicate, total, ConstInt(total.type, 0)))
        add(assume(add(ir.Cast(Register(name("flag"), I32), None, "zext", holds, I32))))

    def _value(self, variable: Held | Cell, renewed: Mapping[str, Value]) -> Value:
        if isinstance(variable, Held):
            known = renewed.get(variable.register)
            return known or Register(variable.register, IntType(self._invariants.width(variable)))
        where = address_of(variable.object)
        if variable.offset:
            offset = ConstInt(I64, variable.offset % (1 << 64))
            where = self._draft.add(ir.GetElementPtr(Register(self._name("place"), PTR), None, I8, where, (offset,)))
        cell = Register(self._name("cell"), IntType(8 * variable.size))
        return self._draft.add(ir.Load(cell, None, where, 1))

    def _widened(self, value: Value, variable: Held | Cell, width: int) -> Value:
        if self._invariants.width(variable) == width:
            return value
        op = "sext" if self._invariants.signed(variable) and self._invariants.width(variable) > 1 else "zext"
        return self._draft.add(ir.Cast(Register(self._name("wide"), IntType(width)), None, op, value, IntType(width)))

    def _width(self, constraint: Constraint) -> int | None:
        """Bits in which a constraint can be computed without wrapping around."""
        largest = abs(constraint.linear.constant)
        for variable, factor in constraint.linear.terms.items():
            assert isinstance(variable, Held | Cell)
            largest += abs(factor) << self._invariants.width(variable)
        needed = largest.bit_length() + 1
        return next((width for width in (32, 64, 128) if needed <= width), None)
