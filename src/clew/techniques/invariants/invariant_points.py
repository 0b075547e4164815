"""Inputs that may lead over a branch edge: integer points of the invariant that holds there.

The invariant of an edge, which has the branch's condition in it, relates inputs to loop counters and other variables.
A point of it that is small in the counters is the shortest way it knows to the edge. An invariant may have points that
no run shows, so these are candidates: they have to be run.

Candidates need not be right, so they may use more than the invariant says: that loops on the way were entered, and that
a loop inside another one goes round as often each time, which makes a product of counters linear.
"""

from __future__ import annotations

from collections.abc import Iterator

from clew.analysis.absint.analyse import Invariants
from clew.analysis.absint.domain import Abstract
from clew.analysis.absint.linear import Constraint, Linear, Variable, at_least, equal
from clew.analysis.absint.variables import Count, Held, Initial, Total
from clew.base.location import Location
from clew.base.memo import remembered
from clew.execute.context import InputHints
from clew.execute.coverage import Edge, is_implicit
from clew.program import instructions as ir
from clew.program.module import Program
from clew.techniques.invariants.input_hints import PREFERENCES, Preference, source_of
from clew.techniques.invariants.limits import USUAL, Limits


class InvariantPoints:
    """Proposes inputs for the branches of one program, by its invariants."""

    def __init__(self, program: Program, invariants: Invariants, limits: Limits = USUAL) -> None:
        self._program = program
        self._limits = limits
        self._invariants = invariants

    def of(self, edge: Edge) -> Iterator[InputHints]:
        """Inputs to try for an edge that may depend on loops; none if the invariants know nothing of that kind."""
        function, source, target = edge
        seen: list[InputHints] = []
        for frame in self._invariants.frames_of(function):
            if self._invariants.frames[frame].general:
                continue
            state = self._invariants.on_edge(frame, source, target)
            counts = [] if state.is_bottom else self._counts(state)
            for start in self._cases(state, counts) if counts else ():
                for taste in PREFERENCES:
                    wishes = self._wishes(self._point(start, counts, taste))
                    if wishes and wishes not in seen:
                        seen.append(wishes)
                        yield wishes

    # Loops

    def _counts(self, state: Abstract) -> list[Count]:
        """The loops that a state speaks of, outer ones before those inside."""
        found = {Count(v.frame, v.header) for v in state.variables() if isinstance(v, Count | Total)}

        def place(count: Count) -> tuple[int, int, int]:
            outline = self._invariants.outline(count.frame)
            number = outline.graph.numbers[count.header]
            return (count.frame, len(outline.forest.around(number)), number)

        return sorted(found, key=place)

    def _cases(self, state: Abstract, counts: list[Count]) -> Iterator[Abstract]:
        """First that all loops were entered on the way which can have been; then anything."""
        entered = state
        for count in counts:
            facts = self._facts(count.frame, count.header)
            more = entered.assume((at_least(Linear.of(count), 1), *facts))
            entered = entered if more.is_bottom else more
        if entered is not state:
            yield entered
        yield state

    @remembered
    def _facts(self, frame: int, header: str) -> tuple[Constraint, ...]:
        """How often a loop's body was entered, in terms of inputs, if it was: what its exits know."""
        outline = self._invariants.outline(frame)
        loop = outline.forest.headed_by(outline.graph.numbers[header])
        assert loop is not None
        targets = [outline.graph.names[to] for block, to in loop.exits if block == loop.header]
        wanted = {Count(frame, header), *self._invariants.ghosts}
        found: Abstract | None = None
        for target in targets:
            state = self._invariants.on_edge_again(frame, header, target)
            if not state.is_bottom:
                state = state.forget([variable for variable in state.variables() if variable not in wanted])
                found = state if found is None else found.join(state)
        return () if found is None else found.constraints()

    def _uniform(self, state: Abstract, count: Count, rounds: dict[Count, int]) -> Abstract:
        """With a loop inside others going round as often each time they do."""
        outline = self._invariants.outline(count.frame)
        inner = outline.forest.headed_by(outline.graph.numbers[count.header])
        assert inner is not None
        factor, loop = 1, inner
        while loop.parent >= 0:
            loop = outline.forest.loops[loop.parent]
            around = rounds.get(Count(count.frame, outline.graph.names[loop.header]))
            if not around:
                return state
            factor *= around
        if loop is inner:
            return state
        product = state.assume((equal(Linear.of(Total(count.frame, count.header)), Linear.of(count, factor)),))
        return state if product.is_bottom else product

    # Points

    def _point(self, state: Abstract, counts: list[Count], taste: Preference) -> dict[Variable, int]:
        """Values for inputs, with as few iterations as can be."""
        rounds: dict[Count, int] = {}
        for count in counts:
            state = self._uniform(state, count, rounds)
            low, _ = state.bounds(Linear.of(count))
            if low is not None:
                state = _fixed(state, count, low)
                rounds[count] = low
        known = state.variables()
        point: dict[Variable, int] = {}
        for ghost in [ghost for ghost in self._invariants.ghosts if ghost in known][: self._limits.inputs]:
            value = taste(*state.bounds(Linear.of(ghost)))
            state = _fixed(state, ghost, value)
            point[ghost] = value
        return point

    # Inputs, as the engine knows them

    def _wishes(self, point: dict[Variable, int]) -> InputHints:
        wishes: InputHints = {}
        for ghost, value in point.items():
            assert isinstance(ghost, Held | Initial)
            wishes.setdefault(self._source(ghost), []).append(value)
        return wishes

    def _source(self, ghost: Held | Initial) -> Location | str:
        """What an input is known by where it is read."""
        outline = self._invariants.outline(ghost.frame)
        if isinstance(ghost, Initial):
            return source_of(self._program, outline.function, outline.blocks[ghost.block].instructions[ghost.index], "")
        definition = outline.definitions.get(ghost.register)
        return source_of(self._program, outline.function, definition, ghost.register)


def _fixed(state: Abstract, variable: Variable, value: int) -> Abstract:
    """With a value for a variable, unless that leaves nothing."""
    fixed = state.assume((equal(Linear.of(variable), value),))
    return state if fixed.is_bottom else fixed


def needed_rounds(invariants: Invariants, limits: Limits = USUAL) -> dict[tuple[str, str], int]:
    """For each loop, by function and header: the iterations that some branch outcome cannot do without."""
    needed: dict[tuple[str, str], int] = {}
    for frame in invariants.frames:
        name = frame.function.name
        outline = invariants.outline(frame.number)
        heads = [outline.graph.names[loop.header] for loop in outline.forest.loops]
        needed.update({(name, head): needed.get((name, head), 0) for head in heads})
        for block in frame.function.blocks if heads else ():
            targets = ir.successors(block.terminator)
            if len(targets) < 2 or is_implicit(block.terminator):
                continue
            for target in targets:
                state = invariants.on_edge(frame.number, block.name, target)
                for head in heads if not state.is_bottom else ():
                    least, _ = state.bounds(Linear.of(Count(frame.number, head)))
                    if least is not None and least <= limits.needed_rounds:
                        needed[name, head] = max(needed[name, head], least)
    return needed
