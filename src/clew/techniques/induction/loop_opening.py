"""Loops opened for k-induction: a program whose paths are base case and inductive step at once.

    before:            after, for k rounds:
      outside:           outside: br enter
        br header        enter:   any of: header (with 0 rounds done), rest
                         rest:    new values for all that the loop changes; assume what is known at the head;
                                  suppose that no error happens; br header (with k + 1 rounds done)
      header: ...        header:  %done = phi [ 0, enter ], [ k + 1, rest ], [ %next, again ], [ %next, round ]
      body:              body:    unless a supposed round is going on, or the loop goes on: the path is of no interest
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
from dataclasses import dataclass

from clew.analysis.absint.analyse import Invariants
from clew.analysis.escape import Object
from clew.analysis.graph import Loop, dominators
from clew.analysis.mod_ref import ModRef
from clew.execute.instrument.havoc import assume, havoc_object, havoc_register
from clew.execute.instrument.hypothesis import another_round, open_level, suppose
from clew.program import instructions as ir
from clew.program.editing import Draft, binary, redirected, with_phis
from clew.program.module import Block, Function, Program
from clew.program.types import I1, I32, I64, IntType
from clew.program.values import ConstInt, Register, Value
from clew.techniques.invariants.assumptions import Assumptions, address_of
from clew.techniques.invariants.limits import USUAL, Limits
from clew.techniques.invariants.loop_effects import Changes, Nameable

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


def open_loops(effects: ModRef, invariants: Invariants, rounds: int, limits: Limits = USUAL) -> Opened:
    """The program with every loop opened for so many rounds, as far as that can be done."""
    program = effects.program
    functions = dict(program.functions)
    done: list[tuple[str, str]] = []
    left: list[tuple[str, str]] = []
    for name in sorted({frame.function.name for frame in invariants.frames}):
        opening = _Opening(effects, invariants, name, rounds, limits)
        outline = opening.outline
        for loop in outline.forest.loops:
            (done if opening.open(loop) else left).append((name, outline.graph.names[loop.header]))
        functions[name] = opening.function()
    return Opened(dataclasses.replace(program, functions=functions), tuple(done), tuple(left))


class _Opening:
    """Of the loops of one function."""

    def __init__(self, effects: ModRef, invariants: Invariants, name: str, rounds: int, limits: Limits) -> None:
        self._invariants = invariants
        self._limits = limits
        self._function = effects.program.functions[name]
        self._is_recursive = effects.calls.is_recursive(name)
        self.outline = invariants.outline(invariants.frames_of(name)[0])
        tree = dominators(self.outline.graph)
        self._changes = Changes(effects, invariants, name, tree, limits.renewed_bytes)
        self._nameable = Nameable(invariants, self._function, tree)
        self._rounds = rounds
        self._blocks = dict(self.outline.blocks)
        self._added: list[Block] = []
        self._serial = 0

    def function(self) -> Function:
        """The function as it is now."""
        blocks = tuple(self._blocks[block.name] for block in self._function.blocks)
        return dataclasses.replace(self._function, blocks=(*blocks, *self._added))

    def open(self, loop: Loop) -> bool:
        """Open one loop; whether that was possible."""
        objects = self._changes.objects(loop)
        if objects is None or not all(self._can_stay(number) for number, _ in loop.exits):
            return False
        _LoopOpening(self, loop, objects).write()
        return True

    def _can_stay(self, number: int) -> bool:
        terminator = self._blocks[self.outline.graph.names[number]].terminator
        return isinstance(terminator, ir.Jump | ir.Branch | ir.Switch)

    # What the openings of its loops share

    def name(self, what: str) -> str:
        self._serial += 1
        return f"clew.{what}.{self._serial}"

    def draft(self, what: str) -> Draft:
        return Draft(self.name(what))

    @property
    def rounds(self) -> int:
        return self._rounds

    def block(self, name: str) -> Block:
        return self._blocks[name]

    def change(self, block: Block) -> None:
        self._blocks[block.name] = block

    def add(self, *drafts: Draft) -> None:
        self._added += [draft.block() for draft in drafts]

    def size(self, thing: Object) -> int:
        size = self._changes.size(thing)
        assert size is not None
        return size

    def assume_known(self, draft: Draft, loop: Loop, header: str, renewed: dict[str, Value]) -> None:
        """Only states that are possible when control comes back to a header."""
        state = self._nameable.again(loop, header)
        if state is None:
            draft.add(assume(ConstInt(I32, 0)))  # there is no second round
            return
        constraints = state.constraints()[: self._limits.assumed]
        Assumptions(self._invariants, draft, self.name).assume(constraints, renewed)

    def can_be_compared(self, phis: list[ir.Phi], objects: list[Object]) -> bool:
        """Whether states at a head are small, and one level of rounds is one activation of the loop."""
        widths = [phi.result.type.width for phi in phis if phi.result and isinstance(phi.result.type, IntType)]
        total = sum(width + 7 for width in widths) // 8 + sum(map(self.size, objects))
        return not self._is_recursive and len(widths) == len(phis) and total <= COMPARED_BYTES


class _LoopOpening:
    """Of one loop."""

    def __init__(self, opening: _Opening, loop: Loop, objects: list[Object]) -> None:
        self._opening = opening
        self._loop = loop
        self._objects = objects
        self._name = opening.name
        self._rounds = opening.rounds
        names = opening.outline.graph.names
        self._header = names[loop.header]
        self._latches = {names[number] for number in loop.latches}
        before = opening.outline.graph.predecessors[loop.header]
        self._outside = [names[number] for number in before if names[number] not in self._latches]
        self._phis = opening.block(self._header).phis
        drafts = (opening.draft(what) for what in ("enter", "rest", "again", "more", "round", "stop"))
        self._enter, self._rest, self._again, self._more, self._round, self._stop = drafts
        self._done = Register(self._name("done"), I32)
        told = opening.can_be_compared(self._phis, objects)
        self._told_objects = tuple((address_of(thing), opening.size(thing)) for thing in objects) if told else ()
        self._tells = told

    def write(self) -> None:
        """Put the blocks of the step into the function, and change those of the loop."""
        opening, header = self._opening, self._header
        entered, renewed = self._write_enter(), self._write_rest()
        carried, following = self._write_again()
        changed: list[ir.Instruction] = [
            dataclasses.replace(phi, incoming=self._incoming(*values))
            for phi, *values in zip(self._phis, entered, renewed, carried, strict=True)
        ]
        first, step = ConstInt(I32, 0), ConstInt(I32, self._rounds + 1)
        changed.append(ir.Phi(self._done, None, self._incoming(first, step, following)))
        opening.change(with_phis(opening.block(header), changed))
        for sources, target in ((self._latches, self._again), (self._outside, self._enter)):
            for source in sources:
                opening.change(redirected(opening.block(source), header, target.name))
        self._stop.add(assume(ConstInt(I32, 0)))
        self._stop.add(ir.Unreachable(None, None))
        opening.add(self._enter, self._rest, self._again, self._more, self._round, self._stop)
        if self._rounds:
            self._stay(len(changed))

    def _incoming(self, entered: Value, renewed: Value, carried: Value) -> tuple[tuple[Value, str], ...]:
        return (
            (entered, self._enter.name), (renewed, self._rest.name),
            (carried, self._again.name), (carried, self._round.name),
        )  # fmt: skip

    # From outside

    def _write_enter(self) -> list[Value]:
        """Where the loop is entered: base case or step."""
        enter = self._enter
        entered = self._gathered(enter, set(self._outside))
        chosen = enter.add(havoc_register(Register(self._name("step"), I1)))
        enter.add(ir.Branch(None, None, chosen, self._rest.name, self._header, implicit=True))
        return entered

    def _write_rest(self) -> list[Value]:
        """A state at the head after any number of rounds."""
        rest, opening = self._rest, self._opening
        rest.add(open_level())
        renewed: dict[str, Value] = {}
        for phi in self._phis:
            assert phi.result is not None
            renewed[phi.result.name] = rest.add(havoc_register(Register(self._name("any"), phi.result.type)))
        for thing in self._objects:
            rest.add(havoc_object(address_of(thing), ConstInt(I64, opening.size(thing))))
        opening.assume_known(rest, self._loop, self._header, renewed)
        values = list(renewed.values())
        rest.add(suppose(self._told_objects, tuple(values) if self._tells else ()))
        if not self._rounds:
            rest.add(another_round(ConstInt(I1, 1), (), ()))
        rest.add(ir.Jump(None, None, self._header))
        return values

    # From latches

    def _write_again(self) -> tuple[list[Value], Value]:
        """Where the loop goes round: the values that it goes on with, and how many rounds are done by then."""
        again, more, round, name = self._again, self._more, self._round, self._name
        carried = self._gathered(again, self._latches)
        counts = tuple((self._done, latch) for latch in sorted(self._latches))
        counted = again.add(ir.Phi(Register(name("count"), I32), None, counts))
        following = again.add(binary(name("next"), "add", counted, ConstInt(I32, 1)))
        is_base = again.add(_compared(name("base"), "ult", counted, self._rounds))
        again.add(ir.Branch(None, None, is_base, self._header, more.name, implicit=True))
        since = more.add(binary(name("since"), "sub", counted, ConstInt(I32, self._rounds + 1)))
        is_supposed = more.add(_compared(name("supposed"), "ult", since, self._rounds))
        more.add(ir.Branch(None, None, is_supposed, round.name, self._stop.name, implicit=True))
        is_last = round.add(_compared(name("last"), "eq", counted, 2 * self._rounds))
        round.add(another_round(is_last, self._told_objects, tuple(carried) if self._tells else ()))
        round.add(ir.Jump(None, None, self._header))
        return carried, following

    def _gathered(self, draft: Draft, sources: set[str]) -> list[Value]:
        """The values of the header's phis on edges from some blocks, which lead to another block now."""
        found: list[Value] = []
        for phi in self._phis:
            assert phi.result is not None
            incoming = tuple((value, source) for value, source in phi.incoming if source in sources)
            found.append(draft.add(ir.Phi(Register(self._name("carried"), phi.result.type), None, incoming)))
        return found

    # Ways out

    def _stay(self, phis: int) -> None:
        """Supposed rounds go round: whatever leaves the loop leaves it from the round after them, or from the base."""
        opening, name = self._opening, self._name
        since = binary(name("since"), "sub", self._done, ConstInt(I32, self._rounds + 1))
        assert since.result is not None
        free = _compared(name("free"), "uge", since.result, self._rounds)
        assert free.result is not None
        opening.change(opening.block(self._header).inserted({phis: (since, free)}))
        names = opening.outline.graph.names
        for number in dict.fromkeys(source for source, _ in self._loop.exits):
            block = opening.block(names[number])
            draft = opening.draft("stays")
            stays = self._stays(draft, opening.outline.blocks[block.name].terminator)
            allowed = draft.add(binary(name("allowed"), "or", stays, free.result))
            draft.add(assume(draft.add(ir.Cast(Register(name("flag"), I32), None, "zext", allowed, I32))))
            opening.change(block.inserted({len(block.instructions) - 1: tuple(draft.instructions)}))

    def _stays(self, draft: Draft, terminator: ir.Instruction) -> Value:
        """Whether control stays in the loop at the end of a block that may leave it."""
        name = self._name
        if isinstance(terminator, ir.Branch):
            if self._is_inside(terminator.if_true):
                return terminator.condition
            return draft.add(binary(name("stays"), "xor", terminator.condition, ConstInt(I1, 1)))
        assert isinstance(terminator, ir.Switch)
        inside = self._is_inside(terminator.default)
        result: Value = ConstInt(I1, int(inside))
        for number, target in terminator.cases:
            if self._is_inside(target) != inside:
                is_case = draft.add(_compared(name("case"), "ne" if inside else "eq", terminator.value, number))
                result = draft.add(binary(name("stays"), "and" if inside else "or", result, is_case))
        return result

    def _is_inside(self, block: str) -> bool:
        return self._opening.outline.graph.numbers[block] in self._loop.blocks


def _compared(name: str, predicate: str, value: Value, number: int) -> ir.Compare:
    return ir.Compare(Register(name, I1), None, predicate, value, ConstInt(value.type, number))
