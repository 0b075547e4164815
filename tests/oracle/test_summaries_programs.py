"""The programs with loops to summarize keep their promises, their truth is the truth, and wrong answers are noticed."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from oracle.summaries_compare import WAYS, compare
from oracle.summaries_native import HEAD, Native
from oracle.summaries_programs import draft, generate
from oracle.verify_native import NotEnumerable

SMALL = (
    HEAD
    + """\
static int table[4] = {0};
int main(void) {
  IN(n, int, int, -1, 5);
  IN(m, unsigned char, uchar, 254, 255);
  int t = 2147483646;
  for (int i = 0; COND(i < n); i++) {
    table[i] = 1;
    if (COND(i == 9)) t++;
  }
  switch (SWITCH(n)) {
  case 1: t += m - 254; break;
  case 7: t = 0; break;
  default: table[0]++;
  }
  assert(n != 3);
  if (COND(n == 2) && COND(m == 255)) reach_error();
  if (COND(table[0] == 2)) t = t / (n - 4);
  return 0;
}
"""
)
FIRST = HEAD.count("\n")
"""Lines before the program."""


@cache
def drafts(hostile: bool) -> str:
    return "".join(draft(Random(seed), hostile, 256) for seed in range(400))


def test_same_seed_same_program() -> None:
    drawn = generate(6)
    assert drawn == generate(6)
    assert drawn.source != generate(8).source
    assert drawn.source != generate(6, hostile=True).source


def test_every_input_is_tried(tmp_path: Path) -> None:
    """Inputs stay within their bounds, runs do not see what others left, errors end them."""
    truth = Native(SMALL, tmp_path).every_input()
    assert truth.runs == 14
    assert {(kind, line - FIRST) for kind, line in truth.bugs} == {
        ("out-of-bounds", 7), ("assert", 15), ("error-call", 16), ("division-by-zero", 17)
    }  # fmt: skip
    taken = {(line - FIRST, outcome) for line, outcome in truth.taken}
    assert {(6, "true"), (6, "false"), (8, "false"), (17, "true"), (16, "false")} < taken
    assert not {(8, "true"), (10, "7"), (10, "5")} & taken
    assert {outcome for line, outcome in taken if line == 10} == {"-1", "0", "1", "2", "3", "4"}


def test_overflow_is_an_error(tmp_path: Path) -> None:
    source = HEAD + "int main(void) {\n  IN(n, int, int, 0, 3);\n  int t = 2147483645;\n  t += n;\n  return 0;\n}\n"
    assert Native(source, tmp_path).every_input().bugs == {("signed-overflow", FIRST + 4)}
    assert Native(source.replace("+=", "-="), tmp_path).every_input().bugs == frozenset()


def test_single_tests_are_run(tmp_path: Path) -> None:
    runner = Native(SMALL, tmp_path)
    first, second, outside = runner.tests([(2, 255), (-1, 254), (6, 255)])
    assert {(kind, line - FIRST) for kind, line in first.bugs} == {("error-call", 16)}
    assert not second.bugs
    assert (FIRST + 6, "true") in first.taken
    assert (FIRST + 6, "true") not in second.taken
    assert not outside.taken
    with pytest.raises(NotEnumerable, match="starved"):
        runner.tests([(2,)])


def test_endless_programs_are_refused(tmp_path: Path) -> None:
    source = HEAD + "int main(void) {\n  IN(n, int, int, 0, 3);\n  while (COND(n >= 0)) n &= 3;\n  return 0;\n}\n"
    with pytest.raises(NotEnumerable, match="long"):
        Native(source, tmp_path).every_input()


@pytest.mark.sample(2)
@pytest.mark.parametrize(("hostile", "seeds"), [(False, (1, 4, 6, 8)), (True, (3, 5, 6, 9))])
def test_programs_are_worth_running(hostile: bool, seeds: tuple[int, ...]) -> None:
    """Those of seeds whose first draft is taken: others compile several."""
    family = [generate(seed, hostile) for seed in seeds]
    assert all(program.truth.steps >= 8 * program.truth.runs for program in family)
    assert sum(len(program.truth.bugs) for program in family) >= 2
    source = "".join(program.source for program in family)
    assert "LOOK" not in source


@pytest.mark.parametrize(
    "shape",
    [
        r"while \(COND\(", r"for \(; COND", r"do \{", r"for \(;;\)|while \(1\)", r"goto again", r"\) && COND",
        r"\w < in\d", r"\w <= in\d", r"\w > in\d", r"\w >= in\d", r"\w == in\d", r"\w != in\d", r"in\d+ < \w",
        r" \+= in\d+;", r" -= \d;", r"\+= \d\)", r"-= \d\)", r"\+= in\d+\)", r"\+\+\)",
        r"unsigned char v\d", r"signed char v\d", r"  short v\d", r"unsigned short v\d", r"unsigned v\d", r"long v\d",
        r"gcount", r"gtally\.[cnhul]", r"gcells\[2\]", r"\(\*p\d+\)", r"gcells\[in\d+ & 3\]",
        r"bump\d+\(&", r"tick\d+\(\)", r"next\d+\(", r"count\d+\(in\d", r"break;", r"return 0;", r"exit\(0\);",
        r"\n( +)(?:while|for|do) .*\n(?:\1  .*\n)*\1  (?:while|for|do)",
        r"IN\(in\d+, unsigned, uint, 4294967\d\d\dL", r"IN\(in\d+, int, int, \(-2147483647 - 1\)",
    ],
)  # fmt: skip
def test_the_family_has_every_shape(shape: str) -> None:
    assert re.search(shape, drafts(False))


@pytest.mark.parametrize(
    "shape",
    [
        r"\+= i\d+;", r"\^= ", r"\* 2\)", r"gtable\[\w+ & 7\]", r"gtable\[i\d+\]", r" {4,}IN\(", r"push\(&", r"pull\(&",
        r"nudge\(&", r"settle\(&", r"\? &v\d+ : &v\d+", r"goto out", r"continue;", r"j\d+ < i\d+", r"\+\+ < ",
        r"tally\(\) <", r"within\(", r"\(unsigned char\)250", r"\(signed char\)\(", r"/ 3 ", r"% 7", r"done\d+ == 0",
        r"switch \(SWITCH", r"100 / \(", r"2147483640", r"int \*p\d+ = gtable", r"->next", r"descend\(", r"spread\(",
        r"gpacked\.", r"gtruth ", r"gunion\.parts", r"memset\(", r"gtally = copy", r"case 1:\n",
        r"int \*p\d+ = malloc.*\n.*\n.*\n +free", r"int x\d+ = ",
        r"__VERIFIER_assume\([iv]", r"twice : upward", r"double d\d", r"\+= 1000;", r"malloc\(",
    ],
)  # fmt: skip
def test_the_hostile_family_has_every_shape(shape: str) -> None:
    assert re.search(shape, drafts(True).replace(HEAD, ""))


def test_a_wrong_answer_is_noticed(tmp_path: Path) -> None:
    program = tmp_path / "small.c"
    program.write_text(SMALL, encoding="utf-8")
    runner = Native(SMALL, tmp_path)
    truth = runner.every_input()

    def wrong(**other: object) -> str:
        return compare(program, replace(truth, **other), runner, WAYS["plain"], 20.0).wrong

    assert wrong() == ""
    case = (FIRST + 10, "7")
    assert wrong(taken=truth.taken | {case}).startswith("not covered, though the run came to its end")
    assert wrong(taken=truth.taken - {(FIRST + 6, "true")}).startswith("covered, but no input does")
    assert wrong(bugs=truth.bugs | {("assert", 3)}).startswith("not found, though the run came to its end")
    assert wrong(bugs=frozenset()).startswith("no input shows")
    other = Native(SMALL.replace("i < n", "i < n - 1"), tmp_path)
    assert "other than it says" in compare(program, truth, other, WAYS["plain"], 20.0).wrong
