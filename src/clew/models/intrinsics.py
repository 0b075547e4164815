"""Intrinsics of SV-COMP and Test-Comp (``__VERIFIER_nondet_*``, ``__VERIFIER_assume``) and of KLEE."""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import ASSUMES, BOUNDED, FRESH, NOTHING, READS, WRITES_ARGUMENTS
from clew.execute.inputs import InputKind, read_input, read_object
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.execute.values import from_bits
from clew.expr import build
from clew.expr.node import Expr
from clew.program import instructions as ir
from clew.program.types import I8, ArrayType, IntType, StructType, Type, VoidType
from clew.program.values import ConstInt, GlobalRef, Register

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


@model("__VERIFIER_assume", "klee_assume", "clew_assume", "__builtin_assume", effect=ASSUMES)
def assume(call: Invocation, condition: Any) -> None:
    """Only runs in which the condition holds count."""
    call.assume_nonzero(condition)


@model("__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", effect=NOTHING)
def atomic(call: Invocation) -> None:
    """One thread: nothing to protect."""


# KLEE


@model("klee_make_symbolic", effect=WRITES_ARGUMENTS.but(exact=True, named=2))
def make_symbolic(call: Invocation, address: Any, size: Any, name: Any = 0) -> None:
    """An object becomes an input, whole."""
    where, count = call.pointer(address), call.pointer(size)
    if count == 0:
        return
    label = (call.text(name) or b"unnamed").decode("utf-8", "replace") if name else "unnamed"
    if count in (2, 4, 8) and not _is_text(call):
        # One symbol for what is a scalar, most likely: cheaper for the solver than bytes put together.
        value = read_input(call.state, label, f"unsigned char[{count}]", 8 * count, InputKind.NONDET)
        call.store(where, value, count)
        return
    for offset, byte in enumerate(read_object(call.state, label, f"unsigned char[{count}]", count)):
        call.store(where + offset, byte, 1)


def _is_text(call: Invocation) -> bool:
    """Whether the first argument is the address of an array of bytes, as far as the call itself shows."""
    where, run = call.argument(0), call.state.run
    if isinstance(where, GlobalRef):
        variable = run.program.globals.get(where.name)
        return variable is not None and _is_bytes(variable.type)
    made = run.names.definition(call.frame.function.function, where.name) if isinstance(where, Register) else None
    if isinstance(made, ir.GetElementPtr):
        of = made.source_type
        if of == I8:
            return True
        for index in made.indices[1:]:
            if _is_bytes(of):
                return True
            if isinstance(of, StructType) and isinstance(index, ConstInt):
                of = of.fields[index.value]
            elif isinstance(of, ArrayType):
                of = of.element
        return _is_bytes(of)
    return isinstance(made, ir.Alloca) and _is_bytes(made.allocated)


def _is_bytes(type: Type) -> bool:
    return isinstance(type, ArrayType) and type.element == I8


@model("klee_int", effect=READS.but(named=0))
def klee_int(call: Invocation, name: Any) -> Any:
    return _named(call, name, "int")


@model("klee_range", effect=READS.but(named=2))
def klee_range(call: Invocation, begin: Any, end: Any, name: Any) -> Any:
    """An int that is at least ``begin`` and less than ``end``."""
    value = _named(call, name, "int")
    call.assume(build.land(build.sle(begin, value, 32), build.slt(value, end, 32)))
    return value


@model("klee_choose", effect=NOTHING.but(reads_input=True))
def klee_choose(call: Invocation, count: Any) -> Any:
    """A number below ``count``."""
    bits = call.pointer_bits
    value = call.read_input("klee_choose", "size_t", bits)
    call.assume(build.ult(value, count, bits))
    return value


def _named(call: Invocation, name: Any, spelling: str) -> Any:
    text = call.text(name) if name else None
    label = text.decode("utf-8", "replace") if text else call.input_name(spelling)
    return read_input(call.state, label, spelling, 32, InputKind.NONDET)


@model("klee_is_symbolic", effect=NOTHING)
def is_symbolic(call: Invocation, value: Any) -> int:
    if isinstance(value, Expr) and call.state.is_constant(value):
        value = 0
    call.state.stop_tracking()  # what is symbolic is not a property of the program's state
    return int(isinstance(value, Expr))


@model("klee_is_replay", "klee_get_errno", effect=NOTHING)
def zero(call: Invocation) -> int:
    return 0


@model("klee_get_valuef", "klee_get_valued", "klee_get_valuel", "klee_get_valuell", "klee_get_value_i32",
       "klee_get_value_i64", effect=NOTHING)  # fmt: skip
def get_value(call: Invocation, value: Any) -> Any:
    """One possible value, without deciding for it."""
    call.state.stop_tracking()
    return call.state.model.eval(value)


@model("klee_get_obj_size", effect=READS)
def get_obj_size(call: Invocation, address: Any) -> int:
    found = call.state.memory.find(call.pointer(address))
    if found is None:
        call.fail("out-of-bounds", "klee_get_obj_size of something that is no object")
    return found[0].size


@model("klee_check_memory_access", effect=READS)
def check_memory_access(call: Invocation, address: Any, size: Any) -> None:
    call.touch(call.pointer(address), call.pointer(size))


@model("klee_prefer_cex", "klee_posix_prefer_cex", "klee_mark_global", "klee_warning", "klee_warning_once",
       "klee_print_expr", "klee_print_range", "klee_stack_trace", "klee_set_forking", "klee_open_merge",
       "klee_close_merge", "klee_alias_function", effect=NOTHING)  # fmt: skip
def advice(call: Invocation, *_: Any) -> Any:
    """Wishes about how to explore, and debugging aids: they do not change what the program does."""
    type = call.call.type.result
    return None if isinstance(type, VoidType) else call.state.run.globals.constants.zero(type)
