"""Atomics, floats, intrinsics and undefined operands, concrete and symbolic, in small LLVM programs."""

from __future__ import annotations

import pytest

from clew.base.options import StartValue
from unit.execute.support import concrete, exit_code, explore, llvm, main

# Atomics


@pytest.mark.parametrize(
    ("op", "expected"),
    [("add", 5 - 7), ("sub", 12), ("and", 5 & -7), ("or", 5 | -7), ("xor", 5 ^ -7), ("nand", ~(5 & -7)), ("xchg", -7),
     ("max", 5), ("min", -7), ("umax", -7), ("umin", 5), ("usub_sat", 0)],
)  # fmt: skip
def test_atomic_update(op: str, expected: int) -> None:
    program = main(
        f"""
          %n = call i32 @__VERIFIER_nondet_int()
          %p = alloca i32
          store i32 5, ptr %p
          %o = atomicrmw {op} ptr %p, i32 %n seq_cst
          %v = load atomic i32, ptr %p seq_cst, align 4
          %k = mul i32 %o, 0
          %r = add i32 %v, %k
          ret i32 %r
        """
    )
    assert exit_code(program, -7) == expected & 0xFF
    (way,) = explore(program).ways
    assert way.how == "exit"


def test_atomic_update_of_floats() -> None:
    program = main(
        """
          %p = alloca float
          store float 1.5, ptr %p
          %o = atomicrmw fadd ptr %p, float 2.0 seq_cst
          %q = atomicrmw fsub ptr %p, float 0.5 seq_cst
          %v = load float, ptr %p
          %s = fadd float %v, %o
          %r = fptosi float %s to i32
          ret i32 %r
        """
    )
    assert exit_code(program) == 4


def test_unknown_atomic_operation_is_a_loss_not_a_crash() -> None:
    program = main(
        """
          %p = alloca i32
          store i32 5, ptr %p
          %o = atomicrmw uinc_wrap ptr %p, i32 3 seq_cst
          ret i32 %o
        """
    )
    assert explore(program).lost == ["atomicrmw uinc_wrap"]


def test_compare_exchange() -> None:
    program = main(
        """
          %n = call i32 @__VERIFIER_nondet_int()
          %p = alloca i32
          store i32 %n, ptr %p
          %r = cmpxchg ptr %p, i32 7, i32 100 seq_cst seq_cst
          %ok = extractvalue { i32, i1 } %r, 1
          fence seq_cst
          %v = load i32, ptr %p
          br i1 %ok, label %a, label %b
        a:
          ret i32 %v
        b:
          %old = extractvalue { i32, i1 } %r, 0
          %d = sub i32 %v, %old
          ret i32 %d
        """
    )
    assert explore(program).codes == [0, 100]
    assert [exit_code(program, n) for n in (7, 8)] == [100, 0]


# Floats


def test_float_instructions() -> None:
    program = main(
        """
          %x = call double @__VERIFIER_nondet_double()
          %a = fmul double %x, 2.0
          %b = fneg double %a
          %c = fsub double %b, 1.0
          %d = fdiv double %c, -3.0
          %f = fptrunc double %d to float
          %g = fpext float %f to double
          %h = frem double %g, 4.0
          %i = fptosi double %h to i32
          %gt = fcmp ogt double %x, 100.0
          br i1 %gt, label %big, label %small
        big:
          ret i32 99
        small:
          ret i32 %i
        """
    )
    outcome = concrete(program, 0)
    assert (outcome.end, outcome.exit_code) == ("exit", 0)


def test_symbolic_floats_fork() -> None:
    program = main(
        """
          %x = call float @__VERIFIER_nondet_float()
          %s = fadd float %x, 0.5
          %c = fcmp oeq float %s, 2.0
          br i1 %c, label %a, label %b
        a:
          ret i32 1
        b:
          %n = fcmp uno float %x, %x
          br i1 %n, label %d, label %e
        d:
          ret i32 2
        e:
          ret i32 3
        """
    )
    found = explore(program)
    assert found.codes == [1, 2, 3]
    assert next(way.inputs for way in found.ways if way.code == 1) == (1.5,)


