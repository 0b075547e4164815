"""What generated code knows about values on the way through a tree: nothing twice, and nothing wrong after a phi."""

from __future__ import annotations

import re

from unit.execute.support import exit_code, explore, llvm

CHECKED = """
@table = global [16 x i32] zeroinitializer, align 16
define i32 @main() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %stored ]
  %sum = phi i32 [ 0, %entry ], [ %more, %stored ]
  %wide = zext i32 %i to i64
  %inside = icmp ult i64 %wide, 16
  br i1 %inside, label %good, label %done
good:
  %again = zext i32 %i to i64
  %p = getelementptr [16 x i32], ptr @table, i64 0, i64 %again
  %bits = ptrtoint ptr %p to i64
  %low = and i64 %bits, 3
  %aligned = icmp eq i64 %low, 0
  br i1 %aligned, label %stored, label %done
stored:
  store i32 %i, ptr %p
  %back = load i32, ptr %p
  %more = add i32 %sum, %back
  %next = add i32 %i, 1
  br label %loop
done:
  ret i32 %sum
}
"""


def test_a_checked_access_is_one_look_up() -> None:
    lines = [line.strip() for unit in explore(llvm(CHECKED)).run.compiler.units for line in unit.source.splitlines()]
    assert any(re.fullmatch(r"w4\[\d+\]\[v\d+\] = v\d+", line) for line in lines)
    assert any(re.fullmatch(r"v\d+ = r4\[\d+\]\[v\d+\]", line) for line in lines)
    assert not any(line.endswith("& 3)") or "& 3:" in line for line in lines)
    assert exit_code(llvm(CHECKED)) == sum(range(16))


def test_a_value_that_was_put_off_is_there_in_another_tree() -> None:
    program = llvm(
        """
        define i32 @main() {
        entry:
          %x = call i32 @__VERIFIER_nondet_int()
          %wide = sext i32 %x to i64
          %small = icmp slt i64 %wide, 10
          br i1 %small, label %left, label %right
        left:
          br label %join
        right:
          br label %join
        join:
          %which = phi i64 [ 1, %left ], [ 2, %right ]
          %sum = add i64 %wide, %which
          %cut = trunc i64 %sum to i32
          %same = icmp eq i32 %cut, 8
          br i1 %same, label %yes, label %no
        yes:
          ret i32 7
        no:
          ret i32 3
        }
        """
    )
    assert set(explore(program).codes) == {7, 3}


def test_phis_that_are_assigned_end_what_was_known() -> None:
    """``%old`` is one step behind ``%i``: the extension of the one is not that of the other."""
    program = llvm(
        """
        define i32 @main() {
        entry:
          br label %loop
        loop:
          %i = phi i32 [ 0, %entry ], [ %next, %turn ]
          %old = phi i64 [ 99, %entry ], [ %wide, %turn ]
          %wide = zext i32 %i to i64
          %next = add i32 %i, 1
          %more = icmp ult i32 %next, 5
          br i1 %more, label %turn, label %done
        turn:
          br label %loop
        done:
          %sum = add i64 %old, %wide
          %cut = trunc i64 %sum to i32
          ret i32 %cut
        }
        """
    )
    assert exit_code(program) == 3 + 4


STEPS = ("1", "-1", "7", "-7", "0", "2147483647", "(-2147483647 - 1)", "a")
STARTS = (2147483647, -2147483648, 0, 2147483640, -2147483641, 5)


def test_overflow_by_any_step() -> None:
    checks = [
        f"{{ int b = {step}, r; int over = __builtin_{name}_overflow(a, {step}, &r);"
        f" long long exact = (long long)a {sign} b; if (over != (exact != (int)exact) || r != (int)exact) return 1; }}"
        for name, sign in (("sadd", "+"), ("ssub", "-"))
        for step in STEPS
    ]
    starts = ", ".join(f"(int){start}ll" for start in STARTS)
    loop = f"for (int k = 0; k < {len(STARTS)}; k++) {{ int a = starts[k]; {' '.join(checks)} }}"
    body = f"int starts[] = {{{starts}}}; {loop}"
    assert exit_code(f"int main(void) {{ {body} return 0; }}") == 0
    assert set(
        explore(f"int main(void) {{ int a = __VERIFIER_nondet_int(); {' '.join(checks)} return 0; }}").codes
    ) == {0}
