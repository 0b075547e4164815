"""Closed loops in terms of chains, and their instances: counters of one execution of a loop, and what is known of them.

For each chain that was executed at all:

    last     the chain's conditions held when it was executed for the last time: for values that other counters,
             not larger than the final ones, give; and its own, less by one
    first    the same for its first execution, when its own counter was 0
    ends     the loop's first iteration and its last one were executions of some chain

(the paper's "one iteration earlier the loop's condition still held" is the last of these). Where all chains ask the
same of the variables (``i < n``) and differ in other things, only the ends are looked at.

Counters are as wide as no loop can count in practice, but that is no proof. Where a variable shows how often a loop
can be executed at most, nothing is missing; otherwise a symbol ``endless`` stands for all longer executions, and what
compares counters holds only without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any

from clew.base.dataclass import dataclass
from clew.expr import build
from clew.expr.node import BV, Bool, Expr
from clew.expr.sort import BOOL, bv
from clew.expr.walk import substitute
from clew.solver.path import conjuncts
from clew.techniques.chains.acyclic import AcyclicFunction
from clew.techniques.chains.forward_evaluation import MergedEvaluator, Notes
from clew.techniques.chains.recurrence import MODERATE, WIDE, Values, Variable


@dataclass(slots=True)
class LoopChain:
    """Ways through a loop's body that do the same to the variables that matter."""

    condition: Bool
    """Over the values at the start of the iteration, and symbols of the body."""
    following: tuple[Any, ...]
    """The variables' values at the end of the iteration."""


@dataclass(slots=True)
class ClosedLoop:
    """A loop in terms of chains."""

    outline: AcyclicFunction
    loop: int
    variables: list[Variable]
    chains: list[LoopChain]
    notes: Notes
    """Of the body: facts, symbols, edges."""
    lost: int = 0
    """Objects in which an iteration may write at places that are not known."""
    bounded: bool = False
    counters: list[BV] = field(default_factory=list)
    executions: list[tuple[BV, dict[Expr, Any]]] = field(default_factory=list)
    """Of this instance: per chain, its counter and what the symbols of its last execution stand for."""


def renamed(fact: Bool, mapping: dict[Expr, Any]) -> Bool:
    """A fact about other symbols."""
    result = substitute(fact, mapping)
    assert not isinstance(result, float)
    return result if isinstance(result, Expr) else bool(result)


def instantiate(ahead: MergedEvaluator, form: ClosedLoop) -> list[Any]:
    """Counters for one time that the loop is executed; the values of its variables behind it."""
    return _Instance(ahead, form).values()


