"""Loops of a program as relations, and their closures: the way into this package."""

from __future__ import annotations

from collections.abc import Iterator

from clew.analysis.absint.linear import Linear, Variable, within
from clew.analysis.absint.views import is_number
from clew.analysis.escape import Object
from clew.analysis.graph import Loop
from clew.analysis.loops.arithmetic import as_number
from clew.analysis.loops.closing import close
from clew.analysis.loops.closure import Before, Closure, Fixed, LoopVariable, Memory, Refusal, Unknown
from clew.analysis.loops.conditions import in_view
from clew.analysis.loops.facts import Facts
from clew.analysis.loops.limits import USUAL, Limits
from clew.analysis.loops.memory import Contents
from clew.analysis.loops.path import Number, Path, Refused, Truth
from clew.analysis.loops.relation import LoopRelation, Piece
from clew.analysis.loops.sets import Sets, TooHard, modular
from clew.analysis.loops.tidying import tidied
from clew.analysis.loops.walk import Walker
from clew.analysis.mod_ref import ModRef
from clew.base.dataclass import dataclass
from clew.base.memo import remembered
from clew.program.types import IntType
from clew.program.values import Register

_INNER = "of an inner loop: "


class Loops:
    """The loops of one program: each is read and closed once."""

    def __init__(self, effects: ModRef, limits: Limits = USUAL) -> None:
        self._effects = effects
        self._facts: Facts | None = None
        self._unsupposing = self
        self._limits = limits
        self._depth = 0

    def supposing(self, facts: Facts) -> Loops:
        """The same, where facts hold at headers: relations and closures are of such states alone, if that helps."""
        other = Loops(self._effects, self._limits)
        other._facts = facts
        other._unsupposing = self
        return other

    @remembered
    def relation(self, function: str, header: str) -> LoopRelation | Refusal:
        """One iteration of the loop with a header."""
        self._depth += 1
        try:
            if self._depth > self._limits.loop_depth:
                raise Refused("it has too many loops within loops")
            return self._read(function, header)
        except Refused as refused:
            return Refusal(str(refused))
        finally:
            self._depth -= 1

    @remembered
    def closure(self, function: str, header: str) -> Closure | Refusal:
        """Any number of iterations of the loop with a header, but for none."""
        plain = None if self._facts is None else self._unsupposing.closure(function, header)
        if isinstance(plain, Closure) and plain.exact:
            return plain
        relation = self.relation(function, header)
        if plain is not None and relation == self._unsupposing.relation(function, header):
            return plain
        closure = relation if isinstance(relation, Refusal) else close(relation, self._limits)
        if not isinstance(plain, Closure) or (isinstance(closure, Closure) and closure.exact):
            return closure
        return plain if plain.exact_with_congruences or isinstance(closure, Refusal) else closure

    def _inner(self, function: str, header: str) -> Closure:
        closure = self.closure(function, header)
        if isinstance(closure, Refusal):
            raise Refused(f"{_INNER}{closure.reason.removeprefix(_INNER)}")
        return closure

    def _read(self, function: str, header: str) -> LoopRelation:
        contents = Contents(self._effects, function)
        walker = Walker(self._effects, contents, self._inner, self._limits)
        outline = walker.outline(function)
        loop = outline.forest.headed_by(outline.graph.numbers[header])
        if loop is None:
            raise Refused(f"{header} is not the header of a loop")
        if loop.irreducible:
            raise Refused("it has several entries")
        while True:
            mixed = len(contents.mixed)
            paths = walker.walk(function, loop, self._facts(function, header) if self._facts else ())
            if len(contents.mixed) == mixed:
                return _Assembly(function, header, loop, walker, self._limits).relation(paths)


@dataclass(slots=True)
class _Draft:
    """A path that is at its end, with the values of all that it changes."""

    path: Path
    values: dict[Fixed, Linear]


