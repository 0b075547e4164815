"""What of a program may depend on input, and where the paths that input separated come together again.

Sits above ``effects`` (what code may write), ``joins`` (where ways meet) and ``taint`` (what input flows into);
``techniques.merging`` asks it where to compare states and which differences may be due to input. One analysis of the
whole program, made before it runs. "Yes" may be too much. "No" is said of values only: which address an allocation
gets, what ``errno`` is set to, and what models remember outside of the program's memory are not followed.
"""

from __future__ import annotations

from collections.abc import Callable

from clew.analysis.callees import CalleeKind
from clew.analysis.escape import Object
from clew.analysis.graph import Loop
from clew.analysis.mod_ref import ModRef
from clew.analysis.taint import Code, Taint
from clew.program import instructions as ir
from clew.program.module import FINISH
from clew.program.operands import registers


class Influence:
    """What of one program may depend on input.

    ``sources`` tells of which models a call gives input: its result, and the memory that its pointers lead to;
    ``forks`` from which models a path may come back several times. Runs start at ``entry``: what it is
    given is input. Of functions that no run gets to, everything is said to depend on input, and there is no merge
    point.
    """

    def __init__(
        self, effects: ModRef, sources: Callable[[str], bool], forks: Callable[[str], bool], entry: str = "main"
    ) -> None:
        program = effects.program
        self._effects = effects
        self._sources = sources
        self._forks = forks
        roots = [entry, *program.constructors, *program.destructors, FINISH]
        names: set[str] = set()
        for root in roots:
            if root in program.functions and not program.functions[root].is_declaration:
                names |= effects.calls.reachable(root)
        running = [name for name in program.functions if name in names]
        self._taint = Taint(effects, sources, entry, running)

    def depends(self, function: str, register: str, block: str | None = None) -> bool:
        """Whether a register may differ between runs that are at the same place, in ``block``; or in any block.

        A loop's registers do not, as long as the loop runs, just because input decides when it ends.
        """
        code = self._taint.codes.get(function)
        if code is None:
            return True
        return code.register_depends(register, None if block is None else code.joins.graph.numbers[block])

    def object_depends(self, thing: Object) -> bool:
        """Whether the contents of an object may."""
        return bool(self._taint.objects & self._effects.bit(thing))

    def merge_points(self, function: str) -> tuple[tuple[str, int], ...]:
        """Where paths that input separated come together: blocks, with the index of the instruction that is next.

        These are joins, behind their phis; headers of loops which input ends; and places behind calls that may come
        back in several ways and have no such join of their own.
        """
        code = self._taint.codes.get(function)
        if code is None:
            return ()
        met: set[int] = set()
        if code.deciding:
            joins = code.joins
            met = {block for block, here in joins.of_block.items() if any(join.decided for join in here)}
            met = {block for block in met if not code.is_last(block)}
            met.update(joins.forest.loops[index].header for index in code.endings)
        found: dict[tuple[str, int], None] = {}
        for number in met - {len(code.function.blocks)}:
            block = code.function.blocks[number]
            found[block.name, len(block.phis)] = None
        for number, call in code.uses.calls:
            if self._parts(code, number, call):
                block = code.function.blocks[number]
                found[block.name, next(at for at, each in enumerate(block.instructions) if each is call) + 1] = None
        numbers = {block.name: number for number, block in enumerate(code.function.blocks)}
        return tuple(sorted(found, key=lambda place: (numbers[place[0]], place[1])))

    def heads(self, function: str) -> tuple[tuple[str, int], ...]:
        """Heads of loops that no counter ends, but input or nothing: blocks, with the index behind their phis."""
        code = self._taint.codes.get(function)
        if code is None:
            return ()
        heads = []
        for loop in code.joins.forest.loops:
            ends = [block for block in loop.blocks - code.deciding if code.joins.leaves(loop, block)]
            if not any(_may_count(code, loop, block) for block in ends):
                heads.append(code.function.blocks[loop.header])
        return tuple((block.name, len(block.phis)) for block in heads)

    # Inside

    def _parts(self, code: Code, block: int, call: ir.Call) -> bool:
        """Whether paths may part in a call, with no place inside where they meet."""
        if call.noreturn:
            return False
        targets = code.uses.targets[id(call)]
        if len(targets) > 1 and code.depends(call.callee, block):
            return True
        for target in targets:
            if target.kind is CalleeKind.FUNCTION and self._leaves_apart(self._taint.codes[target.name]):
                return True
            if target.kind is CalleeKind.MODEL and self._forks(target.name):
                return self._sources(target.name) or self._taint.takes(code, block, call)
        return False

    def _leaves_apart(self, code: Code) -> bool:
        """Whether input decides by which of several ``ret`` a function is left."""
        return bool(code.deciding) and any(join.decided for join in code.joins.of_block.get(code.joins.end, ()))


def _may_count(code: Code, loop: Loop, block: int) -> bool:
    """Whether the jump at the end of a block of a loop may depend on the number of rounds."""
    blocks = code.function.blocks
    definitions = {
        each.result.name: each for number in loop.blocks for each in blocks[number].instructions if each.result
    }
    work: list[ir.Instruction] = [blocks[block].terminator]
    seen: set[str] = set()
    while work:
        instruction = work.pop()
        if isinstance(instruction, ir.Phi | ir.Load | ir.Call):
            return True
        for register in registers(instruction):
            if register.name in definitions and register.name not in seen:
                seen.add(register.name)
                work.append(definitions[register.name])
    return False
