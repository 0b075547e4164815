"""From invariants to facts in source terms: at loop heads, loop exits and branches.

A function that is called in several ways has a frame for each. What is told of it holds in all of them: their states
are joined, with the names that things have in the first one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from clew.analysis.absint.analyse import Invariants
from clew.analysis.absint.counting import has_test
from clew.analysis.absint.domain import Abstract
from clew.analysis.absint.frames import CallString, FunctionOutline
from clew.analysis.absint.linear import Constraint, Linear, Variable
from clew.analysis.absint.variables import Cell, Count, Held, Initial, Total
from clew.analysis.outcomes import conditions
from clew.analysis.scopes import Scope, Scopes
from clew.base.location import Location, source_order
from clew.describe.facts import constraints_of, facts_of
from clew.describe.lemmas import LemmaDescriber
from clew.describe.variable_names import Vocabulary, Words
from clew.execute.coverage import is_implicit, outcomes
from clew.program import instructions as ir
from clew.program.module import Program
from clew.program.operands import operands
from clew.program.values import GlobalRef, Register
from clew.report.facts import Fact, Term
from clew.report.invariant_report import BranchNote, Facts, FunctionInvariants, HeadNote, Note, OutcomeNote
from clew.techniques.invariants.candidates.lemmas import NO_LEMMAS, Lemmas

_LARGE = 1 << 20
"""A counter is not said to stay below a number like that: it comes from the width of a type."""
_REASONS = 4
"""Facts that are told as a reason."""

State = Callable[[int], Abstract]
"""The state at a point, by frame."""


class FactDescriber:
    """Makes notes about functions, and reasons, from the invariants of one program."""

    def __init__(self, program: Program, invariants: Invariants) -> None:
        self._invariants = invariants
        self._vocabulary = Vocabulary(program, invariants)
        self._lemmas = LemmaDescriber(program)
        self._scopes: dict[str, Scopes] = {}

    # Whole functions

    def function(self, name: str, alone: bool = False, lemmas: Lemmas = NO_LEMMAS) -> FunctionInvariants:
        """All points of a function that has frames; with lemmas at the heads of its loops."""
        frames = [self._invariants.frames[number] for number in self._invariants.frames_of(name)]
        function = frames[0].function
        points: list[tuple[int, Note]] = [*self._heads(frames, lemmas), *self._branches(frames)]
        notes = [note for _, note in sorted(points, key=_order)]
        return FunctionInvariants(function.source_name, function.location, tuple(notes), alone, len(frames))

    def _heads(
        self, frames: list[CallString], lemmas: Lemmas, only: str | None = None
    ) -> Iterator[tuple[int, HeadNote]]:
        """With the numbers of their blocks; of one loop only, if its header is given."""
        outline = self._invariants.outline(frames[0].number)
        loops = self._vocabulary.loops(frames[0])
        for loop in loops.ordered:
            header = outline.graph.names[loop.header]
            if only is not None and header != only:
                continue
            parent = outline.forest.loops[loop.parent] if loop.parent >= 0 else None
            facts = self._facts(frames, self.scopes(frames[0]).start(header), self._before(header), header)
            inside = "" if parent is None else loops.name(parent)
            own = lemmas.of(frames[0].function.name, header)
            told = tuple(dict.fromkeys(self._lemmas.text(lemma) for lemma in own if not lemma.is_known))
            yield loop.header, HeadNote(loops.name(loop), loops.place(loop), loop.depth, inside, facts, told)

    def _branches(self, frames: list[CallString]) -> Iterator[tuple[int, BranchNote]]:
        """The same."""
        outline = self._invariants.outline(frames[0].number)
        reached = self.scopes(frames[0]).reached
        negated = conditions(outline.function).negated
        for name, block in outline.blocks.items():
            terminator = block.terminator
            targets = ir.successors(terminator)
            if name not in reached or len(targets) < 2 or terminator.location is None or is_implicit(terminator):
                continue
            scope = self.scopes(frames[0]).end(name)
            ways = [
                OutcomeNote(
                    outcome,
                    self._left(frames[0], outline, name, target),
                    self._facts(frames, scope, self._on_edge(name, target), name),
                    self._entered(frames, scope, name, target),
                )
                for outcome, target in zip(outcomes(terminator, targets, name in negated), targets, strict=True)
            ]
            before = self._facts(frames, scope, self._at(name, len(block.instructions) - 1), name)
            yield outline.graph.numbers[name], BranchNote(terminator.location, before, tuple(ways))

    def _entered(self, frames: list[CallString], scope: Scope, source: str, target: str) -> tuple[Fact, ...]:
        """What holds beside on a way out of a loop's head, unless that was the first time there."""
        outline = self._invariants.outline(frames[0].number)
        loop = outline.forest.headed_by(outline.graph.numbers[source])
        if loop is None or outline.graph.numbers[target] in loop.blocks or not has_test(loop):
            return ()
        known = self._facts(frames, scope, self._on_edge(source, target), source)
        again = self._facts(frames, scope, lambda frame: self._invariants.on_edge_again(frame, source, target), source)
        return tuple(fact for fact in again or () if fact not in (known or ()) and not fact.is_count)

    def _left(self, frame: CallString, outline: FunctionOutline, source: str, target: str) -> tuple[str, ...]:
        loops = self._vocabulary.loops(frame)
        around = outline.forest.around(outline.graph.numbers[source])
        return tuple(loops.name(loop) for loop in around if outline.graph.numbers[target] not in loop.blocks)

    def scopes(self, frame: CallString) -> Scopes:
        """Values of C variables in a frame's function."""
        known = self._scopes.get(frame.function.name)
        if known is None:
            known = self._scopes[frame.function.name] = Scopes(frame.function)
        return known

    # Single points

    def head(self, function: str, header: str, lemmas: Lemmas = NO_LEMMAS) -> str:
        """What holds at the head of a loop, in a few words, with its place: lemmas, and facts."""
        frames = [self._invariants.frames[number] for number in self._invariants.frames_of(function)]
        for _, note in self._heads(frames, lemmas, header):
            told = [*note.lemmas, *(fact.text for fact in note.facts or ())]
            return f"{note.location}: {', '.join(told[:_REASONS])}" if told else ""
        return ""

    def in_c(self, function: str, header: str) -> tuple[Location, str, str] | None:
        """What holds at the head of a loop as a condition in C, with place and function; None if C cannot say it."""
        frames = [self._invariants.frames[number] for number in self._invariants.frames_of(function)]
        for _, note in self._heads(frames, NO_LEMMAS, header):
            parts = [text for fact in note.facts or () if (text := fact.c_text) is not None]
            if parts and note.location is not None:
                return note.location, frames[0].function.source_name, " && ".join(parts)
        return None

    def dead(self, function: str, block: str) -> str:
        """Why an outcome of a branch is impossible: what is known, before the branch, of what it depends on."""
        frames = [self._invariants.frames[number] for number in self._invariants.frames_of(function)]
        if not frames:
            return "nothing calls the function"
        body = self._invariants.outline(frames[0].number).blocks[block]
        state = self._joined(frames, self._at(block, len(body.instructions) - 1))
        if state is None:
            return "control never comes to the branch"
        words = self._vocabulary.words(frames[0], self.scopes(frames[0]).end(block), state)
        concerned, called = self._concerned(frames[0], body.terminator, words)
        # What follows for these alone: it may take others to say it shortly.
        about = state.forget([one for one in state.variables() if words.terms.get(one) not in concerned])
        facts = [fact for fact in _facts(about, words, frozenset()) if fact.names <= concerned and len(fact.terms) > 1]
        facts += _bounds(state, words, concerned)
        facts = facts or [fact for fact in _facts(state, words, frozenset()) if fact.names & concerned]
        texts = [*_returned(state, frames[0].number, called), *(fact.text for fact in facts)]
        return ", ".join(list(dict.fromkeys(texts))[:_REASONS]) or "its condition is always the same"

    def _concerned(
        self, frame: CallString, terminator: ir.Instruction, words: Words
    ) -> tuple[set[Term], list[tuple[str, str]]]:
        """What a branch depends on: terms, and registers with what functions have returned, which have no name."""
        definitions = self._invariants.outline(frame.number).definitions
        named = {variable.register: term for variable, term in words.terms.items() if isinstance(variable, Held)}
        found: set[Term] = set()
        called: list[tuple[str, str]] = []
        waiting = [value.name for value in operands(terminator) if isinstance(value, Register)]
        seen: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            definition = definitions.get(name)
            if name in named:
                found.add(named[name])
            elif isinstance(definition, ir.Load):
                found |= {term for variable, term in words.terms.items() if isinstance(variable, Cell)}
            elif isinstance(definition, ir.Call) and (function := _function_called(definition)):
                called.append((name, function))
            elif definition is not None and not isinstance(definition, ir.Phi):
                waiting += [value.name for value in operands(definition) if isinstance(value, Register)]
        return found, called

    def _before(self, block: str) -> State:
        return lambda frame: self._invariants.before(frame, block)

    def _at(self, block: str, index: int) -> State:
        return lambda frame: self._invariants.at(frame, block, index)

    def _on_edge(self, source: str, target: str) -> State:
        return lambda frame: self._invariants.on_edge(frame, source, target)

    def _facts(self, frames: list[CallString], scope: Scope, state_of: State, block: str) -> Facts:
        """What holds at a point in a block, or on a way out of it."""
        state = self._joined(frames, state_of)
        if state is None:
            return None
        outline = self._invariants.outline(frames[0].number)
        around = outline.forest.around(outline.graph.numbers[block])
        heads = frozenset(outline.graph.names[loop.header] for loop in around)
        return tuple(_facts(state, self._vocabulary.words(frames[0], scope, state), heads))

    def _renamed(self, state: Abstract, frame: int, to: int) -> Abstract:
        """A state with another frame's variables in the place of one's."""
        if frame == to:
            return state
        values: dict[Variable, Linear] = {}
        gone: list[Variable] = []
        for variable in state.variables():
            if isinstance(variable, Held | Count | Total | Cell | Initial) and variable.frame == frame:
                gone.append(variable)
                other = replace(variable, frame=to)
                if not isinstance(variable, Initial) or other in self._invariants.ghosts:
                    values[other] = Linear.of(variable)
        return state.assign(values).forget(gone)

    def _joined(self, frames: list[CallString], state_of: State) -> Abstract | None:
        """The state of all frames together, in terms of the first; None if control comes there in none of them."""
        joined: Abstract | None = None
        for frame in frames:
            state = state_of(frame.number)
            if not state.is_bottom:
                state = self._renamed(state, frame.number, frames[0].number)
                joined = state if joined is None else joined.join(state)
        return joined


