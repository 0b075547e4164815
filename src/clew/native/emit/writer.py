"""What instructions are written with: names for the registers of one function, checked addresses, and ends of runs."""

from __future__ import annotations

from clew.native.emit.context import Context
from clew.native.emit.shadowing import NoShadows
from clew.native.emit.spelling import constant_text, type_text
from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.types import IntType, Type
from clew.program.values import Constant, ConstExpr, GlobalRef, Register, Value

BUG_DIVISION, BUG_TRAP, BUG_UNREACHABLE, BUG_ABORT = 1, 2, 3, 6
"""As in ``c/native.h``."""


class Writer:
    """Writes one function, line by line."""

    def __init__(self, function: Function, context: Context) -> None:
        self.function = function
        self.context = context
        self.lines: list[str] = []
        self.is_library = function.name in context.library
        """Whether the function is the runtime's, which checks what it touches itself."""
        self.block = ""
        """The block that is being written."""
        self.shadow = NoShadows()
        self.slots: dict[str, int] = {}
        """Of each variable in the frame: its offset."""
        self.inside: dict[str, tuple[int, int]] = {}
        """Registers that are addresses in the frame: how many bytes of the variable are before and after them."""
        self.within: dict[str, tuple[str, int]] = {}
        """Registers that are computed from the address of a variable: where that is, and its size. It is there as long
        as the register is, so an access needs no look at the shadow."""
        self._registers = {parameter.value.name: n for n, parameter in enumerate(function.parameters)}  # type: ignore[attr-defined]
        self._temporaries = 0

    # Names

    def register(self, name: str) -> str:
        """A register's name here."""
        return f"%v{self._registers.setdefault(name, len(self._registers))}"

    def fresh(self) -> str:
        """A name that nothing has."""
        self._temporaries += 1
        return f"%t{self._temporaries}"

    def target(self, instruction: ir.Instruction) -> str:
        """The name of what an instruction gives."""
        assert instruction.result is not None
        return self.register(instruction.result.name)

    def value(self, value: Value) -> str:
        """An operand without its type."""
        if isinstance(value, Register):
            return self.register(value.name)
        assert isinstance(value, Constant)
        return constant_text(value, self.context.places)

    def typed(self, value: Value) -> str:
        """An operand with its type."""
        return f"{type_text(value.type)} {self.value(value)}"

    def width(self, type: Type) -> int:
        """Bits of an integer or a pointer."""
        return type.width if isinstance(type, IntType) else 64

    def line(self, text: str) -> None:
        self.lines.append("  " + text)

    def define(self, text: str) -> str:
        """A new value."""
        name = self.fresh()
        self.line(f"{name} = {text}")
        return name

    # Memory

    def pointer(self, address: Value, size: int, align: int = 1) -> str:
        """A pointer for an access of so many bytes, which is checked unless it can only be right.

        ``align``: what the program says of the address.
        """
        text = self.value(address)
        if not self.is_library and not self._is_safe(address, size):
            base, room = self.within.get(address.name, ("", 0)) if isinstance(address, Register) else ("", 0)
            if size <= room:
                self.line(f"call void @clew.within(i64 {text}, i64 {base}, i64 {room - size})")
            elif size in (1, 2, 4, 8):
                self.line(f"call void @clew.{'aligned' if align >= size else 'check'}{size}(i64 {text})")
            else:
                self.line(f"call void @clew_check(i64 {text}, i64 {size})")
        return self.define(f"inttoptr i64 {text} to ptr")

    def _is_safe(self, address: Value, size: int) -> bool:
        if isinstance(address, Register):
            before, after = self.inside.get(address.name, (0, -1))
            return before >= 0 and size <= after
        if isinstance(address, GlobalRef | ConstExpr):
            return self.context.places.is_inside(self.context.places.value(address), size)
        return False

    def derive(self, name: str, base: Value, offset: int | None) -> None:
        """A register is an address so many bytes behind another one; None if nobody knows how many."""
        found = self._object_of(base)
        if found is not None:
            self.within[name] = found
        if offset is not None and isinstance(base, Register) and base.name in self.inside:
            before, after = self.inside[base.name]
            self.inside[name] = before + offset, after - offset

    def _object_of(self, base: Value) -> tuple[str, int] | None:
        """The variable that an address is derived from: where it is, and its size."""
        if isinstance(base, GlobalRef):
            place = self.context.places.by_name.get(base.name)
            return None if place is None or not place.size else (str(place.address), place.size)
        if isinstance(base, Register) and base.name in self.slots:
            return self.register(base.name), self.inside[base.name][1]
        return self.within.get(base.name) if isinstance(base, Register) else None

    # Ends

    def unsupported(self, what: str) -> None:
        """The run ends here."""
        self.line(f"call void @clew_unsupported(i64 {self.context.reason(what)})")

    def fail(self, bug: int) -> None:
        """The run ends here with a bug."""
        self.line(f"call void @clew_fail(i32 {bug}, i64 {self.context.failure()})")

    def ensure(self, condition: str, bug: int) -> None:
        """The run ends with a bug unless the condition holds."""
        self.line(f"call void @clew.ensure(i1 {condition}, i32 {bug}, i64 {self.context.failure()})")
