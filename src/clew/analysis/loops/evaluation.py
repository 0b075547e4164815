"""What operands are on a path through the body of a loop."""

from __future__ import annotations

from collections.abc import Iterator

from clew.analysis.absint.frames import FunctionOutline
from clew.analysis.absint.linear import Linear
from clew.analysis.absint.views import is_number
from clew.analysis.loops import arithmetic
from clew.analysis.loops.closure import Fixed
from clew.analysis.loops.limits import Limits
from clew.analysis.loops.memory import Contents
from clew.analysis.loops.path import Activation, Content, Number, Open, Path, Refused, Truth
from clew.analysis.mod_ref import ModRef
from clew.base.memo import remembered
from clew.program.types import I1, IntType, PointerType
from clew.program.values import ConstInt, ConstUndef, ConstZero, Register, Value


class Evaluation:
    """Operands of the instructions of one loop, and of the functions that it calls."""

    def __init__(self, effects: ModRef, contents: Contents, limits: Limits) -> None:
        self.effects = effects
        self.contents = contents
        self.limits = limits

    @remembered
    def outline(self, function: str) -> FunctionOutline:
        """Control flow of a function."""
        return FunctionOutline(self.effects.program.functions[function])

    def at_header(self, function: str, register: Register) -> Fixed:
        """The value of an integer register at the header."""
        assert isinstance(register.type, IntType)
        signed = register.type != I1 and self.contents.views(function).is_signed(register.name)
        return Fixed(register, register.type.width, signed)

    def known(self, path: Path, frame: Activation, register: Register) -> Content | None:
        """The value of a register that is defined before the body runs."""
        if not is_number(register.type):
            return self.contents.address(frame, register) if register.name not in frame.registers else None
        fixed = self.at_header(frame.outline.function.name, register)
        return Number(Linear.of(fixed), fixed.width)

    def value(self, path: Path, value: Value) -> Content | None:
        """An operand; None if nothing is known about it."""
        match value:
            case Register(name=name):
                registers = path.top.registers
                if name not in registers:
                    registers[name] = self.known(path, path.top, value)
                return registers[name]
            case ConstInt(type=IntType(width=width), value=number) if is_number(value.type):
                return Number.constant(number, width)
            case ConstZero(type=IntType(width=width)) if is_number(value.type):
                return Number(Linear(), width)
            case ConstUndef(type=IntType(width=width)) if is_number(value.type):
                return path.opaque(width, "the body uses a value that is not defined")
        return self.contents.address(path.top, value) if isinstance(value.type, PointerType) else None

    def number(self, path: Path, value: Value) -> Iterator[tuple[Path, Number]]:
        """An operand that is an integer."""
        known = self.value(path, value)
        if isinstance(known, Number | Truth):
            yield from arithmetic.as_number(path, known, self.limits)
            return
        if not isinstance(value.type, IntType):
            raise Refused("it computes with values that are no integers")
        yield path, path.opaque(value.type.width, "the body uses a value that is not followed")

    def truth(self, path: Path, value: Value) -> Truth:
        """An operand that is a condition."""
        known = self.value(path, value)
        if isinstance(known, Number | Truth):
            return arithmetic.as_truth(known)
        return Open("a condition in the body is not followed")