def test_float_intrinsics() -> None:
    program = llvm(
        """
        declare double @llvm.fabs.f64(double)
        declare double @llvm.sqrt.f64(double)
        declare double @llvm.floor.f64(double)
        declare double @llvm.copysign.f64(double, double)
        declare double @llvm.fma.f64(double, double, double)
        declare double @llvm.maxnum.f64(double, double)
        declare i32 @llvm.fptosi.sat.i32.f64(double)
        declare i1 @llvm.is.fpclass.f64(double, i32)
        declare double @llvm.pow.f64(double, double)
        define i32 @main() {
          %a = call double @llvm.fabs.f64(double -16.0)
          %b = call double @llvm.sqrt.f64(double %a)
          %c = call double @llvm.floor.f64(double 2.75)
          %d = call double @llvm.copysign.f64(double %c, double -1.0)
          %e = call double @llvm.fma.f64(double %b, double %c, double %d)
          %f = call double @llvm.maxnum.f64(double %e, double 1.0)
          %p = call double @llvm.pow.f64(double %f, double 2.0)
          %big = call i32 @llvm.fptosi.sat.i32.f64(double 1.0e30)
          %max = icmp eq i32 %big, 2147483647
          %z = call i1 @llvm.is.fpclass.f64(double 0.0, i32 64)
          %both = and i1 %max, %z
          %one = zext i1 %both to i32
          %i = fptosi double %p to i32
          %r = add i32 %i, %one
          ret i32 %r
        }
        """
    )
    assert exit_code(program) == 37


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("llvm.ctpop.i32", "i32 255", 8),
        ("llvm.ctlz.i32", "i32 255, i1 false", 24),
        ("llvm.cttz.i32", "i32 8, i1 false", 3),
        ("llvm.ctlz.i32", "i32 0, i1 false", 32),
        ("llvm.bswap.i32", "i32 16777216", 1),
        ("llvm.bitreverse.i32", "i32 -2147483648", 1),
        ("llvm.fshl.i32", "i32 1, i32 -2147483648, i32 1", 3),
        ("llvm.fshr.i32", "i32 1, i32 2, i32 1", 0x80000001),
        ("llvm.abs.i32", "i32 -5, i1 false", 5),
        ("llvm.smin.i32", "i32 -5, i32 3", -5),
        ("llvm.umin.i32", "i32 -5, i32 3", 3),
        ("llvm.sadd.sat.i32", "i32 2147483647, i32 3", 2147483647),
        ("llvm.ssub.sat.i32", "i32 -2147483648, i32 3", -2147483648),
        ("llvm.uadd.sat.i32", "i32 -1, i32 3", -1),
        ("llvm.usub.sat.i32", "i32 1, i32 3", 0),
        ("llvm.scmp.i32.i32", "i32 -5, i32 3", -1),
        ("llvm.ucmp.i32.i32", "i32 -5, i32 3", 1),
    ],
)
def test_integer_intrinsics(name: str, arguments: str, expected: int) -> None:
    types = ", ".join(part.split()[0] for part in arguments.split(", "))
    call = f"%r = call i32 @{name}({arguments})"
    program = llvm(f"declare i32 @{name}({types})\ndefine i32 @main() {{\n{call}\nret i32 %r\n}}\n")
    (way,) = explore(program).ways
    assert way.code & 0xFFFFFFFF == expected & 0xFFFFFFFF


