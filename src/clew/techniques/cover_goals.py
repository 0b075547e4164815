"""Branch outcomes that a run has not covered, and how much it has done: what helpers of exploration go by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from functools import cached_property
from itertools import islice

from clew.analysis.graph import control_flow, loop_forest, may_loop
from clew.execute.coverage import Edge
from clew.execute.run import Run
from clew.program import instructions as ir
from clew.program.module import Program
from clew.report.records import BranchCoverage


class CoverGoals:
    """Of one run. The program's own code counts, not that of the runtime."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._version = -1
        self._open: list[tuple[Edge, BranchCoverage]] = []
        """Those that were not covered when coverage had this version, in order."""
        self._counted = -1
        self._covered = self._near = 0
        """How many were when it had that version, and how many others were next to code that was run."""

    @cached_property
    def _edges(self) -> list[tuple[Edge, BranchCoverage]]:
        runtime = self._run.program.runtime
        targets = _targets(self._run.program)
        return [
            ((branch.function, branch.block, targets[branch.function, branch.block][branch.successor]), branch)
            for branch in self._run.coverage.branches
            if branch.function not in runtime
        ]

    @cached_property
    def _of_edges(self) -> Counter[Edge]:
        """How many are at each edge: several, where cases of a switch lead to one block."""
        return Counter(edge for edge, _ in self._edges)

    @cached_property
    def _of_blocks(self) -> Counter[tuple[str, str]]:
        """How many each block has."""
        return Counter(edge[:2] for edge, _ in self._edges)

    @cached_property
    def has_loops(self) -> bool:
        """Whether the program's own code has any loop."""
        return has_loops(self._run.program)

    @cached_property
    def size(self) -> int:
        """Instructions of the program."""
        return self._run.program.size()

    def branches(self, most: int, without: Container[Edge] = ()) -> list[tuple[Edge, BranchCoverage]]:
        """Those that are not covered now, and not ``without``; those next to code that was run come first."""
        coverage = self._run.coverage
        if self._version != coverage.version:
            self._version = coverage.version
            self._open = [item for item in self._edges if item[0] not in coverage.edges]
            self._open.sort(key=lambda item: item[0][:2] not in coverage.blocks)
        return list(islice((item for item in self._open if item[0] not in without), most))

    def near(self) -> int:
        """How many of those that are not covered now are next to code that was run."""
        self._count()
        return self._near

    def covered(self) -> int:
        """How many are covered."""
        self._count()
        return self._covered

    def are_left(self) -> bool:
        """Whether any is not covered."""
        return self.covered() < len(self._edges)

    def _count(self) -> None:
        """By what was run: of a large program, that is a small part."""
        coverage = self._run.coverage
        if self._counted != coverage.version:
            self._counted = coverage.version
            blocks = coverage.blocks & self._of_blocks.keys()
            edges = coverage.edges & self._of_edges.keys()
            self._covered = sum(map(self._of_edges.__getitem__, edges))
            met = sum(self._of_edges[edge] for edge in edges if edge[:2] in blocks)
            self._near = sum(map(self._of_blocks.__getitem__, blocks)) - met

    def is_covered(self, edge: Edge) -> bool:
        return edge in self._run.coverage.edges

    def ended(self) -> int:
        """Paths that have ended in any way."""
        return self._run.statistics.paths_ended


class Progress:
    """Whether exploration still covers anything new.

    ``steps`` are paths that ended and siblings that were queued since it did last: then it is stuck; or after so many
    ``instructions``.
    """

    def __init__(self, run: Run, uncovered: CoverGoals, steps: int, instructions: int) -> None:
        self._run = run
        self._uncovered = uncovered
        self._most_steps = steps
        self._most_instructions = instructions
        self.begin()

    def begin(self) -> None:
        """Measure from here."""
        self._version = self._run.coverage.version
        self._steps, self._instructions = self._work()

    def _work(self) -> tuple[int, int]:
        statistics = self._run.statistics
        return self._uncovered.ended() + statistics.forks, statistics.instructions

    def is_stuck(self) -> bool:
        """Whether it has worked for some time without; never where no input could lead anywhere else."""
        if self._run.coverage.version != self._version or not self._run.has_inputs:
            self.begin()
            return False
        steps, instructions = self._work()
        return steps - self._steps >= self._most_steps or instructions - self._instructions >= self._most_instructions


def _targets(program: Program) -> dict[tuple[str, str], tuple[str, ...]]:
    """The successors of each block."""
    return {
        (function.name, block.name): ir.successors(block.terminator)
        for function in program.functions.values()
        for block in function.blocks
    }


def has_loops(program: Program) -> bool:
    """Whether the program's own code has any loop."""
    return any(
        may_loop(function) and loop_forest(control_flow(function)).loops
        for name, function in program.functions.items()
        if not function.is_declaration and name not in program.runtime
    )
