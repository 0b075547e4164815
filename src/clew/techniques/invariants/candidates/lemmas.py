"""Lemmas: conditions that hold whenever control is at the head of a loop, on any path, as the engine runs the program.

lemmas = find_lemmas(effects, invariants, start, options, budget)
for lemma in lemmas.of(function, header): ...       # over the symbols of lemma.head.terms
lemmas.assume(draft, function, header, registers, name)     # the same as code
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from clew.analysis.absint.analyse import Invariants
from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget
from clew.base.dataclass import dataclass
from clew.execute.context import RunOptions
from clew.execute.run import Run
from clew.execute.state import State
from clew.expr.node import Expr
from clew.program.editing import Draft
from clew.program.module import Function
from clew.program.values import Value
from clew.techniques.invariants.candidates.code import assume_all
from clew.techniques.invariants.candidates.facts import facts_of
from clew.techniques.invariants.candidates.heads import Head, Name, heads_of
from clew.techniques.invariants.candidates.induction import Induction, is_easy
from clew.techniques.invariants.candidates.limits import USUAL, Limits
from clew.techniques.invariants.candidates.opening import opened, shown
from clew.techniques.invariants.candidates.program_conditions import constants_of, program_conditions
from clew.techniques.invariants.candidates.ranking import Ranking, RankingSearch, ending
from clew.techniques.invariants.candidates.runs import setting_of
from clew.techniques.invariants.candidates.samples import likely_samples, samples_of
from clew.techniques.invariants.candidates.segments import segments_of
from clew.techniques.invariants.candidates.templates import Hints
from clew.techniques.invariants.cells.one_cell import CHOSEN, is_cell


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

    def are_of(self, heads: Sequence[Head]) -> bool:
        """Whether all of them are about these loops."""
        own = [lemma.head for lemmas in self.found.values() for lemma in lemmas]
        return all(head in heads for head in (*own, *(ranking.head for ranking in self.rankings.values())))

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
    program = effects.program
    known = [facts_of(program, invariants, head, limits) for head in heads]
    setting = setting_of(start, options, budget, limits)
    segments = segments_of(opened(program, heads, known), setting, limits)
    if segments is None or budget.is_out_of_time():
        return NO_LEMMAS
    budget.exhausted()  # others may have their turn
    visible = shown(program, heads)
    samples = samples_of(visible, len(heads), setting, limits)
    likely = likely_samples(visible, samples, setting, limits)
    hints = [_hints(program.functions[head.function], head) for head in heads]
    found = Induction(heads, segments, samples, hints, setting, limits, likely).holding(known)
    lemmas = {
        (head.function, head.header): tuple(Lemma(head, condition, is_known) for condition, is_known in own)
        for head, own in zip(heads, found, strict=True)
    }
    if not ranked:
        return Lemmas(lemmas)
    easy = [
        [*facts, *(condition for condition, _ in own if is_easy(condition))]
        for facts, own in zip(known, found, strict=True)
    ]
    search = RankingSearch(heads, segments, easy, setting.solver)
    reached = {segment.head for segment in segments}
    rankings = [
        search.of(number, hints[number].inside) if number in reached and not budget.is_out_of_time() else None
        for number in range(len(heads))
    ]
    ends = ending(effects, rankings, heads)
    return Lemmas(lemmas, {(ranking.head.function, ranking.head.header): ranking for ranking in ends})


def _hints(function: Function, head: Head) -> Hints:
    registers = {term.what: term.symbol for term in head.terms if isinstance(term.what, str)}
    cells = frozenset(symbol for name, symbol in registers.items() if is_cell(name))
    conditions = program_conditions(function, head, head.loop.blocks)
    return Hints(*conditions, constants_of(function), cells, registers.get(CHOSEN))
