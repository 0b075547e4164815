"""Loops cut open at their closures: iterations beyond a bound are one, from any state that the closure leads to.

Where ``rest`` begins (``clew.execute.instrument.loop_surgery``), the phis of the header have the values of the last
iteration: this is the state before. All that the loop changes gets new values, those after one or more iterations;
unknowns of the closure are values that nothing constrains but the closure itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from clew.analysis.absint.linear import Constraint, Variable
from clew.analysis.escape import Object
from clew.analysis.graph import Loop
from clew.analysis.loops.closure import (
    After,
    Before,
    Closure,
    Congruence,
    Disjunct,
    Fixed,
    LoopVariable,
    Memory,
    Place,
    Unknown,
)
from clew.analysis.loops.unknowns import UNKNOWNS, Shapes, mentioned_in, shapes_of, ways_of
from clew.execute.instrument.constraint_code import ConstraintCode, load_from, operand, place_in
from clew.execute.instrument.constraint_terms import Operand, computing_width
from clew.execute.instrument.havoc import RENEWED_BYTES, generalize, havoc_object, havoc_register, is_renewable
from clew.execute.instrument.loop_surgery import LoopSurgery
from clew.program import instructions as ir
from clew.program.editing import Draft
from clew.program.module import Function
from clew.program.types import I64, IntType, Type
from clew.program.values import ConstInt, Register, Value

MOST_DISJUNCTS = 64
"""Of a closure that is written into a program ..."""
MOST_CONSTRAINTS = 600
"""... and the constraints of all of them together."""
AlsoAssume = Callable[[Draft, Mapping[str, Value]], None]
"""Writes more assumptions, for phis with new values."""


class ClosureCutting:
    """Cuts loops of one function; ``recursive`` if it may be active more than once."""

    def __init__(self, surgery: LoopSurgery, function: Function, recursive: bool) -> None:
        self._surgery = surgery
        self._function = function
        self._recursive = recursive
        self._own = {i.result.name for i in function.blocks[0].instructions if i.result is not None}

    def obstacle(self, loop: Loop, closure: Closure) -> str:
        """Why a loop cannot be cut at its closure; empty if it can."""
        if not self._surgery.can_cut(loop):
            return "it has more than one entry, or a computed jump back"
        if len(closure.disjuncts) > MOST_DISJUNCTS or len(_constraints(closure)) > MOST_CONSTRAINTS:
            return "its closure is too large"
        if not all(map(self._can_renew, (*closure.changed, *closure.havocked))):
            return "it changes what cannot be given a new value"
        if shapes_of(closure) is None:
            return "its closure has a number without bounds"
        return ""

    def _can_renew(self, variable: LoopVariable) -> bool:
        place = variable.place
        if isinstance(place, Register):
            return is_renewable(place.type)
        return place.size <= RENEWED_BYTES and (isinstance(place.object, str) or self._is_own(place.object))

    def _is_own(self, thing: Object) -> bool:
        """Whether a local variable is one of the function's own, and there is one of it at a time."""
        is_local = isinstance(thing, tuple) and thing[0] == self._function.name and thing[1] in self._own
        return is_local and not self._recursive

    # How

    def doubt(self, closure: Closure) -> str:
        """Why paths of a loop that is cut may not be real, or be so with inputs that nobody knows; empty if all are."""
        if not is_exact(closure) or closure.reads_inputs:
            return closure.reason if not is_exact(closure) else "it reads inputs"
        shapes = shapes_of(closure) or {}

        def width(variable: Variable) -> int:
            match variable:
                case Before(of=LoopVariable(width=width)) | After(of=LoopVariable(width=width)) | Fixed(width=width):
                    return width
            assert isinstance(variable, Unknown)
            return shapes[variable][0]

        computed = all(computing_width(constraint, width) is not None for constraint in _constraints(closure))
        small = all(each.bits <= UNKNOWNS[-1] for some in closure.congruences for each in some)
        return "" if computed and small else "its closure has numbers that are too large"

    def cut(self, loop: Loop, closure: Closure, bound: int, also: AlsoAssume | None = None) -> None:
        """Cut a loop to which there is no obstacle; ``also`` is used where there is doubt."""
        shapes = shapes_of(closure)
        assert shapes is not None
        writing = _Writing(self._surgery.name, closure, shapes)
        doubtful = bool(self.doubt(closure))
        self._surgery.at_header(loop, writing.kept())

        def write(rest: Draft) -> Mapping[str, Value]:
            if doubtful:
                rest.add(generalize())
            renewed = writing.write(rest)
            if doubtful and also is not None:
                also(rest, renewed)
            return renewed

        self._surgery.cut(loop, bound, write)


