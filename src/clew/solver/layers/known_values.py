"""Constraints that say what a term is are used for that term in all the others.

    n == 2,  buffer[1 % n] == key,  1 % n == 1        becomes        n == 2,  buffer[1] == key

What a path has decided is often spelled out like that, and leaves little of the rest: constraints that hold by then,
or cannot, and groups that have nothing to do with each other any more. Of these, only those matter in which the hint
fails. What is left is asked of the layers that look at few symbols, and only then of those below. Queries without
choices, products and divisions take solvers no longer than this would.

A constraint takes part in rewriting others only as a part of them, never the other way round: each is rewritten by
smaller ones, so nothing is lost. Models are evaluated before they are believed; a core is traced back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.expr.node import Expr, postorder
from clew.expr.op import CONST, EQ, ITE, LAND, LNOT, SYMBOL
from clew.expr.walk import is_hard, rebuild
from clew.solver.interface import Answer, Query, Result, Solver, ordered, sat, symbols_of, unsat
from clew.solver.layers.propagation import PER_NODE
from clew.solver.layers.shortcuts import Bound, bound_of, only_value
from clew.solver.layers.worth import Worth
from clew.solver.path import conjuncts
from clew.solver.stats import SolverStats

NAME = "known"
ROUNDS = 4
"""Times that a query is rewritten: what is known of some terms may tell others."""
MOST_NODES = 20_000
"""Of one query that are looked at."""
PATIENCE = 6_000
"""Nodes that may be looked at in vain."""
WORTH = 0.75
"""The part of a query's nodes up to which what is left of it is asked instead: for more, it is too much like the query
to be another one."""

_NONE: Query = frozenset()
_Origins: TypeAlias = dict[Expr, Query]
"""Constraints by what they go back to."""


class _Fact(NamedTuple):
    """What a term is, or has become, by which constraints."""

    value: Any
    why: Query


class _TooLarge(Exception):
    """More nodes than are to be looked at."""


class KnownValues:
    """The layer. ``rewritten``: who is asked about queries that have become others; ``below``: about all others."""

    def __init__(self, below: Solver, rewritten: Solver, stats: SolverStats) -> None:
        self._below = below
        self._rewritten = rewritten
        self._stats = stats
        self._worth = Worth(PATIENCE)

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Rewrite, and ask about what is left."""
        if not _is_involved(constraints) or not self._worth.is_time():
            return self._below.check(constraints, hint)
        rewriting = _Rewriting(constraints)
        found = rewriting.result()
        self._stats.nodes += rewriting.looked_at // PER_NODE
        result = self._answer(found, constraints, hint)
        self._worth.looked(rewriting.looked_at, result is not None)
        return result or self._below.check(constraints, hint)

    def _answer(self, found: _Origins | Query | None, constraints: Query, hint: Model | None) -> Result | None:
        """By what rewriting came to; None where it is of no use."""
        if found is None:
            return None
        if type(found) is frozenset:
            return unsat(NAME, found)
        assert isinstance(found, dict)
        start = (hint or EMPTY_MODEL).updated(_symbol_values(found))
        open_ones = _open(found, start)
        if _size(open_ones) > WORTH * _size(constraints):
            return None
        result = self._rewritten.check(open_ones, start) if open_ones else sat(start, NAME)
        if result.answer is Answer.UNSAT:
            core = result.core or open_ones
            return unsat(NAME, _NONE.union(*[found[constraint] for constraint in core]))
        if result.model is None:
            return result
        model = result.model
        if model.violated(constraints):
            return None
        values = {symbol: model.eval(symbol) for symbol in ordered(symbols_of(constraints))}
        return sat(Model(values) if hint is None else hint.updated(values), NAME)


