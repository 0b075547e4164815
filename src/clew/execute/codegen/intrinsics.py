"""Handlers of ``llvm.*`` intrinsics, by their name without the type suffix."""

from __future__ import annotations

import re
from collections.abc import Callable

from clew.base.pattern import pattern
from clew.execute.codegen import arithmetic, floats
from clew.execute.codegen.emitter import Emitter
from clew.program import instructions as ir
from clew.program.types import FloatType, IntType, StructType, Type, VectorType

Intrinsic = Callable[[Emitter, ir.Call, list[str]], None]
_SUFFIX = pattern(r"(\.(p\d+|[ifb]f?\d+|v\d+[a-z]+\d+|a\d+\w*|isVoid|x86_fp80|sl_\w+|nxv\w+))+$")


def handler_of(name: str) -> Intrinsic | None:
    """What writes the calls of an intrinsic; None for one that is not known."""
    base = name
    while base not in _TABLE:
        shorter = _SUFFIX.sub("", base)
        if shorter == base:
            break
        base = shorter
    return _TABLE.get(base) or _TABLE.get(re.sub(r"\.\d+$", "", base))


def emit_intrinsic(e: Emitter, i: ir.Call, name: str) -> None:
    """Write the call of an intrinsic; one that is not known ends the path when it is reached."""
    handler = handler_of(name)
    if handler is None:
        e.out.line(f"unsupported({e.here()}, {'intrinsic ' + name!r})")
        if i.result is not None:
            e.out.line(f"{e.target(i)} = None")
        return
    handler(e, i, [e.value(argument.value) for argument in i.arguments])


def _result_type(i: ir.Call) -> Type:
    assert i.result is not None
    return i.result.type


def _nothing(e: Emitter, i: ir.Call, args: list[str]) -> None:
    """Advice to the optimizer, or debug information."""


def _lifetime(method: str) -> Intrinsic:
    """The block of a local variable begins or ends: what memory does then."""

    def handler(e: Emitter, i: ir.Call, args: list[str]) -> None:
        if (e.block, e.index) in e.context.telling_marks:
            e.out.line(f"s.memory.{method}({args[-1]})")

    return handler


def _first(e: Emitter, i: ir.Call, args: list[str]) -> None:
    """The value is the first argument; the rest is advice."""
    e.out.line(f"{e.target(i)} = {args[0]}")


def _yields(text: str) -> Intrinsic:
    def handler(e: Emitter, i: ir.Call, args: list[str]) -> None:
        e.out.line(f"{e.target(i)} = {text}")

    return handler


def _builds(function: str, arity: int) -> Intrinsic:
    """A function of ``clew.expr.build`` over integers, lane by lane on vectors."""

    def handler(e: Emitter, i: ir.Call, args: list[str]) -> None:
        type = _result_type(i)
        operands = args[:arity]
        if isinstance(type, VectorType):
            lanes = [f"x{number}" for number in range(arity)]
            body = f"{function}({', '.join(lanes)}, {e.width(type.element)})"
            text = f"tuple([{body} for {', '.join(lanes)}, in zip({', '.join(operands)})])"
        else:
            text = f"{function}({', '.join(operands)}, {e.width(type)})"
        e.out.line(f"{e.target(i)} = {text}")

    return handler


def _with_overflow(operation: str, predicate: str) -> Intrinsic:
    def handler(e: Emitter, i: ir.Call, args: list[str]) -> None:
        type = _result_type(i)
        assert isinstance(type, StructType)
        width = e.width(type.fields[0])
        a, b = args
        general = f"({operation}({a}, {b}, {width}), {predicate}({a}, {b}, {width}))"
        assert i.result is not None
        number = e.context.numbers[i.result.name]
        value, flag = f"x{number}", f"o{number}"
        fast = arithmetic.with_overflow(predicate, a, b, width, value)
        if not fast:
            e.out.line(f"{value}, {flag} = {general}")
        else:
            with e.out.block("try:"):
                e.out.line(f"{value} = {fast[0]}")
                e.out.line(f"{flag} = {fast[1]}")
            with e.out.block("except TypeError:"):
                e.out.line(f"{value}, {flag} = {general}")
        e.path.facts.pairs[number] = value, flag
        e.path.facts.texts[number] = f"({value}, {flag})"

    return handler