class _Instance:
    """One time that a loop is executed."""

    def __init__(self, ahead: MergedEvaluator, form: ClosedLoop) -> None:
        self._ahead = ahead
        self._form = form
        self._facts = ahead.notes.facts
        self._endless: Bool = False if form.bounded or not form.chains else ahead.fresh(BOOL)
        if isinstance(self._endless, Expr):
            ahead.notes.endless.append(self._endless)
        form.counters = [ahead.fresh(bv(WIDE), "k") for _ in form.chains]
        self._moving = {variable.symbol for variable in form.variables if variable.changes}

    def values(self) -> list[Any]:
        form = self._form
        self._facts += [build.lor(self._endless, build.ult(k, MODERATE, WIDE)) for k in form.counters]
        values = Values(self._ahead.fresh, self._facts.append, self._endless)
        result = [values.after(variable, form.counters) for variable in form.variables]
        shared = self._shared()
        if shared is not None:
            self._ends_only(shared)
        else:
            self._each_chain()
        return result

    # What all chains ask for alike

    def _depends(self, fact: Bool) -> bool:
        return isinstance(fact, Expr) and bool(fact.symbols & self._moving)

    def _shared(self) -> list[Expr] | None:
        """What each chain asks of the variables, if all ask the same; None otherwise."""
        if not self._form.chains or any(self._depends(fact) for fact in self._form.notes.facts):
            return None
        asked = [[part for part in _parts(chain.condition) if self._depends(part)] for chain in self._form.chains]
        first = frozenset(asked[0])
        return asked[0] if all(frozenset(parts) == first for parts in asked[1:]) else None

    def _ends_only(self, shared: list[Expr]) -> None:
        form = self._form
        lasts = []
        for index, (chain, counter) in enumerate(zip(form.chains, form.counters, strict=True)):
            executed = build.ne(counter, 0, WIDE)
            before = [build.sub(k, 1, WIDE) if n == index else k for n, k in enumerate(form.counters)]
            facts: list[Bool] = []
            mapping = self._mapping(before, facts)
            own = [part for part in _parts(chain.condition) if not self._depends(part)]
            self._facts.append(
                build.implies(executed, _all(renamed(part, mapping) for part in (*form.notes.facts, *own)))
            )
            lasts.append(_all([executed, *facts, *(renamed(part, mapping) for part in shared)]))
            form.executions.append((counter, mapping))
        start = self._mapping([0] * len(form.counters), self._facts)
        never = _all(build.eq(counter, 0, WIDE) for counter in form.counters)
        self._facts.append(build.disjunction([self._endless, never, *lasts]))
        self._facts.append(build.lor(never, _all(renamed(part, start) for part in shared)))

    # What each chain asks for

    def _each_chain(self) -> None:
        form = self._form
        firsts: list[Bool] = []
        lasts: list[Bool] = []
        each = len(form.chains) <= self._ahead.survey.limits.snapshots
        for index, (chain, counter) in enumerate(zip(form.chains, form.counters, strict=True)):
            executed = build.ne(counter, 0, WIDE)
            first, last = self._snapshots(index, each)
            mapping, held_last = self._held(chain, last)
            _, held_first = self._held(chain, first)
            if each:
                ordered = [
                    build.lor(self._endless, build.land(build.ule(f, to, WIDE), build.ule(to, k, WIDE)))
                    for f, to, k in zip(first, last, form.counters, strict=True)
                ]
                self._facts.append(build.implies(executed, _all([*ordered, held_last, held_first])))
                held_first = held_last = True
            firsts.append(_all([executed, held_first, *(build.eq(f, 0, WIDE) for f in first)]))
            others = [(to, k) for n, (to, k) in enumerate(zip(last, form.counters, strict=True)) if n != index]
            lasts.append(_all([executed, held_last, *(build.eq(to, k, WIDE) for to, k in others)]))
            form.executions.append((counter, mapping))
        never = _all(build.eq(counter, 0, WIDE) for counter in form.counters)
        self._facts += [build.disjunction([self._endless, never, *some]) for some in (firsts, lasts)]

    def _snapshots(self, index: int, each: bool) -> tuple[list[BV], list[BV]]:
        """How often chains had been executed before one's first and last execution. Without ``each``: if these were
        the first and the last of all."""
        first: list[BV] = []
        last: list[BV] = []
        for number, counter in enumerate(self._form.counters):
            if number == index:
                first.append(0)
                last.append(build.sub(counter, 1, WIDE))
            else:
                first.append(self._ahead.fresh(bv(WIDE), "f") if each else 0)
                last.append(self._ahead.fresh(bv(WIDE), "l") if each else counter)
        return first, last

    def _held(self, chain: LoopChain, counters: Sequence[BV]) -> tuple[dict[Expr, Any], Bool]:
        """That a chain's condition held when the chains had been executed so often; what symbols stood for then."""
        facts: list[Bool] = []
        mapping = self._mapping(counters, facts)
        return mapping, _all([*facts, *(renamed(f, mapping) for f in (*self._form.notes.facts, chain.condition))])

    def _mapping(self, counters: Sequence[BV], facts: list[Bool]) -> dict[Expr, Any]:
        """What the symbols of the body stand for when chains had been executed so often. Facts about that hold only if
        there was such a time."""
        values = Values(self._ahead.fresh, facts.append, self._endless)
        mapping: dict[Expr, Any] = {v.symbol: values.after(v, counters) for v in self._form.variables}
        for made in self._form.notes.symbols:
            if made not in mapping:
                mapping[made] = self._ahead.fresh(made.sort)
        return mapping


def _parts(condition: Bool) -> list[Expr]:
    return conjuncts(condition) if isinstance(condition, Expr) else []


def _all(facts: Iterable[Bool]) -> Bool:
    return build.conjunction(list(facts))
