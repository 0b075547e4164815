"""How far each block is from code that was never run.

Distances count branches and calls along the control flow; a call leads into its callee, a return to
whatever follows. They are recomputed when coverage has grown, but not at every single step of it.
"""

from __future__ import annotations

from clew.execute.coverage import Coverage
from clew.execute.state import State
from clew.program import instructions as ir
from clew.program.module import Function, Program
from clew.program.values import GlobalRef

FAR = 1 << 30
_PATIENCE = 256
"""Questions answered from an old table before a new one is made."""
_ROUNDS = 8
"""Passes over the call graph: enough for chains of calls this deep between two recomputations."""


class Distances:
    """Distances of blocks to uncovered code."""

    def __init__(self, program: Program, coverage: Coverage) -> None:
        self._coverage = coverage
        self._graphs = {
            name: _FunctionGraph(function)
            for name, function in program.functions.items()
            if not function.is_declaration and name not in program.runtime
        }
        self._table: dict[str, dict[str, int]] = {}
        self._version = -1
        self._asked = _PATIENCE

    def of(self, state: State) -> int:
        """The distance of a suspended state: of its own place, or of what its callers return to."""
        self._refresh()
        best = FAR
        frame = state.frame
        away = 0
        while frame is not None and away < 64:
            point = frame.function.plan.points[frame.at]
            block = point.target or point.block
            best = min(best, away + self._table.get(frame.function.name, {}).get(block, FAR))
            frame = frame.parent
            away += 1
        return best

    def _refresh(self) -> None:
        self._asked += 1
        if self._version == self._coverage.version or self._asked < _PATIENCE:
            return
        self._asked = 0
        self._version = self._coverage.version
        entries: dict[str, int] = {}
        for _ in range(_ROUNDS):
            before = dict(entries)
            for name, graph in self._graphs.items():
                self._table[name] = graph.distances(name, self._coverage, entries)
                entries[name] = self._table[name].get(graph.entry, FAR)
            if entries == before:
                break


class _FunctionGraph:
    """Predecessors and calls of a function's blocks."""

    def __init__(self, function: Function) -> None:
        self.entry = function.blocks[0].name
        self.branches: list[tuple[str, tuple[str, ...]]] = []
        self.predecessors: dict[str, list[str]] = {block.name: [] for block in function.blocks}
        self.calls: dict[str, list[str]] = {}
        for block in function.blocks:
            targets = ir.successors(block.terminator)
            for target in targets:
                self.predecessors[target].append(block.name)
            if len(targets) > 1:
                self.branches.append((block.name, targets))
            callees = [
                i.callee.name for i in block.instructions if isinstance(i, ir.Call) and isinstance(i.callee, GlobalRef)
            ]
            if callees:
                self.calls[block.name] = callees

    def distances(self, name: str, coverage: Coverage, entries: dict[str, int]) -> dict[str, int]:
        """Breadth first, backwards from blocks with something new after them."""
        start: dict[str, int] = {}
        for block in self.predecessors:
            if (name, block) not in coverage.blocks:
                start[block] = 0
        for block, targets in self.branches:
            if any((name, block, target) not in coverage.edges for target in targets):
                start.setdefault(block, 1)
        for block, callees in self.calls.items():
            inner = min(entries.get(callee, FAR) for callee in callees)
            if inner < FAR:
                start[block] = min(start.get(block, FAR), inner + 1)
        levels: dict[int, list[str]] = {}
        for block, distance in start.items():
            levels.setdefault(distance, []).append(block)
        return self._spread(levels)

    def _spread(self, levels: dict[int, list[str]]) -> dict[str, int]:
        result: dict[str, int] = {}
        while levels:
            distance = min(levels)
            for block in levels.pop(distance):
                if block in result:
                    continue
                result[block] = distance
                for predecessor in self.predecessors[block]:
                    if predecessor not in result:
                        levels.setdefault(distance + 1, []).append(predecessor)
        return result
