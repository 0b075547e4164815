"""Calls in LLVM's text: of the program's functions, of the runtime's library, of intrinsics, through pointers.

Variable arguments are put on the program's stack, as in the engine: one area, whose address is one more argument.
"""

from __future__ import annotations

from clew.base.errors import Unsupported
from clew.native import places
from clew.native.emit.intrinsics import emit_intrinsic
from clew.native.emit.outside import emit_outside
from clew.native.emit.prelude import MEMORY
from clew.native.emit.spelling import type_text
from clew.native.emit.writer import Writer
from clew.native.library import NativeFunction
from clew.program import instructions as ir
from clew.program.jumps import SETJMP
from clew.program.module import Function
from clew.program.types import FloatType, IntType, PointerType, VoidType
from clew.program.values import GlobalRef, InlineAsm

_INPUT = "__VERIFIER_nondet_"
_STACK = f"ptr inttoptr (i64 {places.SHARED + 8} to ptr)"
_SLOT = 8
PRINTING = frozenset("puts putchar fputs fputc putc printf fprintf vprintf vfprintf fwrite fflush perror".split())
"""What they are given decides about nothing but output: in a traced program, how they write it is left out."""


def emit_call(w: Writer, i: ir.Call) -> None:
    """Write a call, whatever it goes to."""
    if isinstance(i.callee, InlineAsm):
        raise Unsupported("inline assembly")
    if not isinstance(i.callee, GlobalRef):
        _indirect(w, i)
        return
    name = _resolved(w, i.callee.name)
    if name.startswith("llvm."):
        emit_intrinsic(w, i, name)
        w.shadow.intrinsic(i, name)
        return
    if w.is_library and name not in w.context.library:
        emit_outside(w, i, name)
        return
    native, function = w.context.native(name), w.context.program.functions.get(name)
    if name in SETJMP and (function is None or not function.blocks):
        _mark_place(w, i)
    elif native is not None:
        _native(w, i, name, native)
    elif name.startswith(_INPUT) and (function is None or not function.blocks):
        _read_input(w, i, name)
    elif function is None or not function.blocks:
        raise Unsupported(f"{name}(), which native runs do not have")
    else:
        _function(w, i, function)


def _resolved(w: Writer, name: str) -> str:
    """What an alias stands for."""
    seen = {name}
    while name in w.context.program.aliases:
        target = w.context.program.aliases[name].target
        if not isinstance(target, GlobalRef) or target.name in seen:
            raise Unsupported(f"a call of the alias {name}")
        name = target.name
        seen.add(name)
    return name


def _result(w: Writer, i: ir.Call, result: str, code: str, arguments: list[str]) -> None:
    text = f"call {result} {code}({', '.join(arguments)})"
    if i.result is None or result == "void":
        w.line(text)
    else:
        w.line(f"{w.target(i)} = {text}")
        w.shadow.received(i)


def _function(w: Writer, i: ir.Call, function: Function) -> None:
    passed, given = i.arguments[: len(function.parameters)], function.parameters
    wrong = any(a.value.type != p.value.type for a, p in zip(passed, given, strict=False))
    if wrong or (i.result is not None and i.result.type != function.type.result):
        raise Unsupported(f"a call of {function.name} with other types than it is defined with")
    mark = _mark(w, i, function.type.varargs)
    arguments = [_argument(w, argument) for argument in passed]
    arguments += [f"{type_text(p.value.type)} zeroinitializer" for p in given[len(passed) :]]
    if function.type.varargs:
        arguments.append(f"i64 {_area(w, i.arguments[len(given) :])}")
    arguments += w.shadow.passed(passed, [p.value.type for p in given])
    _result(w, i, type_text(function.type.result), w.context.symbol(function.name), arguments)
    _release(w, mark)


def _native(w: Writer, i: ir.Call, name: str, native: NativeFunction) -> None:
    """A function of the runtime, if the program means the same one."""
    declared = w.context.program.functions.get(name)
    varies = declared is not None and declared.type.varargs and declared.type.params != ()
    count = len(native.parameters) - 1 if varies else len(native.parameters)
    fixed, rest = i.arguments[:count], i.arguments[count:]
    types = [type_text(argument.value.type) for argument in fixed] + ["i64"] * varies
    result = "void" if i.result is None else type_text(i.result.type)
    if types != list(native.parameters) or (rest and not varies) or result not in ("void", native.result):
        raise Unsupported(f"{name}() with other types than the C library's")
    mark = _mark(w, i, varies)
    arguments = [_argument(w, argument) for argument in fixed]
    if varies:
        arguments.append(f"i64 {_area(w, rest)}")
    traced = w.context.library_function(native) if name not in PRINTING else None
    if traced is None:
        w.context.declare(native)
        w.shadow.outside(i, name in PRINTING)
    else:
        arguments += w.shadow.passed(fixed, [p.value.type for p in traced.parameters])
    _result(w, i, native.result, f"@{native.symbol}" if traced is None else w.context.symbol(traced.name), arguments)
    _release(w, mark)


