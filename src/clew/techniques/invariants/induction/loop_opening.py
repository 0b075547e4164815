"""Loops opened for k-induction: a program whose paths are base case and inductive step at once.

    before:            after, for k rounds:
      outside:           outside: br enter
        br header        enter:   any of: header (with 0 rounds done), rest
                         rest:    new values for all that the loop changes; assume what is known at the head;
                                  suppose that no error happens; br header (with k + 1 rounds done)
      header: ...        header:  %done = phi [ 0, enter ], [ k + 1, rest ], [ %next, again ], [ %next, round ]
      body:              body:    a supposed round stays in the loop
        br exit            br exit
      latch:             latch:   br again
        br header        again:   %next = %done + 1; %done < k ? header : more
                         more:    k < %done <= 2k ? round : stop
                         round:   the state differs from those before; errors count again if %done is 2k; br header
                         stop:    the path ends: what comes now is what comes after rest

Rounds 0 to k are those of the program (the base case). Rounds k + 1 to 2k are supposed to go round without an error,
from any state that is possible after the first round; the round after them counts, and what comes behind the loop (the
step). Whatever error an execution ends in, a path of this program ends in it as well, which
``docs/decisions/0027-k-induction.md`` argues. The converse is not true.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial

from clew.analysis.absint.analyse import Invariants
from clew.analysis.escape import Object
from clew.analysis.graph import Loop, dominators
from clew.analysis.mod_ref import ModRef
from clew.base.dataclass import dataclass
from clew.execute.instrument.constraint_code import place_in
from clew.execute.instrument.havoc import assume, havoc_register, renew
from clew.execute.instrument.hypothesis import another_round, arrive, open_level, stay, suppose
from clew.execute.instrument.loop_surgery import LoopSurgery
from clew.program import instructions as ir
from clew.program.editing import Draft, binary, redirected, with_phis
from clew.program.module import Function, Program
from clew.program.types import I1, I32, IntType
from clew.program.values import ConstInt, Register, Value
from clew.techniques.invariants.candidates.lemmas import NO_LEMMAS, Lemmas
from clew.techniques.invariants.limits import USUAL, Limits
from clew.techniques.invariants.loop_cutting import InvariantCutting
from clew.techniques.invariants.loop_effects import Changes

COMPARED_BYTES = 32
"""Of all that a loop changes: where it is more, the rounds of a step may be in the same state twice."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A program with its loops opened."""

    program: Program
    loops: tuple[tuple[str, str], ...]
    """Function and header of those that are."""
    left: tuple[tuple[str, str], ...]
    """The same, of those that are as they were: not all that they change can be given new values."""


def open_loops(
    effects: ModRef,
    invariants: Invariants,
    rounds: int,
    lemmas: Lemmas = NO_LEMMAS,
    limits: Limits = USUAL,
) -> Opened:
    """The program with every loop opened that may have more rounds than so many, as far as that can be done."""
    functions = dict(effects.program.functions)
    done: list[tuple[str, str]] = []
    left: list[tuple[str, str]] = []
    for name in sorted({frame.function.name for frame in invariants.frames}):
        surgery = _Surgery(functions[name], rounds)
        cutting = InvariantCutting(effects, invariants, surgery, name, lemmas, limits)
        names, is_recursive = cutting.outline.graph.names, effects.calls.is_recursive(name)
        changes = Changes(effects, invariants, name, dominators(cutting.outline.graph))
        for loop in cutting.outline.forest.loops:
            most = invariants.most_rounds(name, names[loop.header])
            if most is not None and most <= rounds:
                continue  # the base case is all there is
            objects = changes.objects(loop)
            if objects is None or not surgery.can_open(loop):
                left.append((name, names[loop.header]))
                continue
            sizes = [(thing, changes.size(thing) or 0) for thing in objects]
            surgery.open_rounds(loop, sizes, partial(cutting.assume, loop), is_compared=not is_recursive)
            done.append((name, names[loop.header]))
        functions[name] = surgery.function()
    return Opened(dataclasses.replace(effects.program, functions=functions), tuple(done), tuple(left))


AssumeKnown = Callable[[Draft, Mapping[str, Value]], None]