def _function_called(call: ir.Call) -> str:
    """The name of the function; empty for an intrinsic, which computes with its operands, and for a pointer."""
    callee = call.callee
    return callee.name if isinstance(callee, GlobalRef) and not callee.name.startswith("llvm.") else ""


def _returned(state: Abstract, frame: int, called: Iterable[tuple[str, str]]) -> Iterator[str]:
    """What functions have returned, as far as that is known: ``f() >= 0``."""
    for register, function in called:
        low, high = state.bounds(Linear.of(Held(frame, register)))
        if low is not None and high is not None:
            yield f"{function}() == {low}" if low == high else f"{low} <= {function}() <= {high}"
        elif low is not None or high is not None:
            yield f"{function}() >= {low}" if low is not None else f"{function}() <= {high}"


def _facts(state: Abstract, words: Words, heads: Collection[str]) -> list[Fact]:
    """What a state says, in words, and as little as that takes; and bounds of the loops that are on their way."""
    state = state.forget([variable for variable in state.variables() if variable not in words.terms])
    own = [_translated(constraint, words.terms) for constraint in state.constraints()]
    own += [Constraint(Linear.of(term) - value, equality=True) for term, value in words.constants]
    own += [Constraint(Linear.of(term) - Linear.of(other), equality=True) for term, other in words.equal]
    running: dict[Variable, Term] = {
        variable: term
        for variable, term in words.counters()
        if isinstance(variable, Count | Total) and variable.header in heads
    }
    facts = [fact for fact in facts_of(own) if not (fact.is_count and fact.terms[0][0] in running.values())]
    return [*_needed(facts, state.forget(state.variables()), words), *_counts(state, running)]


