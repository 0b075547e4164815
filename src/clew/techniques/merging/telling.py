"""What tells states of endless loops apart: numbers as long as there are few, else symbols, unless these do so as well.

mode = 0, 1, 2          a number: states with different ones are different states
ticks = 0 ... 17        more than a few: a symbol, so that states with any number are instances of each other
timer = 0 ... 50        so it was, until clauses about the symbol told states apart: a number again
kind = x@3 & 3          one of a few numbers: each of them on a path of its own
"""

from __future__ import annotations

from collections.abc import Iterable

from clew.execute.decide import concretize
from clew.execute.ends import Moved
from clew.execute.events import MergePoint
from clew.execute.run import Run
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import SortKind
from clew.solver.interface import Answer
from clew.techniques.merging.instance_matching import Match
from clew.techniques.merging.known_states import EarlierStates, MergePointRecord
from clew.techniques.merging.lifting import Lifting, constant_value, is_address
from clew.techniques.merging.limits import Limits
from clew.techniques.merging.snapshot import Holder, InMemory, InRegister, Snapshot


class Telling:
    """Decides for the merge points of one run."""

    def __init__(self, run: Run, lifting: Lifting, limits: Limits) -> None:
        self._run = run
        self._lifting = lifting
        self._limits = limits

    def note(
        self, state: State, place: MergePointRecord, states: EarlierStates, found: Match | None, now: Snapshot
    ) -> None:
        """Remember what tells states apart at a place: ``found`` is the earlier one that is closest to ``now``."""
        few = len(states.index) <= self._limits.explicit
        lifted = states.index.crowded(self._limits.numbers if few else 0)
        for holder in found.differing if found is not None else ():
            value = now.value(holder)
            if few and isinstance(value, int):
                states.index.tell(holder, value)
            elif few and isinstance(value, Expr) and self._is_small(state, value):
                place.small[holder] = None
            else:
                lifted.append(holder)
        for holder in lifted:
            if holder not in place.telling and len(place.differing) < self._limits.lifted:
                place.differing[holder] = None
                place.small.pop(holder, None)
                states.index.forget(holder)

    def blame(self, place: MergePointRecord, holders: Iterable[Holder]) -> None:
        """Symbols in some holders have told states apart."""
        place.blame(holders, self._limits.blamed)

    def make_numbers(self, arrival: MergePoint, now: Snapshot, place: MergePointRecord) -> None:
        """Replace by numbers what is to be one; where there may be others, siblings have them."""
        numbers: dict[Holder, int] = {}
        state, frame = arrival.state, arrival.frame
        for holder in (*place.telling, *place.small):
            value = now.value(holder)
            if not isinstance(holder, InRegister | InMemory) or not isinstance(value, Expr) or not value.mask:
                continue
            if state.is_constant(value):
                numbers[holder] = constant_value(state, value)
            elif self._is_small(state, value):
                state.depart()
                numbers[holder] = concretize(state, frame, arrival.point, arrival.live, value, value.width)
        if numbers:
            self._lifting.number(state, now, frame, arrival.point, numbers)
            raise Moved

    def _is_small(self, state: State, value: Expr) -> bool:
        """Whether a path leaves only a few small numbers for a value, and more than one."""
        run = self._run
        if value.sort.kind is not SortKind.BV or state.is_constant(value):
            return False
        if value.symbols & run.undefined or is_address(state.memory, value):
            return False
        larger = build.ugt(value, self._limits.largest, value.width)
        return run.solver.feasible(state.path, larger, state.model).answer is Answer.UNSAT
