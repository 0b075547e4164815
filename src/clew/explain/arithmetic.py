"""Instructions as Python functions of their registers' values: what generated code does, one at a time.

Taken from the very handlers that write the engine's code, so that both agree.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from clew.execute.codegen.compiled import CompiledFunction
from clew.execute.codegen.emitter import HANDLERS, Emitter
from clew.execute.codegen.scalars import selection
from clew.expr import build
from clew.program import instructions as ir
from clew.program.operands import registers
from clew.program.types import IntType

Operation = tuple[tuple[str, ...], Callable[..., Any]]
"""Names of the registers, and the function of their values."""


class Arithmetic:
    """The operations of one compiled function; None for what is no plain function of registers."""

    def __init__(self, function: CompiledFunction) -> None:
        self._context = copy(function.context)
        self._context.deferred = frozenset()
        self._context.traced = False
        self._helpers = function.compiler.helpers
        self._store = function.compiler.store
        self._known: dict[int, Operation | None] = {}

    def operation(self, instruction: ir.Instruction) -> Operation | None:
        key = id(instruction)
        if key not in self._known:
            self._known[key] = self._make(instruction)
        return self._known[key]

    def _make(self, instruction: ir.Instruction) -> Operation | None:
        names = tuple(dict.fromkeys(register.name for register in registers(instruction)))
        emitter = Emitter(self._context, 0, [])
        numbers = self._context.numbers
        plain = self._without_checks(emitter, instruction)
        if plain is None:
            handler = HANDLERS.get(type(instruction))
            assert handler is not None
            emitter.block = self._context.function.blocks[0].name
            try:
                handler(emitter, instruction)
            except KeyError:
                return None  # it may suspend the state, and asked for a place to go on from
        else:
            emitter.out.line(f"{emitter.target(instruction)} = {plain}")
        parameters = ", ".join(f"v{numbers[name]}" for name in names)
        assert instruction.result is not None
        returned = emitter.value(instruction.result)  # it may have been put off
        lines = emitter.out.text().splitlines()
        text = "\n    ".join([f"def apply({parameters}):", *lines, f"return {returned}"])
        namespace = {**self._helpers, **emitter.constants}
        exec(self._store.compile(text, f"{self._context.function.name} operation"), namespace)
        apply = namespace["apply"]
        if {"s", "f"}.intersection(apply.__code__.co_names):
            return None
        return names, apply

    @staticmethod
    def _without_checks(emitter: Emitter, instruction: ir.Instruction) -> str | None:
        """Divisions and selects check their operands first; a path that has come past them did."""
        match instruction:
            case ir.Select():
                return selection(emitter, instruction)
            case ir.Binary(op="udiv" | "sdiv" | "urem" | "srem" as op, left=left, right=right):
                if isinstance(left.type, IntType) and left.type.width > 1:
                    function = emitter.constant(getattr(build, op))
                    return f"{function}({emitter.value(left)}, {emitter.value(right)}, {left.type.width})"
        return None
