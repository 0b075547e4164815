"""All ways through the body of a loop, from its header until control is back there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from clew.analysis.absint.linear import Constraint, at_least, at_most
from clew.analysis.graph import Loop
from clew.analysis.loops import calls
from clew.analysis.loops.closure import Closure, Fixed, Memory
from clew.analysis.loops.computing import compute
from clew.analysis.loops.conditions import assume, in_view
from clew.analysis.loops.evaluation import Evaluation
from clew.analysis.loops.inner import jump
from clew.analysis.loops.limits import Limits
from clew.analysis.loops.memory import Contents
from clew.analysis.loops.path import Activation, Content, Path, Refused
from clew.analysis.mod_ref import ModRef
from clew.program import instructions as ir

Closing = Callable[[str, str], Closure]
"""The closure of an inner loop, by function and header; raises ``Refused``."""


class Walker(Evaluation):
    """Walks through the body of one loop."""

    def __init__(self, effects: ModRef, contents: Contents, closing: Closing, limits: Limits) -> None:
        super().__init__(effects, contents, limits)
        self._closing = closing

    def walk(self, function: str, loop: Loop, facts: Sequence[Constraint] = ()) -> list[Path]:
        """The paths of complete iterations; their registers are those behind the phis of the header."""
        outline = self.outline(function)
        header = outline.blocks[outline.graph.names[loop.header]]
        start = Activation(0, outline, header, len(header.phis))
        path = Path([start])
        for phi in header.phis:
            assert phi.result is not None
            start.registers[phi.result.name] = self.known(path, start, phi.result)
        if not self._suppose(path, facts):
            return []
        work: list[Path] = [path]
        finished: list[Path] = []
        steps = 0
        while work:
            path = work.pop()
            steps += 1
            if steps > self.limits.steps or len(work) + len(finished) > self.limits.pieces:
                raise Refused("there are too many paths through the body")
            for way in self._step(path, loop):
                if way.frames[0].index < 0:
                    finished.append(way)
                else:
                    work.append(way)
        return finished

    def _suppose(self, path: Path, facts: Sequence[Constraint]) -> bool:
        """Add what holds at the header."""
        for variable in dict.fromkeys(v for fact in facts for v in fact.variables):
            assert isinstance(variable, Fixed)
            if isinstance(variable.place, Memory):
                self.contents.declare(variable.place, variable.signed)
        return path.assume(facts)

    # Control

    def _step(self, path: Path, loop: Loop) -> Iterable[Path]:
        """What comes after one instruction."""
        frame = path.top
        instruction = frame.block.instructions[frame.index]
        frame.index += 1
        match instruction:
            case ir.Jump(target=target):
                return self._enter(path, target, loop)
            case ir.Branch():
                return self._branch(path, instruction, loop)
            case ir.Switch():
                return self._switch(path, instruction, loop)
            case ir.Return(value=value):
                return calls.leave(self, path, value)
            case ir.Unreachable():
                return ()
            case ir.IndirectBranch() | ir.UnsupportedInstruction() | ir.VaArg():
                raise Refused("it has instructions that are not looked at")
            case ir.Load(volatile=True) | ir.Store(volatile=True):
                raise Refused("it reads or writes volatile memory")
            case ir.AtomicUpdate() | ir.CompareExchange():
                raise Refused("it has atomic instructions")
            case ir.Call():
                return calls.call(self, path, instruction)
        return compute(self, path, instruction)

    def _branch(self, path: Path, i: ir.Branch, loop: Loop) -> Iterator[Path]:
        if i.if_true == i.if_false:
            yield from self._enter(path, i.if_true, loop)
            return
        truth = self.truth(path, i.condition)
        for wanted, target in ((False, i.if_false), (True, i.if_true)):
            if not self._leaves(path, target, loop):
                for way in assume(path.copy(), truth, wanted, self.limits):
                    yield from self._enter(way, target, loop)

    def _switch(self, path: Path, i: ir.Switch, loop: Loop) -> Iterator[Path]:
        for way, number in self.number(path, i.value):
            for end, linear in in_view(way, number, False, self.limits):
                for first, last, target in _ranges(i, (1 << number.width) - 1):
                    case = end.copy()
                    if not self._leaves(end, target, loop) and case.assume(
                        (at_least(linear, first), at_most(linear, last))
                    ):
                        yield from self._enter(case, target, loop)

    def _leaves(self, path: Path, target: str, loop: Loop) -> bool:
        """Whether a jump leaves the loop: then the iteration is not complete."""
        frame = path.top
        return frame.number == 0 and frame.outline.graph.numbers[target] not in loop.blocks

    def _enter(self, path: Path, target: str, loop: Loop) -> Iterator[Path]:
        """Over an edge: phis, the end of the iteration, inner loops."""
        if self._leaves(path, target, loop):
            return
        frame = path.top
        source = frame.block.name
        block = frame.outline.blocks[target]
        new: dict[str, Content | None] = {}
        for phi in block.phis:
            assert phi.result is not None
            new[phi.result.name] = self.value(path, next(value for value, name in phi.incoming if name == source))
        frame.registers.update(new)
        graph = frame.outline.graph
        number = graph.numbers[target]
        if frame.number == 0 and number == loop.header:
            frame.index = -1
            yield path
            return
        frame.block, frame.index = block, len(new)
        inner = frame.outline.forest.headed_by(number)
        if inner is None:
            if any(number in each.entries for each in frame.outline.forest.around(number) if each.irreducible):
                raise Refused("an inner loop has several entries")
            yield path
        elif graph.numbers[source] not in inner.blocks:
            if inner.irreducible:
                raise Refused("an inner loop has several entries")
            yield from jump(self, path, self._closing(frame.outline.function.name, target))


def _ranges(i: ir.Switch, greatest: int) -> list[tuple[int, int, str]]:
    """The values of a switch as ranges with one target each."""
    found: list[tuple[int, int, str]] = []
    at = 0
    for value, target in sorted(i.cases):
        if value > at:
            found.append((at, value - 1, i.default))
        found.append((value, value, target))
        at = value + 1
    if at <= greatest:
        found.append((at, greatest, i.default))
    merged: list[tuple[int, int, str]] = []
    for first, last, target in found:
        if merged and merged[-1][2] == target:
            merged[-1] = (merged[-1][0], last, target)
        else:
            merged.append((first, last, target))
    return merged
