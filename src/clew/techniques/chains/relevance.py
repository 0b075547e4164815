"""Which registers and objects of a program something depends on: branches, calls, results.

Backwards from these, through arithmetic and memory; an address alone does not count, nor does a counter that only
counts itself. What is left out is still handled rightly, only without a function of counters of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from clew.analysis.callees import CalleeKind
from clew.analysis.mod_ref import ModRef
from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.operands import registers
from clew.program.types import PointerType
from clew.program.values import Register


class Relevance:
    """Of one program."""

    def __init__(self, effects: ModRef) -> None:
        self.objects = 0
        """The mask of the objects whose contents something depends on."""
        defined = [function for function in effects.program.functions.values() if not function.is_declaration]
        self._parts = {function.name: _Part(function, effects) for function in defined}
        for part in self._parts.values():
            self.objects |= part.read
        changed = True
        while changed:
            before = self.objects
            for part in self._parts.values():
                self.objects |= part.spread(self.objects)
            changed = self.objects != before

    def registers(self, function: str) -> set[str]:
        """The registers of a function that something depends on."""
        return self._parts[function].relevant


class _Part:
    """One function."""

    def __init__(self, function: Function, effects: ModRef) -> None:
        self.relevant: set[str] = set()
        self.read = 0
        """Objects that are read by something that is not followed."""
        self._sources: dict[str, list[str]] = {}
        self._loads: dict[str, int] = {}
        self._stores: list[tuple[int, str]] = []
        seeds: list[str] = []
        for instruction in function.instructions():
            seeds += self._note(function.name, instruction, effects)
        self._add(seeds)

    def _note(self, function: str, i: ir.Instruction, effects: ModRef) -> list[str]:
        """Note what an instruction does; the registers that count for themselves."""
        used = [register.name for register in registers(i)]
        match i:
            case ir.Alloca():
                return []
            case ir.Load(result=Register(name=name), pointer=pointer):
                self._loads[name] = effects.pointed(function, pointer)
                return []
            case ir.Store(value=Register(name=name)):
                self._stores.append((effects.written_by(function, i), name))
                return []
            case ir.Store():
                return []
            case ir.Call():
                targets = effects.calls.possible_targets(i)
                if any(target.kind is not CalleeKind.FUNCTION for target in targets):
                    for argument in i.arguments:
                        if isinstance(argument.value.type, PointerType):
                            self.read |= effects.pointed(function, argument.value)
            case ir.AtomicUpdate(pointer=pointer) | ir.CompareExchange(pointer=pointer):
                self.read |= effects.pointed(function, pointer)
            case _ if i.result is not None:
                self._sources[i.result.name] = used
                return []
        return used

    def spread(self, objects: int) -> int:
        """Follow what is stored in these objects; the objects that loads depend on."""
        self._add(name for mask, name in self._stores if mask & objects)
        found = 0
        for name, mask in self._loads.items():
            if name in self.relevant:
                found |= mask
        return found

    def _add(self, names: Iterable[str]) -> None:
        work = list(names)
        while work:
            name = work.pop()
            if name not in self.relevant:
                self.relevant.add(name)
                work += self._sources.get(name, ())