class _Rewriting:
    """Of one query."""

    def __init__(self, constraints: Query) -> None:
        self._origins: _Origins = {constraint: frozenset((constraint,)) for constraint in ordered(constraints)}
        self._facts: dict[Expr, _Fact] = {}
        self._done: dict[Expr, _Fact] = {}
        """What nodes have become in this round."""
        self.looked_at = 0
        """Nodes, in all rounds."""

    def result(self) -> _Origins | Query | None:
        """What the query comes to, with the constraints that each part goes back to; the core of a contradiction; None
        if nothing changes."""
        changed = False
        for _ in range(ROUNDS):
            try:
                found = self._round()
            except _TooLarge:
                break
            if found is None or type(found) is frozenset:
                return found or (self._origins if changed else None)
            assert isinstance(found, dict)
            tells_more = any(
                bound_of(constraint) is not None for constraint in found if constraint not in self._origins
            )
            self._origins, changed = found, True
            if not tells_more:
                break
        return self._origins if changed else None

    def _round(self) -> _Origins | Query | None:
        self._done = {}
        self._facts = {
            term: _Fact(value, frozenset((constraint,)))
            for constraint in reversed(self._origins)  # of several that tell the same, the first one counts
            for term, value in _told(constraint)
        }
        for term, fact in _left_over(self._origins):
            self._facts.setdefault(term, fact)
        found: _Origins = {}
        changed = False
        for constraint, origin in self._origins.items():
            value, used = self._apart_from(constraint, constraint)
            if value is constraint:
                found.setdefault(constraint, origin)
                continue
            changed = True
            origin = origin.union(*[self._origins[one] for one in used])
            if type(value) is Expr:
                for part in conjuncts(value):
                    found.setdefault(part, origin)
            elif not value:
                return origin
        return found if changed else None

    def _apart_from(self, constraint: Expr, node: Expr) -> _Fact:
        """The part ``node`` of a constraint by what others say; it is this one that says what some of its parts are."""
        fact = self._facts.get(node)
        if fact is not None and constraint not in fact.why:
            return fact
        if fact is None and node is not constraint:
            return self._by_all(node)
        return _combined(node, [self._apart_from(constraint, arg) for arg in node.args])

    def _by_all(self, root: Expr) -> _Fact:
        """A term by what all constraints say."""
        done, stack = self._done, [root]
        while stack:
            if stack[-1] in done:
                stack.pop()
            else:
                stack += self._step(stack[-1])
        return done[root]

    def _step(self, node: Expr) -> Sequence[Expr]:
        """Look at a node; or give those that have to be looked at before."""
        done, args = self._done, node.args
        fact = self._facts.get(node)
        if fact is None and node.op is CONST:
            fact = _Fact(node.value, _NONE)
        elif fact is None and node.op is ITE:
            if args[0] not in done:
                return args[:1]
            condition, why = done[args[0]]
            if type(condition) is not Expr:  # the other side does not matter
                chosen = args[1 if condition else 2]
                if chosen not in done:
                    return (chosen,)
                fact = _Fact(done[chosen].value, why | done[chosen].why)
        if fact is None:
            pending = [arg for arg in args if arg not in done]
            if pending:
                return pending
            fact = _combined(node, [done[arg] for arg in args])
        self.looked_at += 1
        if self.looked_at > MOST_NODES:
            raise _TooLarge
        done[node] = fact
        return ()


def _combined(node: Expr, args: Sequence[_Fact]) -> _Fact:
    """A node with other arguments."""
    if all(new.value is old or old.op is CONST for new, old in zip(args, node.args, strict=True)):
        return _Fact(node, _NONE)
    if node.op is LAND:
        wrong = next((arg for arg in args if arg.value is False), None)
        if wrong is not None:  # others give no reasons
            return wrong
    return _Fact(rebuild(node, [arg.value for arg in args]), _NONE.union(*[arg.why for arg in args]))


def _told(constraint: Expr) -> Iterable[tuple[Expr, Any]]:
    """What a constraint says of terms."""
    if constraint.op is LNOT:
        return [(constraint.args[0], False)]
    if constraint.op is EQ:
        a, b = constraint.args
        if a.op is CONST:
            a, b = b, a
        if b.op is CONST and a.op is not CONST and a.width:
            return [(constraint, True), (a, b.value)]
    return [(constraint, True)]


def _left_over(constraints: Iterable[Expr]) -> Iterator[tuple[Expr, _Fact]]:
    """Terms that bounds leave one value."""
    bounds: dict[Expr, list[tuple[Bound, Expr]]] = {}
    for constraint in constraints:
        bound = bound_of(constraint)
        if bound is not None:
            bounds.setdefault(bound.term, []).append((bound, constraint))
    for term, some in bounds.items():
        value = only_value(term, [bound for bound, _ in some]) if len(some) > 1 else None
        if value is not None:
            yield term, _Fact(value, frozenset([constraint for _, constraint in some]))


def _symbol_values(constraints: Iterable[Expr]) -> dict[Expr, Any]:
    """What symbols are, as far as constraints say so."""
    told = [one for constraint in constraints for one in _told(constraint)]
    return {term: value for term, value in told if term.op is SYMBOL}


def _is_involved(constraints: Query) -> bool:
    """Whether there is anything in a query that makes it worth to look at it."""
    return any(node.op is ITE for node in postorder(constraints)) or is_hard(constraints)


def _size(constraints: Query) -> int:
    return sum(1 for _ in postorder(constraints))


def _open(constraints: Iterable[Expr], model: Model) -> Query:
    """Those that fail in a model, and all that have to do with them by symbols they share."""
    groups: dict[Expr, list[Expr]] = {}
    for constraint in constraints:
        for symbol in constraint.symbols:
            groups.setdefault(symbol, []).append(constraint)
    found = {constraint for constraint in constraints if not model.eval(constraint)}
    work, seen = ordered(found), set[Expr]()
    while work:
        for symbol in work.pop().symbols:
            if symbol not in seen:
                seen.add(symbol)
                more = [constraint for constraint in groups[symbol] if constraint not in found]
                found.update(more)
                work += more
    return frozenset(found)
