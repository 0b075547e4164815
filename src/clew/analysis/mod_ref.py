"""What code may change: a cheap may-modify analysis that does not look at the order of instructions.

``ModRef`` answers, with sets of abstract objects (see ``clew.analysis.escape``) as bit masks, which objects an
instruction, a block, a loop, a function with all it calls, or the ways to a join may write. So the value that a load
reads at one point is that of another point if what the load's pointer may point to (``pointed``) was not written by
the code between them.

Only writes of values count: freeing an object, or releasing it at a return, is none. Making an ``alloca`` is one, as
its contents start anew. What inline assembly and functions that nobody defines would do is as the engine has it: the
former end the path, the latter write nothing (and are reported as a loss).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clew.analysis.callees import CalleeKind, Callees
from clew.analysis.callgraph import CallGraph
from clew.analysis.escape import OTHER, Object, Origins
from clew.analysis.graph import NONE, ControlFlow, Loop, control_flow, dominators, loop_forest
from clew.base.dataclass import dataclass
from clew.base.memo import remembered
from clew.program import instructions as ir
from clew.program.module import Program
from clew.program.values import ConstInt, Value


@dataclass(frozen=True, slots=True)
class Region:
    """The code that may run between an earlier point that every way to a block passes, and the block's start.

    The point is the *last* time, before control gets to the block, that it was

    - at the end of block ``anchor``, before its jump (``anchor_is_loop_entry`` false), or
    - on an edge from outside into the loop with header ``anchor``, before the header's first instruction
      (``anchor_is_loop_entry`` true): the block is the header itself, or comes after that loop.

    The anchor lies in no loop but those the block is in. ``written`` are the objects that may be written between the
    two points, by calls as well.
    """

    anchor: str
    anchor_is_loop_entry: bool
    written: int


class _Shape:
    """Control flow of a function, with what its blocks write."""

    def __init__(self, graph: ControlFlow, written: Sequence[int]) -> None:
        self.graph = graph
        self.tree = dominators(graph)
        self.forest = loop_forest(graph)
        self._written = written

    def in_blocks(self, blocks: Iterable[int]) -> int:
        mask = 0
        for block in blocks:
            mask |= self._written[block]
        return mask

    @remembered
    def in_loop(self, loop: Loop) -> int:
        return self.in_blocks(loop.blocks)


class ModRef(Origins):
    """What the code of one program may write, and its objects."""

    def __init__(self, program: Program, callees: Callees) -> None:
        super().__init__(program, callees)
        self.calls = CallGraph(program, callees)
        self._functions: dict[str, int] = {}
        for part in self.calls.components:
            self._summarize(part)

    # Objects

    def is_escaped(self, thing: Object) -> bool:
        """Whether pointers from elsewhere may lead to an object."""
        return bool(self.escaped & self.bit(thing))

    def size(self, thing: Object) -> int | None:
        """Bytes of a global or a local variable, where that is a constant."""
        if isinstance(thing, str):
            return self.program.layout.size(self.program.globals[thing].type)
        return self._local_sizes(thing[0]).get(thing[1]) if isinstance(thing, tuple) else None

    @remembered
    def _local_sizes(self, function: str) -> dict[str, int]:
        return {
            i.result.name: self.program.layout.size(i.allocated) * i.count.value
            for i in self.program.functions[function].instructions()
            if isinstance(i, ir.Alloca) and i.result is not None and isinstance(i.count, ConstInt)
        }

    def pointed(self, function: str, pointer: Value) -> int:
        """The objects that a pointer operand of an instruction of ``function`` may point to."""
        return self.expand(self.of(pointer, self.functions[function].origins))

    # Writes

    def written_by(self, function: str, instruction: ir.Instruction) -> int:
        """What one instruction of a function may write; a call with all that it calls in turn."""
        return self.expand(self._raw(function, instruction))

    def written_by_function(self, function: str) -> int:
        """What a defined function may write, with all that it calls."""
        return self._functions[function]

    def loop_written(self, function: str, header: str) -> int:
        """What the loop with a header may write, with the loops in it."""
        shape = self._shape(function)
        loop = shape.forest.headed_by(shape.graph.numbers[header])
        if loop is None:
            raise KeyError(f"{header} is not the header of a loop of {function}")
        return shape.in_loop(loop)

    def is_plain(self, instructions: Iterable[ir.Instruction], inputs: bool = True) -> bool:
        """Whether memory shows all that instructions do, with what they call; ``inputs``: they may read some."""
        seen: set[str] = set()
        work = list(instructions)
        while work:
            instruction = work.pop()
            if isinstance(instruction, ir.UnsupportedInstruction | ir.VaArg):
                return False
            if not isinstance(instruction, ir.Call):
                continue
            target = self.callees.resolve(instruction)
            kind, name, effect = target.kind, target.name, target.effect
            if kind is CalleeKind.FUNCTION:
                if name not in seen:
                    seen.add(name)
                    work += self.program.functions[name].instructions()
            elif kind is CalleeKind.MODEL:
                reads = effect.is_input or effect.reads_input
                if not effect.is_simple or effect.diverts or (reads and not inputs):
                    return False
            elif kind is not CalleeKind.INTRINSIC or name.startswith(("llvm.va_", "llvm.stack")):
                return False
        return True

    @remembered
    def region(self, function: str, block: str) -> Region | None:
        """What may have been written since a point that every way to ``block`` has passed.

        None for the entry, and for blocks that cannot be reached.
        """
        shape = self._shape(function)
        return _region(shape, shape.graph.numbers[block])

    # Inside

    def _raw(self, function: str, instruction: ir.Instruction) -> int:
        """What an instruction may write; a pointer of unknown origin is kept as that."""
        known = self.functions[function].origins
        match instruction:
            case ir.Store(pointer=pointer) | ir.AtomicUpdate(pointer=pointer) | ir.CompareExchange(pointer=pointer):
                return self.of(pointer, known)
            case ir.VaArg(list=place):
                return self.of(place, known)
            case ir.Alloca(result=result):
                assert result is not None
                return self.bit((function, result.name))
            case ir.Call():
                mask = 0
                for target in self.calls.possible_targets(instruction):
                    if target.kind is CalleeKind.FUNCTION:
                        mask |= self._functions.get(target.name, 0)
                    else:
                        mask |= self.written(instruction, target, known)
                if any(argument.byval is not None for argument in instruction.arguments):
                    mask |= OTHER
                return mask
        return 0

    def _summarize(self, part: tuple[str, ...]) -> None:
        """Functions that can call each other write the same; what they call outside is known already."""
        mask = 0
        for name in part:
            for instructions in self.functions[name].acting.values():
                mask |= self._raw_all(name, instructions)
        mask = self.expand(mask)
        for name in part:
            self._functions[name] = mask

    @remembered
    def _shape(self, name: str) -> _Shape:
        graph = control_flow(self.program.functions[name])
        acting = self.functions[name].acting
        return _Shape(graph, [self.expand(self._raw_all(name, acting.get(block, ()))) for block in graph.names])

    def _raw_all(self, function: str, instructions: Iterable[ir.Instruction]) -> int:
        mask = 0
        for instruction in instructions:
            mask |= self._raw(function, instruction)
        return mask


def _region(shape: _Shape, block: int) -> Region | None:
    anchor = shape.tree.parent[block]
    names = shape.graph.names
    own = shape.forest.headed_by(block)
    if own is not None and not own.irreducible:
        return Region(names[block], True, shape.in_loop(own))
    if anchor == NONE:
        return None
    around = {loop.index for loop in shape.forest.around(block)}
    while True:
        left = [loop for loop in shape.forest.around(anchor) if loop.index not in around]
        if not left:
            return Region(names[anchor], False, shape.in_blocks(_between(shape, anchor, block)))
        outermost = left[-1]
        if not outermost.irreducible:
            written = shape.in_blocks(_between(shape, anchor, block)) | shape.in_loop(outermost)
            return Region(names[outermost.header], True, written)
        # A loop that can be entered in several places: go up to what all of them come from.
        while anchor in outermost.blocks:
            anchor = shape.tree.parent[anchor]
        if anchor == NONE:
            return None


def _between(shape: _Shape, anchor: int, block: int) -> set[int]:
    """The blocks on ways from the end of ``anchor``, which dominates ``block``, to the start of ``block``."""
    found: set[int] = set()
    work = list(shape.graph.predecessors[block])
    while work:
        current = work.pop()
        if current != anchor and current not in found and shape.tree.reachable(current):
            found.add(current)
            work.extend(shape.graph.predecessors[current])
    return found
