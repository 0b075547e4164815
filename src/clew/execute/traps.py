"""Code that must not be reached: traps, failed checks of Clang's, what is declared unreachable or is not supported."""

from __future__ import annotations

from typing import Any

from clew.base.errors import Unsupported
from clew.checks.check import trapped
from clew.execute.decide import NOWHERE
from clew.execute.ends import Failed, Lost
from clew.execute.forking import Live
from clew.execute.frame import Frame
from clew.execute.heap.binding import misaligned
from clew.execute.state import State
from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.operands import operands
from clew.program.traps import INDEX, MISALIGNED
from clew.program.types import ArrayType
from clew.program.values import ConstExpr, ConstInt, GlobalRef


def trap(s: State, f: Frame, point: int, live: Live, *_: Any) -> None:
    """``__builtin_trap``."""
    raise Failed("abort", "the program executes a trap")


def sanitizer_trap(
    s: State, f: Frame, point: int, live: Live, number: int, index: Any = None, bound: Any = None
) -> None:
    """A check of Clang's undefined-behaviour sanitizer has failed."""
    kind, message = trapped(number)
    if number == INDEX:
        message = _index_message(s, f, point, index, bound) or message
    last = s.path.last
    if number == MISALIGNED and last is not None and last.symbols and last.symbols <= s.run.made_up:
        raise Lost("bounded", NOWHERE)
    if number == MISALIGNED and last is not None and s.run.lazy:
        raise misaligned(s, last, Failed(kind, message))
    raise Failed(kind, message)


def unreachable(s: State, f: Frame, point: int, live: Live) -> None:
    """An ``unreachable`` instruction was reached."""
    raise Failed("unreachable", "code that is declared unreachable is reached")


def unsupported(s: State, f: Frame, point: int, live: Live, feature: str) -> None:
    """The path meets something Clew does not model."""
    raise Unsupported(feature)


# Indices out of bounds


def _index_message(s: State, f: Frame, point: int, index: Any, bound: Any) -> str | None:
    """``index 8 is outside of table[8]``; None where the code does not tell."""
    function = f.function.function
    going_on = _other_way(function, f.function.plan.points[point].block)
    access = next((i for i in going_on if isinstance(i, ir.GetElementPtr)), None)
    if index is None:
        # Clang has decided the check itself: the index is a constant.
        found = _constant_index(access) if access is not None else _global_index(s, going_on)
        if found is None:
            return None
        index, bound = found
    base = access.base if access is not None else _global_base(going_on)
    name = None if base is None else s.run.names.array(function, base)
    number, limit = int(s.model.eval(index)), int(s.model.eval(bound))
    if number >> (s.run.pointer_bits - 1) > 0:
        number -= 1 << s.run.pointer_bits
    return f"index {number} is outside of " + (f"{name}[{limit}]" if name else f"an array of {limit} elements")


def _other_way(function: Function, trap: str) -> tuple[ir.Instruction, ...]:
    """The code that follows the check whose failure a block reports."""
    for block in function.blocks:
        end = block.terminator
        if isinstance(end, ir.Branch) and end.if_false == trap:
            return next(other.instructions for other in function.blocks if other.name == end.if_true)
    return ()


def _constant_index(access: ir.GetElementPtr) -> tuple[int, int] | None:
    last = access.indices[-1]
    if isinstance(last, ConstInt) and isinstance(access.source_type, ArrayType):
        return last.value, access.source_type.count
    return None


def _global_base(instructions: tuple[ir.Instruction, ...]) -> GlobalRef | None:
    """The global that the first constant address is in."""
    address = _constant_address(instructions)
    return address.operands[0] if address is not None and isinstance(address.operands[0], GlobalRef) else None


def _constant_address(instructions: tuple[ir.Instruction, ...]) -> ConstExpr | None:
    work = [operand for instruction in instructions for operand in operands(instruction)]
    for value in work:
        if isinstance(value, ConstExpr):
            if value.op == "getelementptr":
                return value
            work.extend(value.operands)
    return None


def _global_index(s: State, instructions: tuple[ir.Instruction, ...]) -> tuple[int, int] | None:
    """From a constant address in a global array."""
    address, base = _constant_address(instructions), _global_base(instructions)
    array = s.run.program.globals[base.name].type if base is not None and base.name in s.run.program.globals else None
    if address is None or base is None or not isinstance(array, ArrayType):
        return None
    place = s.run.globals.evaluate_constant(address)
    assert isinstance(place, int)
    return (place - s.run.globals.addresses[base.name]) // s.run.layout.size(array.element), array.count
