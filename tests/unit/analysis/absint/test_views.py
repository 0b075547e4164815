"""Which registers are read with a sign: what instructions and C types say, and who shares a view with whom."""

from __future__ import annotations

import pytest

from clew.analysis.absint.views import Views, is_number, overflow_operation
from clew.program.types import PTR, FloatKind, FloatType, IntType
from clew.program.values import Register
from unit.execute.support import c_program, llvm


def views(body: str, parameters: str = "i32 %a, i32 %b") -> Views:
    program = llvm(
        "declare i32 @__VERIFIER_nondet_uint()\ndeclare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)\n"
        f"define void @f({parameters}) {{\nentry:\n{body}\nret void\n}}\n"
    )
    return Views(program.functions["f"], program.ctypes)


@pytest.mark.parametrize(
    ("body", "signed", "unsigned"),
    [
        ("", "ab", ""),
        ("%r = udiv i32 %a, 3", "b", "ar"),
        ("%r = ashr i32 %a, 3", "abr", ""),
        ("%c = icmp ult i32 %a, %b", "", "ab"),
        ("%c = icmp ult i32 4, %b", "a", "b"),
        ("%c = icmp slt i32 %a, %b", "ab", ""),
        ("%c = icmp eq i32 %a, %b\n%r = urem i32 %b, 5", "", "ab"),
        ("%r = add i32 %a, %b\n%s = lshr i32 %r, 1", "", "abrs"),
        ("%r = add i32 %a, 1\n%s = lshr i32 %a, 1", "b", "ars"),
        ("%r = add nuw i32 %a, 1", "b", "ar"),
        ("%r = add nuw nsw i32 %a, 1", "abr", ""),
        ("%r = zext i32 %a to i64", "br", "a"),
        ("%r = sext i32 %a to i64", "abr", ""),
        ("%r = trunc i32 %a to i8\n%s = udiv i8 %r, 2", "ab", "rs"),
        ("%r = and i32 %a, %b\n%s = udiv i32 %r, 2", "ab", "rs"),
        ("%r = freeze i32 %a\n%s = udiv i32 %r, 2", "b", "ars"),
        ("%c = icmp eq i32 %a, 0\n%r = select i1 %c, i32 %a, i32 %b\n%s = udiv i32 %r, 2", "", "abrs"),
        ("%r = call i32 @__VERIFIER_nondet_uint()\n%s = sub i32 %r, %a", "b", "ars"),
        ("%r = call i32 @__VERIFIER_nondet_int()\n%s = udiv i32 %r, 5\n%t = udiv i32 %r, 5", "r", "st"),
        (
            "%p = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)\n%r = extractvalue { i32, i1 } %p, 0",
            "", "abr",
        ),
    ],
)  # fmt: skip
def test_what_instructions_say(body: str, signed: str, unsigned: str) -> None:
    found = views(body)
    assert [name for name in signed if not found.is_signed(name)] == []
    assert [name for name in unsigned if found.is_signed(name)] == []


def test_the_majority_has_it() -> None:
    lines = "%r = udiv i32 %a, 3\n%s = sdiv i32 %a, 3\n"
    assert views(lines).is_signed("a")
    assert not views(lines + "%t = urem i32 %a, 3").is_signed("a")


def test_phis_share() -> None:
    program = llvm("""
    define void @f(i32 %a) {
    entry:
    br label %head
    head:
    %i = phi i32 [ %a, %entry ], [ %next, %head ]
    %next = add i32 %i, 1
    %c = icmp ult i32 %next, 9
    br i1 %c, label %head, label %end
    end:
    ret void
    }
    """)
    found = Views(program.functions["f"], program.ctypes)
    assert not any(found.is_signed(name) for name in ("a", "i", "next"))


@pytest.mark.parametrize(
    ("ctype", "signed"),
    [("unsigned", False), ("int", True), ("unsigned char", False), ("signed char", True), ("size_t", False)],
)
def test_c_types_are_worth_more_than_an_instruction(ctype: str, signed: bool) -> None:
    program = c_program(f"typedef __SIZE_TYPE__ size_t; {ctype} f({ctype} v) {{ {ctype} w = v; return w; }}")
    function = program.functions["f"]
    (parameter,) = function.parameters
    assert isinstance(parameter.value, Register)
    assert Views(function, program.ctypes).is_signed(parameter.value.name) == signed


def test_what_is_a_number() -> None:
    assert is_number(IntType(1)) and is_number(IntType(64))
    assert not any(is_number(type) for type in (IntType(65), IntType(128), PTR, FloatType(FloatKind.DOUBLE)))


def test_operations_that_tell_of_overflow() -> None:
    program = llvm("""
    declare { i8, i1 } @llvm.ssub.with.overflow.i8(i8, i8)
    define void @f(i8 %a, i8 %b) {
    entry:
    %p = call { i8, i1 } @llvm.ssub.with.overflow.i8(i8 %a, i8 %b)
    %r = extractvalue { i8, i1 } %p, 0
    %o = extractvalue { i8, i1 } %p, 1
    ret void
    }
    """)
    call, *parts, end = program.functions["f"].blocks[0].instructions
    found = overflow_operation(call)
    assert found is not None
    op, signed, left, right = found
    assert (op, signed, getattr(left, "name", ""), getattr(right, "name", "")) == ("sub", True, "a", "b")
    assert overflow_operation(parts[0]) is None and overflow_operation(end) is None and overflow_operation(None) is None
