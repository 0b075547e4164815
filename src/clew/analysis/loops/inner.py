"""Inner loops on a path: over all their iterations but the last, incomplete one, by their closure."""

from __future__ import annotations

from collections.abc import Iterator

from clew.analysis.absint.linear import Linear, Variable
from clew.analysis.loops.closure import After, Before, Closure, Fixed, LoopVariable, Memory, Unknown
from clew.analysis.loops.conditions import in_view
from clew.analysis.loops.evaluation import Evaluation
from clew.analysis.loops.path import Address, Number, Path
from clew.program import instructions as ir
from clew.program.types import IntType
from clew.program.values import ConstInt, ConstNull, Register


def jump(evaluation: Evaluation, path: Path, closure: Closure) -> Iterator[Path]:
    """The states at the header of an inner loop, after any number of its iterations."""
    if not closure.exact and closure.disjuncts:
        path.doubt(f"an inner loop is not exact: {closure.reason}")
    for disjunct in closure.disjuncts:
        way = path.copy()
        way.reads_inputs |= closure.reads_inputs
        variables = {v: None for constraint in disjunct for v in constraint.variables}
        for end, values in _values(evaluation, way, list(variables)):
            after = {v: end.unknown(v.least, v.greatest) for v in closure.changed}
            for variable in variables:
                if isinstance(variable, After):
                    values[variable] = after[variable.of]
            constraints = [each.about(_substituted(each.linear, values)) for each in disjunct]
            if end.assume(constraints):
                for variable, linear in after.items():
                    _set(evaluation, end, variable, Number(linear, variable.width))
                for variable in closure.havocked:
                    _forget(evaluation, end, variable)
                yield end
    yield path


def _values(
    evaluation: Evaluation, path: Path, variables: list[Variable]
) -> Iterator[tuple[Path, dict[Variable, Linear]]]:
    """The variables of a closure before the inner loop, and new unknowns, one after the other."""
    ways: list[tuple[Path, dict[Variable, Linear]]] = [(path, {})]
    for variable in variables:
        following: list[tuple[Path, dict[Variable, Linear]]] = []
        for way, values in ways:
            match variable:
                case Unknown():
                    following.append((way, values | {variable: way.unknown(-(1 << 80), 1 << 80)}))
                case Before(of=of) | (Fixed() as of):
                    following += [
                        (end, values | {variable: linear})
                        for end, linear in in_view(way, _get(evaluation, way, of), of.signed, evaluation.limits)
                    ]
                case _:
                    following.append((way, values))
        ways = following
    yield from ways


def _get(evaluation: Evaluation, path: Path, of: LoopVariable | Fixed) -> Number:
    if isinstance(of.place, Register):
        known = evaluation.value(path, of.place)
    else:
        register = Register("", IntType(of.width))
        known = evaluation.contents.load(path, _address(path, of.place), register)
    return known if isinstance(known, Number) else path.opaque(of.width, "an inner loop uses a condition")


def _address(path: Path, place: Memory) -> Address:
    return Address(path.top.number if isinstance(place.object, tuple) else 0, place.object, place.offset)


def _set(evaluation: Evaluation, path: Path, variable: LoopVariable, value: Number) -> None:
    if isinstance(variable.place, Register):
        path.give(variable.place, value)
    else:
        where = _address(path, variable.place)
        store = ir.Store(None, None, ConstInt(IntType(variable.width), 0), ConstNull(), 1)
        evaluation.contents.store(path, where, value, store)


def _forget(evaluation: Evaluation, path: Path, variable: LoopVariable) -> None:
    if isinstance(variable.place, Register):
        path.give(variable.place, None)
    else:
        where = _address(path, variable.place)
        evaluation.contents.blur(path, where.frame, where.object, "an inner loop writes memory that is not followed")


def _substituted(linear: Linear, values: dict[Variable, Linear]) -> Linear:
    """With expressions in the place of all variables at once."""
    result = Linear.number(linear.constant)
    for variable, factor in linear.terms.items():
        result = result.plus(values[variable], factor)
    return result