def _indirect(w: Writer, i: ir.Call) -> None:
    """The runtime says what code the pointer stands for, if it is a function of this type."""
    if i.type.varargs and not i.type.params:
        raise Unsupported("a call without a prototype")
    count = len(i.type.params)
    number, site = w.context.signature(i.type), w.context.reason("a call of something else than it is declared as")
    code = w.define(f"call ptr @clew_target(i64 {w.value(i.callee)}, i64 {number}, i64 {site})")
    mark = _mark(w, i, i.type.varargs)
    arguments = [_argument(w, argument) for argument in i.arguments[:count]]
    if i.type.varargs:
        arguments.append(f"i64 {_area(w, i.arguments[count:])}")
    w.shadow.fixed([i.callee])
    arguments += w.shadow.passed(i.arguments, i.type.params)
    _result(w, i, type_text(i.type.result), code, arguments)
    _release(w, mark)


def _mark_place(w: Writer, i: ir.Call) -> None:
    """``setjmp``: the runtime has room for what the machine keeps, the program's buffer a number that stands for it.

    It belongs to this function as long as that has not returned: ``%frame.address`` says to which call of it.
    """
    w.context.declarations["clew_jump_place"] = "declare ptr @clew_jump_place(i64, i64)"
    w.context.declarations["_setjmp"] = "declare i32 @_setjmp(ptr) returns_twice"
    place = w.define(f"call ptr @clew_jump_place({w.typed(i.arguments[0].value)}, i64 %frame.address)")
    name = w.fresh() if i.result is None else w.target(i)
    w.line(f"{name} = call i32 @_setjmp(ptr {place}) returns_twice")
    w.shadow.nothing(i)


def _read_input(w: Writer, i: ir.Call, name: str) -> None:
    """An input: as many bytes as its type has."""
    if i.result is None or isinstance(i.result.type, VoidType):
        raise Unsupported(f"{name}() without a result")
    type = i.result.type
    bits = w.context.layout.bits(type) if isinstance(type, IntType | FloatType | PointerType) else 128
    if bits > 64 or (name == _INPUT + "bool" and bits != 1):
        raise Unsupported(f"{name}() of this type")
    word = w.define(f"call i64 @{w.context.input_function}(i32 {(bits + 7) // 8})")
    number = w.define(f"trunc i64 {word} to i{bits}") if bits < 64 else word
    w.line(f"{w.target(i)} = bitcast i{bits} {number} to {type_text(type)}")
    w.shadow.received(i)


def _mark(w: Writer, i: ir.Call, varies: bool) -> str | None:
    """The top of the stack before arguments go there, if some do."""
    if varies or any(argument.byval is not None for argument in i.arguments):
        return w.define(f"load i64, {_STACK}")
    return None


def _release(w: Writer, mark: str | None) -> None:
    if mark is not None:
        w.line(f"call void @clew_restore(i64 {mark})")


def _argument(w: Writer, argument: ir.Argument) -> str:
    """An argument; a struct that is passed by value is copied."""
    if argument.byval is None:
        return w.typed(argument.value)
    size = w.context.layout.size(argument.byval)
    copy = w.define(f"call i64 @clew_push(i64 {size}, i64 {max(argument.align, 1)})")
    copy_bytes(w, copy, w.value(argument.value), str(size))
    return f"i64 {copy}"


def copy_bytes(w: Writer, to: str, source: str, size: str) -> None:
    """A checked copy."""
    w.context.declarations["m_memcpy"] = "declare i64 @m_memcpy(i64, i64, i64)"
    w.shadow.copied(to, source, size)
    w.line(f"call i64 @m_memcpy(i64 {to}, i64 {source}, i64 {size})")


def _area(w: Writer, arguments: tuple[ir.Argument, ...]) -> str:
    """The address of variable arguments."""
    layout, position = w.context.layout, 0
    places_of: list[int] = []
    for argument in arguments:
        held = argument.byval if argument.byval is not None else argument.value.type
        unit = max(_SLOT, min(argument.align or layout.align(held), 16))
        position = -(-position // unit) * unit
        places_of.append(position)
        position += -(-layout.size(held) // _SLOT) * _SLOT
    area = w.define(f"call i64 @clew_push(i64 {position + _SLOT}, i64 16)")
    for offset, argument in zip(places_of, arguments, strict=True):
        place = w.define(f"add i64 {area}, {offset}")
        if argument.byval is not None:
            copy_bytes(w, place, w.value(argument.value), str(layout.size(argument.byval)))
        else:
            pointer = w.define(f"inttoptr i64 {place} to ptr")
            w.line(f"store {w.typed(argument.value)}, ptr {pointer}, align 1, {MEMORY}")
            w.shadow.stored(place, argument.value)
    return area
