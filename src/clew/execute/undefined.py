"""Values the program did not define: ``undef``, uninitialized memory, results of unknown functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clew.execute.inputs import InputKind, read_input
from clew.execute.values import assemble, from_bits
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import array, bv
from clew.memory.object import MemoryObject
from clew.program.types import Type

if TYPE_CHECKING:
    from clew.execute.run import Run
    from clew.execute.state import State


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


def returned_value(s: State, type: Type, function: str) -> Any:
    """What a function that nobody defines returns: an input, so that a test can repeat it."""
    layout = s.run.layout

    def scalar(element: Type, offset: int) -> Any:
        held = (layout.bits(element) + 7) // 8 * 8
        made_up = f"depends on what {function}() returns, which is not defined here"
        bits = read_input(s, f"{function}()", str(element), held, InputKind.MADE_UP, made_up=made_up)
        return from_bits(bits, element, layout)

    return assemble(type, layout, scalar)


class UninitializedReads:
    """The hook memory calls for bytes that were never written: symbols, marked as undefined."""

    __slots__ = ("run",)

    def __init__(self, run: Run) -> None:
        self.run = run

    def array(self, obj: MemoryObject, index_width: int) -> Expr:
        """All bytes of an object that were never written, as one array."""
        symbol = build.symbol(f"uninit!{obj.name}!{obj.base:x}", array(index_width, 8))
        return self._noted(symbol)

    def __call__(self, obj: MemoryObject, offset: int, nbytes: int) -> Any:
        symbol = build.symbol(f"uninit!{obj.name}!{obj.base:x}+{offset}:{nbytes}", bv(8 * nbytes))
        return self._noted(symbol)

    def _noted(self, symbol: Expr) -> Expr:
        if not self.run.options.any_undefined:
            self.run.undefined.add(symbol)
        return symbol
