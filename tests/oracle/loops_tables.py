"""Relations as numbers, for ``loops_driver.c``: in which order their cells get values, and which rows bound them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from clew.analysis.absint.linear import Constraint, Linear, Variable
from clew.analysis.loops.closure import After, Before, Closure, Congruence, Disjunct, Fixed, Place, Unknown
from clew.analysis.loops.relation import LoopRelation

PlaceNumber = Callable[[Place], int]
"""Which variable of the program is in a place."""


@dataclass(frozen=True)
class Row:
    """A linear expression that is zero, or at least zero; with ``bits``: zero modulo a power of two."""

    linear: Linear
    equality: bool
    bits: int = 0


@dataclass(frozen=True)
class Conjunction:
    """Rows and congruences."""

    rows: tuple[Row, ...]
    congruences: tuple[Congruence, ...] = ()


@dataclass(frozen=True)
class Relation:
    """A disjunction, of one iteration or many: what is not ``changed`` (by number) is as before."""

    once: bool
    exact: bool
    changed: frozenset[int]
    disjuncts: tuple[Conjunction, ...]


@dataclass(frozen=True)
class Variables:
    """Of a program: how many bits they have, and whether they are signed."""

    bits: tuple[int, ...]
    signed: tuple[bool, ...]
    dead: tuple[bool, ...]

    def least(self, number: int) -> int:
        return -(1 << self.bits[number] - 1) if self.signed[number] else 0


def of_closure(closure: Closure, number: PlaceNumber) -> Relation:
    """Any number of iterations, but for none."""
    congruences = closure.congruences or ((),) * len(closure.disjuncts)
    changed = frozenset(number(v.place) for v in (*closure.changed, *closure.havocked))
    disjuncts = (Conjunction(_rows(d), more) for d, more in zip(closure.disjuncts, congruences, strict=True))
    return Relation(False, closure.exact or closure.exact_with_congruences, changed, tuple(disjuncts))


def of_relation(relation: LoopRelation, number: PlaceNumber) -> Relation:
    """One iteration."""
    changed = frozenset(number(v.place) for v in (*relation.variables, *relation.havocked))
    disjuncts = (
        Conjunction((*_rows(p.guards), *(Row(Linear.of(After(v)) - linear, True, v.width) for v, linear in p.updates)))
        for p in relation.pieces
    )
    return Relation(True, relation.exact, changed, tuple(disjuncts))


def _rows(disjunct: Disjunct | Sequence[Constraint]) -> tuple[Row, ...]:
    return tuple(Row(each.linear, each.equality) for each in disjunct)


def numbers(relation: Relation, variables: Variables, number: PlaceNumber) -> list[int]:
    """All that the driver reads about a relation."""
    result = [int(relation.once), int(relation.exact)]
    result += [int(place not in relation.changed) for place in range(len(variables.bits))]
    result.append(len(relation.disjuncts))
    asked = [n for n in sorted(relation.changed) if not variables.dead[n]] if relation.exact else []
    for each in relation.disjuncts:
        result += _Plan(each, variables, number, asked).numbers()
    return result


class _Plan:
    """The order in which one conjunction is searched: what is given by others comes first, then states, then unknowns.

    ``asked``: the variables whose values after the iterations are to be found; those of others are given.
    """

    def __init__(self, of: Conjunction, variables: Variables, number: PlaceNumber, asked: Sequence[int]) -> None:
        self._variables = variables
        self._number = number
        self._rows = (*of.rows, *(more for row in of.rows if row.equality and not row.bits for more in _turned(row)))
        self._congruences = of.congruences
        mentioned = [v for row in of.rows for v in row.linear.terms]
        mentioned += [v for congruence in of.congruences for _, vs in congruence.terms for v in vs]
        self._cells = {v: cell for cell, v in enumerate(dict.fromkeys(mentioned))}
        self._asked = list(asked)
        self._unknowns = [v for v in self._cells if isinstance(v, Unknown)]
        self._known = {v for v in self._cells if self._is_given(v)}
        self._left = set(range(len(self._rows)))

    def _is_given(self, v: Variable) -> bool:
        return not isinstance(v, Unknown) and not (isinstance(v, After) and self._number(v.of.place) in self._asked)

    def numbers(self) -> list[int]:
        views = [n for v in self._known for n in self._view(v)]
        result = [len(self._known), *views, len(self._rows)]
        for row in self._rows:
            terms = [n for v, factor in row.linear.terms.items() for n in (self._cells[v], factor)]
            result += [int(row.equality), row.bits, row.linear.constant, len(row.linear.terms), *terms]
        result += _counted(self._checks())
        levels: list[int] = []
        count, places = 0, len(self._asked)
        while self._asked or self._unknowns:
            last = bool(self._asked)
            levels += self._level()
            count += 1
            places = count if last else places
        result += [places, count, *levels, len(self._congruences)]
        for congruence in self._congruences:
            result += [congruence.bits, len(congruence.terms)]
            for factor, vs in congruence.terms:
                result += [_signed64(factor), len(vs), *(self._cells[v] for v in vs)]
        assert all(-(1 << 63) <= n < 1 << 63 for n in result), "numbers of more than 64 bits"
        return result

    def _view(self, v: Variable) -> list[int]:
        """Where a cell gets its value from."""
        match v:
            case Before(of=of) | (Fixed() as of):
                after = 0
            case After(of=of):
                after = 1
            case _:
                raise AssertionError(v)
        return [self._cells[v], after, self._number(of.place), of.width, int(of.signed)]

    def _checks(self) -> list[int]:
        """Rows all of whose cells are known by now, and were not before."""
        found = sorted(n for n in self._left if self._rows[n].linear.terms.keys() <= self._known)
        self._left -= set(found)
        return found

    def _level(self) -> list[int]:
        """The next cell."""
        for n in self._asked:
            cell, least, greatest = self._primary(n)
            if cell is not None and self._is_determined(cell, greatest - least + 1):
                return self._place_level(n)
        for unknown in self._unknowns:
            if self._is_determined(unknown, 0):
                return self._unknown_level(unknown)
        if self._asked:
            return self._place_level(max(self._asked, key=lambda n: len(self._usable(self._primary(n)[0]))))
        return self._unknown_level(max(self._unknowns, key=lambda u: len(self._usable(u))))

    def _primary(self, n: int) -> tuple[Variable | None, int, int]:
        """The cell that rows bound a variable by, with the range of its values."""
        bits, signed = self._variables.bits[n], self._variables.signed[n]
        least = self._variables.least(n)
        same, other = None, None
        for v in self._cells:
            if not isinstance(v, After) or self._number(v.of.place) != n:
                continue
            if v.of.signed == signed and v.of.width >= bits or not signed and v.of.width > bits:
                same = v
            elif v.of.width == bits:
                other = v
        if same is None and other is not None:
            least = other.of.least
        return same or other, least, least + (1 << bits) - 1

    def _usable(self, cell: Variable | None) -> list[int]:
        """Rows that bound a cell."""
        return [
            n
            for n in sorted(self._left)
            if cell in (terms := self._rows[n].linear.terms)
            and terms.keys() <= self._known | {cell}
            and (not self._rows[n].bits or abs(terms[cell]) == 1)
        ]

    def _is_determined(self, cell: Variable, size: int) -> bool:
        rows = [self._rows[n] for n in self._usable(cell) if self._rows[n].equality]
        return any(not row.bits or size == 1 << row.bits for row in rows)

    def _place_level(self, n: int) -> list[int]:
        cell, least, greatest = self._primary(n)
        bounds = [
            r for r in self._usable(cell) if not self._rows[r].bits or greatest - least + 1 == 1 << self._rows[r].bits
        ]
        self._asked.remove(n)
        views = [v for v in self._cells if isinstance(v, After) and self._number(v.of.place) == n]
        self._known.update(views)
        self._left -= set(bounds)
        shown = [number for v in views for number in self._view(v)]
        return self._numbers(n, cell, least, greatest, [len(views), *shown], bounds)

    def _unknown_level(self, cell: Unknown) -> list[int]:
        bounds = [r for r in self._usable(cell) if not self._rows[r].bits]
        rows = [self._rows[r] for r in bounds]
        assert any(r.equality or r.linear.terms[cell] > 0 for r in rows), "an unknown without bounds"
        assert any(r.equality or r.linear.terms[cell] < 0 for r in rows), "an unknown without bounds"
        self._unknowns.remove(cell)
        self._known.add(cell)
        self._left -= set(bounds)
        return self._numbers(-1, cell, -(1 << 62), 1 << 62, [0], bounds)

    def _numbers(
        self, place: int, cell: Variable | None, least: int, greatest: int, views: list[int], bounds: list[int]
    ) -> list[int]:
        number = -1 if cell is None else self._cells[cell]
        return [place, number, least, greatest, *views, *_counted(bounds), *_counted(self._checks())]


def _turned(row: Row) -> Iterator[Row]:
    """What an equation says about a variable after the iterations, whatever the full turns are that it mentions."""
    for v, factor in row.linear.terms.items():
        if isinstance(v, After) and abs(factor) == 1:
            turn = 1 << v.of.width
            rest = {u: c for u, c in row.linear.terms.items() if not (isinstance(u, Unknown) and c % turn == 0)}
            if len(rest) < len(row.linear.terms):
                yield Row(Linear(rest, row.linear.constant), True, v.of.width)


def _counted(listed: Iterable[int]) -> list[int]:
    known = list(listed)
    return [len(known), *known]


def _signed64(number: int) -> int:
    number &= (1 << 64) - 1
    return number - (1 << 64) if number >> 63 else number
