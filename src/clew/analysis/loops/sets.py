"""Relations of the Integer Set Library: from pieces, and back to constraints.

The library is imported when it is needed. Its operations are counted, not timed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from clew.analysis.absint.linear import Constraint, Linear, Variable
from clew.analysis.loops.box import Box
from clew.analysis.loops.closure import After, Before, Disjunct, Fixed, LoopVariable, Unknown
from clew.analysis.loops.relation import Piece

if TYPE_CHECKING:
    import islpy

Answer = TypeVar("Answer")
_HUGE = 1 << 400


class TooHard(Exception):
    """A question took more operations than it may."""


class Sets:
    """Maps over the variables of one relation."""

    def __init__(self, variables: Sequence[LoopVariable], pieces: Iterable[Piece], operations: int) -> None:
        import islpy

        self._isl = islpy
        self._context = islpy.Context()
        self._operations = operations
        self._asked = 0
        self.variables = tuple(variables)
        pieces = tuple(pieces)
        self.fixed = tuple(dict.fromkeys(v for p in pieces for v in _mentioned(p) if isinstance(v, Fixed)))
        self._names: dict[Variable, str] = {each: f"p{place}" for place, each in enumerate(self.fixed)}
        for place, each in enumerate(self.variables):
            self._names[Before(each)] = f"b{place}"
            self._names[After(each)] = f"a{place}"
        self.modular = modular(self.variables, pieces)

    def bounded(self, question: Callable[[], Answer]) -> Answer:
        """The answer to a question, unless it takes too many operations; those of a question in it count anew."""
        self._context.reset_operations()
        self._context.set_max_operations(self._operations)
        self._asked += 1
        try:
            return question()
        except self._isl.Error as error:
            raise TooHard(str(error)) from None
        finally:
            self._asked -= 1
            self._context.set_max_operations(self._operations if self._asked else 0)
            self._context.reset_operations()

    def closed(self, relation: islpy.Map) -> tuple[islpy.Map, bool]:
        """The transitive closure of the library, and whether it is exact."""
        closed, exact = self.bounded(relation.transitive_closure)
        return closed, bool(exact)

    # From pieces

    def union(self, pieces: Iterable[Piece]) -> islpy.Map:
        """One iteration; modular variables are mathematical integers that do not wrap around."""
        groups: dict[object, islpy.Map] = {}
        for piece in pieces:
            known = groups.get(piece.updates)
            groups[piece.updates] = self.piece(piece) if known is None else known.union(self.piece(piece)).coalesce()
        first, *rest = groups.values()
        return functools.reduce(lambda left, right: left.union(right), rest, first)

    def piece(self, piece: Piece) -> islpy.Map:
        """The iterations of one piece."""
        updates = [Constraint(Linear.of(After(v)) - piece.update(v), True) for v in self.variables]
        return self.map([*piece.guards, *updates, *self._ranges(Before, self.modular)])

    def _ranges(
        self, of: type[Before] | type[After], but: Iterable[LoopVariable] = (), fixed: bool = True
    ) -> list[Constraint]:
        skipped = frozenset(but)
        result = [
            each
            for v in self.variables
            if v not in skipped
            for each in (Constraint(Linear({of(v): 1}, -v.least)), Constraint(Linear({of(v): -1}, v.greatest)))
        ]
        for each in self.fixed if fixed else ():
            result += [Constraint(Linear({each: 1}, -each.least)), Constraint(Linear({each: -1}, each.greatest))]
        return result

    def map(self, constraints: Iterable[Constraint]) -> islpy.Map:
        """The pairs of states that satisfy constraints; unknowns exist."""
        listed = list(constraints)
        names = dict(self._names)
        for variable in dict.fromkeys(v for each in listed for v in each.variables if isinstance(v, Unknown)):
            names[variable] = f"e{variable.number}"
        text = " and ".join(_text(each, names) for each in listed) or "true"
        unknown = ", ".join(name for name in names.values() if name[0] == "e")
        if unknown:
            text = f"exists ({unknown}: {text})"
        inputs = ", ".join(names[Before(v)] for v in self.variables)
        outputs = ", ".join(names[After(v)] for v in self.variables)
        parameters = ", ".join(names[each] for each in self.fixed)
        return self._isl.Map.read_from_str(self._context, f"[{parameters}] -> {{ [{inputs}] -> [{outputs}] : {text} }}")

    def identity(self) -> islpy.Map:
        """Every state leads to itself."""
        return self.map([Constraint(Linear({Before(v): 1, After(v): -1}), True) for v in self.variables])

    def wrapped(self, relation: islpy.Map) -> islpy.Map:
        """With modular variables as machine integers: in range before, and wrapped around after."""
        relation = relation.intersect(self.map(self._ranges(Before)))
        if not self.modular:
            return relation
        turns = []
        for place, v in enumerate(self.variables):
            turned = Linear({After(v): 1, Before(v): -1})
            if v in self.modular:
                turned = turned + Linear.of(Unknown(place), 1 << v.width)
            turns.append(Constraint(turned, True))
        return relation.apply_range(self.map([*turns, *self._ranges(After, fixed=False)]))

    def alone(self, relation: islpy.Map, place: int) -> islpy.Map:
        """The closure of what one variable does, whatever the others do."""
        kinds, count = self._isl.dim_type, len(self.variables)
        single = relation
        for kind in (kinds.in_, kinds.out):
            single = single.project_out(kind, place + 1, count - place - 1).project_out(kind, 0, place)
        closed = self.closed(single)[0]
        for kind in (kinds.in_, kinds.out):
            closed = closed.insert_dims(kind, 0, place).insert_dims(kind, place + 1, count - place - 1)
        return closed.intersect(self.map([]))

    # Back to constraints

    def disjuncts(self, relation: islpy.Map) -> tuple[Disjunct, ...]:
        """A relation as constraints, without those that go without saying."""
        simpler = relation.coalesce().remove_redundancies()
        return tuple(map(self._constraints, simpler.wrap().flatten().get_basic_sets()))

    def _constraints(self, basic: islpy.BasicSet) -> Disjunct:
        kinds = self._isl.dim_type
        by_name = {name: variable for variable, name in self._names.items()}
        fixed = [by_name[basic.get_dim_name(kinds.param, n)] for n in range(basic.dim(kinds.param))]
        state = [*map(Before, self.variables), *map(After, self.variables)]
        unknown = [Unknown(n) for n in range(basic.dim(kinds.div))]
        found: list[Constraint] = []
        for each in basic.get_constraints():
            rows = ((kinds.param, fixed), (kinds.set, state), (kinds.div, unknown))
            linear = _linear(each, rows, each.get_constant_val(), 1)
            found.append(Constraint(linear, each.is_equality()))
        local = basic.get_local_space()
        for number, variable in enumerate(unknown):
            try:
                quotient = local.get_div(number)
            except self._isl.Error:
                continue  # an unknown without a definition: constraints say all there is
            divisor = int(str(quotient.get_denominator_val()))
            rows = ((kinds.param, fixed), (kinds.in_, state), (kinds.div, unknown))
            rest = _linear(quotient, rows, quotient.get_constant_val(), divisor) - Linear.of(variable, divisor)
            found += (Constraint(rest), Constraint(-rest + (divisor - 1)))
        return self._with_bounds(list(dict.fromkeys(found)))

    def _with_bounds(self, constraints: list[Constraint]) -> Disjunct:
        """With bounds of the unknowns among them, and without what ranges of variables say."""
        ranges, box = Box(), Box()
        unknowns: dict[Variable, None] = {}
        for constraint in constraints:
            for v in constraint.variables:
                match v:
                    case Before(of=of) | After(of=of) | (Fixed() as of):
                        ranges.add(v, of.least, of.greatest)
                        box.add(v, of.least, of.greatest)
                    case _:
                        ranges.add(v, -_HUGE, _HUGE)
                        box.add(v, -_HUGE, _HUGE)
                        unknowns[v] = None
        if unknowns and not box.narrow(constraints):
            return (Constraint(Linear.number(-1)),)
        for v in unknowns:
            least, greatest = box.of(Linear.of(v))
            if least == -_HUGE or greatest == _HUGE:
                raise TooHard("an unknown of the closure has no bound")
            constraints += (Constraint(Linear({v: 1}, -least)), Constraint(Linear({v: -1}, greatest)))
        needed = (each for each in constraints if each.equality or ranges.of(each.linear)[0] < 0)
        return tuple(dict.fromkeys(needed))


def _linear(
    row: Any, kinds: Iterable[tuple[Any, Sequence[Variable]]], constant: Any, factor: int
) -> Linear:
    """An expression of the library, times a number that makes all coefficients whole."""
    terms = {
        variable: _whole(row.get_coefficient_val(kind, place), factor)
        for kind, variables in kinds
        for place, variable in enumerate(variables)
    }
    return Linear(terms, _whole(constant, factor))


def _whole(value: Any, factor: int) -> int:
    return int(Fraction(str(value)) * factor)


def _text(constraint: Constraint, names: dict[Variable, str]) -> str:
    parts = [f"{factor}*{names[variable]}" for variable, factor in constraint.linear.terms.items()]
    return f"{' + '.join([*parts, str(constraint.linear.constant)])} {'=' if constraint.equality else '>='} 0"


def _mentioned(piece: Piece) -> Iterator[Variable]:
    for constraint in piece.guards:
        yield from constraint.variables
    for _, linear in piece.updates:
        yield from linear.terms


def modular(variables: Iterable[LoopVariable], pieces: Sequence[Piece]) -> frozenset[LoopVariable]:
    """The variables that may be taken for mathematical integers, and wrapped around once, in the end.

    No guard looks at such a variable, and what is computed from it is such a variable, too, which a full turn of the
    first turns full circle.
    """
    found = set(variables)
    for piece in pieces:
        found -= {v.of for guard in piece.guards for v in guard.variables if isinstance(v, Before)}
    while True:
        spoilt = {
            v.of
            for piece in pieces
            for target, linear in piece.updates
            for v, factor in linear.terms.items()
            if isinstance(v, Before) and (target not in found or (factor << v.of.width) % (1 << target.width))
        }
        if not spoilt & found:
            return frozenset(found)
        found -= spoilt
