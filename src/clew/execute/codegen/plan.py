"""How a function is cut into pieces of Python.

A *tree* is a root block together with the blocks that can only be reached through it: each such
block is nested in the ``if`` arm of its one predecessor. Roots are the entry, blocks with several
predecessors, and blocks that would nest too deep. A call into another C function ends a tree; what
follows the call is a root as well.

    entry: br c, a, b      a: br join      b: br join      join: ret

    root entry             if c: (a) goto join  else: (b) goto join
    root join              return

A *point* is a place where a frame can be suspended, with the registers it must remember:

    label         the start of a root block (phis already assigned)
    continuation  just after a call; the call's result arrives through the state
    retry         just before an instruction that is to be executed again
    edge          on the way from a block to a successor (phis not yet assigned)

A *region* is a group of roots compiled into one Python function, small enough to compile quickly.
Frames that resume at a label or continuation enter the region there; for the other points a small
function is compiled on demand that runs up to the next root.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from clew.analysis.liveness import Liveness
from clew.base.dataclass import dataclass
from clew.program import instructions as ir
from clew.program.module import Block, Function

MAX_DEPTH = 12
MAX_CHAIN = 200
REGION_SIZE = 1200


class PointKind(Enum):
    """Where a frame can be suspended."""

    LABEL = "label"
    CONTINUATION = "continuation"
    RETRY = "retry"
    EDGE = "edge"


@dataclass(frozen=True, slots=True)
class Point:
    """A place to resume at, and the registers (by number) a frame suspended there holds, in order."""

    kind: PointKind
    block: str
    index: int
    live: tuple[int, ...]
    target: str = ""
    """For an edge: the successor."""


class PiecePlan:
    """Roots, regions and points of one function. Points are numbered as they are asked for; 0 is the entry."""

    def __init__(self, function: Function, ends_tree: Callable[[ir.Instruction], bool]) -> None:
        self.function = function
        self.liveness = Liveness(function)
        self.blocks = self.liveness.blocks
        self.ends_tree = ends_tree
        self.points: list[Point] = []
        self._numbers: dict[tuple[PointKind, str, int, str], int] = {}
        self._around: dict[str, dict[int, tuple[tuple[int, ...], tuple[int, ...]]]] = {}
        self._leaving: dict[str, tuple[int, ...]] = {}
        self.roots: dict[str, None] = {}
        """Root blocks in program order."""
        self._find_roots()
        entry = function.blocks[0].name
        parameters = tuple(range(len(function.parameters)))
        self._register(Point(PointKind.LABEL, entry, 0, parameters))
        self.regions: list[list[tuple[str, int]]] = []
        """Each a list of (block, index of first instruction)."""
        self._region_of: dict[tuple[str, int], int] = {}
        self._cut_regions()

    def _find_roots(self) -> None:
        depth: dict[str, int] = {}
        size: dict[str, int] = {}
        ways: dict[str, int] = {}
        entry = self.function.blocks[0].name
        work = [entry]
        seen = {entry}
        self.reachable: dict[str, None] = {entry: None}
        while work:
            name = work.pop()
            block = self.blocks[name]
            predecessors = self.liveness.predecessors[name]
            only = predecessors[0] if len(predecessors) == 1 else None
            if name == entry or only is None or only not in depth:
                is_root = True
            else:
                # A choice among n successors nests as deep as a tree of n leaves.
                depth[name] = depth[only] + (ways[only] - 1).bit_length()
                size[name] = size[only] + len(block.instructions)
                is_root = depth[name] > MAX_DEPTH or size[name] > MAX_CHAIN
            if is_root:
                self.roots[name] = None
                depth[name], size[name] = 0, len(block.instructions)
            if any(self.ends_tree(instruction) for instruction in block.instructions):
                depth[name], size[name] = 0, 0
            successors = ir.successors(block.terminator)
            ways[name] = len(successors)
            for successor in reversed(successors):
                if successor not in seen:
                    seen.add(successor)
                    self.reachable[successor] = None
                    work.append(successor)
        order = {block.name: position for position, block in enumerate(self.function.blocks)}
        self.roots = dict.fromkeys(sorted(self.roots, key=order.__getitem__))

    def _cut_regions(self) -> None:
        current: list[tuple[str, int]] = []
        count = 0
        for block in self.function.blocks:
            if block.name not in self.reachable:
                continue
            starts = [(block.name, self.first(block))] if block.name in self.roots else []
            starts += [
                (block.name, index + 1)
                for index, instruction in enumerate(block.instructions)
                if self.ends_tree(instruction)
            ]
            # Between its calls a block can be cut, too: one with thousands of calls is many regions.
            bounds = [*(index for _, index in starts), len(block.instructions)]
            count += bounds[0]
            for start, following in zip(starts, bounds[1:], strict=True):
                size = following - start[1]
                if current and count + size > REGION_SIZE:
                    self.regions.append(current)
                    current, count = [], 0
                count += size
                self._region_of[start] = len(self.regions)
                current.append(start)
        self.regions.append(current)

    @staticmethod
    def first(block: Block) -> int:
        """Index of the first instruction that is not a phi."""
        for index, instruction in enumerate(block.instructions):
            if not isinstance(instruction, ir.Phi):
                return index
        raise AssertionError("a block ends with a terminator")

    def region_of(self, block: str, index: int) -> int:
        """The region that contains the root at (block, index)."""
        return self._region_of[block, index]

    def _register(self, point: Point) -> int:
        key = (point.kind, point.block, point.index, point.target)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.points)
            self.points.append(point)
        return number

    def label(self, block: str) -> int:
        """The point at the start of a root block."""
        if block == self.function.blocks[0].name:
            return 0
        live = tuple(sorted(self.liveness.live_in[block]))
        return self._register(Point(PointKind.LABEL, block, self.first(self.blocks[block]), live))

    def _live_around(self, block: str) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
        known = self._around.get(block)
        if known is None:
            known = self._around[block] = self.liveness.around(self.blocks[block], _may_suspend)
        return known

    def continuation(self, block: str, index: int) -> int:
        """The point just after the call at ``index``."""
        _, after = self._live_around(block)[index]
        return self._register(Point(PointKind.CONTINUATION, block, index + 1, after))

    def retry(self, block: str, index: int) -> int:
        """The point just before instruction ``index``."""
        before, _ = self._live_around(block)[index]
        return self._register(Point(PointKind.RETRY, block, index, before))

    def edge(self, block: str, target: str) -> int:
        """The point on the edge from ``block`` to ``target``. All edges of a block share one set of registers."""
        live = self._leaving.get(block)
        if live is None:
            live = self._leaving[block] = tuple(sorted(self.liveness.live_out(block)))
        return self._register(Point(PointKind.EDGE, block, len(self.blocks[block].instructions), live, target))


def _may_suspend(instruction: ir.Instruction) -> bool:
    return isinstance(instruction, _SUSPENDING)


_SUSPENDING = (
    ir.Load,
    ir.Store,
    ir.Call,
    ir.Binary,
    ir.Alloca,
    ir.AtomicUpdate,
    ir.CompareExchange,
    ir.VaArg,
    ir.Terminator,
    ir.UnsupportedInstruction,
    ir.Cast,
    ir.ExtractElement,
    ir.InsertElement,
    ir.Select,
)
