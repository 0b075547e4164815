"""What a loop changes that outlives an iteration, and whether all of it can be given new values.

Registers other than pointers can, and globals and locals of the loop's own function that are not too large; nothing may
happen in the loop that the program's memory does not show (files, allocation, jumps elsewhere). And the invariant of a
loop in terms that code at its head can name (``Nameable``): registers that are defined there, and memory.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from clew.analysis.absint.analyse import Invariants
from clew.analysis.absint.domain import Abstract
from clew.analysis.absint.linear import Linear, Variable
from clew.analysis.absint.variables import GLOBAL, Cell, Held
from clew.analysis.escape import Area, Object
from clew.analysis.graph import DominatorTree, Loop
from clew.analysis.mod_ref import ModRef
from clew.execute.instrument.havoc import RENEWED_BYTES, is_renewable
from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.types import PTR
from clew.program.values import Register

_ACCESSING = (ir.Load, ir.Store, ir.Call, ir.AtomicUpdate, ir.CompareExchange, ir.VaArg)


class Changes:
    """Of the loops of one function."""

    def __init__(self, effects: ModRef, invariants: Invariants, name: str, tree: DominatorTree) -> None:
        self._program = effects.program
        self._effects = effects
        self._invariants = invariants
        self._function = effects.program.functions[name]
        self._frames = invariants.frames_of(name)
        self._outline = invariants.outline(self._frames[0])
        self._tree = tree

    def objects(self, loop: Loop) -> list[Object] | None:
        """The objects that a loop writes and that outlive an iteration; None if not all it changes can be renewed."""
        if loop.irreducible or not self._is_plain(loop):
            return None
        header = self._outline.graph.names[loop.header]
        phis = self._outline.blocks[header].phis
        if not all(is_renewable(phi.result.type) for phi in phis if phi.result is not None):
            return None
        return self._changed_objects(header)

    def _is_plain(self, loop: Loop) -> bool:
        """Whether memory shows all that happens in a loop."""
        blocks = (self._function.blocks[number] for number in sorted(loop.blocks))
        return self._effects.is_plain(i for block in blocks for i in block.instructions)

    def _changed_objects(self, header: str) -> list[Object] | None:
        """Those that can be given new contents; None if one cannot."""
        name = self._function.name
        found: list[Object] = []
        for thing in self._written(header):
            if isinstance(thing, Area):
                return None
            if isinstance(thing, tuple) and thing[0] != name:
                if name in self._effects.calls.reachable(thing[0]):
                    return None  # of a function that may be waiting for this one
                continue
            if isinstance(thing, tuple) and self._effects.calls.is_recursive(name):
                return None
            if isinstance(thing, tuple) and self._begins_in(header, thing[1]):
                continue
            if self.size(thing) is None:
                return None
            found.append(thing)
        return found

    def _written(self, header: str) -> list[Object]:
        """The objects that a loop may write; OTHER for those of frames whose objects have no name here."""
        graph = self._outline.graph
        loop = self._outline.forest.headed_by(graph.numbers[header])
        assert loop is not None
        blocks = [graph.names[number] for number in sorted(loop.blocks)]
        found: dict[Object, None] = {}
        for frame in self._frames:
            known, mask = self._invariants.written(frame, blocks)
            for of, thing in sorted(known, key=repr):
                if of in (GLOBAL, frame):
                    found[thing] = None
                elif not self._is_below(of, frame):
                    found[Area.OTHER] = None
            found.update(dict.fromkeys(self._effects.objects(mask)))
        return list(found)

    def _is_below(self, frame: int, above: int) -> bool:
        """Whether a frame is one of calls from another: its variables are gone when control is back there."""
        at: int | None = frame
        while at is not None and at != above:
            at = self._invariants.frames[at].parent
        return at == above

    def _begins_in(self, header: str, register: str) -> bool:
        """Whether a local variable lives within single iterations of a loop: what it held is gone at the head.

        It begins before anything in the loop can read it, and has ended wherever the loop goes round.
        """
        loop = self._outline.forest.headed_by(self._outline.graph.numbers[header])
        assert loop is not None
        starts, ends = (list(self._marks(loop, what, register)) for what in ("start", "end"))
        return any(self._is_first(loop, *start) for start in starts) and any(
            all(self._tree.dominates(end[0], latch) for latch in loop.latches)
            and all(self._comes_before(start, end) for start in starts)
            for end in ends
        )

    def _comes_before(self, first: tuple[int, int], second: tuple[int, int]) -> bool:
        """Whether one instruction is always run before another."""
        return first[1] < second[1] if first[0] == second[0] else self._tree.dominates(first[0], second[0])

    def _marks(self, loop: Loop, what: str, register: str) -> Iterator[tuple[int, int]]:
        """Blocks and indices of the calls in a loop that begin or end a local variable."""
        address = Register(register, PTR)
        for number in sorted(loop.blocks):
            for index, i in enumerate(self._function.blocks[number].instructions):
                if isinstance(i, ir.Call) and ir.lifetime_mark(i) == what and i.arguments[-1].value == address:
                    yield number, index

    def _is_first(self, loop: Loop, number: int, index: int) -> bool:
        """Whether nothing in a loop accesses memory before an instruction, in any iteration."""
        before = [*self._function.blocks[number].instructions[:index]]
        for other in loop.blocks:
            if not self._tree.dominates(number, other):
                before += self._function.blocks[other].instructions
        return not any(isinstance(i, _ACCESSING) and not ir.lifetime_mark(i) for i in before)

    def _is_first_block(self, register: str) -> bool:
        """Whether a local variable is there once for each call of the function."""
        entry = self._function.blocks[0]
        return any(i.result is not None and i.result.name == register for i in entry.instructions)

    def size(self, thing: Object) -> int | None:
        """Bytes of an object that can be given new contents; None if it cannot."""
        if isinstance(thing, tuple) and not self._is_first_block(thing[1]):
            return None
        size = self._effects.size(thing)
        return size if size is not None and 0 < size <= RENEWED_BYTES else None


class Nameable:
    """Of the loops of one function: what holds in all its frames, with the variables of the first one."""

    def __init__(self, invariants: Invariants, function: Function, tree: DominatorTree) -> None:
        self._invariants = invariants
        self._frames = invariants.frames_of(function.name)
        self._outline = invariants.outline(self._frames[0])
        self._tree = tree
        self._defined = {
            instruction.result.name: number
            for number, block in enumerate(function.blocks)
            for instruction in block.instructions
            if instruction.result is not None
        }

    def again(self, loop: Loop, header: str) -> Abstract | None:
        """What holds whenever control comes back to a header, over what can be named there; None if it never does."""
        latches = [self._outline.graph.names[latch] for latch in loop.latches]
        ways = [(frame, self._invariants.into(frame, latch, header)) for frame in self._frames for latch in latches]
        return self._joined(ways, loop)

    def always(self, loop: Loop, header: str) -> Abstract | None:
        """What holds whenever control is at a header, over what can be named there; None if it never is."""
        return self._joined([(frame, self._invariants.before(frame, header)) for frame in self._frames], loop)

    def _joined(self, states: Iterable[tuple[int, Abstract]], loop: Loop) -> Abstract | None:
        """What holds in one of some states, which are of frames; None if nothing is possible in any."""
        result: Abstract | None = None
        for frame, state in states:
            if not state.is_bottom:
                state = self._projected(state, frame, loop)
                result = state if result is None else result.join(state)
        return result

    def _projected(self, state: Abstract, frame: int, loop: Loop) -> Abstract:
        """Without what the code at the header cannot name; variables as those of the first frame."""
        mentioned = state.variables()
        gone = [variable for variable in mentioned if not self._is_nameable(variable, frame, loop)]
        state = state.forget(sorted(gone, key=repr))
        first = self._frames[0]
        if frame == first:
            return state
        moved = [v for v in mentioned if isinstance(v, Held | Cell) and v not in gone and v.frame == frame]
        renamed: dict[Variable, Linear] = {dataclasses.replace(v, frame=first): Linear.of(v) for v in moved}
        return state.assign(renamed).forget(moved) if moved else state

    def _is_nameable(self, variable: Variable, frame: int, loop: Loop) -> bool:
        if isinstance(variable, Held):
            if variable.frame != frame:
                return False
            definition = self._defined.get(variable.register)
            if definition is None:
                return True  # a parameter
            is_phi = isinstance(self._outline.definitions[variable.register], ir.Phi)
            if definition == loop.header:
                return is_phi
            return self._tree.dominates(definition, loop.header)
        if isinstance(variable, Cell):
            if variable.frame == GLOBAL:
                return isinstance(variable.object, str)
            thing = variable.object
            return variable.frame == frame and isinstance(thing, tuple) and self._defined.get(thing[1]) == 0
        return False
