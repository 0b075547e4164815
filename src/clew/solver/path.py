"""Path conditions: the ordered constraints of one path, partitioned into independent groups.

Immutable and cheap to extend; states that forked share all but their last constraints. Constraints
that share symbols, directly or through others, are in one group::

    x < 5,  y == x,  z != 0      groups {x < 5, y == x}  and  {z != 0}
    slice(y == 3)                {x < 5, y == x}

The partition is a persistent union-find: a map takes each symbol to the symbol it was merged into, and
the representative to its ``_Group``. Adding a constraint touches one entry per symbol it newly connects.

Groups do not hold constraints as they were stated, but what is left of them after what the path says of single
bytes (``byte_facts``): nothing, if they are implied, or something about one symbol. Solvers see that, and nobody else:
constraints that are listed, looked up or blamed are those that were stated.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from immutables import Map

from clew.base.errors import InternalError
from clew.expr.node import Bool, Expr
from clew.expr.op import LAND
from clew.solver import byte_facts
from clew.solver.byte_facts import NO_FACTS, Facts
from clew.solver.interface import Query
from clew.solver.value_tables import SHARED, everything, is_small

_SHARED_SIZE = 16
"""A group's set up to this size stays cached; a larger one moves along with the path's end."""


class _Group:
    """The constraints of one component: those of ``parts`` and ``constraint``."""

    __slots__ = ("parts", "constraint", "count", "weight", "_all")

    def __init__(self, parts: tuple[_Group, ...], constraint: Expr, weight: int, count: int = 0) -> None:
        self.parts = parts
        self.constraint = constraint
        self.weight = weight  # how many symbols
        self.count = count  # how many constraints, where there is one symbol
        self._all: frozenset[Expr] | None = None

    def constraints(self) -> frozenset[Expr]:
        """All constraints of the group.

        A large set is taken over from the part that has it, so that a long path whose every prefix
        is queried keeps one such set, not one per prefix.
        """
        if self._all is None:
            found: set[Expr] = set()
            stack = [self]
            while stack:
                group = stack.pop()
                known = group._all
                if known is not None:
                    found |= known
                    if len(known) > _SHARED_SIZE:
                        group._all = None
                else:
                    found.add(group.constraint)
                    stack.extend(group.parts)
            self._all = frozenset(found)
        return self._all


_Link: TypeAlias = "Expr | _Group"


class _Reduced(NamedTuple):
    """Where a constraint of a group comes from: what was stated, and the facts of the path by then."""

    stated: Expr
    facts: Facts


class PathCondition:
    """The conjunction of the constraints added so far. ``EMPTY_PATH`` is where to start."""

    __slots__ = ("parent", "last", "_facts", "_length", "_links", "_members", "_solved")

    def __init__(
        self,
        parent: PathCondition | None,
        last: Expr | None,
        length: int,
        members: Map[Expr, bool | _Reduced],
        links: Map[Expr, _Link],
        facts: Facts,
        solved: Expr | None,
    ) -> None:
        self.parent = parent
        self.last = last
        self._length = length
        self._members = members
        """Whether each constraint is stated, or implied by others; or for what it stands in its group."""
        self._links = links
        self._facts = facts
        self._solved = solved
        """What of ``last`` has come into a group."""

    def add(self, constraint: Bool) -> PathCondition:
        """This path and ``constraint``; conjunctions are split, known constraints are not repeated."""
        if type(constraint) is not Expr:
            if constraint is True:
                return self
            raise InternalError("a path condition never holds the constraint false")
        if constraint.op is not LAND:
            return self if constraint in self._members else self._extended(constraint)
        path = self
        for part in conjuncts(constraint):
            if part not in path._members:
                path = path._extended(part)
        return path

    def define(self, equation: Bool) -> PathCondition:
        """This path and an equation for a symbol that nothing else is known of. No condition is reduced by what it
        says: it may be replaced by another."""
        if type(equation) is not Expr or equation in self._members:
            return self.add(equation)
        members, symbols = self._members.set(equation, True), equation.symbols
        alone = next(iter(symbols)) if len(symbols) == 1 else None
        links = self._linked_by_all(equation) if alone is None else self._linked_by_one(alone, equation)
        return PathCondition(self, equation, self._length + 1, members, links, self._facts, equation)

    def _extended(self, constraint: Expr) -> PathCondition:
        members, symbols = self._members.set(constraint, True), constraint.symbols
        if len(symbols) == 1:
            return self._narrowed(constraint, constraint, symbols, members)
        left = byte_facts.reduced(self._facts, constraint)
        if left is True or left in members and left is not constraint:
            return self._implied(constraint, members)
        if not isinstance(left, Expr) or left is constraint:
            links = self._linked_by_all(constraint)
            return PathCondition(self, constraint, self._length + 1, members, links, self._facts, constraint)
        members = members.set(left, _Reduced(constraint, self._facts))
        return self._narrowed(constraint, left, left.symbols, members)

    def _narrowed(
        self, constraint: Expr, left: Expr, symbols: frozenset[Expr], members: Map[Expr, bool | _Reduced]
    ) -> PathCondition:
        """The path with a constraint of which one on a single symbol is left."""
        (symbol,) = symbols
        facts = byte_facts.told(self._facts, symbol, left)
        if facts is None:
            return self._implied(constraint, members)
        links = self._linked_by_one(symbol, left)
        return PathCondition(self, constraint, self._length + 1, members, links, facts, left)

    def _implied(self, constraint: Expr, members: Map[Expr, bool | _Reduced]) -> PathCondition:
        """The path with a constraint that follows from others: solvers need not know."""
        return PathCondition(self, constraint, self._length + 1, members, self._links, self._facts, None)

    def _linked_by_one(self, symbol: Expr, constraint: Expr) -> Map[Expr, _Link]:
        """The links with a constraint on one symbol: nothing is merged."""
        links = self._links
        link = links.get(symbol)
        while type(link) is Expr:
            symbol = link
            link = links[symbol]
        group = (
            _Group((), constraint, 1, 1) if link is None else _Group((link,), constraint, link.weight, link.count + 1)
        )
        return links.set(symbol, group)

    def _linked_by_all(self, constraint: Expr) -> Map[Expr, _Link]:
        links = self._links
        symbols = constraint.symbols
        fresh: list[Expr] = []
        groups: dict[Expr, _Group] = {}
        for symbol in symbols:
            link = links.get(symbol)
            if link is None:
                fresh.append(symbol)
                continue
            while type(link) is Expr:
                symbol = link
                link = links[symbol]
            groups[symbol] = link
        root = _heaviest(groups) if groups else (fresh.pop() if fresh else constraint)
        weight = len(fresh) + sum([group.weight for group in groups.values()]) + (not groups)
        if fresh or len(groups) > 1:
            links = _relinked(links, fresh, groups, root)
        return links.set(root, _Group(tuple(groups.values()), constraint, weight))

    def implying(self, constraint: Expr) -> PathCondition:
        """The same path, which is known to imply ``constraint``: it counts as a member, and no solver is told of it."""
        if constraint in self._members:
            return self
        members = self._members.set(constraint, False)
        return PathCondition(self, None, self._length, members, self._links, self._facts, None)

    def since(self, earlier: PathCondition) -> list[Expr]:
        """The constraints that were added to ``earlier``, which this path goes back to."""
        found = []
        path: PathCondition | None = self
        while path is not earlier:
            if path is None:
                raise InternalError("a path that does not go back to the one given")
            if path.last is not None:
                found.append(path.last)
            path = path.parent
        found.reverse()
        return found

    def slice(self, constraint: Expr) -> frozenset[Expr]:
        """The constraints that share symbols with ``constraint``, directly or through others."""
        return self.stated(self.related(constraint))

    def related(self, constraint: Expr) -> frozenset[Expr]:
        """The same for solvers: what is left of these constraints."""
        links = self._links
        groups: dict[Expr, _Group] = {}
        for symbol in constraint.symbols:
            link = links.get(symbol)
            if link is not None:
                while type(link) is Expr:
                    symbol = link
                    link = links[symbol]
                groups[symbol] = link
        if not groups:
            return frozenset()
        if len(groups) == 1:
            return next(iter(groups.values())).constraints()
        return frozenset().union(*[group.constraints() for group in groups.values()])

    def groups(self) -> list[frozenset[Expr]]:
        """All groups, in the order in which each was begun, as solvers are to see them."""
        found: list[frozenset[Expr]] = []
        covered: set[Expr] = set()
        for constraint in self._listed(solved=True):
            if constraint not in covered:
                group = self.related(constraint) or frozenset((constraint,))
                covered |= group
                found.append(group)
        return found

    def reduced(self, condition: Expr) -> Bool:
        """What is left of a condition after what the path says of single bytes."""
        return byte_facts.reduced(self._facts, condition)

    def values_with(self, condition: Expr) -> int | None:
        """What a condition on one byte leaves of its values, as a set; None if the path says more of the byte than
        sets of values, or more is involved."""
        (byte,) = condition.symbols
        left = self.values_left(byte) if is_small(byte) else None
        truth = None if left is None else SHARED.truth(condition)
        return None if truth is None or left is None else truth & left

    def values_left(self, byte: Expr) -> int | None:
        """The values that a byte can have, as a set, whatever other inputs are; None if that is not all there is."""
        group = self._links.get(byte)
        if group is None:
            return everything(byte)
        fact = self._facts.get(byte)
        if type(group) is not _Group or group.weight != 1 or fact is None or group.count != len(fact[1]):
            return None
        return fact[0]

    def contradicts(self, condition: Expr) -> bool:
        """Whether nothing is left of a condition: it cannot hold."""
        return byte_facts.reduced(self._facts, condition) is False

    def contradiction(self, condition: Expr) -> Query:
        """A condition that cannot hold, with the constraints that contradict it."""
        return self.grounds(condition).union(conjuncts(condition))

    def grounds(self, condition: Expr) -> Query:
        """The constraints because of which no more is left of a condition than there is."""
        return self.stated(byte_facts.grounds(self._facts, condition))

    def stated(self, constraints: Iterable[Expr]) -> Query:
        """The constraints that were stated from which those of groups follow."""
        members = self._members.get
        found: set[Expr] = set()
        seen: set[Expr] = set()
        stack = list(constraints)
        while stack:
            constraint = stack.pop()
            origin = members(constraint)
            if type(origin) is not _Reduced:
                found.add(constraint)
            elif constraint not in seen:
                seen.add(constraint)
                found.add(origin.stated)
                stack += byte_facts.grounds(origin.facts, origin.stated)
        return frozenset(found)

    def mentions(self, symbol: Expr) -> bool:
        """Whether some constraint has this symbol in it."""
        return symbol in self._links

    def about(self, symbol: Expr) -> list[Expr]:
        """The constraints that have this symbol in them, in any order."""
        link = self._links.get(symbol)
        while type(link) is Expr:
            link = self._links[link]
        return [] if link is None else [one for one in link.constraints() if symbol in one.symbols]

    def states(self, constraint: Expr) -> bool:
        """Whether it is one of the constraints, not just implied by them."""
        return self._members.get(constraint) is True

    def states_all(self, constraints: Iterable[Expr], others: Container[Expr]) -> bool:
        """Whether each is one of its constraints, or of some others."""
        states = self._members.get
        for constraint in constraints:
            if states(constraint) is not True and constraint not in others:
                return False
        return True

    def __contains__(self, constraint: object) -> bool:
        return constraint in self._members

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Expr]:
        return self._listed(solved=False)

    def _listed(self, solved: bool) -> Iterator[Expr]:
        """The constraints, oldest first: as they were stated, or as they are in groups."""
        found: list[Expr] = []
        path: PathCondition | None = self
        while path is not None:
            constraint = path._solved if solved else path.last
            if constraint is not None:
                found.append(constraint)
            path = path.parent
        return reversed(found)


def conjuncts(constraint: Expr) -> list[Expr]:
    """The parts of a conjunction, left to right; the constraint itself if it is none."""
    found: list[Expr] = []
    stack = [constraint]
    while stack:
        part = stack.pop()
        if part.op is LAND:
            stack.extend(reversed(part.args))
        else:
            found.append(part)
    return found


def _heaviest(groups: dict[Expr, _Group]) -> Expr:
    """The representative to keep: merging into the largest keeps the trees of links flat."""
    if len(groups) == 1:
        return next(iter(groups))
    return max(groups, key=lambda symbol: groups[symbol].weight)


def _relinked(links: Map[Expr, _Link], fresh: list[Expr], groups: dict[Expr, _Group], root: Expr) -> Map[Expr, _Link]:
    changed = links.mutate()
    for symbol in fresh:
        changed[symbol] = root
    for symbol in groups:
        if symbol is not root:
            changed[symbol] = root
    return changed.finish()


EMPTY_PATH = PathCondition(None, None, 0, Map(), Map(), NO_FACTS, None)
