"""Intrinsics of LLVM: those that compute go to LLVM as they are, the others to the runtime."""

from __future__ import annotations

from functools import cache

from clew.base.errors import Unsupported
from clew.native import places
from clew.native.emit.spelling import is_plain, type_text
from clew.native.emit.writer import BUG_ABORT, BUG_TRAP, Writer
from clew.program import instructions as ir
from clew.program.variable_arguments import come_in_registers

_NOTHING = """dbg. donothing sideeffect experimental.noalias.scope.decl prefetch var.annotation invariant.end
pseudoprobe clear_cache lifetime. fake.use va_end""".split()
_FIRST = """expect ssa.copy launder.invariant.group strip.invariant.group ptr.annotation annotation threadlocal.address
arithmetic.fence""".split()
_COMPUTING = """umin umax smin smax abs ctpop ctlz cttz bswap bitreverse fshl fshr sadd. uadd. ssub. usub. smul. umul.
scmp ucmp fabs. sqrt. fma. fmuladd. copysign. minnum. maxnum. minimumnum. maximumnum. floor. ceil. trunc. round.
roundeven. rint. nearbyint. is.fpclass fptosi.sat fptoui.sat""".split()
_FLAGGED = ("llvm.abs.", "llvm.ctlz.", "llvm.cttz.")
"""Their last argument says that a case does not happen: it does."""
_STACK = f"ptr inttoptr (i64 {places.SHARED + 8} to ptr)"
_LIST_SIZES = {"x86_64": 24, "aarch64": 32}


@cache
def _is_one(name: str, *stems: str) -> bool:
    return f"{name}.".startswith(tuple([f"llvm.{stem.rstrip('.')}." for stem in stems]))


def emit_intrinsic(w: Writer, i: ir.Call, name: str) -> None:
    """Write the call of an intrinsic; Unsupported for one that native runs lack."""
    arguments = [argument.value for argument in i.arguments]
    if _is_one(name, *_NOTHING):
        return
    if _is_one(name, *_FIRST):
        w.line(f"{w.target(i)} = freeze {w.typed(arguments[0])}")
    elif _is_one(name, *_COMPUTING):
        _computing(w, i, name)
    elif _is_one(name, "ptrmask"):
        assert i.result is not None
        w.line(f"{w.target(i)} = and {w.typed(arguments[0])}, {w.value(arguments[1])}")
        w.derive(i.result.name, arguments[0], None)
    elif _is_one(name, "ubsantrap", "trap", "debugtrap"):
        w.fail(BUG_TRAP if "ubsan" in name else BUG_ABORT)
    elif _is_one(name, "memcpy", "memmove"):
        length = _length(w, i)
        w.shadow.fixed(arguments[:3])
        w.shadow.copied(w.value(arguments[0]), w.value(arguments[1]), length.split()[1])
        function = "m_memcpy" if _is_one(name, "memcpy") else "m_memmove"
        _library(w, function, [w.typed(one) for one in arguments[:2]] + [length])
    elif _is_one(name, "memset"):
        byte = w.define(f"zext {w.typed(arguments[1])} to i32")
        length = _length(w, i)
        w.shadow.fixed(arguments[:3])
        w.shadow.cleared(w.value(arguments[0]), length.split()[1])
        _library(w, "m_memset", [w.typed(arguments[0]), f"i32 {byte}", length])
    elif _is_one(name, "is.constant"):
        w.line(f"{w.target(i)} = freeze i1 false")
    elif _is_one(name, "get.rounding"):
        w.line(f"{w.target(i)} = freeze i32 1")  # to nearest: nothing changes that
    elif _is_one(name, "returnaddress") and w.is_library:
        w.line(f"{w.target(i)} = freeze i64 {w.context.failure()}")  # a name for the place of a failure
    elif _is_one(name, "assume"):
        return
    elif _is_one(name, "stacksave"):
        w.line(f"{w.target(i)} = load i64, {_STACK}")
    elif _is_one(name, "stackrestore"):
        w.line(f"call void @clew_restore({w.typed(arguments[0])})")
    elif _is_one(name, "va_start"):
        if come_in_registers(w.context.program):
            raise Unsupported("variable arguments that are aligned to more than a word")
        w.line(f"call void @clew_va_start({w.typed(arguments[0])}, i64 %arguments)")
        w.shadow.cleared(w.value(arguments[0]), str(_LIST_SIZES[w.context.program.triple.split("-")[0]]))
    elif _is_one(name, "va_copy"):
        size = _LIST_SIZES[w.context.program.triple.split("-")[0]]
        w.shadow.copied(w.value(arguments[0]), w.value(arguments[1]), str(size))
        _library(w, "m_memcpy", [w.typed(arguments[0]), w.typed(arguments[1]), f"i64 {size}"])
    else:
        raise Unsupported(f"intrinsic {name}")


def _length(w: Writer, i: ir.Call) -> str:
    """The number of bytes, which may be given in 32 bits."""
    length = i.arguments[2].value
    return w.typed(length) if w.width(length.type) == 64 else f"i64 {w.define(f'zext {w.typed(length)} to i64')}"


def _library(w: Writer, name: str, arguments: list[str]) -> None:
    types = ", ".join(argument.split()[0] for argument in arguments)
    w.context.declarations[name] = f"declare i64 @{name}({types})"
    w.line(f"call i64 @{name}({', '.join(arguments)})")


def _computing(w: Writer, i: ir.Call, name: str) -> None:
    assert i.result is not None
    values = [argument.value for argument in i.arguments]
    if not all(is_plain(value.type) for value in values):
        raise Unsupported(f"intrinsic {name}")
    texts = [w.typed(value) for value in values]
    if name.startswith(_FLAGGED):
        texts[-1] = "i1 false"
    result = type_text(i.result.type)
    types = ", ".join(type_text(value.type) for value in values)
    w.context.declarations[name] = f"declare {result} @{name}({types})"
    w.line(f"{w.target(i)} = call {result} @{name}({', '.join(texts)})")