class _Surgery(LoopSurgery):
    """Opens the loops of one function."""

    def __init__(self, function: Function, rounds: int) -> None:
        super().__init__(function)
        self._rounds = rounds

    def can_open(self, loop: Loop) -> bool:
        """Whether all ways back to the head and out of a loop can be changed."""
        blocks = self._function.blocks
        ways = (blocks[number].terminator for number, _ in loop.exits)
        return self.can_cut(loop) and all(isinstance(way, ir.Jump | ir.Branch | ir.Switch) for way in ways)

    def open_rounds(self, loop: Loop, objects: list[tuple[Object, int]], known: AssumeKnown, is_compared: bool) -> None:
        """Open a loop that changes some objects, of which the sizes are given, beside the phis of its header.

        ``known`` writes what holds at its head. ``is_compared``: states of rounds differ, if they are small.
        """
        names = self._graph.names
        header, latches = names[loop.header], {names[number] for number in loop.latches}
        outside = {names[n] for n in self._graph.predecessors[loop.header]} - latches
        opening = _Opening(self, header, objects, is_compared)
        entered, renewed = opening.write_enter(outside), opening.write_rest(known)
        carried, following = opening.write_again(latches)
        changed: list[ir.Instruction] = [
            dataclasses.replace(phi, incoming=opening.incoming(*values))
            for phi, *values in zip(opening.phis, entered, renewed, carried, strict=True)
        ]
        first, step = ConstInt(I32, 0), ConstInt(I32, self._rounds + 1)
        changed.append(ir.Phi(opening.done, None, opening.incoming(first, step, following)))
        self._blocks[header] = with_phis(self._blocks[header], changed)
        for sources, target in ((latches, opening.again), (outside, opening.enter)):
            for source in sources:
                self._blocks[source] = redirected(self._blocks[source], header, target.name)
        self._added += [draft.block() for draft in opening.drafts()]
        if self._rounds:
            self._stay(loop, opening.done)

    @property
    def rounds(self) -> int:
        return self._rounds

    def gathered(self, draft: Draft, phis: list[ir.Phi], sources: set[str]) -> list[Value]:
        """The values of a header's phis on edges from some blocks, which lead to another block now."""
        return [self._carried(draft, phi, sources) for phi in phis]

    # Ways out

    def _stay(self, loop: Loop, done: Register) -> None:
        """Supposed rounds go round: whatever leaves the loop leaves it from the round after them, or from the base."""
        since = binary(self.name("since"), "sub", done, ConstInt(I32, self._rounds + 1))
        assert since.result is not None
        free = compared(self.name("free"), "uge", since.result, self._rounds)
        assert free.result is not None
        self.at_header(loop, (since, free))
        for number in dict.fromkeys(source for source, _ in loop.exits):
            block = self._blocks[self._graph.names[number]]
            draft = Draft("")
            stays = self._stays(draft, loop, self._function.blocks[number].terminator)
            draft.add(stay(draft.add(binary(self.name("allowed"), "or", stays, free.result))))
            self._blocks[block.name] = block.inserted({len(block.instructions) - 1: tuple(draft.instructions)})

    def _stays(self, draft: Draft, loop: Loop, terminator: ir.Instruction) -> Value:
        """Whether control stays in the loop at the end of a block that may leave it."""

        def is_inside(block: str) -> bool:
            return self._graph.numbers[block] in loop.blocks

        if isinstance(terminator, ir.Branch):
            if is_inside(terminator.if_true):
                return terminator.condition
            return draft.add(binary(self.name("stays"), "xor", terminator.condition, ConstInt(I1, 1)))
        assert isinstance(terminator, ir.Switch)
        inside = is_inside(terminator.default)
        result: Value = ConstInt(I1, int(inside))
        for number, target in terminator.cases:
            if is_inside(target) != inside:
                is_case = draft.add(compared(self.name("case"), "ne" if inside else "eq", terminator.value, number))
                result = draft.add(binary(self.name("stays"), "and" if inside else "or", result, is_case))
        return result


