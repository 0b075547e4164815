"""Phis, switches and computed jumps, concrete and symbolic, in small LLVM programs."""

from __future__ import annotations

import pytest

from unit.execute.support import exit_code, explore, llvm, main

# Phis


def test_phis_are_assigned_at_once() -> None:
    """A swap in a loop: after an odd number of turns the values are exchanged."""
    program = main(
        """
        entry:
          %n = call i32 @__VERIFIER_nondet_int()
          br label %loop
        loop:
          %a = phi i32 [ 10, %entry ], [ %b, %loop ]
          %b = phi i32 [ 20, %entry ], [ %a, %loop ]
          %i = phi i32 [ 0, %entry ], [ %j, %loop ]
          %j = add i32 %i, 1
          %c = icmp ult i32 %j, %n
          br i1 %c, label %loop, label %done
        done:
          %r = sub i32 %a, 0
          ret i32 %r
        """
    )
    assert [exit_code(program, n) for n in (1, 2, 3, 4)] == [10, 20, 10, 20]


def test_phi_of_a_phi_in_the_same_block_uses_the_old_value() -> None:
    program = main(
        """
        entry:
          br label %loop
        loop:
          %new = phi i32 [ 1, %entry ], [ %next, %loop ]
          %old = phi i32 [ 0, %entry ], [ %new, %loop ]
          %next = add i32 %new, %old
          %c = icmp ult i32 %next, 50
          br i1 %c, label %loop, label %done
        done:
          %r = mul i32 %old, 1
          ret i32 %r
        """
    )
    assert exit_code(program) == 21


# Switches and indirect branches

SWITCH = """
  %n = call i32 @__VERIFIER_nondet_int()
  switch i32 %n, label %d [
    i32 1, label %a
    i32 2, label %a
    i32 -5, label %b
    i32 9, label %d
  ]
a:
  ret i32 1
b:
  ret i32 2
d:
  ret i32 3
"""


def test_values_are_computed_anew_when_a_loop_without_phis_is_closed() -> None:
    code = """
    unsigned g, turns, out;
    int main(void) {
      unsigned x, y, z;
      do {
        x = g;
        y = x + 1;
        while (turns < y * 3) turns++;
        z = x + 1;
        out = out * 3 + z;
        g = z * 2;
      } while (out < 100);
      return turns;
    }
    """
    assert exit_code(code) == 93


def test_switch() -> None:
    program = main(SWITCH)
    assert [exit_code(program, n) for n in (1, 2, -5, 9, 0, 77)] == [1, 1, 2, 3, 3, 3]


def test_symbolic_switch_has_one_path_per_target() -> None:
    found = explore(main(SWITCH))
    assert found.codes == [1, 2, 3]
    for way in found.ways:
        value = way.inputs[0]
        assert {1: value in (1, 2), 2: value == -5, 3: value not in (1, 2, -5)}[way.code]


@pytest.mark.parametrize("width", (8, 64))
def test_switch_on_other_widths(width: int) -> None:
    name = {8: "uchar", 64: "long"}[width]
    program = main(
        f"""
          %n = call i{width} @__VERIFIER_nondet_{name}()
          switch i{width} %n, label %d [
            i{width} -1, label %a
          ]
        a:
          ret i32 1
        d:
          ret i32 2
        """
    )
    assert exit_code(program, -1) == 1
    assert explore(program).codes == [1, 2]


def test_switch_on_a_single_bit() -> None:
    body = """
      %n = call i32 @__VERIFIER_nondet_int()
      %c = icmp sgt i32 %n, 5
      switch i1 %c, label %d [
        i1 true, label %a
      ]
    a:
      ret i32 1
    d:
      ret i32 2
    """
    assert explore(main(body)).codes == [1, 2]
    assert [exit_code(main(body), n) for n in (6, 5)] == [1, 2]


COMPUTED = """
  @table = constant [3 x ptr] [ptr blockaddress(@main, %a), ptr blockaddress(@main, %b), ptr blockaddress(@main, %c)]
  define i32 @main() {
    %n = call i32 @__VERIFIER_nondet_int()
    %ok = icmp ult i32 %n, 3
    br i1 %ok, label %go, label %out
  go:
    %i = zext i32 %n to i64
    %p = getelementptr [3 x ptr], ptr @table, i64 0, i64 %i
    %t = load ptr, ptr %p
    indirectbr ptr %t, [label %a, label %b, label %c]
  a:
    ret i32 1
  b:
    ret i32 2
  c:
    ret i32 3
  out:
    ret i32 4
  }
"""


def test_computed_goto() -> None:
    assert [exit_code(llvm(COMPUTED), n) for n in range(4)] == [1, 2, 3, 4]
    assert explore(llvm(COMPUTED)).codes == [1, 2, 3, 4]


def test_computed_goto_to_no_label_is_a_bug() -> None:
    program = main(
        """
          %t = inttoptr i64 12345 to ptr
          indirectbr ptr %t, [label %a]
        a:
          ret i32 1
        """
    )
    assert explore(program).kinds == ["other"]
