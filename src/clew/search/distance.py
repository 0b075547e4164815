"""How far each block is from code that was never run.

They are recomputed when coverage has grown, but not at every single step of it.
"""

from __future__ import annotations

from clew.execute.codegen.compiled import CompiledFunction
from clew.execute.coverage import Coverage
from clew.execute.state import State
from clew.program.module import Program
from clew.search.flow import FAR, Flow

_PATIENCE = 256
"""Questions answered from an old table before a new one is made."""
_DEEP = 64
"""Callers that are looked at."""


class Distances:
    """Distances of blocks to uncovered code."""

    def __init__(self, program: Program, coverage: Coverage) -> None:
        self._coverage = coverage
        self._flow = Flow(
            function
            for name, function in program.functions.items()
            if not function.is_declaration and name not in program.runtime
        )
        self._table: list[int] = []
        self._places: dict[tuple[CompiledFunction, int], int] = {}
        """The block of each point of a function that some frame was suspended at; -1 for code that is not counted."""
        self._version = -1
        self._asked = _PATIENCE

    def of(self, state: State) -> int:
        """The distance of a suspended state: of its own place, or of what its callers return to."""
        self._refresh()
        best = FAR
        frame = state.frame
        away = 0
        places, table = self._places, self._table
        while frame is not None and away < _DEEP:
            place = (frame.function, frame.at)
            number = places.get(place)
            if number is None:
                point = frame.function.plan.points[frame.at]
                number = self._flow.numbers.get((frame.function.name, point.target or point.block), -1)
                places[place] = number
            if number >= 0 and away + table[number] < best:
                best = away + table[number]
            frame = frame.parent
            away += 1
        return best

    def at(self, function: str, block: str) -> int:
        """The distance from the start of a block, without returning from its function."""
        number = self._flow.numbers.get((function, block))
        return FAR if number is None else self._table[number]

    def _refresh(self) -> None:
        self._asked += 1
        if self._version == self._coverage.version or self._asked < _PATIENCE:
            return
        self._asked = 0
        self._version = self._coverage.version
        self._table = self._flow.distances(self._goals())

    def _goals(self) -> dict[int, int]:
        """Blocks never run, and branches with a side never taken."""
        flow, coverage = self._flow, self._coverage
        goals: dict[int, int] = {}
        for (function, block), number in flow.numbers.items():
            targets = flow.successors[number]
            if (function, block) not in coverage.blocks:
                goals[number] = 0
            elif len(targets) > 1 and any(
                (function, block, flow.blocks[target].name) not in coverage.edges for target in targets
            ):
                goals[number] = 1
        return goals
