"""Loops cut open: a function in which the iterations of a loop beyond a bound are one, from another state.

    before:                 after, for a bound of N:
      header: ...             header:  %done = phi [ 0, outside ], [ %next, again ], [ %next, rest ]
                                       ...
      latch:                  latch:   br again
        br header             again:   %next = %done + 1; N > %done ? header : more
                              more:    N == %done ? rest : stop
                              rest:    new values for what the loop changes; assumptions about them; br header
                              stop:    the path ends: its state is one of those that rest has begun with

What ``rest`` does is written by whoever cuts the loop. Where the state of every later iteration is among those that it
can make, the cut function can do whatever the function does: in the loop, iterations up to the bound as they are, and
any later one through ``rest``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

from clew.analysis.graph import Loop, control_flow
from clew.execute.instrument.havoc import assume
from clew.program import instructions as ir
from clew.program.editing import Draft, redirected, with_phis
from clew.program.module import Block, Function
from clew.program.types import I1, I32
from clew.program.values import ConstInt, Register, Value

WriteRest = Callable[[Draft], Mapping[str, Value]]
"""Writes the code of ``rest``, and gives the values that phis of the header have then; others keep theirs."""

Enter = Callable[[Draft, Mapping[str, Value]], Mapping[str, Value]]
"""Writes the code before a round, given the values of the header's phis at the loop's entry; gives those to begin with.
"""

Leave = Callable[[Draft, Mapping[str, Value], str], Sequence[Draft]]
"""Writes the code behind a round, given what the header's phis would be next, and the name of the block that ends the
path; gives the blocks that it adds."""


class LoopSurgery:
    """Cuts loops of one function."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._graph = control_flow(function)
        self._blocks = {block.name: block for block in function.blocks}
        self._added: list[Block] = []
        self._serial = 0

    def function(self) -> Function:
        """The function as it is now."""
        blocks = tuple(self._blocks[block.name] for block in self._function.blocks)
        return dataclasses.replace(self._function, blocks=(*blocks, *self._added))

    def name(self, what: str) -> str:
        """A name for a register or block that is new."""
        self._serial += 1
        return f"clew.{what}.{self._serial}"

    def phis(self, header: str) -> list[ir.Phi]:
        """Of a loop's header, as it is now."""
        return self._blocks[header].phis

    def can_cut(self, loop: Loop) -> bool:
        """Whether a loop has one entry, and no way back to it whose target is computed."""
        ways = (self._function.blocks[latch].terminator for latch in loop.latches)
        return not loop.irreducible and all(isinstance(way, ir.Jump | ir.Branch | ir.Switch) for way in ways)

    def at_header(self, loop: Loop, instructions: Sequence[ir.Instruction]) -> None:
        """Put instructions before those of a loop's header, behind its phis."""
        name = self._graph.names[loop.header]
        block = self._blocks[name]
        if instructions:
            self._blocks[name] = block.inserted({len(block.phis): tuple(instructions)})

    def cut(self, loop: Loop, bound: int, write: WriteRest) -> None:
        """Cut a loop; the phis of its header have the values of the iteration before where ``rest`` is written."""
        names = self._graph.names
        header, latches = names[loop.header], {names[number] for number in loop.latches}
        outside = [names[n] for n in self._graph.predecessors[loop.header] if names[n] not in latches]
        done, following = Register(self.name("done"), I32), Register(self.name("next"), I32)
        again, more, rest, stop = (Draft(self.name(what)) for what in ("again", "more", "rest", "stop"))
        phis = self._blocks[header].phis
        carried = [self._carried(again, phi, latches) for phi in phis]
        counted = again.add(
            ir.Phi(Register(self.name("count"), I32), None, tuple((done, name) for name in sorted(latches)))
        )
        again.add(ir.Binary(following, None, "add", counted, ConstInt(I32, 1)))
        self._choose(again, "ult", counted, bound, header, more.name)
        self._choose(more, "eq", counted, bound, rest.name, stop.name)
        renewed = write(rest)
        rest.add(ir.Jump(None, None, header))
        stop.add(assume(ConstInt(I32, 0)))
        stop.add(ir.Unreachable(None, None))
        changed: list[ir.Instruction] = []
        for phi, value in zip(phis, carried, strict=True):
            assert phi.result is not None
            kept = tuple((given, source) for given, source in phi.incoming if source not in latches)
            new = renewed.get(phi.result.name, phi.result)
            changed.append(dataclasses.replace(phi, incoming=(*kept, (value, again.name), (new, rest.name))))
        zero = tuple((ConstInt(I32, 0), source) for source in outside)
        changed.append(ir.Phi(done, None, (*zero, (following, again.name), (following, rest.name))))
        self._blocks[header] = with_phis(self._blocks[header], changed)
        for latch in latches:
            self._blocks[latch] = redirected(self._blocks[latch], header, again.name)
        self._added += [again.block(), more.block(), rest.block(), stop.block()]

    def open(self, loop: Loop, enter: Enter, leave: Leave) -> None:
        """Make one round of a loop: what ``enter`` writes leads to it, what ``leave`` writes comes at its end.

        before:                 after:
          header: ...             enter:   values for what the loop changes, from those at its entry; br header
                                  header:  ...
          latch:                  latch:   br leave
            br header             leave:   ...; may go to stop
                                  stop:    the path ends
        """
        names = self._graph.names
        header, latches = names[loop.header], {names[number] for number in loop.latches}
        outside = sorted(names[n] for n in self._graph.predecessors[loop.header] if names[n] not in latches)
        first, last, stop = (Draft(self.name(what)) for what in ("enter", "leave", "stop"))
        phis = self._blocks[header].phis
        given, following = (
            {phi.result.name: self._carried(draft, phi, sources) for phi in phis if phi.result is not None}
            for draft, sources in ((first, set(outside)), (last, latches))
        )
        renewed = enter(first, given)
        first.add(ir.Jump(None, None, header))
        others = leave(last, following, stop.name)
        stop.add(assume(ConstInt(I32, 0)))
        stop.add(ir.Unreachable(None, None))
        new = [
            dataclasses.replace(phi, incoming=((renewed[phi.result.name], first.name),))
            for phi in phis
            if phi.result is not None
        ]
        self._blocks[header] = with_phis(self._blocks[header], [*new])
        for name, target in [(source, first.name) for source in outside] + [(latch, last.name) for latch in latches]:
            self._blocks[name] = redirected(self._blocks[name], header, target)
        self._added += [first.block(), last.block(), stop.block(), *(other.block() for other in others)]

    def _carried(self, draft: Draft, phi: ir.Phi, sources: set[str]) -> Value:
        """What a phi of the header would be now, for control that comes from some blocks."""
        assert phi.result is not None
        known = tuple((value, source) for value, source in phi.incoming if source in sources)
        return draft.add(ir.Phi(Register(self.name("carried"), phi.result.type), None, known))

    def _choose(self, draft: Draft, predicate: str, left: Value, bound: int, yes: str, no: str) -> None:
        """End a block by a comparison with the bound."""
        holds = draft.add(ir.Compare(Register(self.name("is"), I1), None, predicate, left, ConstInt(I32, bound)))
        draft.add(ir.Branch(None, None, holds, yes, no, implicit=True))
