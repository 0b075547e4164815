"""Aggregates, vectors and integers of odd widths, in registers and in memory, in small LLVM programs."""

from __future__ import annotations

from unit.execute.support import concrete, exit_code, explore, main

# Aggregates and vectors


def test_insert_and_extract_value() -> None:
    program = main(
        """
          %n = call i32 @__VERIFIER_nondet_int()
          %a = insertvalue { i32, [2 x i8], { i64, i32 } } zeroinitializer, i32 %n, 2, 1
          %b = insertvalue { i32, [2 x i8], { i64, i32 } } %a, i8 7, 1, 1
          %in = extractvalue { i32, [2 x i8], { i64, i32 } } %b, 2
          %x = extractvalue { i64, i32 } %in, 1
          %y = extractvalue { i32, [2 x i8], { i64, i32 } } %b, 1, 1
          %z = zext i8 %y to i32
          %r = add i32 %x, %z
          ret i32 %r
        """
    )
    assert exit_code(program, 30) == 37


def test_aggregate_through_memory_and_select() -> None:
    program = main(
        """
          %n = call i32 @__VERIFIER_nondet_int()
          %c = icmp sgt i32 %n, 0
          %s = select i1 %c, { i8, i32 } { i8 1, i32 2 }, { i8, i32 } { i8 3, i32 4 }
          %p = alloca { i8, i32 }
          store { i8, i32 } %s, ptr %p
          %f = getelementptr { i8, i32 }, ptr %p, i32 0, i32 1
          %v = load i32, ptr %f
          %q = icmp eq i32 %v, 2
          br i1 %q, label %a, label %b
        a:
          ret i32 1
        b:
          ret i32 2
        """
    )
    found = explore(program)
    assert found.codes == [1, 2]
    assert all((way.code == 1) == (int(way.inputs[0]) > 0) for way in found.ways)


def test_vector_arithmetic_and_shuffle() -> None:
    program = main(
        """
          %n = call i32 @__VERIFIER_nondet_int()
          %v = insertelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 %n, i32 2
          %w = mul <4 x i32> %v, <i32 2, i32 2, i32 2, i32 2>
          %s = shufflevector <4 x i32> %w, <4 x i32> <i32 100, i32 0, i32 0, i32 0>, <2 x i32> <i32 2, i32 4>
          %a = extractelement <2 x i32> %s, i32 0
          %b = extractelement <2 x i32> %s, i32 1
          %r = add i32 %a, %b
          ret i32 %r
        """
    )
    assert exit_code(program, 11) == 122


def test_vector_compare_select_and_cast() -> None:
    program = main(
        """
          %n = call i32 @__VERIFIER_nondet_int()
          %v = insertelement <2 x i32> <i32 10, i32 20>, i32 %n, i32 1
          %c = icmp sgt <2 x i32> %v, <i32 15, i32 15>
          %s = select <2 x i1> %c, <2 x i32> <i32 1, i32 2>, <2 x i32> <i32 3, i32 4>
          %t = trunc <2 x i32> %s to <2 x i8>
          %e = extractelement <2 x i8> %t, i32 1
          %q = icmp eq i8 %e, 2
          br i1 %q, label %a, label %b
        a:
          ret i32 1
        b:
          ret i32 2
        """
    )
    assert explore(program).codes == [1, 2]
    assert [exit_code(program, n) for n in (15, 16)] == [2, 1]


def test_vector_bitcasts() -> None:
    program = main(
        """
          %n = call i32 @__VERIFIER_nondet_int()
          %v = bitcast i32 %n to <4 x i8>
          %e = extractelement <4 x i8> %v, i32 2
          %w = insertelement <4 x i8> %v, i8 0, i32 2
          %b = bitcast <4 x i8> %w to <2 x i16>
          %h = extractelement <2 x i16> %b, i32 1
          %x = zext i8 %e to i32
          %y = zext i16 %h to i32
          %z = lshr i32 %y, 8
          %r = add i32 %x, %z
          ret i32 %r
        """
    )
    assert exit_code(program, 0x04030201) == 7


def test_mask_of_bits_as_a_number() -> None:
    program = main(
        """
          %v = insertelement <8 x i1> zeroinitializer, i1 true, i32 2
          %w = insertelement <8 x i1> %v, i1 true, i32 5
          %b = bitcast <8 x i1> %w to i8
          %r = zext i8 %b to i32
          ret i32 %r
        """
    )
    assert exit_code(program) == 0x24


def test_symbolic_lane() -> None:
    program = main(
        """
          %n = call i32 @__VERIFIER_nondet_int()
          %ok = icmp ult i32 %n, 4
          %z = zext i1 %ok to i32
          call void @__VERIFIER_assume(i32 %z)
          %e = extractelement <4 x i32> <i32 10, i32 20, i32 30, i32 40>, i32 %n
          %v = insertelement <4 x i32> <i32 0, i32 0, i32 0, i32 0>, i32 %e, i32 %n
          %x = extractelement <4 x i32> %v, i32 1
          %r = add i32 %e, %x
          ret i32 %r
        """
    )
    assert explore(program).codes == [10, 30, 40, 40]


def test_vectors_in_memory() -> None:
    program = main(
        """
          %p = alloca <4 x i32>, align 16
          store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %p, align 16
          %q = getelementptr i32, ptr %p, i64 3
          store i32 50, ptr %q
          %v = load <4 x i32>, ptr %p, align 16
          %e = extractelement <4 x i32> %v, i32 3
          ret i32 %e
        """
    )
    assert exit_code(program) == 50


# Odd integers


def test_odd_widths_in_memory_and_arithmetic() -> None:
    program = main(
        """
          %n = call i32 @__VERIFIER_nondet_int()
          %t = trunc i32 %n to i17
          %p = alloca i17
          store i17 %t, ptr %p
          %l = load i17, ptr %p
          %d = add i17 %l, 1
          %s = sext i17 %d to i32
          ret i32 %s
        """
    )
    assert exit_code(program, 0x2FFFF) == 0
    assert concrete(program, 0xFFFF).exit_code == 0
    assert exit_code(program, 41) == 42


def test_128_bits() -> None:
    program = main(
        """
          %n = call i64 @__VERIFIER_nondet_long()
          %w = zext i64 %n to i128
          %s = shl i128 %w, 64
          %m = mul i128 %s, 3
          %p = alloca i128
          store i128 %m, ptr %p
          %l = load i128, ptr %p
          %d = udiv i128 %l, 18446744073709551616
          %t = trunc i128 %d to i32
          %c = icmp eq i32 %t, 63
          br i1 %c, label %a, label %b
        a:
          ret i32 1
        b:
          ret i32 %t
        """
    )
    assert exit_code(program, 5) == 15
    found = explore(program)
    assert len(found.ways) == 2
    assert 1 in found.codes


def test_single_bits_in_memory() -> None:
    program = main(
        """
          %n = call i32 @__VERIFIER_nondet_int()
          %c = icmp eq i32 %n, 7
          %p = alloca i1
          store i1 %c, ptr %p
          %l = load i1, ptr %p
          %x = xor i1 %l, true
          %s = sext i1 %x to i32
          %u = zext i1 %l to i32
          %r = sub i32 %u, %s
          br i1 %x, label %a, label %b
        a:
          %k = add i32 %r, 10
          ret i32 %k
        b:
          ret i32 %r
        """
    )
    found = explore(program)
    assert found.codes == [1, 11]
