"""What makes a changed program more general than the one it was made of: see ``clew.execute.instrument.havoc``."""

from __future__ import annotations

from typing import Any

from clew.execute.inputs import InputKind, read_input, read_object
from clew.execute.instrument.havoc import ANY, ASSUME, FILL
from clew.execute.invocation import Invocation
from clew.execute.values import from_bits
from clew.models.registry import model
from clew.models.svcomp import assume as only_if
from clew.program.types import IntType

_SPELLINGS = {1: "_Bool", 8: "char", 16: "short", 32: "int", 64: "long long"}


@model(ANY, overrides=True)
def anything(call: Invocation) -> Any:
    """An input without a name."""
    type = call.call.type.result
    bits = call.state.run.layout.bits(type)
    spelling = _SPELLINGS[bits] if isinstance(type, IntType) else str(type)
    value = read_input(call.state, "any", spelling, bits, InputKind.NONDET)
    return value if isinstance(type, IntType) else from_bits(value, type, call.state.run.layout)


@model(FILL, overrides=True)
def fill(call: Invocation, address: Any, size: Any) -> None:
    """The object's bytes are inputs."""
    where, count = call.pointer(address), call.pointer(size)
    if count in (2, 4, 8):
        value = read_input(call.state, "any", f"unsigned char[{count}]", 8 * count, InputKind.NONDET)
        call.store(where, value, count)
        return
    for offset, byte in enumerate(read_object(call.state, "any", f"unsigned char[{count}]", count)):
        call.store(where + offset, byte, 1)


@model(ASSUME, overrides=True)
def assume(call: Invocation, condition: Any) -> None:
    only_if(call, condition)
