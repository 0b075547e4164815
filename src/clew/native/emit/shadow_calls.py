"""Shadows of arguments and results: one more argument for each number that is passed, a place for what comes back."""

from __future__ import annotations

from collections.abc import Sequence

from clew.native import trace_places
from clew.native.emit.shadow_intrinsics import emit_shadow_of_intrinsic
from clew.native.emit.shadow_prelude import TRACED
from clew.native.emit.shadow_values import ShadowValues
from clew.program import instructions as ir
from clew.program.operands import operands
from clew.program.types import PointerType, Type
from clew.program.values import Value


class ShadowCalls(ShadowValues):
    """Of the calls of one function, and of its own parameters and result."""

    def parameters(self) -> list[str]:
        return [
            f"i32 {self._name(p.value, place)}"  # type: ignore[arg-type]  # a register
            for p in self._w.function.parameters
            for place, leaf in enumerate(self.leaves(p.value.type))
            if leaf.width
        ]

    def passed(self, arguments: Sequence[ir.Argument], types: Sequence[Type]) -> list[str]:
        found: list[str] = []
        for place, type in enumerate(types):
            numbers = self.leaves(type)
            shadows = ["0"] * len(numbers)
            if place < len(arguments) and arguments[place].byval is None:
                shadows = self.of(arguments[place].value)
                if not shadows:
                    self.fixed([arguments[place].value])
            found += [f"i32 {shadow}" for leaf, shadow in zip(numbers, shadows, strict=True) if leaf.width]
        self._return(["0"])
        return found

    def _return(self, shadows: Sequence[str]) -> None:
        for place, shadow in enumerate(shadows):
            where = trace_places.RETURNED + 4 * place
            self._w.line(f"store i32 {shadow}, ptr inttoptr (i64 {where} to ptr), {TRACED}")

    def received(self, i: ir.Call) -> None:
        if i.result is None:
            return
        found = [
            self._w.define(f"load i32, ptr inttoptr (i64 {trace_places.RETURNED + 4 * place} to ptr), {TRACED}")
            for place in range(len(self.leaves(i.result.type)))
        ]
        self.give(i, found)

    def intrinsic(self, i: ir.Call, name: str) -> None:
        if i.result is not None:
            emit_shadow_of_intrinsic(self, i, name)

    def outside(self, i: ir.Call, prints: bool) -> None:
        values = [argument.value for argument in i.arguments]
        pointers = [value for value in values if isinstance(value.type, PointerType)]
        self.fixed(pointers if prints else values)
        if self._is_used(i) if prints else pointers:
            self._w.line(f"call void @clew_lose(i32 {self.site('outside')})")
        self._return(["0"])

    def _is_used(self, i: ir.Call) -> bool:
        """Whether the function looks at what a call gave."""
        return i.result is not None and any(i.result in operands(other) for other in self._w.function.instructions())

    def copied(self, to: str, source: str, size: str) -> None:
        if not self._library:
            self._w.line(f"call void @clew_check(i64 {to}, i64 {size})")
            self._w.line(f"call void @clew_check(i64 {source}, i64 {size})")
        self._w.line(f"call void @clew_copy_nodes(i64 {to}, i64 {source}, i64 {size})")

    def fixed_text(self, address: str) -> None:
        self._w.line(f"call void @clew_fix_string(i32 {self.site('fixed')}, i64 {address})")

    def cleared(self, address: str, size: str) -> None:
        if not self._library:
            self._w.line(f"call void @clew_check(i64 {address}, i64 {size})")
        self._w.line(f"call void @clew_clear_nodes(i64 {address}, i64 {size})")

    def leave(self, value: Value | None) -> None:
        if value is not None:
            self._return(self.of(value))
