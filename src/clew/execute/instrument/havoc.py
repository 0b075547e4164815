"""Havoc and assume: calls that make a changed program more general than the one it was made of.

A value, or the contents of an object, becomes an input without a name that nothing constrains; an assumption keeps
only some of the paths. What is made up in this way is no input of the program: reports leave it out. A path that the
program itself need not have says so (``generalize``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from clew.analysis.model_effect import ASSUMES, FRESH, READS, WRITES_ARGUMENTS
from clew.execute.inputs import InputKind, read_input, read_object
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.execute.state import State
from clew.execute.values import from_bits
from clew.program import instructions as ir
from clew.program.editing import Draft, call_to
from clew.program.types import DOUBLE, FLOAT, I1, I64, IntType, Type, is_word
from clew.program.values import ConstInt, Register, Value

HAVOC = "clew.havoc"
"""Gives a new value of the call's type."""
HAVOC_OBJECT = "clew.havoc_object"
"""Gives an object (address, size) new contents."""
ASSUME = "clew.assume"
"""Ends the path, which is of no interest, unless its argument is other than zero."""
GENERALIZE = "clew.generalize"
"""Says that from here on the path may be one that the program does not have."""
ANY = "clew.any"
"""The name of the inputs that these values are."""

RENEWED_BYTES = 512
"""Size of an object that is given new contents as a whole, at most."""

_SPELLINGS = {1: "_Bool", 8: "char", 16: "short", 32: "int", 64: "long long", 128: "__int128"}


def is_renewable(type: Type) -> bool:
    """Whether a register of some type can be given any value."""
    return is_word(type) or type in (I1, FLOAT, DOUBLE)


def havoc_register(result: Register) -> ir.Call:
    """The call that gives a register any value of its type."""
    return call_to(HAVOC, result=result)


def havoc_object(address: Value, size: Value) -> ir.Call:
    """The call that gives an object any contents."""
    return call_to(HAVOC_OBJECT, address, size)


def renew(
    draft: Draft, name: Callable[[str], str], phis: Iterable[ir.Phi], objects: Iterable[tuple[Value, int]]
) -> dict[str, Value]:
    """Write calls that give objects (address and size) any contents; registers of any values, in the place of phis."""
    renewed: dict[str, Value] = {}
    for phi in phis:
        assert phi.result is not None
        renewed[phi.result.name] = draft.add(havoc_register(Register(name("any"), phi.result.type)))
    for address, size in objects:
        draft.add(havoc_object(address, ConstInt(I64, size)))
    return renewed


def assume(condition: Value) -> ir.Call:
    """The call that ends the path where a condition does not hold."""
    return call_to(ASSUME, condition)


def generalize() -> ir.Call:
    """The call that says of the path that the program itself need not have it."""
    return call_to(GENERALIZE)


def is_generalized(state: State) -> bool:
    """Whether the path of a state may be one that the program does not have."""
    return GENERALIZE in state.environment


@model(HAVOC, overrides=True, effect=FRESH)
def _havoc(call: Invocation) -> Any:
    type = call.call.type.result
    bits = call.state.run.layout.bits(type)
    spelling = _SPELLINGS[bits] if isinstance(type, IntType) else str(type)
    value = read_input(call.state, ANY, spelling, bits, InputKind.HAVOC)
    return value if isinstance(type, IntType) else from_bits(value, type, call.state.run.layout)


@model(HAVOC_OBJECT, overrides=True, effect=WRITES_ARGUMENTS.but(reads_input=True))
def _havoc_object(call: Invocation, address: Any, size: Any) -> None:
    where, count = call.pointer(address), call.pointer(size)
    if count in (1, 2, 4, 8):
        value = read_input(call.state, ANY, _SPELLINGS[8 * count], 8 * count, InputKind.HAVOC)
        call.store(where, value, count)
        return
    for offset, byte in enumerate(read_object(call.state, ANY, f"unsigned char[{count}]", count, InputKind.HAVOC)):
        call.store(where + offset, byte, 1)


@model(ASSUME, overrides=True, effect=ASSUMES)
def _assume(call: Invocation, condition: Any) -> None:
    call.assume_nonzero(condition)


@model(GENERALIZE, overrides=True, effect=READS)
def _generalize(call: Invocation) -> None:
    call.remember(GENERALIZE, True)
