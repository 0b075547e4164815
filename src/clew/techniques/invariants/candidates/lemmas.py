"""Lemmas: conditions that hold whenever control is at the head of a loop, on any path, as the engine runs the program.

lemmas = find_lemmas(effects, invariants, start, options, budget)
for lemma in lemmas.of(function, header): ...       # over the symbols of lemma.head.terms
lemmas.assume(draft, function, header, registers, name)     # the same as code
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from clew.analysis.absint.analyse import Invariants
from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget
from clew.execute.context import RunOptions
from clew.execute.run import Run
from clew.execute.state import State
from clew.expr.node import Expr
from clew.expr.op import CONST, EQ, LAND, LNOT, MUL
from clew.expr.polynomials import Polynomial, plus, polynomial
from clew.expr.rewrite.boolean import negated
from clew.expr.sort import SortKind
from clew.expr.walk import postorder
from clew.program.editing import Draft
from clew.program.module import Program
from clew.program.values import Value
from clew.solver.chain import SolverChain, build_chain
from clew.solver.interface import Answer, SolverOptions
from clew.solver.stats import SolverStats
from clew.techniques.invariants.candidates.checking import Checker
from clew.techniques.invariants.candidates.code import assume_all, is_codable
from clew.techniques.invariants.candidates.conditions import conditions_of
from clew.techniques.invariants.candidates.equalities import equalities
from clew.techniques.invariants.candidates.facts import facts_of
from clew.techniques.invariants.candidates.heads import Head, Name, heads_of
from clew.techniques.invariants.candidates.limits import USUAL, Limits
from clew.techniques.invariants.candidates.opening import opened, shown
from clew.techniques.invariants.candidates.program_conditions import constants_of, program_conditions
from clew.techniques.invariants.candidates.ranking import Ranking, RankingSearch, ending
from clew.techniques.invariants.candidates.runs import Setting, Values
from clew.techniques.invariants.candidates.samples import samples_of
from clew.techniques.invariants.candidates.segments import Segment, segments_of
from clew.techniques.invariants.candidates.templates import Hints, Templates


@dataclass(frozen=True, slots=True)
class Lemma:
    """A condition at the head of a loop."""

    head: Head
    condition: Expr
    """Over the symbols of the head's terms."""
    is_known: bool = False
    """Whether it follows from what abstract interpretation says; it may be easier to use all the same."""


@dataclass(frozen=True, slots=True)
class Lemmas:
    """Those of a whole program."""

    found: Mapping[tuple[str, str], tuple[Lemma, ...]] = field(default_factory=dict)
    """By function and header."""
    rankings: Mapping[tuple[str, str], Ranking] = field(default_factory=dict)
    """The same: why loops end, of those that do, if that was asked for."""

    def __bool__(self) -> bool:
        return any(self.found.values())

    def of(self, function: str, header: str) -> tuple[Lemma, ...]:
        """Those of one loop."""
        return self.found.get((function, header), ())

    def assume(self, draft: Draft, function: str, header: str, registers: Mapping[str, Value], name: Name) -> None:
        """Code that ends the path unless the lemmas of a loop hold: for a block that leads to its head, or the head.

        ``registers``: values of those registers that have others there; ``name`` gives new registers.
        """
        lemmas = self.of(function, header)
        if lemmas:
            assume_all(draft, lemmas[0].head, [lemma.condition for lemma in lemmas], registers, name)


NO_LEMMAS = Lemmas()


def find_lemmas(
    effects: ModRef,
    invariants: Invariants,
    start: Callable[[Run], State],
    options: RunOptions,
    budget: Budget,
    limits: Limits = USUAL,
    ranked: bool = False,
) -> Lemmas:
    """The lemmas of a program that runs begin with ``start``; none where not all it does can be followed.

    ``ranked``: look for ranking functions, too.
    """
    heads = heads_of(effects, invariants, limits)
    if not heads:
        return NO_LEMMAS
    search = _Search(effects.program, heads, start, options, budget, limits)
    known = [facts_of(effects.program, invariants, head, limits) for head in heads]
    found = search.lemmas(known)
    lemmas = {(head.function, head.header): own for head, own in zip(heads, found, strict=True)}
    rankings = search.rankings(known, found) if ranked else [None] * len(heads)
    ends = ending(effects, rankings, heads)
    return Lemmas(lemmas, {(ranking.head.function, ranking.head.header): ranking for ranking in ends})