class _Opening:
    """The blocks that open one loop."""

    def __init__(self, surgery: _Surgery, header: str, objects: list[tuple[Object, int]], is_compared: bool) -> None:
        self._surgery = surgery
        self._name = surgery.name
        self._rounds = surgery.rounds
        self._header = header
        self._objects = [(place_in(Draft(""), self._name, thing, 0), size) for thing, size in objects]
        self.phis = surgery.phis(header)
        names = ("enter", "rest", "again", "more", "round", "stop")
        self.enter, self._rest, self.again, self._more, self._round, self._stop = (
            Draft(self._name(what)) for what in names
        )
        self.done = Register(self._name("done"), I32)
        self._is_compared = is_compared and _is_small(self.phis, objects)

    def drafts(self) -> tuple[Draft, ...]:
        """All blocks, when they are written."""
        self._stop.add(assume(ConstInt(I32, 0)))
        self._stop.add(ir.Unreachable(None, None))
        return self.enter, self._rest, self.again, self._more, self._round, self._stop

    def incoming(self, entered: Value, renewed: Value, carried: Value) -> tuple[tuple[Value, str], ...]:
        """Of a phi of the header."""
        return (
            (entered, self.enter.name), (renewed, self._rest.name),
            (carried, self.again.name), (carried, self._round.name),
        )  # fmt: skip

    def write_enter(self, outside: set[str]) -> list[Value]:
        """Where the loop is entered, base case or step: the values of the header's phis for the first."""
        enter = self.enter
        entered = self._surgery.gathered(enter, self.phis, outside)
        enter.add(arrive())
        chosen = enter.add(havoc_register(Register(self._name("step"), I1)))
        enter.add(ir.Branch(None, None, chosen, self._rest.name, self._header, implicit=True))
        return entered

    def write_rest(self, known: AssumeKnown) -> list[Value]:
        """A state at the head after any number of rounds: its values of the phis."""
        rest = self._rest
        rest.add(open_level())
        renewed = renew(rest, self._name, self.phis, self._objects)
        known(rest, renewed)
        values = list(renewed.values())
        rest.add(suppose(ConstInt(I32, self._rounds), *self._told(values)))
        if not self._rounds:
            rest.add(another_round(ConstInt(I32, 0), (), ()))
        rest.add(ir.Jump(None, None, self._header))
        return values

    def write_again(self, latches: set[str]) -> tuple[list[Value], Value]:
        """Where the loop goes round: the values of the phis that it goes on with, and how many rounds are done."""
        again, more, round, name = self.again, self._more, self._round, self._name
        carried = self._surgery.gathered(again, self.phis, latches)
        counts = tuple((self.done, latch) for latch in sorted(latches))
        counted = again.add(ir.Phi(Register(name("count"), I32), None, counts))
        again.add(arrive())
        following = again.add(binary(name("next"), "add", counted, ConstInt(I32, 1)))
        is_base = again.add(compared(name("base"), "ult", counted, self._rounds))
        again.add(ir.Branch(None, None, is_base, self._header, more.name, implicit=True))
        since = more.add(binary(name("since"), "sub", counted, ConstInt(I32, self._rounds + 1)))
        is_supposed = more.add(compared(name("supposed"), "ult", since, self._rounds))
        more.add(ir.Branch(None, None, is_supposed, round.name, self._stop.name, implicit=True))
        left = round.add(binary(name("left"), "sub", ConstInt(I32, 2 * self._rounds), counted))
        round.add(another_round(left, *self._told(carried)))
        round.add(ir.Jump(None, None, self._header))
        return carried, following

    def _told(self, values: list[Value]) -> tuple[tuple[tuple[Value, int], ...], tuple[Value, ...]]:
        """The state at the head, if it is to differ from round to round."""
        return (tuple(self._objects), tuple(values)) if self._is_compared else ((), ())


def _is_small(phis: list[ir.Phi], objects: list[tuple[Object, int]]) -> bool:
    types = [phi.result.type for phi in phis if phi.result is not None]
    widths = [type.width for type in types if isinstance(type, IntType)]
    total = sum(width + 7 for width in widths) // 8 + sum(size for _, size in objects)
    return len(widths) == len(types) and total <= COMPARED_BYTES


def compared(name: str, predicate: str, value: Value, number: int) -> ir.Compare:
    """A comparison with a number."""
    return ir.Compare(Register(name, I1), None, predicate, value, ConstInt(value.type, number))