def _bounds(state: Abstract, words: Words, terms: Collection[Term]) -> Iterator[Fact]:
    """What single terms lie between, beside what their types say."""
    for variable, term in sorted(words.terms.items(), key=lambda item: item[1].rank):
        if term in terms:
            low, high = state.bounds(Linear.of(variable))
            own = Linear.of(term)
            bounds = [] if low is None else [Constraint(own - low)]
            bounds += [] if high is None else [Constraint(-own + high)]
            yield from facts_of(bounds)
    yield from (Fact(((term, 1),), value, value) for term, value in words.constants if term in terms)


def _counts(state: Abstract, counters: Mapping[Variable, Term]) -> Iterator[Fact]:
    """Bounds of counters, which are told whatever else they follow from; not those that types have."""
    for variable, term in sorted(counters.items(), key=lambda item: item[1].rank):
        low, high = state.bounds(Linear.of(variable))
        if high is not None and high > _LARGE:
            high = None
        if high is not None or (low is not None and low > 0):
            yield Fact(((term, 1),), max(low or 0, 0), high)


def _translated(constraint: Constraint, terms: Mapping[Variable, Variable]) -> Constraint:
    linear = Linear({terms[v]: factor for v, factor in constraint.linear.terms.items()}, constraint.linear.constant)
    return Constraint(linear, constraint.equality)


def _needed(facts: Iterable[Fact], known: Abstract, words: Words) -> Iterator[Fact]:
    """Without what follows from others, or from counters being counters."""
    known = known.assume([Constraint(Linear.of(variable)) for variable, _ in words.counters()])
    back: dict[Variable, Variable] = {term: variable for variable, term in words.terms.items()}
    for fact in facts:
        if any(term not in back for term, _ in fact.terms):
            yield fact
            continue
        constraints = [_translated(constraint, back) for constraint in constraints_of(fact)]
        if not all(known.entails(constraint) for constraint in constraints):
            known = known.assume(constraints)
            yield fact


def _order(point: tuple[int, Note]) -> tuple[str, int, int, bool]:
    """By lines; in a line, as control goes."""
    number, note = point
    return (*source_order(note.location)[:2], number, isinstance(note, BranchNote))
