"""The path of a bug: lines in order, outcomes, values; its middle is left out if it is long."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.jobs import path_trace
from clew.report.path import PathStep

from .test_test import job

CODE = """
static int half(int n) {
  int h = n / 2;
  if (h > 1000)
    h = 7;
  return h;
}
int main(void) {
  int x = nondet_int();
  char c = 'a';
  if (half(x) == 21)
    assert(x != 43);
  return c;
}
"""


def steps_of(folder: Path, code: str, kind: str = "") -> tuple[list[str], list[PathStep]]:
    code = "#include <assert.h>\n" + code.replace("nondet_int", "__VERIFIER_nondet_int")
    _, heard = job(folder, code)
    (bug,) = [bug for bug in heard.bugs if kind in ("", bug.kind)]
    text = code.splitlines()
    return [text[step.location.line - 1].strip() for step in bug.path], list(bug.path)


def test_each_line_in_order_with_what_variables_become(tmp_path: Path) -> None:
    lines, steps = steps_of(tmp_path, CODE)
    assert lines[0] == "int x = __VERIFIER_nondet_int();" and lines[-1] == "assert(x != 43);"
    assert lines.index("int h = n / 2;") > lines.index("if (half(x) == 21)")
    values = {name: value for step in steps for name, value in step.values}
    assert values["x"] == values["n"] == "43" and values["h"] == "21"
    outcomes = [(line, step.outcome) for line, step in zip(lines, steps, strict=True) if step.outcome]
    assert outcomes == [("if (h > 1000)", "false"), ("if (half(x) == 21)", "true"), ("assert(x != 43);", "false")]
    assert {step.function for step in steps} == {"main", "half"}


def test_the_middle_of_a_long_path_is_left_out_and_counted(tmp_path: Path) -> None:
    code = """int main(void) {
  int x = nondet_int();
  for (int i = 0; i < 900; i++)
    x ^= i;
  assert(x != 12345);
  return 0;
}
"""
    lines, steps = steps_of(tmp_path, code)
    assert len(steps) == path_trace.FIRST + path_trace.LAST
    (left_out,) = [step.skipped for step in steps if step.skipped]
    assert left_out + len(steps) > 1800 and steps[path_trace.FIRST].skipped == left_out
    assert lines[-1].startswith("assert")


def test_steps_are_the_same_whether_or_not_the_middle_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = """static int total;
static int odd(int n) { return n & 1; }
int main(void) {
  int x = nondet_int(), last = 0;
  for (int i = 0; i < 3000; i++) {
    if (odd(i))
      total += i;
    last = i;
  }
  assert(x != 12345 + last + total);
  return 0;
}
"""
    _, briefly = steps_of(tmp_path, code, "assert")
    monkeypatch.setattr(path_trace, "LATE", 1_000_000)
    _, closely = steps_of(tmp_path, code, "assert")
    assert briefly == closely and briefly[path_trace.FIRST].skipped > 10_000
    assert any(dict(step.values).get("last") == "2999" for step in briefly)


def test_a_pointer_is_told_by_what_it_points_to(tmp_path: Path) -> None:
    code = """int main(void) {
  int a[3] = {0};
  int *p = 0;
  if (nondet_int() == 7)
    p = a + 3;
  if (p) return *p;
  return 0;
}
"""
    _, steps = steps_of(tmp_path, code)
    values = [value for step in steps for name, value in step.values if name == "p"]
    assert values[0] == "NULL" and "a" in values[-1]


def test_global_variables_are_told_as_well(tmp_path: Path) -> None:
    code = """static int balance = 100;
static void withdraw(int amount) {
  if (amount <= balance)
    balance -= amount;
}
int main(void) {
  withdraw(nondet_int());
  assert(balance != 93);
  return 0;
}
"""
    lines, steps = steps_of(tmp_path, code, "assert")
    values = [
        (line, dict(step.values)["balance"])
        for line, step in zip(lines, steps, strict=True)
        if "balance" in dict(step.values)
    ]
    assert values == [("balance -= amount;", "93")]
