"""Elements of arrays whose values are known where they are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.values import GlobalRef, Register, Value
from clew.techniques.invariants.cells.arrays import Access, Array, FunctionArrays

_LIFETIME = "llvm.lifetime.start"


def revived(i: ir.Instruction, local: Iterable[Array]) -> list[Array]:
    """The arrays whose contents an instruction makes any."""
    if isinstance(i, ir.Call) and isinstance(i.callee, GlobalRef) and i.callee.name.startswith(_LIFETIME):
        given = [argument.value for argument in i.arguments]
        return [array for array in local if array in given]
    return []


class KnownValues:
    """Loads of what was loaded or stored just before, on the only way there, and not written since."""

    def __init__(self, function: Function, arrays: FunctionArrays) -> None:
        self._blocks = {block.name: block for block in function.blocks}
        self._before = _only_ways(function)
        self._definitions = function.definitions()
        self._accesses = arrays.accesses

    def value(self, block: str, number: int) -> Value | None:
        """What a load gives, if that is known."""
        wanted = self._key(self._accesses[block, number])
        if not isinstance(self._blocks[block].instructions[number], ir.Load):
            return None
        for name, index, i in self._backwards(block, number):
            access = self._accesses.get((name, index))
            if access is None:
                if self._may_write(i, wanted[0]):
                    return None
                continue
            if self._key(access) == wanted:
                return i.value if isinstance(i, ir.Store) else i.result
            if isinstance(i, ir.Store) and access.array == wanted[0]:
                return None
        return None

    def _may_write(self, i: ir.Instruction, array: Array) -> bool:
        """Whether an instruction that is no access may change an array: by a call, or as it makes it anew."""
        return (
            isinstance(i, ir.Call) if isinstance(array, GlobalRef) else bool(revived(i, (array,))) or i.result == array
        )

    def _backwards(self, name: str, number: int) -> Iterator[tuple[str, int, ir.Instruction]]:
        seen: set[str] = set()
        while name not in seen:
            seen.add(name)
            instructions = self._blocks[name].instructions
            yield from ((name, index, instructions[index]) for index in range(number - 1, -1, -1))
            if name not in self._before:
                return
            name = self._before[name]
            number = len(self._blocks[name].instructions)

    def _key(self, access: Access) -> tuple[Array, str, Value]:
        """Equal for accesses of the same cell, where numbers have not changed between."""
        index = access.index
        made = self._definitions.get(index.name) if isinstance(index, Register) else None
        return (access.array, made.op, made.operand) if isinstance(made, ir.Cast) else (access.array, "", index)


def _only_ways(function: Function) -> dict[str, str]:
    """For blocks that control comes to from one other only: that one."""
    found: dict[str, list[str]] = {}
    for block in function.blocks:
        for name in ir.successors(block.terminator):
            found.setdefault(name, []).append(block.name)
    first = function.blocks[0].name
    return {name: sources[0] for name, sources in found.items() if len(sources) == 1 and name != first}
