"""SV-COMP and Test-Comp intrinsics: ``__VERIFIER_nondet_*``, ``__VERIFIER_assume``."""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import ASSUMES, BOUNDED, FRESH, NOTHING
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.execute.values import from_bits
from clew.expr import build
from clew.program.types import IntType, VoidType

_SPELLINGS = {
    "bool": "_Bool", "char": "char", "schar": "signed char", "uchar": "unsigned char", "unsigned_char": "unsigned char",
    "short": "short", "ushort": "unsigned short", "int": "int", "uint": "unsigned int", "unsigned": "unsigned int",
    "long": "long", "ulong": "unsigned long", "longlong": "long long", "ulonglong": "unsigned long long",
    "float": "float", "double": "double", "pointer": "void *", "size_t": "size_t",
    "u8": "unsigned char", "u16": "unsigned short", "u32": "unsigned int", "U32": "unsigned int",
    "s8": "signed char", "s16": "short", "s32": "int", "loff_t": "long long",
    "pchar": "char *", "charp": "char *", "sector_t": "unsigned long", "const_char_pointer": "const char *",
    "pthread_t": "unsigned long", "int128": "__int128", "uint128": "unsigned __int128", "time_t": "long",
}  # fmt: skip


@model("__VERIFIER_nondet_bool", effect=BOUNDED)
@model(*(f"__VERIFIER_nondet_{name}" for name in _SPELLINGS if name != "bool"), effect=FRESH)
def nondet(call: Invocation, *_: Any) -> Any:
    """An input of the declared return type."""
    spelling = _SPELLINGS[call.name.removeprefix("__VERIFIER_nondet_")]
    type = call.call.type.result
    if isinstance(type, VoidType):
        return None
    bits = call.state.run.layout.bits(type)
    name = call.name.removeprefix("__VERIFIER_")
    value = call.read_input(name, spelling, bits)
    if spelling == "_Bool" and isinstance(type, IntType) and bits > 1:
        # Declared to return int, as older programs do: still only 0 or 1.
        call.assume(build.ule(value, 1, bits))
    return value if isinstance(type, IntType) else from_bits(value, type, call.state.run.layout)


@model("__VERIFIER_assume", "klee_assume", "__builtin_assume", effect=ASSUMES)
def assume(call: Invocation, condition: Any) -> None:
    """Only runs in which the condition holds count."""
    call.assume_nonzero(condition)


@model("__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", effect=NOTHING)
def atomic(call: Invocation) -> None:
    """One thread: nothing to protect."""
