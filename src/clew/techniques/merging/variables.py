"""The program's variables in memory: which scalar a byte belongs to, and whose address never leaves registers."""

from __future__ import annotations

from collections.abc import Mapping

from clew.analysis.callees import Callees
from clew.analysis.nonescaping import Contained
from clew.base.memo import remembered
from clew.memory.object import MemoryObject
from clew.program import instructions as ir
from clew.program.module import Program
from clew.program.types import ArrayType, FloatType, IntType, PointerType, StructType, Type


class Variables:
    """Answers for one program."""

    def __init__(self, program: Program, callees: Callees) -> None:
        self._program = program
        self._contained = Contained(program, callees)
        self._globals: Mapping[int, str] = {}

    def attach(self, addresses: Mapping[str, int]) -> None:
        """``addresses``: of global variables."""
        self._globals = {address: name for name, address in addresses.items()}

    def global_at(self, base: int) -> str | None:
        """The global variable that an address is that of."""
        return self._globals.get(base)

    def is_contained(self, site: object) -> bool:
        """Whether the address of a local variable, by function and register, never leaves registers."""
        return isinstance(site, tuple) and self._contained.is_contained(*site)

    def scalar(self, obj: MemoryObject, offset: int) -> tuple[int, int] | None:
        """Offset and size of the scalar that a byte of a variable belongs to; None where none is declared there."""
        type: Type | None = None
        if obj.kind == "global":
            name = self._globals.get(obj.base)
            type = self._program.globals[name].type if name in self._program.globals else None
        elif obj.kind == "stack" and isinstance(obj.site, tuple):
            type = self._local(*obj.site)
        return None if type is None else self._scalar_of(type, offset)

    @remembered
    def _local(self, function: str, register: str) -> Type | None:
        for block in self._program.functions[function].blocks if function in self._program.functions else ():
            for each in block.instructions:
                if isinstance(each, ir.Alloca) and each.result is not None and each.result.name == register:
                    return ArrayType(0, each.allocated)
        return None

    @remembered
    def _scalar_of(self, type: Type, offset: int) -> tuple[int, int] | None:
        layout, start, rest = self._program.layout, 0, offset
        while True:
            match type:
                case ArrayType(element=element) if layout.size(element):
                    skipped = rest - rest % layout.size(element)
                    type = element
                case StructType(fields=fields) if fields:
                    offsets = layout.offsets(type)
                    place = max(place for place, at in enumerate(offsets) if at <= rest)
                    skipped, type = offsets[place], fields[place]
                case IntType() | FloatType() | PointerType() if rest < layout.store_size(type):
                    return start, layout.store_size(type)
                case _:
                    return None
            start, rest = start + skipped, rest - skipped
