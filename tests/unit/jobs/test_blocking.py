"""What keeps paths from taking an outcome, as conditions on inputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import TestRequest
from clew.describe.c_text import Speller
from clew.execute.engine import Obstacle
from clew.execute.inputs import InputKind, InputRead
from clew.execute.state import InputRecord
from clew.expr import build
from clew.expr.node import Expr, symbol
from clew.expr.sort import bv
from clew.jobs.blocking import MANY, Words
from clew.jobs.test import run_test
from clew.report.listener import Listener
from clew.report.reasons import Blocking, WhyNot

CODE = """unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  if (a + b == 7) return 1;
  for (unsigned n = 0; n < 100000; n++) {
    unsigned char more = __VERIFIER_nondet_uchar();
    if (more == 'x') b++;
  }
  return b;
}
"""


def test_what_waiting_paths_need_is_told(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(CODE)
    request = TestRequest(
        (tmp_path / "p.c",), max_instructions=400, merge=False, summarize=False, invariants=False, navigate=False,
        search="dfs",
    )  # fmt: skip
    summary = run_test(request, Listener())
    found = {
        (branch.location.line, branch.outcome): (branch.reason.why, branch.reason.needs)
        for branch in summary.coverage.branches
        if branch.reason is not None and branch.reason.needs and branch.location is not None
    }
    assert found == {(4, "true"): (WhyNot.WAITING, "a + b == 7"), (7, "true"): (WhyNot.WAITING, "more == 'x'")}
    assert any("needs a + b == 7" in str(one["because"]) for one in summary.coverage.uncovered_to_json())


S, N = symbol("0", bv(24)), symbol("1", bv(32))


def _inputs() -> InputRecord:
    text = InputRead("s", "char[3]", InputKind.OBJECT, 24, (S,))
    return InputRecord(InputRecord(None, text), InputRead("n", "int", InputKind.NONDET, 32, (N,)))


def _condition(value: object) -> Expr:
    assert isinstance(value, Expr)
    return value


def test_elements_and_characters() -> None:
    first, last = build.extract(S, 7, 0), build.extract(S, 23, 16)
    needs = _condition(build.eq(first, 123, 8))
    others = [_condition(build.eq(first, last, 8)), _condition(build.eq(last, 48, 8))]
    found = Words().blocking(Obstacle(needs, frozenset(others), _inputs()))
    assert found == Blocking("s[0] == '{'", ("s[2] == '0'", "s[0] == s[2]"))
    elsewhere = _condition(build.eq(N, 5, 32))
    found = Words().blocking(Obstacle(needs, frozenset([*others, elsewhere]), _inputs()))
    assert found == Blocking("s[0] == '{'", ("s[2] == '0'", "s[0] == s[2]"), more=True)


def test_what_nobody_could_read_is_left_out() -> None:
    unknown = symbol("lifted", bv(32))
    assert Words().blocking(Obstacle(_condition(build.eq(unknown, 5, 32)), frozenset(), _inputs())) is None
    many = frozenset(_condition(build.ult(N, 1000 + n, 32)) for n in range(9))
    found = Words().blocking(Obstacle(_condition(build.eq(N, 5000, 32)), many, _inputs()))
    assert found is not None and found.needs == "n == 5000" and len(found.against) == MANY and found.more


def test_what_names_inputs_too_often_is_not_even_spelled(monkeypatch: pytest.MonkeyPatch) -> None:
    spelled: list[object] = []
    monkeypatch.setattr(Speller, "condition", lambda self, value: spelled.append(value) or "short")
    first = build.extract(S, 7, 0)
    value = N
    for number in range(40):  # a tree of 2 ** 40 leaves, whose parts are shared
        value = build.ite(build.ult(first, number, 8), build.add(value, 1, 32), build.mul(value, value, 32), bv(32))
    long, short = _condition(build.eq(value, 5, 32)), _condition(build.eq(N, 5, 32))
    assert Words().blocking(Obstacle(long, frozenset(), _inputs())) is None
    found = Words().blocking(Obstacle(short, frozenset((long,)), _inputs()))
    assert found == Blocking("short", (), more=True) and spelled == [short]


TEXT = """#include <string.h>
char __VERIFIER_nondet_char(void);
int main(void) {
  char s[3] = {__VERIFIER_nondet_char(), __VERIFIER_nondet_char(), 0};
  if (s[0] != 'a' || s[1] != 'b') return 0;
  for (int i = 0; i < 3; i++)
    if (strlen(s) != 2) return 1;
  for (unsigned n = 0; n < 100000; n++)
    if (__VERIFIER_nondet_char() == 'x') s[0]++;
  return 2;
}
"""


def test_what_characters_decide_is_said_why(tmp_path: Path) -> None:
    """Such siblings are not queued, but for the first of an outcome."""
    (tmp_path / "p.c").write_text(TEXT)
    request = TestRequest(
        (tmp_path / "p.c",), max_instructions=4000, merge=False, summarize=False, invariants=False, navigate=False,
        search="bfs",
    )  # fmt: skip
    summary = run_test(request, Listener())
    (reason,) = (
        branch.reason
        for branch in summary.coverage.branches
        if branch.location is not None and (branch.location.line, branch.outcome) == (7, "true")
    )
    assert reason is not None
    assert (reason.why, reason.paths) == (WhyNot.REFUTED, 1)
