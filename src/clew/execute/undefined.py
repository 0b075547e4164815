"""Values the program did not define: ``undef``, uninitialized memory."""

from __future__ import annotations

from typing import Any

from clew.execute.context import RunContext
from clew.execute.ends import Lost
from clew.execute.state import State
from clew.execute.values import assemble, from_bits
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import array, bv
from clew.memory.object import MemoryObject
from clew.program.types import Type


def undefined(s: State, type: Type) -> Any:
    """An ``undef`` or ``poison`` operand: any value; a decision that depends on it is reported."""
    run = s.run
    layout = run.layout

    def scalar(element: Type, offset: int) -> Any:
        held = (layout.bits(element) + 7) // 8 * 8
        if held not in (8, 16, 32, 64, 128):
            return from_bits(0, element, layout)
        s.symbols += 1
        symbol = build.symbol(f"undef!{s.symbols}", bv(held))
        if not run.options.any_undefined:
            run.undefined.add(symbol)
        return from_bits(symbol, element, layout)

    return assemble(type, layout, scalar)


class UninitializedReads:
    """The hook memory calls for bytes that were never written: symbols, marked as undefined."""

    __slots__ = ("run",)

    def __init__(self, run: RunContext) -> None:
        self.run = run

    def array(self, obj: MemoryObject, index_width: int) -> Expr:
        """All bytes of an object that were never written, as one array."""
        self._known(obj)
        symbol = build.symbol(_name(obj), array(index_width, 8))
        return self._noted(symbol)

    def __call__(self, obj: MemoryObject, offset: int, nbytes: int) -> Any:
        self._known(obj)
        symbol = build.symbol(f"{_name(obj)}+{offset}:{nbytes}", bv(8 * nbytes))
        return self._noted(symbol)

    @staticmethod
    def _known(obj: MemoryObject) -> None:
        """A global variable has a value, if somebody defines it."""
        if obj.kind == "global":
            raise Lost("bounded", f"the part of {obj.name}, which is not defined here, that was not made up")

    def _noted(self, symbol: Expr) -> Expr:
        if not self.run.options.any_undefined:
            self.run.undefined.add(symbol)
        return symbol


def _name(obj: MemoryObject) -> str:
    """What the bytes of an object are called: another name for each object of a path."""
    return f"uninit!{obj.name}!{obj.base:x}" + (f"!{obj.life}" if obj.life else "")
