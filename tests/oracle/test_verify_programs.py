"""The programs for ``clew verify`` keep their promises, their truth is the truth, and shrinking shrinks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from oracle.test_generator import sanitizers_work
from oracle.verify_compare import PLAIN, assertions, compare
from oracle.verify_native import SANITIZERS, Truth, enumerate_inputs
from oracle.verify_programs import generate
from oracle.verify_shrink import shrink

SMALL = """\
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
static int count = 0;
int main(void) {
  int x = __VERIFIER_nondet_uchar() & 7;
  __VERIFIER_assume(x != 3);
  for (int i = 0; i < x; i++) {
    count++;
  }
  int y = 0;
  if (x > 4) {
    y = (__VERIFIER_nondet_uchar() & 1) + count;
  }
  assert(count == x);
  assert(y < 8);
  assert(y != 5);
  assert(y == 0);
  return 0;
}
"""


def test_same_seed_same_program() -> None:
    drawn = generate(7)
    assert drawn == generate(7)
    assert drawn.source != generate(8).source


def test_every_input_is_tried(tmp_path: Path) -> None:
    truth = enumerate_inputs(SMALL, tmp_path)
    assert truth.runs == 5 + 3 * 2  # 5, 6 and 7 come with a second input
    assert truth.failed == {14: 0, 15: 1, 16: 1, 17: 4}


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(2000, 2006))
def test_programs_are_free_of_undefined_behaviour(seed: int, tmp_path: Path) -> None:
    if not sanitizers_work(tmp_path):
        pytest.skip("no sanitizers with this compiler")
    drawn = generate(seed)
    assert enumerate_inputs(drawn.source, tmp_path, SANITIZERS) == drawn.truth


@pytest.mark.thorough
def test_the_family_has_every_feature_and_every_verdict() -> None:
    drawn = [generate(seed) for seed in (0, 3, 7, 10, 11, 20)]
    text = "".join(program.source for program in drawn)
    wanted = (
        "goto ", "switch (", "do {", "while (", "table[", "handler(", "memcpy(", "malloc(", "&& ", "|| ", "break;",
        "continue;", "__VERIFIER_assume(", "__VERIFIER_nondet_bool()", "->", "? &", "int **", "reach_error();",
        "struct node", "(unsigned char *)&", "put", "swap", "pick", "find", "fill", "step", "rec",
    )  # fmt: skip
    assert [word for word in wanted if word not in text] == []
    lines = [(program, line) for program in drawn for line in assertions(program.source)]
    violated = sum(line in program.truth.violated for program, line in lines)
    assert len(lines) // 8 < violated < len(lines) // 2
    assert len(lines) > 5 * len(drawn)


def test_a_wrong_verdict_is_noticed(tmp_path: Path) -> None:
    program = tmp_path / "small.c"
    program.write_text("#include <assert.h>\n" + SMALL, encoding="utf-8")
    truth = enumerate_inputs(program.read_text(), tmp_path)
    assert truth.violated == {16, 17, 18}
    assert not compare(program, truth, PLAIN, 10.0).wrong
    other = Truth(truth.runs, truth.reached, {15: 1, 16: 1, 17: 0, 18: 1})
    found = compare(program, other, PLAIN, 10.0)
    assert found.wrong == ("line 15: TRUE, should be FALSE", "line 17: FALSE, should be TRUE")


def test_shrinking_keeps_what_matters() -> None:
    """A stand-in for a disagreement: whatever stores to ``count`` in a loop, before something about it is asserted."""
    needed = re.compile(r"for \(.*\{\n +count\+\+;\n +\}\n(?:.*\n)* +assert\(count == ")
    small = shrink(SMALL, lambda source: bool(needed.search(source)))
    assert needed.search(small)
    assert len(small.splitlines()) == 8
    assert len(small) < 200