def _floats(function: str, arity: int, extra: str = "") -> Intrinsic:
    """A function of ``clew.expr.build`` over floats."""

    def handler(e: Emitter, i: ir.Call, args: list[str]) -> None:
        type = _result_type(i)
        element = type.element if isinstance(type, VectorType) else type
        assert isinstance(element, FloatType)
        sort = floats.sort(element)
        if isinstance(type, VectorType):
            lanes = [f"x{number}" for number in range(arity)]
            body = f"{function}({', '.join(lanes)}{extra}, {sort})"
            text = f"tuple([{body} for {', '.join(lanes)}, in zip({', '.join(args[:arity])})])"
        else:
            text = f"{function}({', '.join(args[:arity])}{extra}, {sort})"
        e.out.line(f"{e.target(i)} = {text}")

    return handler


def _float_math(name: str) -> Intrinsic:
    """A function of the C library that SMT has no counterpart of: exact on concrete values only."""

    def handler(e: Emitter, i: ir.Call, args: list[str]) -> None:
        type = _result_type(i)
        if not isinstance(type, FloatType):
            e.out.line(f"unsupported({e.here()}, {f'{name} of a vector'!r})")
            return
        e.out.line(f"{e.target(i)} = concrete_math({e.here()}, {name!r}, ({', '.join(args)},), {floats.sort(type)})")

    return handler


def _float_pair(*functions: str) -> Intrinsic:
    """Two results of one float: of a function that has both, or of two functions of the C library."""

    def handler(e: Emitter, i: ir.Call, args: list[str]) -> None:
        type = i.arguments[0].value.type
        if not isinstance(type, FloatType):
            e.out.line(f"unsupported({e.here()}, {f'{functions[0]} of a vector'!r})")
            return
        sort = floats.sort(type)
        single = f"{functions[0]}({args[0]}, {sort})"
        pair = ", ".join(f"concrete_math({e.here()}, {name!r}, ({args[0]},), {sort})" for name in functions)
        e.out.line(f"{e.target(i)} = {single if len(functions) == 1 else f'({pair})'}")

    return handler


def _helper(function: str, *, types: bool = False) -> Intrinsic:
    """A helper of the engine that may fork: ``function(s, f, point, live, arguments...)``."""

    def handler(e: Emitter, i: ir.Call, args: list[str]) -> None:
        extra = [e.constant(i)] if types else []
        text = f"{function}({', '.join([e.here(), *args, *extra])})"
        e.out.line(text if i.result is None else f"{e.target(i)} = {text}")

    return handler


def _to_int(signed: bool) -> Intrinsic:
    def handler(e: Emitter, i: ir.Call, args: list[str]) -> None:
        source, target = i.arguments[0].value.type, _result_type(i)
        assert isinstance(source, FloatType) and isinstance(target, IntType)
        call = f"float_to_int_sat({args[0]}, {floats.sort(source)}, {target.width}, {signed})"
        e.out.line(f"{e.target(i)} = {call}")

    return handler


def _count_zeros(function: str) -> Intrinsic:
    return _builds(function, 1)


