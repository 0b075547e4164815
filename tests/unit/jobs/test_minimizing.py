"""The shortest way to a bug, and what its inputs are for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew.base.errors import UserError
from clew.cli.app import run
from clew.jobs.minimizing import minimized
from clew.jobs.shrinking import plainer, purposes, spots
from clew.report.minimal import Minimal
from clew.report.path import PathStep
from clew.report.values import InputValue

BRACES = """#include <klee/klee.h>
#include <assert.h>
int main(void) {
  char s[5];
  klee_make_symbolic(s, sizeof s, "s");
  int open = 0;
  for (int i = 0; i < 5 && s[i]; i++) {
    if (s[i] == '{') open++;
    if (open == 2 && s[i] == '!') assert(0);
  }
  return 0;
}
"""


def _tested(folder: Path, code: str, *words: str) -> tuple[Path, dict[str, Any]]:
    (folder / "p.c").write_text(code)
    assert run(["test", str(folder / "p.c"), "--out", str(folder / "o"), "--quiet", "--time", "60", *words]) == 1
    summary = json.loads((folder / "o" / "summary.json").read_bytes())
    return folder / "o", summary


def _minimized(out: Path, summary: dict[str, Any]) -> Minimal:
    return minimized(out, summary, summary["bugs"][0], 60.0, lambda step: f"line {step.location.line}")


def test_a_path_through_a_loop(tmp_path: Path) -> None:
    found = _minimized(*_tested(tmp_path, BRACES, "--search", "dfs"))
    assert found.inputs[0].value == b"{{!\0\0"
    assert found.is_shortest and found.instructions <= found.instructions_before
    assert {one.name: (one.value, one.text) for one in found.purposes} == {
        "s[0]": ("'{'", "decides line 8 (true): line 8"),
        "s[1]": ("'{'", "decides line 8 (true): line 8"),
        "s[2]": ("'!'", "decides line 9 (true): line 9"),
    }
    assert [step.outcome for step in found.steps if step.location.line == 8 and step.outcome] == [
        "true",
        "true",
        "false",
    ]


def test_options_of_the_run_hold(tmp_path: Path) -> None:
    code = """
    #include <stdio.h>
    int main(void) {
      int c, n = 0;
      while ((c = getchar()) != EOF)
        if (c != ' ' && ++n == 2) return 10 / (c - 'x');
      return 0;
    }
    """
    found = _minimized(*_tested(tmp_path, code, "--stdin", "6"))
    length, text = found.inputs
    assert length.value == 2 and isinstance(text.value, bytes) and text.value[1:] == b"x\0\0\0\0"
    assert (
        {"stdin length", "stdin[1]"} <= {one.name for one in found.purposes} <= {"stdin length", "stdin[0]", "stdin[1]"}
    )


def test_functions_with_memory(tmp_path: Path) -> None:
    code = "struct t { int n; struct t *next; };\nint f(struct t *p) { return p && p->next ? 10 / p->next->n : 0; }\n"
    found = _minimized(*_tested(tmp_path, code, "--function", "f"))
    assert found.is_shortest and found.steps[-1].function == "f"


def test_what_cannot_be_found_out_is_said(tmp_path: Path) -> None:
    out, summary = _tested(tmp_path, BRACES)
    possible = {**summary["bugs"][0], "rests_on": "depends on callers"}
    with pytest.raises(UserError, match="not certain"):
        minimized(out, summary, possible, 9.0, lambda step: "")
    (tmp_path / "p.c").write_text(BRACES + "\n")
    with pytest.raises(UserError, match="has changed"):
        _minimized(out, summary)


def _bytes(text: bytes) -> tuple[InputValue, ...]:
    return (InputValue("s", "char[4]", 32, text, "object"), InputValue("n", "int", 32, 1000))


def test_inputs_become_plain() -> None:
    def length(inputs: tuple[InputValue, ...]) -> int | None:
        text, number = inputs[0].value, inputs[1].value
        assert isinstance(text, bytes) and isinstance(number, int)
        return 10 + (text[0] != 0) if text[2] == 7 and number >= 300 else None

    assert [value.value for value in plainer(_bytes(b"\1\2\7\4"), length)] == [b"\0\0\7\0", 300]
    assert plainer(_bytes(b"\1\2\3\4"), length) == _bytes(b"\1\2\3\4"), "what shows nothing stays as it is"


def test_pointers_and_memory_stay_as_they_are() -> None:
    memory = InputValue("*p", "int", 64, 4, "memory")
    assert spots((memory, *_bytes(b"ab"))) == [(1, 0), (1, 1), (2, -1)]


def test_an_input_that_decides_the_failure_itself() -> None:
    def trace(inputs: tuple[InputValue, ...]) -> tuple[bool, tuple[PathStep, ...]]:
        return inputs[1].value == 1000, ()

    assert [(one.name, one.text) for one in purposes(_bytes(b"ab"), trace, lambda step: "")] == [
        ("n", "decides the failure itself")
    ]


def test_what_is_executed_right_before_a_failure_counts(tmp_path: Path) -> None:
    code = """int table[4];
int main(int argc, char **argv) {
  table[argc + 3] = 1;
  return 0;
}
"""
    found = _minimized(*_tested(tmp_path, code))
    assert found.instructions == found.instructions_before >= 3  # an addition, an address, a store
