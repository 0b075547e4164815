"""Relations of the Integer Set Library: from pieces, and back to constraints.

The library is imported when it is needed. Its operations are counted, not timed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from clew.analysis.absint.linear import Constraint, Linear, Variable, within
from clew.analysis.loops.box import Box
from clew.analysis.loops.closure import After, Before, Disjunct, Fixed, LoopVariable, Unknown
from clew.analysis.loops.relation import Piece
from clew.base.dataclass import dataclass

if TYPE_CHECKING:
    import islpy

Answer = TypeVar("Answer")
_FEW = 4_000
"""Operations that any question may take, and the check of a closure that is not exact."""
_LARGE = 1 << 200
"""More than a bound of an unknown: what is larger comes from there not being one."""


@dataclass(frozen=True, slots=True)
class Length:
    """A number of iterations."""


LENGTH = Length()


class TooHard(Exception):
    """A question took more operations than it may."""


class _Incomplete(TooHard):
    """A closure of the library does not include all there is."""


class _Unbounded(TooHard):
    """An unknown may be any number, or as large as one likes."""


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

    def bounded(self, question: Callable[[], Answer], most: int | None = None) -> Answer:
        """The answer to a question, unless it takes too many operations; those of a question in it count anew."""
        self._context.reset_operations()
        self._context.set_max_operations(self._operations if most is None else min(most, self._operations))
        self._asked += 1
        try:
            return question()
        except self._isl.Error as error:
            if most is None:  # where one question is hard, others are
                self._operations = min(self._operations, max(self._operations // 2, _FEW))
            raise TooHard(str(error)) from None
        finally:
            self._asked -= 1
            self._context.set_max_operations(self._operations if self._asked else 0)
            self._context.reset_operations()

    def closed(self, relation: islpy.Map) -> tuple[islpy.Map, bool]:
        """The transitive closure of the library, and whether it is exact.

        Where parameters and unknowns meet, its closures may lack pairs. So they are checked to include all that one
        more iteration leads to, and to have no pair of which the last iteration is not one, if they are to be exact.
        Without unknowns, they are taken as they are where the check is too hard.
        """
        closed, exact = self.bounded(relation.transitive_closure)
        most = self._operations if exact else _FEW
        try:
            longer = self.bounded(lambda: closed.apply_range(relation).union(relation), most)
            if not self.bounded(lambda: longer.is_subset(closed), most):
                raise _Incomplete("the closure lacks something")
            exact = exact and self.bounded(lambda: closed.is_subset(longer), most)
        except _Incomplete:
            raise
        except TooHard:
            if any(basic.dim(self._isl.dim_type.div) for basic in relation.get_basic_maps()):
                raise
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
        return self.map([*piece.guards, *updates, *self.before()])

    def _ranges(
        self, of: type[Before] | type[After], but: Iterable[LoopVariable] = (), fixed: bool = True
    ) -> list[Constraint]:
        skipped = frozenset(but)
        result: list[Constraint] = []
        for v in self.variables:
            result += [] if v in skipped else within(of(v), v.least, v.greatest)
        for each in self.fixed if fixed else ():
            result += within(each, each.least, each.greatest)
        return result

    def before(self) -> list[Constraint]:
        """What goes without saying of the states before; modular variables are any integers."""
        return self._ranges(Before, self.modular)

    def map(self, constraints: Iterable[Constraint], counted: bool = False) -> islpy.Map:
        """The pairs of states that satisfy constraints; unknowns exist. If ``counted``, by ``LENGTH``."""
        listed = list(constraints)
        names = {**self._names, LENGTH: "k"}
        for variable in dict.fromkeys(v for each in listed for v in each.variables if isinstance(v, Unknown)):
            names[variable] = f"e{variable.number}"
        text = " and ".join(_text(each, names) for each in listed) or "true"
        unknown = ", ".join(name for name in names.values() if name[0] == "e")
        if unknown:
            text = f"exists ({unknown}: {text})"
        inputs = ", ".join(names[Before(v)] for v in self.variables)
        outputs = ", ".join(names[After(v)] for v in self.variables)
        parameters = ", ".join([*(names[each] for each in self.fixed), *(["k"] if counted else [])])
        return self._isl.Map.read_from_str(self._context, f"[{parameters}] -> {{ [{inputs}] -> [{outputs}] : {text} }}")

    def without_length(self, relation: islpy.Map) -> islpy.Map:
        """Of any length."""
        kind = self._isl.dim_type.param
        return relation.project_out(kind, relation.find_dim_by_name(kind, "k"), 1)

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
        simpler = relation.coalesce().remove_redundancies().wrap().flatten()
        try:
            return tuple(map(self._constraints, simpler.get_basic_sets()))
        except _Unbounded:  # with unknowns that are given by the variables
            return tuple(map(self._constraints, simpler.compute_divs().get_basic_sets()))

    def _constraints(self, basic: islpy.BasicSet) -> Disjunct:
        kinds = self._isl.dim_type
        by_name = {name: variable for variable, name in self._names.items()}
        fixed = [by_name[basic.get_dim_name(kinds.param, n)] for n in range(basic.dim(kinds.param))]
        state = [*map(Before, self.variables), *map(After, self.variables)]
        quotients = _Quotients(self._isl, fixed, state, basic.get_local_space(), basic.dim(kinds.div))
        rows = ((kinds.param, fixed), (kinds.set, state), (kinds.div, quotients.unknowns))
        found = [
            Constraint(_linear(each, rows, each.get_constant_val(), 1), each.is_equality())
            for each in basic.get_constraints()
        ]
        return self._with_bounds(list(dict.fromkeys(found + quotients.constraints)))

    def _with_bounds(self, constraints: list[Constraint]) -> Disjunct:
        """With bounds of the unknowns among them, and without what ranges of variables say."""
        ranges, box = Box(), Box()
        unknowns = dict.fromkeys(v for each in constraints for v in each.variables if isinstance(v, Unknown))
        if unknowns and not box.narrow(constraints):
            return (Constraint(Linear.number(-1)),)
        for v in unknowns:
            least, greatest = box.bounds(Linear.of(v))
            if least < -_LARGE or greatest > _LARGE:
                raise _Unbounded("an unknown of the closure has no bound")
            constraints += within(v, least, greatest)
        equations = [each.linear for each in constraints if each.equality]
        needed = (each for each in constraints if each.equality or not _follows(each.linear, equations, ranges))
        return tuple(dict.fromkeys(needed))


def _follows(linear: Linear, equations: list[Linear], ranges: Box) -> bool:
    """Whether an expression is at least zero, by the ranges of its variables or by an equation of the same terms."""
    if ranges.bounds(linear)[0] >= 0:
        return True
    for known in equations:
        for same in (known, -known):
            if same.terms == linear.terms:
                return linear.constant >= same.constant
    return False


class _Quotients:
    """The unknowns of a set that are quotients, rounded down: as constraints on them."""

    def __init__(self, isl: Any, fixed: list[Variable], state: list[Variable], local: Any, count: int) -> None:
        self._isl = isl
        self._fixed = fixed
        self._state = state
        self._known: dict[str, Unknown] = {}
        """By their definition."""
        self._count = count
        self.constraints: list[Constraint] = []
        self.unknowns: list[Variable] = [Unknown(n) for n in range(count)]
        for number in range(count):
            definition = self._definition(local, number)
            if definition is not None:
                self._known.setdefault(str(definition), Unknown(number))
                self._define(definition, Unknown(number))

    def _definition(self, local: Any, number: int) -> Any:
        try:
            return local.get_div(number)
        except self._isl.Error:
            return None  # an unknown without a definition: constraints say all there is

    def _define(self, quotient: Any, unknown: Unknown) -> None:
        kinds = self._isl.dim_type
        divisor = int(str(quotient.get_denominator_val()))
        local = quotient.get_domain_local_space()
        inner = [self._inner(quotient, local, place) for place in range(quotient.dim(kinds.div))]
        rows = ((kinds.param, self._fixed), (kinds.in_, self._state), (kinds.div, inner))
        rest = _linear(quotient, rows, quotient.get_constant_val(), divisor) - Linear.of(unknown, divisor)
        self.constraints += (Constraint(rest), Constraint(-rest + (divisor - 1)))

    def _inner(self, quotient: Any, local: Any, place: int) -> Unknown:
        """A quotient within another: one that is known, or a new one."""
        if not int(Fraction(str(quotient.get_coefficient_val(self._isl.dim_type.div, place))) != 0):
            return Unknown(-1 - place)  # not there
        definition = local.get_div(place)
        known = self._known.get(str(definition))
        if known is None:
            known = self._known[str(definition)] = Unknown(self._count)
            self._count += 1
            self._define(definition, known)
        return known


def _linear(row: Any, kinds: Iterable[tuple[Any, Sequence[Variable]]], constant: Any, factor: int) -> Linear:
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
