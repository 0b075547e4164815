"""Ranking functions: expressions that every iteration of a loop makes smaller, as unsigned numbers. So it ends.

Words cannot get smaller for ever: nothing has to be shown about bounds. Candidates come from the loop's own comparisons
(``n - i`` of ``i < n``, zero where that does not hold) and from its variables; each is checked with all that is known
at the head. Two of them may take turns: an iteration leaves the first as it is, and makes the second smaller.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

from clew.analysis.callees import CalleeKind
from clew.analysis.mod_ref import ModRef
from clew.base.dataclass import dataclass
from clew.expr import build
from clew.expr.node import Bool, Expr, lower
from clew.expr.op import EQ, LNOT, SLE, SLT, ULE, ULT
from clew.expr.rewrite.boolean import negated
from clew.expr.sort import SortKind
from clew.program import instructions as ir
from clew.solver.chain import SolverChain
from clew.solver.interface import Answer, Query
from clew.techniques.invariants.candidates.heads import Head
from clew.techniques.invariants.candidates.segments import Segment

MOST = 12
"""Candidates of one loop ..."""
MOST_IN_TURN = 6
"""... and of those, which are tried in pairs."""
MOST_ROUNDS = 4095
"""A number of iterations that is worth knowing."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Why a loop ends."""

    head: Head
    parts: tuple[Expr, ...]
    """Over the symbols of the head's terms: every iteration makes the first smaller that it changes."""
    most: int | None = None
    """Iterations that there are at most, if a number is known."""


class RankingSearch:
    """Looks for ranking functions of loops, with what is known at their heads."""

    def __init__(
        self,
        heads: Sequence[Head],
        segments: Sequence[Segment],
        known: Sequence[Sequence[Expr]],
        solver: SolverChain,
    ) -> None:
        self._heads = heads
        self._segments = segments
        self._known = known
        self._solver = solver

    def of(self, number: int, comparisons: Sequence[Expr]) -> Ranking | None:
        """Of one head, whose loop makes some comparisons; None if none was found."""
        head = self._heads[number]
        rounds = [segment for segment in self._segments if segment.head == number and not segment.first]
        candidates = list(dict.fromkeys(_candidates(head, comparisons)))[:MOST]
        tried = [(one,) for one in candidates] + list(permutations(candidates[:MOST_IN_TURN], 2))
        for parts in tried:
            if all(self._decreases(parts, number, segment) for segment in rounds):
                return Ranking(head, parts, self._most(parts, number))
        return None

    def _decreases(self, parts: tuple[Expr, ...], number: int, segment: Segment) -> bool:
        head = self._heads[number]
        began = [values for other, values in segment.through if other == number]
        if not began:
            return False
        smaller: Bool = False
        for part in reversed(parts):
            before, after = head.at(part, began[-1]), head.at(part, segment.values)
            same = build.eq(after, before, part.width)
            smaller = build.lor(build.ult(after, before, part.width), build.land(same, smaller))
        if not isinstance(smaller, Expr):
            return smaller
        return not self._may_hold(frozenset((*segment.path, *self._assumed(segment), negated(smaller))))

    def _assumed(self, segment: Segment) -> Iterator[Expr]:
        return segment.assumed(self._heads, self._known.__getitem__)

    def _most(self, parts: tuple[Expr, ...], number: int) -> int | None:
        """What a single expression is at most whenever the loop is entered, if that is a number, and no large one."""
        entries = [segment for segment in self._segments if segment.head == number and segment.first]
        found = [self._greatest(self._heads[number].at(parts[0], segment.values), segment) for segment in entries]
        known = [value for value in found if value is not None]
        return max(known, default=None) if len(parts) == 1 and len(known) == len(found) else None

    def _greatest(self, value: Any, segment: Segment) -> int | None:
        if not isinstance(value, Expr):
            return int(value)
        known = (*segment.path, *self._assumed(segment))

        def is_more(number: int) -> bool:
            more = build.ult(number, value, value.width)
            return bool(more) if not isinstance(more, Expr) else self._may_hold(frozenset((*known, more)))

        least, greatest = 0, min(MOST_ROUNDS, (1 << value.width) - 1)
        if is_more(greatest):
            return None
        while least < greatest:
            middle = (least + greatest) // 2
            least, greatest = (middle + 1, greatest) if is_more(middle) else (least, middle)
        return least

    def _may_hold(self, query: Query) -> bool:
        return self._solver.check(query).answer is not Answer.UNSAT


def ending(effects: ModRef, rankings: Sequence[Ranking | None], heads: Sequence[Head]) -> list[Ranking]:
    """Of loops with ranking functions, those in which all other loops have some as well, also in what they call."""
    unknown = {(head.function, head.header) for head, found in zip(heads, rankings, strict=True) if found is None}
    return [
        found
        for found in rankings
        if found is not None
        and not effects.calls.is_recursive(found.head.function)
        and unknown.isdisjoint(_inside(effects, found.head, heads))
    ]


def _inside(effects: ModRef, head: Head, heads: Sequence[Head]) -> Iterator[tuple[str, str]]:
    """The loops that an iteration of a loop may go through."""
    function = effects.program.functions[head.function]
    blocks = [function.blocks[number] for number in head.loop.blocks]
    names = {block.name for block in blocks}
    calls = [i for block in blocks for i in block.instructions if isinstance(i, ir.Call)]
    targets = [effects.callees.resolve(call) for call in calls]
    called = {name for t in targets if t.kind is CalleeKind.FUNCTION for name in effects.calls.reachable(t.name)}
    for other in heads:
        if other.function in called or (other.function == head.function and other.header in names):
            yield other.function, other.header


def _candidates(head: Head, comparisons: Sequence[Expr]) -> Iterator[Expr]:
    for comparison in comparisons:
        for condition in (comparison, negated(comparison)):
            yield from (made for made in _distances(condition) if isinstance(made, Expr))
    for term in head.terms:
        if term.changed:
            yield term.symbol
            yield from (made for made in (build.not_(term.symbol, term.width),) if isinstance(made, Expr))


def _distances(condition: Expr) -> Iterator[Any]:
    """How far it is until a condition is false."""
    inner = condition.args[0] if condition.op is LNOT else condition
    if not inner.args or inner.args[0].sort.kind is not SortKind.BV:
        return
    sort, width = inner.args[0].sort, inner.args[0].width
    left, right = (lower(arg) for arg in inner.args)
    if inner.op is EQ:
        yield build.sub(right, left, width)
        yield build.sub(left, right, width)
    elif condition.op in (ULT, SLT):
        yield build.ite(condition, build.sub(right, left, width), 0, sort)
    elif condition.op in (ULE, SLE):
        yield build.ite(condition, build.add(build.sub(right, left, width), 1, width), 0, sort)
