"""Inputs that may lead over a branch edge, from closed forms: what can be had in no time, before invariants.

As with candidates from invariants: the fewest rounds of loops that the conditions on the way allow, outer loops first,
then values for inputs. Bounds are propagated instead of solving linear programs. What comes out need not be right;
it is left to invariants if it would be a long way.

What it is worth: on ``benchmarks/programs/invariants`` without other techniques, five of six are covered after 4 to 6
paths instead of 21 to 173, which take 1.3 to 4 times as long; with them, ``guards.c``, ``records.c`` and ``twoloops.c``
take 1.8, 2.9 and 5.8 times as long without this, and the others as long. Abstract interpretation with linear equalities
alone finds the same inputs for these six, but takes 10 to 50 ms for programs of that size instead of 1 to 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from clew.analysis.absint.domain import Bounds
from clew.analysis.absint.linear import Linear, Variable
from clew.analysis.absint.numbers import limits as limits_of
from clew.analysis.absint.variables import Held
from clew.analysis.callees import Callees
from clew.analysis.graph import Loop
from clew.execute.context import InputHints
from clew.execute.coverage import Edge
from clew.program.module import Program
from clew.techniques.invariants.closed_forms import ClosedFormActivation, ClosedForms, Product, Rounds
from clew.techniques.invariants.guards import Box, Fact, Facts, Groups, Guards
from clew.techniques.invariants.input_hints import PREFERENCES, Preference, source_of
from clew.techniques.invariants.limits import USUAL, Limits


class ClosedFormInputs:
    """Proposes inputs for the branches of one program, by its closed forms."""

    def __init__(self, program: Program, entry: str, resolver: Callees, limits: Limits = USUAL) -> None:
        self._program = program
        self._limits = limits
        self._forms = ClosedForms(program, entry, resolver, limits)
        self._guards = Guards(self._forms, resolver, limits)

    def of(self, edge: Edge) -> Iterator[InputHints]:
        """Inputs to try for an edge that depends on rounds of loops."""
        function, source, target = edge
        seen: list[InputHints] = []
        for at in self._forms.activations:
            if at.function.name != function:
                continue
            own = self._guards.taken(at, at.graph.numbers[source], target)
            if not any(isinstance(v, Rounds | Product) for fact in own for v in fact.linear.terms):
                continue
            for case in _cases(own):
                for point in self._points(at, at.graph.numbers[source], case):
                    wishes = self._wishes(point)
                    if wishes and wishes not in seen:
                        seen.append(wishes)
                        yield wishes
                    if len(seen) == self._limits.candidates:
                        return

    def _points(self, at: ClosedFormActivation, block: int, own: Facts) -> Iterator[dict[Variable, int]]:
        groups = [
            group for where, loop in self._guards.loops(at, block) for group in self._group(where, loop, at, block)
        ]
        others = self._guards.to(at, block)[: self._limits.facts]
        facts = _related([*own, *(fact for _, more in groups for fact in more)], others) + own
        facts += self._ended(facts, groups)
        box = Box(self._range)
        if not box.tighten(facts):
            return
        for entered in (True, False):
            point = self._settled(box.copy(), list(facts), groups, entered)
            for taste in PREFERENCES if point is not None else ():
                assert point is not None
                found = self._point(point[0].copy(), point[1], taste)
                if found is not None:
                    yield found

    def _settled(self, box: Box, facts: Facts, groups: Groups, entered: bool) -> tuple[Box, Facts] | None:
        """With rounds for all loops, as few as can be; None if that does not work out, or would take long.

        ``entered``: loops go round at least once where they can.
        """
        waiting: list[tuple[Rounds, Facts]] = []
        for count, more in groups:
            trial = box.copy()
            once = [Fact(Linear({count: 1}, -1)), *more]
            if entered and trial.tighten(facts + once):
                box = trial
                facts += once
                waiting.append((count, []))
            else:
                waiting.append((count, more))
        products = dict.fromkeys(v for fact in facts for v in _variables(fact.linear) if isinstance(v, Product))
        total = 0
        for count, more in waiting:
            low = box.of(count)[0] or 0
            facts.append(Fact(Linear({count: 1}, -low), "=="))
            facts += more if low else []
            facts += [Fact(Linear.of(v) - v.factor * low, "==") for v in products if v.rounds == count]
            total += low
            if total > self._limits.rounds or not box.tighten(facts):
                return None
        counted = (v for v in products if all(isinstance(part, Rounds | Product) for part in v.factor.terms))
        return (box, facts) if all((box.of(v)[0] or 0) <= self._limits.rounds for v in counted) else None

    def _ended(self, facts: Facts, groups: Groups) -> Facts:
        """What holds of loops in functions that have returned, where facts speak of them; they join the groups."""
        found: Facts = []
        known = {count for count, _ in groups}
        work = [fact.linear for fact in facts]
        while work:
            for variable in _variables(work.pop()):
                if not isinstance(variable, Rounds) or variable.full or variable in known:
                    continue
                at, loop = self._forms.loop_of(variable)
                more = self._guards.around(at, loop)
                groups += more
                known.update(count for count, _ in more)
                behind = self._guards.returned(at)
                found += behind
                work += [fact.linear for fact in behind]
        return found

    def _group(self, where: ClosedFormActivation, loop: Loop, at: ClosedFormActivation, block: int) -> Groups:
        """A loop on the way to a block with those inside, and what holds if they have gone round."""
        groups = self._guards.around(where, loop)
        rounds = where.rounds(loop)
        if where is at and block not in loop.blocks and self._forms.loops_around[rounds]:
            # It has ended, as it did in earlier rounds of the loop around it.
            same = Fact(Linear({rounds: 1, Rounds(rounds.frame, rounds.header, True): -1}), "==")
            groups[0][1].append(same)
        return groups

    def _point(self, box: Box, facts: Facts, taste: Preference) -> dict[Variable, int] | None:
        point: dict[Variable, int] = {}
        for held in self._forms.inputs:
            if held in box.table:
                point[held] = value = taste(*box.of(held))
                box.table[held] = (value, value)
                if not box.tighten(facts):
                    return None
        return point if all(box.holds(fact) for fact in facts) else None

    def _range(self, variable: Variable) -> Bounds:
        if isinstance(variable, Rounds):
            return (0, None)
        return limits_of(self._forms.inputs[variable].width, True) if isinstance(variable, Held) else (None, None)

    def _wishes(self, point: Mapping[Variable, int]) -> InputHints:
        wishes: InputHints = {}
        for held, value in point.items():
            assert isinstance(held, Held)
            function, definition = self._forms.activations[held.frame].function, self._forms.inputs[held].definition
            source = source_of(self._program, function, definition, held.register)
            wishes.setdefault(source, []).append(value)
        return wishes


def _related(near: Facts, others: Facts) -> Facts:
    """Those of others that have to do with facts, directly or through each other."""
    found: Facts = []
    left = others
    known = {variable for fact in near for variable in _variables(fact.linear)}
    while True:
        more = [fact for fact in left if not known.isdisjoint(_variables(fact.linear))]
        if not more:
            return found
        found += more
        left = [fact for fact in left if fact not in more]
        known.update(variable for fact in more for variable in _variables(fact.linear))


def _variables(linear: Linear) -> Iterator[Variable]:
    """Of an expression, and of the products in it."""
    for variable in linear.terms:
        yield variable
        if isinstance(variable, Product):
            yield variable.rounds
            yield from _variables(variable.factor)


def _cases(facts: Facts) -> Iterator[Facts]:
    """Without inequations."""
    for place, fact in enumerate(facts):
        if fact.relation == "!=":
            for more in (Fact(fact.linear - 1), Fact(-fact.linear - 1)):
                yield from _cases([*facts[:place], more, *facts[place + 1 :]])
            return
    yield facts