class _Search:
    """One search for lemmas."""

    def __init__(
        self,
        program: Program,
        heads: Sequence[Head],
        start: Callable[[Run], State],
        options: RunOptions,
        budget: Budget,
        limits: Limits,
    ) -> None:
        self._program = program
        self._heads = heads
        self._limits = limits
        self._budget = budget
        self._segments: Sequence[Segment] = ()
        solver = build_chain(SolverOptions(time_limit=limits.seconds, stop=budget.is_out_of_time), SolverStats())
        self._setting = Setting(start, options, solver, budget)

    def lemmas(self, facts: Sequence[Sequence[Expr]]) -> list[tuple[Lemma, ...]]:
        """For each head, those that hold beside facts that are known."""
        segments = segments_of(opened(self._program, self._heads, facts), self._setting, self._limits)
        if segments is None or self._budget.is_out_of_time():
            return [() for _ in self._heads]
        self._segments = segments
        self._budget.exhausted()  # others may have their turn
        samples = samples_of(shown(self._program, self._heads), len(self._heads), self._setting, self._limits)
        equal = self._equalities(samples, [() for _ in segments])
        easy = [list(filter(_is_easy, own)) for own in equal]
        checker = Checker(self._heads, segments, easy, self._solver, self._limits, self._budget.exhausted)
        others = checker.surviving(self._candidates(samples, equal))
        implied = checker.implied()
        if any(implied):
            equal = self._equalities(samples, implied)
        return [
            tuple(self._needed(head, [*equal[number], *others[number]], facts[number]))
            for number, head in enumerate(self._heads)
        ]

    def rankings(self, facts: Sequence[Sequence[Expr]], lemmas: Sequence[Sequence[Lemma]]) -> list[Ranking | None]:
        """For each head, why its loop ends if those do that are in it; None if that is not known."""
        known = [
            [*facts[number], *(lemma.condition for lemma in lemmas[number] if _is_easy(lemma.condition))]
            for number in range(len(self._heads))
        ]
        search = RankingSearch(self._heads, self._segments, known, self._solver)
        reached = {segment.head for segment in self._segments}
        return [
            search.of(number, program_conditions(self._program.functions[head.function], head)[0])
            if number in reached and not self._budget.is_out_of_time()
            else None
            for number, head in enumerate(self._heads)
        ]

    def _equalities(self, samples: Sequence[Sequence[Values]], implied: Sequence[Sequence[Expr]]) -> list[list[Expr]]:
        found: list[list[Expr]] = [[] for _ in self._heads]
        reached = {segment.head for segment in self._segments}
        for group in equalities(self._heads, self._segments, samples, implied, self._limits):
            if group.head in reached:
                found[group.head] += filter(is_codable, conditions_of(group, self._heads[group.head]))
        return found

    def _candidates(self, samples: Sequence[Sequence[Values]], known: Sequence[Sequence[Expr]]) -> list[list[Expr]]:
        """What templates suggest, of what solvers are good at."""
        found = []
        for number, head in enumerate(self._heads):
            function = self._program.functions[head.function]
            hints = Hints(*program_conditions(function, head), constants_of(function))
            made = Templates(head, samples[number], hints, self._limits).candidates()
            equal = [_difference(condition) for condition in known[number]]
            new = (c for c in made if not any(_difference(part) in equal for part in _alternatives(c) if part.op is EQ))
            found.append([c for c in new if is_codable(c) and _is_easy(c)])
        return found

    def _needed(self, head: Head, conditions: Sequence[Expr], facts: Sequence[Expr]) -> Iterator[Lemma]:
        """Without what follows from others; of two that say the same, the earlier one stays."""
        kept: list[Expr] = []
        for condition in conditions:
            if not _is_easy(condition) or not self._follows(condition, kept):
                kept.append(condition)
        for condition in reversed(kept[:]):
            others = [other for other in kept if other is not condition]
            if _is_easy(condition) and self._follows(condition, others):
                kept = others
        for condition in kept[: self._limits.kept]:
            others = [other for other in kept if other is not condition]
            yield Lemma(head, condition, _is_easy(condition) and self._follows(condition, (*others, *facts)))

    def _follows(self, condition: Expr, known: Iterable[Expr]) -> bool:
        easy = filter(_is_easy, known)
        return self._solver.check(frozenset((*easy, negated(condition)))).answer is Answer.UNSAT

    @property
    def _solver(self) -> SolverChain:
        return self._setting.solver


def _is_easy(condition: Expr) -> bool:
    """Whether nothing in a condition is multiplied but by numbers."""
    return not any(node.op is MUL and all(arg.op is not CONST for arg in node.args) for node in postorder([condition]))


def _alternatives(condition: Expr) -> Iterator[Expr]:
    """The parts of which one has to hold."""
    if condition.op is LNOT and condition.args[0].op is LAND:
        yield from (negated(part) for part in condition.args[0].args)
    else:
        yield condition


def _difference(condition: Expr) -> Polynomial | None:
    """What an equality of words says to be zero, in a form that does not depend on how it is written; else None."""
    if condition.op is not EQ or condition.args[0].sort.kind is not SortKind.BV:
        return None
    width = condition.args[0].width
    left, right = (polynomial(arg, width) for arg in condition.args)
    whole, other = plus(left, right, -1, width), plus(right, left, -1, width)
    return min(whole, other, key=lambda zero: sum(zero.values()))
