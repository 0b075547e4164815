"""Any number of iterations: closures of relations, exact ones where one of several ways to them can show that they are.

- Where several pieces add constants: by counters (``counters``).
- By the Integer Set Library (``ways``).
- Pieces that never follow each other are closed by themselves.
- One piece that adds multiples of variables to others: by its closed form (``series``).

If none is exact, the closure is all that they agree on, and that each variable by itself, whatever the others do, says.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from clew.analysis.absint.linear import Constraint, Variable
from clew.analysis.graph import strong_components
from clew.analysis.loops.closure import Closure, Congruence, Disjunct, Unknown
from clew.analysis.loops.counters import by_counters
from clew.analysis.loops.limits import USUAL, Limits
from clew.analysis.loops.relation import LoopRelation, Piece
from clew.analysis.loops.series import series_of
from clew.analysis.loops.sets import Sets, TooHard
from clew.analysis.loops.ways import MORE_WAYS, Way, transitive

if TYPE_CHECKING:
    import islpy

_NOT_CLOSED = "no closure of its iterations was found that is exact"


@dataclasses.dataclass(slots=True)
class _Part:
    """What is known about the iterations of some pieces."""

    disjuncts: tuple[Disjunct, ...]
    exact: bool
    congruences: tuple[tuple[Congruence, ...], ...] = ()
    exact_with_congruences: bool = False


def close(relation: LoopRelation, limits: Limits = USUAL) -> Closure:
    """The closure of a relation."""
    part = _Closing(relation, relation.pieces, limits).close() if relation.pieces else _Part((), True)
    reason = relation.reason or ("" if part.exact else _NOT_CLOSED)
    return Closure(
        part.exact and relation.exact,
        reason,
        part.disjuncts,
        relation.reads_inputs,
        relation.variables,
        relation.havocked,
        part.congruences,
        part.exact_with_congruences and relation.exact,
    )


class _Closing:
    """Closes some pieces of a relation."""

    def __init__(self, relation: LoopRelation, pieces: Sequence[Piece], limits: Limits) -> None:
        self._relation = relation
        self._pieces = pieces
        self._limits = limits
        self._sets = Sets(relation.variables, pieces, limits.operations + limits.more_operations * len(pieces))
        self._step = self._sets.union(pieces)
        self._approximate: list[islpy.Map] = []

    def close(self) -> _Part:
        """The best there is."""
        found = self._counted() or self._by(transitive) or self._apart()
        for way in MORE_WAYS:
            found = found or self._by(way)
        return found or self._series() or _Part(self._agreed(), False)

    # Ways

    def _counted(self) -> _Part | None:
        if not 1 < len(self._pieces) <= self._limits.counters:
            return None
        try:
            closed = self._sets.bounded(lambda: by_counters(self._sets, self._pieces, self._step))
        except TooHard:
            return None
        return None if closed is None else self._exactly(closed)

    def _by(self, way: Way) -> _Part | None:
        """An exact closure, in one of the ways of the library; others are kept."""
        try:
            found = self._sets.bounded(lambda: list(way(self._sets, self._step, self._limits)))
        except TooHard:
            return None
        for closed, exact in found:
            part = self._exactly(closed) if exact else None
            if part is not None:
                return part
            self._approximate.append(closed)
        return None

    def _exactly(self, closed: islpy.Map) -> _Part | None:
        disjuncts = self._disjuncts(closed)
        return None if disjuncts is None else _Part(disjuncts, True)

    def _disjuncts(self, closed: islpy.Map) -> tuple[Disjunct, ...] | None:
        try:
            found = self._sets.bounded(lambda: self._sets.disjuncts(self._sets.wrapped(closed)))
        except TooHard:
            return None
        return found if len(found) <= self._limits.disjuncts else None

    # Pieces that never follow each other

    def _apart(self) -> _Part | None:
        """Groups of pieces that never follow each other, each by itself."""
        if not 1 < len(self._pieces) <= self._limits.laps:
            return None
        try:
            groups = self._sets.bounded(self._groups)
        except TooHard:
            return None
        if len(groups) < 2:
            return None
        parts = [_Closing(self._relation, group, self._limits).close() for group in groups]
        if sum(len(part.disjuncts) for part in parts) > self._limits.disjuncts:
            return None
        return _Part(
            tuple(disjunct for part in parts for disjunct in part.disjuncts),
            all(part.exact for part in parts),
            tuple(each for part in parts for each in part.congruences or ((),) * len(part.disjuncts))
            if any(part.congruences for part in parts)
            else (),
            all(part.exact or part.exact_with_congruences for part in parts),
        )

    def _groups(self) -> list[list[Piece]]:
        maps = [self._sets.piece(piece) for piece in self._pieces]
        edges: list[list[int]] = [[] for _ in maps]
        for first, one in enumerate(maps):
            for second, other in enumerate(maps):
                if first != second and not one.apply_range(other).is_empty():
                    edges[first].append(second)
                    edges[second].append(first)
        return [[self._pieces[n] for n in sorted(group)] for group in strong_components(edges, range(len(maps)))]

    # Closed forms

    def _series(self) -> _Part | None:
        """One piece by its closed form; whatever takes others as well, as far as the library knows it."""
        for piece in self._pieces:
            series = series_of(piece, self._sets.modular)
            if series is None or not series.congruences:
                continue
            others = [other for other in self._pieces if other is not piece]
            rest = self._through(piece, others) if others else ()
            if rest is None:
                continue
            return _Part(
                (series.disjunct, *rest), False, (series.congruences, *(() for _ in rest)), series.exact and not others
            )
        return None

    def _through(self, piece: Piece, others: list[Piece]) -> tuple[Disjunct, ...] | None:
        """What iterations lead to of which at least one takes another piece, at most."""
        sets = self._sets
        anything = self._approximate[0] if self._approximate else None
        if anything is None:
            return None

        def composed() -> islpy.Map:
            before = sets.closed(sets.piece(piece))[0].union(sets.identity())
            after = anything.union(sets.identity())
            return before.apply_range(sets.union(others)).apply_range(after)

        try:
            return self._disjuncts(sets.bounded(composed))
        except TooHard:
            return None

    # Where no way is exact

    def _agreed(self) -> tuple[Disjunct, ...]:
        """What all closures agree on, with those of each variable by itself."""
        result: tuple[Disjunct, ...] = ((),)
        for each in self._approximate:
            result = self._with(result, each)
        count = len(self._sets.variables)
        for place in range(count if count > 1 or not self._approximate else 0):
            try:
                alone = self._sets.bounded(lambda place=place: self._sets.alone(self._step, place))  # type: ignore[misc]
            except TooHard:
                continue
            result = self._with(result, alone)
        return result

    def _with(self, known: tuple[Disjunct, ...], closed: islpy.Map) -> tuple[Disjunct, ...]:
        """Both of two disjunctions, as one; just the first if that is too much."""
        more = self._disjuncts(closed)
        if more is None or len(known) * len(more) > self._limits.disjuncts:
            return known
        return tuple(tuple(dict.fromkeys([*one, *_apart(one, other)])) for one in known for other in more)


def _apart(one: Disjunct, other: Disjunct) -> list[Constraint]:
    """The second of two conjunctions, with unknowns of its own."""
    used = [v.number for constraint in one for v in constraint.variables if isinstance(v, Unknown)]
    first = max(used, default=-1) + 1

    def renamed(v: Variable) -> Variable:
        return Unknown(first + v.number) if isinstance(v, Unknown) else v

    return [constraint.about(constraint.linear.renamed(renamed)) for constraint in other]
