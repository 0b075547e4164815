"""Which code the exploration has run: branch edges and lines.

Generated code reports each leaf of a tree the first time it is taken (``fresh``), so code that is
already covered costs one list look-up per leaf.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from clew.analysis.outcomes import Conditions, conditions
from clew.base.location import Location
from clew.execute.codegen.compiled import Compiler
from clew.execute.codegen.emitter import Origin
from clew.program import instructions as ir
from clew.program.module import Block, Function, Program
from clew.program.values import Register
from clew.report.records import BranchCoverage, BranchId
from clew.report.records import Coverage as CoverageRecord

Edge = tuple[str, str, str]
"""Function, block, successor."""


class FreshLeaves(dict[int, list[bool]]):
    """For each unit of generated code: which of its leaves were never taken. Fills itself."""

    def __init__(self, compiler: Compiler) -> None:
        super().__init__()
        self._compiler = compiler

    def __missing__(self, unit: int) -> list[bool]:
        table = self[unit] = [True] * len(self._compiler.units[unit].leaves)
        return table


class Coverage:
    """What was covered so far. ``version`` goes up with every new edge or block."""

    def __init__(self, program: Program, compiler: Compiler) -> None:
        self._program = program
        self._compiler = compiler
        self.fresh = FreshLeaves(compiler)
        self.edges: set[Edge] = set()
        self.blocks: set[tuple[str, str]] = set()
        self.lines: set[tuple[str, int]] = set()
        self.version = 0
        self._ends: set[tuple[str, Origin]] = set()
        self._taken: set[BranchId] = set()
        self._places: dict[tuple[str, str], dict[str, int]] = {}
        """For each block seen so far, the positions of its successors; nothing where it has one only."""

    def leaf(self, unit: int, number: int) -> bool:
        """A leaf was taken for the first time; yields whether that covered anything new."""
        self.fresh[unit][number] = False
        code = self._compiler.units[unit]
        leaf = code.leaves[number]
        new = False
        for block, first, stop in leaf.spans:
            new |= self.span(code.function, block, first, stop)
        for source, target in leaf.edges:
            new |= self.edge(code.function, source, target)
        return new and code.function not in self._program.runtime

    def edge(self, function: str, source: str, target: str) -> bool:
        """A branch edge was taken."""
        edge = (function, source, target)
        if edge in self.edges:
            return False
        self.edges.add(edge)
        self.version += 1
        place = self._positions(function, source).get(target)
        if place is not None:
            self._taken.add((function, source, place))
        # A check of the compiler's is no branch of the source: it needs no test of its own.
        return not is_implicit(self._compiler.function(function).plan.blocks[source].terminator)

    def _positions(self, function: str, block: str) -> dict[str, int]:
        known = self._places.get((function, block))
        if known is None:
            targets = ir.successors(self._compiler.function(function).plan.blocks[block].terminator)
            known = {target: place for place, target in enumerate(targets)} if len(targets) > 1 else {}
            self._places[function, block] = known
        return known

    def span(self, function: str, block: str, first: int, stop: int) -> bool:
        """Note that instructions of a block were run; returns whether this covered new source lines."""
        before = len(self.lines)
        if (function, block) not in self.blocks:
            self.blocks.add((function, block))
            self.version += 1
        instructions = self._compiler.function(function).plan.blocks[block].instructions
        for instruction in instructions[first:stop]:
            location = instruction.location
            if location is not None and location.line:
                self.lines.add((location.file, location.line))
        return len(self.lines) != before

    def interrupted(self, function: str, origin: Origin) -> bool:
        """A path ended at an instruction, in the middle of a tree: count the way to it."""
        if (function, origin) in self._ends:
            return False
        self._ends.add((function, origin))
        new = False
        *passed, (block, first, _) = origin.spans
        for name, start, stop in passed:
            new |= self.span(function, name, start, stop)
        new |= self.span(function, block, first, origin.position + 1)
        for source, target in origin.edges:
            new |= self.edge(function, source, target)
        return new and function not in self._program.runtime

    def learn(self, edges: Iterable[Edge], blocks: Iterable[tuple[str, str]], lines: Iterable[tuple[str, int]]) -> None:
        """Somebody else has covered this, and has tests for it."""
        for function, source, target in edges:
            self.edge(function, source, target)
        new = [block for block in blocks if block not in self.blocks]
        self.blocks.update(new)
        self.version += len(new)
        self.lines.update(lines)

    def taken(self) -> set[BranchId]:
        """The covered branch outcomes, as records name them. Grows with the run: copy what you keep."""
        return self._taken

    def branch_of(self, edge: Edge) -> BranchId | None:
        """The branch outcome that an edge is; None if its block has one successor only."""
        function, source, target = edge
        place = self._positions(function, source).get(target)
        return None if place is None else (function, source, place)

    def edges_of(self, branches: Iterable[BranchId]) -> Iterator[Edge]:
        """The edges that outcomes of branches are; nothing for those that the program does not have."""
        for function, source, place in branches:
            if function in self._program.functions:
                block = self._compiler.function(function).plan.blocks.get(source)
                targets = ir.successors(block.terminator) if block is not None else ()
                yield from ((function, source, target) for target in targets[place : place + 1])

    def record(self) -> CoverageRecord:
        """Source-level coverage for the summary."""
        return CoverageRecord.measured(self.branches, self.taken(), self._all_lines, self.lines)

    @cached_property
    def branches(self) -> tuple[BranchCoverage, ...]:
        """Every outcome of every branch that has a place in the source, none of them marked as covered."""
        return tuple(all_branches(self._program))

    @cached_property
    def _all_lines(self) -> tuple[tuple[str, int], ...]:
        return tuple(sorted(all_lines(self._program)))


def all_branches(program: Program) -> list[BranchCoverage]:
    """Every outcome of every branch that has a place in the source."""
    result: list[BranchCoverage] = []
    for function in program.functions.values():
        written = conditions(function) if function.blocks else Conditions()
        for block, targets in _deciding(function):
            terminator = block.terminator
            where = (operand_location(block) if block.name in written.operands else None) or terminator.location
            found = [
                BranchCoverage(function.name, block.name, position, where, outcome)
                for position, outcome in enumerate(outcomes(terminator, targets, block.name in written.negated))
            ]
            # What happens when the condition is true comes first, whichever way Clang has written the branch.
            result.extend(reversed(found) if block.name in written.negated else found)
    return result


def branch_ids(program: Program) -> set[BranchId]:
    """The same by their names alone, which takes far less time than to find out what the source says."""
    return {
        (function.name, block.name, position)
        for function in program.functions.values()
        for block, targets in _deciding(function)
        for position in range(len(targets))
    }


def _deciding(function: Function) -> Iterator[tuple[Block, tuple[str, ...]]]:
    """The blocks that end with a branch of the source, and where to."""
    for block in function.blocks:
        terminator = block.terminator
        targets = ir.successors(terminator)
        if len(targets) > 1 and terminator.location is not None and not is_implicit(terminator):
            yield block, targets


def operand_location(block: Block) -> Location | None:
    """Where the condition is that a block's branch decides on; None if the branch does not tell."""
    terminator = block.terminator
    if not isinstance(terminator, ir.Branch) or not isinstance(terminator.condition, Register):
        return None
    for instruction in reversed(block.instructions):
        if instruction.result == terminator.condition:
            where = instruction.location
            return where if where is not None and where.line else None
    return None


def is_implicit(terminator: ir.Instruction) -> bool:
    """Whether a branch is a check of the compiler's, which the source does not have."""
    return isinstance(terminator, ir.Branch) and terminator.implicit


def outcomes(terminator: ir.Instruction, targets: tuple[str, ...], negated: bool = False) -> list[str]:
    """What the way to each target is called; ``negated``: the source has the contrary of a branch's condition."""
    match terminator:
        case ir.Branch(if_true=yes):
            return ["true" if (target == yes) is not negated else "false" for target in targets]
        case ir.Switch(default=default, cases=cases):
            values: dict[str, list[str]] = {target: [] for target in targets}
            for case, target in cases:
                values[target].append(str(case))
            values[default].append("default")
            return ["case " + ", ".join(v) if v != ["default"] else "default" for v in values.values()]
    return list(targets)


def all_lines(program: Program) -> set[tuple[str, int]]:
    """Every line that has code."""
    return {
        (instruction.location.file, instruction.location.line)
        for function in program.functions.values()
        for block in function.blocks
        for instruction in block.instructions
        if instruction.location is not None and instruction.location.line
    }