class _Assembly:
    """Makes a relation of the paths through a body."""

    def __init__(self, function: str, header: str, loop: Loop, walker: Walker, limits: Limits) -> None:
        self._function = function
        self._header = header
        self._walker = walker
        self._contents = walker.contents
        self._limits = limits
        self._phis = walker.outline(function).blocks[header].phis
        self._loop = loop

    def relation(self, paths: list[Path]) -> LoopRelation:
        drafts = [draft for path in paths for draft in self._drafts(path)]
        havocked = self._havocked(drafts)
        gone = {v.place.object for v in havocked if isinstance(v.place, Memory)}
        changed = {
            fixed: LoopVariable(fixed.place, fixed.width, fixed.signed)
            for draft in drafts
            for fixed, linear in draft.values.items()
            if linear != Linear.of(fixed) and not _is_in(fixed, gone)
        }
        drafts, pieces = self._pieces(drafts, changed, gone)
        sets = Sets(tuple(changed.values()), pieces, self._limits.operations)
        kept = [(piece, draft.path) for piece, draft in zip(pieces, drafts, strict=True) if _is_possible(sets, piece)]
        if len(kept) > self._limits.pieces:
            raise Refused("there are too many paths through the body")
        reason = next((path.reason for _, path in kept if path.reason), "")
        if havocked and not reason:
            reason = "the loop changes what is not followed"
        return LoopRelation(
            self._function,
            self._header,
            tuple(changed.values()),
            tuple(dict.fromkeys(piece for piece, _ in kept)),
            not reason,
            reason,
            any(path.reads_inputs for _, path in kept),
            havocked,
        )

    def _pieces(
        self, drafts: list[_Draft], changed: dict[Fixed, LoopVariable], gone: set[Object]
    ) -> tuple[list[_Draft], list[Piece]]:
        """The pieces of paths: variables wrap around freely as far as that makes no difference, others in pieces."""
        free = frozenset(changed.values())
        while True:
            bound = [fixed for fixed, variable in changed.items() if variable not in free]
            ranged = [draft for before in drafts for draft in self._in_range(before, bound)]
            pieces = [_piece(draft, changed, gone, free) for draft in ranged]
            rest = free & modular(changed.values(), pieces)
            if rest == free:
                return ranged, pieces
            free = rest

    def _drafts(self, path: Path) -> Iterator[_Draft]:
        """With conditions that are carried on as numbers: a path for each of their values."""
        ways = [_Draft(path, {})]
        for phi in self._phis:
            assert phi.result is not None
            if not is_number(phi.result.type):
                continue
            ways = [more for draft in ways for more in self._with_phi(draft, phi.result)]
        for draft in ways:
            for slot, number in draft.path.memory.items():
                if slot[0] == 0:
                    draft.values[self._contents.fixed(slot)] = number.linear
            yield draft

    def _with_phi(self, draft: _Draft, register: Register) -> Iterator[_Draft]:
        assert isinstance(register.type, IntType)
        value = draft.path.frames[0].registers[register.name]
        fixed = self._walker.at_header(self._function, register)
        if not isinstance(value, Number | Truth):
            value = draft.path.opaque(fixed.width, "the loop carries on what is not followed")
        for way, number in as_number(draft.path, value, self._limits):
            yield _Draft(way, draft.values | {fixed: number.linear})

    def _in_range(self, draft: _Draft, bound: list[Fixed]) -> Iterator[_Draft]:
        """With values in range: a path for each way to wrap around."""
        ways = [_Draft(draft.path.copy(), draft.values) if bound else draft]
        for fixed in bound:
            if fixed in draft.values:
                ways = [
                    _Draft(end, way.values | {fixed: linear})
                    for way in ways
                    for end, linear in in_view(
                        way.path, Number(way.values[fixed], fixed.width), fixed.signed, self._limits
                    )
                ]
                if len(ways) > self._limits.pieces:
                    raise Refused("there are too many ways to wrap around")
        yield from ways

    def _havocked(self, drafts: list[_Draft]) -> tuple[LoopVariable, ...]:
        """What the loop changes and nothing is said about: objects, and registers that are no integers."""
        found: dict[LoopVariable, None] = {}
        layout = self._walker.effects.program.layout
        latches = {self._walker.outline(self._function).graph.names[n] for n in self._loop.latches}
        for phi in self._phis:
            assert phi.result is not None
            same = all(value == phi.result for value, source in phi.incoming if source in latches)
            if not is_number(phi.result.type) and not same:
                found[LoopVariable(phi.result, layout.bits(phi.result.type), False)] = None
        blurred = {
            owner[1]: None
            for draft in drafts
            for owner in draft.path.blurred
            if owner[0] == 0 and not self._is_dead(draft.path, owner, drafts)
        }
        for thing in blurred:
            size = self._walker.effects.size(thing)
            if size is None:
                raise Refused("it writes an object of unknown size")
            found[LoopVariable(Memory(thing, 0, size), 8 * size, False)] = None
        return tuple(found)

    def _is_dead(self, path: Path, owner: tuple[int, Object], drafts: list[_Draft]) -> bool:
        """Whether a local variable has no contents at the end of an iteration, and nothing needs what it had before."""
        if owner not in path.dead or any(slot[:2] == owner for slot in path.memory):
            return False
        return not any(
            isinstance(v, Fixed) and _is_in(v, {owner[1]})
            for draft in drafts
            for linear in (*(guard.linear for guard in draft.path.guards), *draft.values.values())
            for v in linear.terms
        )


def _is_in(fixed: Fixed, objects: set[Object]) -> bool:
    return isinstance(fixed.place, Memory) and fixed.place.object in objects


def _is_possible(sets: Sets, piece: Piece) -> bool:
    try:
        return not sets.bounded(lambda: sets.piece(piece).is_empty())
    except TooHard:
        return True


def _piece(
    draft: _Draft, changed: dict[Fixed, LoopVariable], gone: set[Object], free: frozenset[LoopVariable]
) -> Piece:
    """A path as a piece, in terms of loop variables."""
    updates = {variable: draft.values.get(fixed, Linear.of(fixed)) for fixed, variable in changed.items()}
    names: dict[Variable, Variable] = {fixed: Before(variable) for fixed, variable in changed.items()}
    guards = list(draft.path.guards)
    count = draft.path.unknowns
    for linear in (*(guard.linear for guard in guards), *updates.values()):
        for v in linear.terms:
            if isinstance(v, Fixed) and v not in names and _is_in(v, gone):
                names[v] = new = Unknown(count)
                count += 1
                guards += within(new, v.least, v.greatest)
    named = [guard.about(guard.linear.renamed(lambda v: names.get(v, v))) for guard in guards]
    return tidied(named, {v: linear.renamed(lambda v: names.get(v, v)) for v, linear in updates.items()}, free)
