"""The programs for ``clew reach`` keep their promises, their truth is the truth, and wrong answers are noticed."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

from oracle.reach_compare import Way, compare
from oracle.reach_native import CHECKED, Replay, reached_targets, targets
from oracle.reach_programs import draft, generate
from oracle.test_generator import sanitizers_work

SMALL = """\
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern void __VERIFIER_assume(int);
static int sink = 0;
static void target2(void) { T2: sink = 2; }
static int count = 2147483645;
int main(void) {
  int x = __VERIFIER_nondet_uchar() & 7;
  int y = __VERIFIER_nondet_short(); if (y < -2 || y > 2) return 0;
  int z = __VERIFIER_nondet_short(); __VERIFIER_assume(z >= 1 && z <= 2);
  for (int i = 0; i < x; i++) {
    count++;
    if (y == 3) {
      T0: ;
    }
  }
  if (count < 0 && y == -2) {
    T1: sink = 1;
  }
  if (count == 2147483645 + z + z) target2();
  if (x == 5) abort();
  if (x == 5) {
    T3: sink = 3;
  }
  return 0;
}
"""


@cache
def drafts() -> str:
    return "".join(draft(Random(seed), 256) for seed in range(300))


def test_same_seed_same_program() -> None:
    drawn = generate(7)
    assert drawn == generate(7)
    assert drawn.source != generate(8).source


def test_every_input_is_tried(tmp_path: Path) -> None:
    """Signed overflow wraps, restricted inputs stay within their bounds, abort ends a run."""
    assert [(target.number, target.kind) for target in targets(SMALL)] == [
        (2, "call"),
        (0, "label"),
        (1, "line"),
        (3, "line"),
    ]
    assert reached_targets("#include <stdlib.h>\n" + SMALL, tmp_path) == {1, 2}


def test_a_test_is_run_as_the_program_stands(tmp_path: Path) -> None:
    replay = Replay("#include <stdlib.h>\n" + SMALL, tmp_path)
    assert replay.meets([3, -2, 1]) == {1}
    assert replay.meets([4, 0, 2]) == {2}
    assert replay.meets([3 + 8, (1 << 16) - 2, 1]) == {1}
    assert replay.meets([3, -3, 1]) == frozenset()
    assert replay.meets([3, -2, 3]) == frozenset()


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(2000, 2004))
def test_programs_are_free_of_undefined_behaviour(seed: int, tmp_path: Path) -> None:
    if not sanitizers_work(tmp_path):
        pytest.skip("no sanitizers with this compiler")
    drawn = generate(seed)
    assert reached_targets(drawn.source, tmp_path, CHECKED) == drawn.reached


@pytest.mark.thorough
def test_both_verdicts_are_common() -> None:
    family = [generate(seed) for seed in range(8, 16)]
    total = sum(len(targets(program.source)) for program in family)
    reached = sum(len(program.reached) for program in family)
    assert total > 3 * len(family)
    assert total // 3 < reached < total * 2 // 3
    assert "reach_error();" in "".join(program.source for program in family)
    kinds = {target.kind for program in family for target in targets(program.source)}
    assert kinds == {"line", "label", "call"}


@pytest.mark.parametrize(
    "shape",
    [
        r"\+= \d+\)", r"-= \d+\)", r"\*= [23]\)", r"<<= 1\)", r"/= [23]\)", r"[+-]= c\d+\)",  # steps
        r"for \(.* (in\d+|\d+); ", r"\n  for \(.*\n(?:    .*\n)*? +for \(\w+ i\d+ = 0; i\d+ <=? i\d+",  # bounds
        r"do \{", r"while \(1\) \{|for \(;;\) \{", r"while \(u\d+", r"goto again", r"switch \(", r"while \(k\d+ < ",
        r"break;", r"continue;", r"return 0;", r"exit\(0\);", r"abort\(\);",
        r"unsigned char v\d+", r"short v\d+", r"long v\d+", r"unsigned v\d+", r"= 2147483645;", r"gother =",
        r"gcells\[in\d+ & 3\]", r"\(\*p\d+\)", r"gtally\.", r"bump\d+\(&", r"step\d+\(\(int\)", r"tick\d+\(",
        r"good\d+\(", r"count\d+\((in\d+|\d), ", r"check\d+\(\(int\)",
        r"\[k\] = __VERIFIER", r"= __VERIFIER_nondet_\w+\(\); (__VERIFIER_assume|if)", r" {4,}int in\d+ = __VERIFIER",
        r"\n  for \(.*\n(?:    .*\n)*? +observe", r"static void check.*\n(?: .*\n)*? +observe",
    ],
)  # fmt: skip
def test_the_family_has_every_shape(shape: str) -> None:
    assert re.search(shape, drafts())


def test_a_wrong_answer_is_noticed(tmp_path: Path) -> None:
    program = tmp_path / "small.c"
    program.write_text("#include <stdlib.h>\n" + SMALL, encoding="utf-8")
    plain = (Way("plain"),)
    assert [answer.wrong for answer in compare(program, frozenset({1, 2}), plain, 10.0)] == [""] * 4
    wrong = [answer.wrong for answer in compare(program, frozenset({0, 2}), plain, 10.0)]
    assert wrong[0] == wrong[3] == ""
    assert wrong[1].startswith("UNREACHABLE, should be REACHED")
    assert wrong[2].startswith("REACHED, should be UNREACHABLE")