_TABLE: dict[str, Intrinsic] = {
    **dict.fromkeys(
        (
            "llvm.dbg.value", "llvm.dbg.declare", "llvm.dbg.label", "llvm.dbg.assign", "llvm.donothing",
            "llvm.sideeffect", "llvm.experimental.noalias.scope.decl", "llvm.prefetch", "llvm.var.annotation",
            "llvm.invariant.end", "llvm.pseudoprobe", "llvm.clear_cache",
            "llvm.fake.use",
        ),
        _nothing,
    ),
    **dict.fromkeys(
        (
            "llvm.expect", "llvm.expect.with.probability", "llvm.ssa.copy", "llvm.launder.invariant.group",
            "llvm.strip.invariant.group", "llvm.ptr.annotation", "llvm.annotation", "llvm.threadlocal.address",
            "llvm.preserve.array.access.index", "llvm.arithmetic.fence", "llvm.freeze",
        ),
        _first,
    ),
    "llvm.lifetime.start": _lifetime("begin_local"), "llvm.lifetime.end": _lifetime("end_local"),
    "llvm.invariant.start": _yields("0"),
    "llvm.is.constant": _yields("False"),
    "llvm.flt.rounds": _yields("1"),
    "llvm.get.rounding": _yields("1"),
    "llvm.frameaddress": _yields("0"),
    "llvm.returnaddress": _yields("0"),
    "llvm.umin": _builds("umin", 2), "llvm.umax": _builds("umax", 2),
    "llvm.smin": _builds("smin", 2), "llvm.smax": _builds("smax", 2),
    "llvm.abs": _builds("abs_", 1),
    "llvm.ctpop": _builds("popcount", 1), "llvm.ctlz": _count_zeros("clz"), "llvm.cttz": _count_zeros("ctz"),
    "llvm.bswap": _builds("bswap", 1), "llvm.bitreverse": _builds("bitreverse", 1),
    "llvm.fshl": _builds("fshl", 3), "llvm.fshr": _builds("fshr", 3),
    "llvm.sadd.sat": _builds("sadd_sat", 2), "llvm.uadd.sat": _builds("uadd_sat", 2),
    "llvm.ssub.sat": _builds("ssub_sat", 2), "llvm.usub.sat": _builds("usub_sat", 2),
    "llvm.scmp": _helper("three_way", types=True), "llvm.ucmp": _helper("three_way", types=True),
    "llvm.ptrmask": _builds("and_", 2),
    "llvm.sadd.with.overflow": _with_overflow("add", "sadd_overflow"),
    "llvm.uadd.with.overflow": _with_overflow("add", "uadd_overflow"),
    "llvm.ssub.with.overflow": _with_overflow("sub", "ssub_overflow"),
    "llvm.usub.with.overflow": _with_overflow("sub", "usub_overflow"),
    "llvm.smul.with.overflow": _with_overflow("mul", "smul_overflow"),
    "llvm.umul.with.overflow": _with_overflow("mul", "umul_overflow"),
    "llvm.memcpy": _helper("copy_apart"), "llvm.memcpy.inline": _helper("copy_apart"),
    "llvm.memmove": _helper("copy_memory"),
    "llvm.memset": _helper("fill_memory"), "llvm.memset.inline": _helper("fill_memory"),
    "llvm.assume": _helper("assume_quietly"),
    "llvm.trap": _helper("trap"), "llvm.debugtrap": _helper("trap"), "llvm.ubsantrap": _helper("sanitizer_trap"),
    "llvm.objectsize": _helper("object_size", types=True),
    "llvm.stacksave": _helper("save_stack"), "llvm.stackrestore": _helper("restore_stack"),
    "llvm.va_start": _helper("start_arguments"), "llvm.va_end": _nothing,
    "llvm.va_copy": _helper("copy_arguments"),
    "llvm.fabs": _floats("fabs", 1), "llvm.sqrt": _floats("fsqrt", 1),
    "llvm.fma": _floats("ffma", 3), "llvm.fmuladd": _floats("multiply_add", 3),
    "llvm.copysign": _floats("copysign", 2),
    "llvm.minnum": _floats("fmin", 2), "llvm.maxnum": _floats("fmax", 2),
    "llvm.minimumnum": _floats("fmin", 2), "llvm.maximumnum": _floats("fmax", 2),
    "llvm.floor": _floats("fround", 1, ", 'rtn'"), "llvm.ceil": _floats("fround", 1, ", 'rtp'"),
    "llvm.trunc": _floats("fround", 1, ", 'rtz'"), "llvm.round": _floats("fround", 1, ", 'rna'"),
    "llvm.roundeven": _floats("fround", 1, ", 'rne'"), "llvm.rint": _floats("fround", 1, ", 'rne'"),
    "llvm.nearbyint": _floats("fround", 1, ", 'rne'"),
    "llvm.modf": _float_pair("fraction_and_whole"), "llvm.frexp": _float_pair("fraction_and_power"),
    "llvm.sincos": _float_pair("sin", "cos"),
    "llvm.is.fpclass": _helper("float_class", types=True),
    "llvm.fptosi.sat": _to_int(True), "llvm.fptoui.sat": _to_int(False),
    **{
        f"llvm.{name}": _float_math(name)
        for name in ("pow", "exp", "exp2", "exp10", "log", "log2", "log10", "sin", "cos", "tan", "asin", "acos",
                     "atan", "atan2", "sinh", "cosh", "tanh", "powi", "ldexp")
    },
}  # fmt: skip
