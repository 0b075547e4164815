"""What the closure of a loop (``analysis.loops``) says about values before and after its iterations, as a formula."""

from __future__ import annotations

from typing import Any

from clew.analysis.absint.linear import Variable
from clew.analysis.loops.closure import After, Before, Fixed, LoopVariable, Place, Unknown
from clew.analysis.loops.unknowns import Shapes, shapes_of, ways_of
from clew.execute.instrument.constraint_terms import ConstraintTerms, Operand
from clew.expr import build
from clew.expr.node import Bool
from clew.expr.sort import bv
from clew.program.values import GlobalRef, Register
from clew.techniques.chains.forward_evaluation import MergedEvaluator, Way
from clew.techniques.chains.memory import cell_at


def closure_fact(ahead: MergedEvaluator, function: str, header: str, before: Way, after: Way) -> Bool:
    """What holds if a loop that is entered by ``before`` was executed once or more, and is then as in ``after``."""
    closure = ahead.survey.closure(function, header)
    shapes = None if closure is None else shapes_of(closure)
    if closure is None or shapes is None:
        return True
    terms = _Formula(_Values(ahead, before, after, shapes).operand)
    options: list[Bool] = []
    for disjunct, congruences in ways_of(closure):
        conditions = [condition for constraint in disjunct for condition in terms.holds(constraint)]
        conditions += [also for each in congruences for also in terms.congruent(each.terms, each.bits)]
        options.append(build.conjunction(conditions))
    return build.disjunction(options)


class _Formula(ConstraintTerms[Any]):
    """Conditions as expressions."""

    widths = range(1, 161)

    def number(self, value: int, width: int) -> Any:
        return value

    def computed(self, op: str, left: Any, right: Any, width: int) -> Any:
        return getattr(build, op)(left, right, width)

    def resized(self, operand: Operand[Any], width: int) -> Any:
        if operand.width > width:
            return build.trunc(operand.value, width)
        return (build.sext if operand.signed else build.zext)(operand.value, operand.width, width)

    def compared(self, predicate: str, value: Any, width: int) -> Any:
        return getattr(build, predicate)(value, 0, width)


class _Values:
    """The variables of a closure; one that is not known is a symbol."""

    def __init__(self, ahead: MergedEvaluator, before: Way, after: Way, shapes: Shapes) -> None:
        self._ahead = ahead
        self._before = before
        self._after = after
        self._shapes = shapes

    def operand(self, variable: Variable) -> Operand[Any]:
        match variable:
            case Before(of=LoopVariable() as known) | (Fixed() as known):
                return self._known(known, self._before)
            case After(of=known):
                return self._known(known, self._after)
        assert isinstance(variable, Unknown)
        width, signed = self._shapes[variable]
        return Operand(self._ahead.fresh(bv(width)), width, signed)

    def _known(self, known: LoopVariable | Fixed, way: Way) -> Operand[Any]:
        value = self._value(known.place, way)
        if value is None:
            value = self._ahead.fresh(bv(known.width))
        elif known.width == 1:
            value = build.bool_to_bv(value, 1)
        return Operand(value, known.width, known.signed and known.width > 1)

    def _value(self, place: Place, way: Way) -> Any:
        if isinstance(place, Register):
            return way.registers.get(place.name)
        if isinstance(place.object, str):
            address = self._ahead.value(way.registers, GlobalRef(place.object))
        else:
            assert isinstance(place.object, tuple)
            address = way.registers.get(place.object[1])
        if address is None:
            return None
        there = build.add(address, place.offset, self._ahead.survey.layout.pointer_bits)
        cell = cell_at(there, place.size, self._ahead.future)
        return None if cell is None else way.memory.read(cell)
