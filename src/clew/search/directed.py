"""The sibling nearest to a target first: for questions about one place of the program.

The distance of a waiting state counts the branches and calls on the shortest way to a target in the control flow:
inside the function it is in, through calls, or back to one of its callers and on from there. Whether the conditions on
that way can hold is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from typing import Protocol

from clew.analysis.callees import CalleeKind, Callees
from clew.analysis.callgraph import CallGraph
from clew.execute.pending import Pending
from clew.execute.state import State
from clew.program import instructions as ir
from clew.program.jumps import marks_a_place
from clew.program.module import Program
from clew.search.flow import FAR, Flow

_FAIR = 8
_SLACK = 256

Entry = tuple[int, int, int, Pending]
"""Two keys, the serial number, which makes the order total, and the sibling."""


class Target(Protocol):
    """A place to reach: an instruction."""

    @property
    def function(self) -> str: ...

    @property
    def block(self) -> str: ...

    @property
    def index(self) -> int: ...


class Directed:
    """Two heaps over the same siblings: by distance, then number of forks; and by number of forks alone.

    Every ``_FAIR``-th sibling is taken from the second one, so that an endless loop close to a target does not keep
    the only way to it waiting forever. Siblings from which no target can be reached are the last in both; with
    ``drop`` they are not kept at all, but counted in ``dropped``.
    """

    def __init__(self, program: Program, targets: Iterable[Target], *, drop: bool = False) -> None:
        self._distances = TargetDistances(program, targets)
        self._nearest: list[Entry] = []
        self._shallowest: list[Entry] = []
        self._count = 0
        self._turn = 0
        self._drop = drop
        self.dropped = 0

    def hopeless(self, state: State) -> bool:
        """Whether no way in the control flow leads from a suspended state to a target."""
        return self._distances.of(state) >= FAR

    def add(self, pending: Pending) -> None:
        distance = self._distances.of(pending.state)
        if self._drop and distance >= FAR:
            pending.taken = True
            pending.release()
            self.dropped += 1
            return
        self._count += 1
        heappush(self._nearest, (distance, pending.depth, pending.serial, pending))
        heappush(self._shallowest, (distance // FAR, pending.depth, pending.serial, pending))

    def select(self) -> Pending | None:
        if not self._count:
            return None
        self._turn += 1
        heap = self._nearest if self._turn % _FAIR else self._shallowest
        while (pending := heappop(heap)[-1]).taken:
            pass
        pending.taken = True
        self._count -= 1
        self._clean()
        return pending

    def evict(self, count: int) -> list[Pending]:
        waiting = sorted((entry for entry in self._nearest if not entry[-1].taken), reverse=True)
        victims = [entry[-1] for entry in waiting[:count]]
        for pending in victims:
            pending.taken = True
        self._count -= len(victims)
        self._clean(0)  # twins of those that were evicted may be added
        return victims

    def _clean(self, slack: int = _SLACK) -> None:
        """Forget those that were taken from the other heap, if they are many."""
        for heap in (self._nearest, self._shallowest):
            if not slack or len(heap) > 2 * self._count + slack:
                heap[:] = sorted(entry for entry in heap if not entry[-1].taken)

    def __len__(self) -> int:
        return self._count


class TargetDistances:
    """How far suspended states are from the nearest of some instructions.

    A call through a pointer may enter every function whose address is taken and whose type fits; the handlers of
    ``atexit`` and of signals, destructors and callbacks are such calls of the runtime. Every call may return. So a
    distance of ``FAR`` is a proof that the target is not reached. A jump may lead to every call of ``setjmp`` in a
    function that is running.
    """

    def __init__(self, program: Program, targets: Iterable[Target]) -> None:
        graph = CallGraph(program, Callees(program, {}))

        def callees(call: ir.Call) -> Iterable[str]:
            return (target.name for target in graph.possible_targets(call) if target.kind is CalleeKind.FUNCTION)

        defined = (function for function in program.functions.values() if not function.is_declaration)
        self._flow = flow = Flow(defined, callees, jump=0)
        self._targets: dict[int, list[int]] = {}
        for target in targets:
            number = flow.numbers[target.function, target.block]
            self._targets.setdefault(number, []).append(target.index)
        self._table = flow.distances(dict.fromkeys(self._targets, 0))
        ends = {n: 0 for n, block in enumerate(flow.blocks) if isinstance(block.terminator, ir.Return)}
        self._returning = flow.distances(ends, into_calls=False)
        """To the end of the function that a block is in."""
        self._places = _places(flow)
        """The blocks that jumps may lead to, by function."""
        self._known: dict[tuple[int, int], int] = {}

    def of(self, state: State) -> int:
        """The distance of a suspended state; ``FAR`` if it cannot reach a target."""
        best = FAR
        away = 0
        frame = state.frame
        while frame is not None and away < best:
            point = frame.function.plan.points[frame.at]
            block = self._flow.numbers[frame.function.name, point.target or point.block]
            best = min(best, away + self._ahead(block, 0 if point.target else point.index))
            for place in self._places.get(frame.function.name, ()):
                best = min(best, away + self._table[place])
            away += 1 + (min(self._returning[block], 1) if self._places else self._returning[block])
            frame = frame.parent
        return best

    def _ahead(self, block: int, index: int) -> int:
        """The distance of what is left of a block from an instruction on."""
        known = self._known.get((block, index))
        if known is None:
            flow, table = self._flow, self._table
            known = 0 if any(target >= index for target in self._targets.get(block, ())) else FAR
            for position, entry in flow.calls[block]:
                if position >= index:
                    known = min(known, table[entry] + 1)
            for after in flow.successors[block]:
                known = min(known, table[after] + flow.cost[block])
            self._known[block, index] = known
        return known


def _places(flow: Flow) -> dict[str, list[int]]:
    """The blocks that call ``setjmp``, by function."""
    found: dict[str, list[int]] = {}
    for (function, _), number in flow.numbers.items():
        if any(map(marks_a_place, flow.blocks[number].instructions)):
            found.setdefault(function, []).append(number)
    return found