class _Writing:
    """Writes the code of one closure."""

    def __init__(self, name: Callable[[str], str], closure: Closure, shapes: Shapes) -> None:
        self._name = name
        self._closure = closure
        self._shapes = shapes
        self._before: dict[Place, Value] = {}
        self._after: dict[Place, Value] = {}

    def kept(self) -> list[ir.Instruction]:
        """What is to be done at the header: keep the values of memory that the closure refers to."""
        draft = Draft("")
        mentioned = {variable for way in ways_of(self._closure) for variable in mentioned_in(*way)}
        for variable in sorted(mentioned, key=repr):
            if isinstance(variable, Before) and isinstance(place := variable.of.place, Memory):
                self._before[place] = load_from(draft, self._name, place.object, place.offset, place.size)
        return draft.instructions

    def write(self, rest: Draft) -> Mapping[str, Value]:
        """The code of ``rest``; what phis are then."""
        code = ConstraintCode(rest, self._name, lambda variable: self._operand(rest, variable))
        self._renew(rest)
        self._assume(code)
        return {place.name: value for place, value in self._after.items() if isinstance(place, Register)}

    def _renew(self, rest: Draft) -> None:
        for variable in self._closure.havocked:
            if isinstance(variable.place, Memory):
                where = place_in(rest, self._name, variable.place.object, variable.place.offset)
                rest.add(havoc_object(where, ConstInt(I64, variable.place.size)))
            else:
                self._after[variable.place] = self._any(rest, variable.place.type)
        for variable in self._closure.changed:
            place = variable.place
            if isinstance(place, Register):
                self._after[place] = self._any(rest, place.type)
            else:
                where = place_in(rest, self._name, place.object, place.offset)
                rest.add(havoc_object(where, ConstInt(I64, place.size)))
                self._after[place] = load_from(rest, self._name, place.object, place.offset, place.size)

    def _assume(self, code: ConstraintCode) -> None:
        ways = [self._conditions(code, *way) for way in ways_of(self._closure)]
        if len(ways) == 1:
            for condition in ways[0]:
                code.assume(condition)
        else:
            code.assume(code.any([code.all(conditions) for conditions in ways]))

    def _conditions(self, code: ConstraintCode, disjunct: Disjunct, congruences: tuple[Congruence, ...]) -> list[Value]:
        conditions = [condition for constraint in disjunct for condition in code.holds(constraint)]
        return [*conditions, *(also for each in congruences for also in code.congruent(each.terms, each.bits))]

    def _any(self, rest: Draft, type: Type) -> Value:
        return rest.add(havoc_register(Register(self._name("any"), type)))

    def _operand(self, rest: Draft, variable: Variable) -> Operand[Value]:
        match variable:
            case Before(of=LoopVariable(place=place, signed=signed)):
                return operand(place if isinstance(place, Register) else self._before[place], signed)
            case After(of=LoopVariable(place=place, signed=signed)):
                return operand(self._after[place], signed)
            case Fixed(place=Register() as register, signed=signed):
                return operand(register, signed)
            case Fixed(place=Memory(object=thing, offset=offset, size=size), signed=signed):
                return operand(load_from(rest, self._name, thing, offset, size), signed)
            case Unknown():
                width, signed = self._shapes[variable]
                return operand(self._any(rest, IntType(width)), signed)
        raise AssertionError(f"a closure has no variable like {variable!r}")


def is_exact(closure: Closure) -> bool:
    """Whether a closure has no states that the loop has not, with all that it says."""
    return closure.exact or closure.exact_with_congruences


def _constraints(closure: Closure) -> tuple[Constraint, ...]:
    """All constraints, of all disjuncts."""
    return tuple(constraint for disjunct in closure.disjuncts for constraint in disjunct)