@pytest.mark.parametrize(
    ("op", "a", "b", "overflows"),
    [("sadd", 2**31 - 1, 1, 1), ("sadd", -1, 1, 0), ("uadd", -1, 1, 1), ("ssub", -(2**31), 1, 1), ("usub", 1, 2, 1),
     ("smul", 2**16, 2**15, 1), ("smul", 2**15, 2**15, 0), ("umul", 2**16, 2**16, 1)],
)  # fmt: skip
def test_overflow_intrinsics(op: str, a: int, b: int, overflows: int) -> None:
    name = f"llvm.{op}.with.overflow.i32"
    program = llvm(
        f"""
        declare {{ i32, i1 }} @{name}(i32, i32)
        define i32 @main() {{
          %p = call {{ i32, i1 }} @{name}(i32 {a}, i32 {b})
          %o = extractvalue {{ i32, i1 }} %p, 1
          %r = zext i1 %o to i32
          ret i32 %r
        }}
        """
    )
    assert exit_code(program) == overflows


def test_overflow_of_operands_that_cancel_out() -> None:
    """What the engine computes of them is a constant; whether they overflow is none."""
    code = """
    int main(void) {
      unsigned x = __VERIFIER_nondet_uint(), r;
      return __builtin_usub_overflow(x + 1, x, &r) + 2 * __builtin_uadd_overflow(x, -x, &r)
           + 4 * __builtin_umul_overflow(x << 31, 2u, &r);
    }
    """
    assert [exit_code(code, x) for x in (0, 1, 2, 2**32 - 1)] == [0, 6, 2, 7]
    (way,) = explore(code, start=[StartValue(None, 1)]).ways
    assert way.code == 6


def test_unknown_intrinsic_ends_only_the_path_that_meets_it() -> None:
    program = llvm(
        """
        declare i32 @llvm.no.such.thing(i32)
        define i32 @main() {
          %n = call i32 @__VERIFIER_nondet_int()
          %c = icmp eq i32 %n, 3
          br i1 %c, label %a, label %b
        a:
          %r = call i32 @llvm.no.such.thing(i32 1)
          ret i32 %r
        b:
          ret i32 5
        }
        """
    )
    found = explore(program)
    assert found.codes == [5]
    assert found.lost == ["intrinsic llvm.no.such.thing"]
    assert found.run.statistics.paths_cut_short == 1


def test_freeze_and_select_of_pointers() -> None:
    program = main(
        """
          %n = call i32 @__VERIFIER_nondet_int()
          %p = alloca i32
          %q = alloca i32
          store i32 10, ptr %p
          store i32 20, ptr %q
          %c = icmp slt i32 %n, 0
          %f = freeze i1 %c
          %s = select i1 %f, ptr %p, ptr %q
          store i32 30, ptr %s
          %x = load i32, ptr %p
          %y = load i32, ptr %q
          %d = sub i32 %x, %y
          ret i32 %d
        """
    )
    assert explore(program).codes == [-20, 10]


def test_several_undefined_operands_keep_their_types() -> None:
    """Names of undefined operands must not repeat: 32 and 64 bits are mixed here."""
    program = llvm(
        """
        define i64 @f(i32 %a, i64 %b, i32 %c, i64 %d, i32 %e, i64 %g) {
          %x = zext i32 %a to i64
          %y = zext i32 %c to i64
          %z = zext i32 %e to i64
          %s = xor i64 %x, %y
          %t = xor i64 %s, %z
          %small = lshr i64 %t, 32
          ret i64 %small
        }
        define i32 @main() {
          %r = call i64 @f(i32 undef, i64 undef, i32 undef, i64 undef, i32 undef, i64 undef)
          %c = icmp eq i64 %r, 0
          br i1 %c, label %a, label %b
        a:
          ret i32 1
        b:
          ret i32 2
        }
        """
    )
    assert explore(program).codes == [1]


def test_unsupported_instruction_is_a_loss() -> None:
    program = main(
        """
          %n = call i32 @__VERIFIER_nondet_int()
          %c = icmp eq i32 %n, 3
          br i1 %c, label %a, label %b
        a:
          call void asm sideeffect ".word 7", ""()
          ret i32 1
        b:
          ret i32 5
        """
    )
    found = explore(program)
    assert found.codes == [5]
    assert len(found.lost) == 1
    assert ".word 7" in found.lost[0]
