"""Invariants in source terms: names, points, reasons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.describe.invariants import FactDescriber
from clew.execute.helpers import build_machine
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.models.registry import all_models
from clew.report.invariant_report import BranchNote, Facts, FunctionInvariants, HeadNote, InvariantReport
from clew.techniques.invariants.find import find
from unit.execute.support import PRELUDE


def teller(folder: Path, code: str, entry: str = "main") -> FactDescriber:
    file = folder / "p.c"
    file.write_text(f'{PRELUDE}\n#line 1 "p.c"\n{code}', encoding="utf-8")
    program = load([file], CompileOptions(("-w",)), None)
    invariants = find(build_machine(program, all_models()), entry, named=True)
    assert invariants is not None
    return FactDescriber(program, invariants)


def told(folder: Path, code: str, function: str = "main", entry: str | None = None) -> FunctionInvariants:
    return teller(folder, code, entry or function).function(function)


def texts(facts: Facts) -> list[str] | None:
    return None if facts is None else [fact.text for fact in facts]


def heads(note: FunctionInvariants) -> dict[str, list[str] | None]:
    return {point.name: texts(point.facts) for point in note.points if isinstance(point, HeadNote)}


def ways(note: FunctionInvariants) -> dict[tuple[int, str], list[str] | None]:
    """By line and outcome."""
    return {
        (point.location.line if point.location else 0, way.outcome): texts(way.facts)
        for point in note.points
        if isinstance(point, BranchNote)
        for way in point.outcomes
    }


HALVES = """int main(void) {
  int y = __VERIFIER_nondet_int(), x = 0;
  while (y > 0) { x = x + 1; y = y - 2; }
  if (x > 1117) return 1;
  return 0;
}
"""


def test_variables_inputs_and_counters(tmp_path: Path) -> None:
    note = told(tmp_path, HALVES)
    assert heads(note) == {"loop1": ["x == #loop1", "2*x == y@entry - y"]}
    assert ways(note)[3, "false"] == ["x == #loop1", "2*x == y@entry - y", "y <= 0"]
    assert set(ways(note)[4, "true"] or ()) - set(ways(note)[4, "false"] or ()) == {"x >= 1118"}
    left = [way.leaves for point in note.points if isinstance(point, BranchNote) for way in point.outcomes]
    assert left == [(), ("loop1",), (), ()]


def test_as_text(tmp_path: Path) -> None:
    lines = [text for text, _ in InvariantReport((told(tmp_path, HALVES),), domain="polyhedra").lines()]
    assert lines == [
        "main (p.c:1)",
        "  p.c:3, loop1",
        "    x == #loop1",
        "    2*x == y@entry - y",
        "    true: y >= 1",
        "  p.c:3, false: leaves loop1",
        "    x == #loop1",
        "    2*x == y@entry - y",
        "    y <= 0",
        "    if loop1 was entered: -1 <= y <= 0, x >= 1",
        "  p.c:4, branch: the same",
        "    true: x >= 1118",
        "    false: 0 <= x <= 1117",
    ]


def test_as_json(tmp_path: Path) -> None:
    data = json.loads(json.dumps(told(tmp_path, HALVES).to_json()))
    head, test, last = data["points"]
    assert (head["kind"], head["loop"], head["inside"], head["line"]) == ("loop", "loop1", None, 3)
    assert head["invariants"][1]["text"] == "2*x == y@entry - y"
    assert head["invariants"][1]["terms"] == {"x": 2, "y": 1, "y@entry": -1}
    assert (head["invariants"][1]["low"], head["invariants"][1]["high"]) == (0, 0)
    assert [(way["outcome"], way["leaves"], way["reachable"]) for way in test["outcomes"]] == [
        ("true", [], True),
        ("false", ["loop1"], True),
    ]
    assert "-1 <= y <= 0" in [fact["text"] for fact in test["outcomes"][1]["entered"]]
    assert last["kind"] == "branch" and last["line"] == 4


def test_dead_branches(tmp_path: Path) -> None:
    code = """int main(void) {
      int n = __VERIFIER_nondet_int(), i = 0, other = __VERIFIER_nondet_int();
      while (i < 10) i++;
      if (i > 10)
        return 1;
      if (other > 3) return 2;
      return 0;
    }
    """
    speaker = teller(tmp_path, code)
    note = speaker.function("main")
    assert ways(note)[4, "true"] is None
    assert "    true: never reached" in [text for text, _ in note.lines()]
    assert speaker.dead("main", "while.end") == "i == 10"


def test_a_reason_is_about_what_the_branch_depends_on(tmp_path: Path) -> None:
    code = """int main(void) {
      int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
      if (a < 0 || a > 9 || b < 0 || b > 9) return 0;
      int sum = a + 3;
      if (sum > 20) return 1;
      return b;
    }
    """
    speaker = teller(tmp_path, code)
    assert speaker.dead("main", "if.end") == "3 <= sum <= 12"


def test_a_reason_may_be_a_relation(tmp_path: Path) -> None:
    code = """int main(void) {
      int n = __VERIFIER_nondet_int(), x = 0, y = n;
      while (y > 0) { x++; y--; }
      if (n > 0 && x + y != n) return 1;
      return 0;
    }
    """
    assert "n == x + y" in teller(tmp_path, code).dead("main", "land.lhs.true").split(", ")


def test_a_reason_may_follow_from_others(tmp_path: Path) -> None:
    """``x <= n``, since ``n == x + y`` and ``y >= 0``; bounds of each would be true, and no reason."""
    code = """int main(void) {
      int n = __VERIFIER_nondet_int(), x = 0, y = n;
      if (n < 0 || n > 1000) return 0;
      while (y > 0) { x++; y--; if (x > n) return 1; }
      return 0;
    }
    """
    assert teller(tmp_path, code).dead("main", "while.body").split(", ")[0] == "n >= x"


def test_a_reason_may_be_what_a_function_returns(tmp_path: Path) -> None:
    code = """static int f(int n) { int i = 0; while (i < n) i++; return i; }
    int main(void) {
      int n = __VERIFIER_nondet_int();
      if (n < 0 || n > 1000) return 0;
      if (f(n) < 0) return 1;
      return 0;
    }
    """
    assert teller(tmp_path, code).dead("main", "if.end") == "0 <= f() <= 1000"


@pytest.mark.slow
def test_loops_in_loops(tmp_path: Path) -> None:
    code = """int main(void) {
      int k = 0;
      for (int i = 0; i < 6; i++)
        for (int j = 0; j < 4; j++)
          k += 5;
      return k;
    }
    """
    note = told(tmp_path, code)
    assert list(heads(note)) == ["loop1", "loop2"]
    assert "k == 5*#loop2@loop1" in (heads(note)["loop2"] or [])
    assert "0 <= #loop1 <= 6" in (heads(note)["loop1"] or [])
    inner = next(point for point in note.points if isinstance(point, HeadNote) and point.name == "loop2")
    assert (inner.depth, inner.inside) == (2, "loop1")


def test_parameters_of_the_entry(tmp_path: Path) -> None:
    note = told(tmp_path, "int f(int n) { int x = 7; while (n > 0) { n--; x++; if (x > 99) break; } return x; }", "f")
    assert (heads(note)["loop1"] or [])[:2] == ["x == #loop1 + 7", "n == n@entry - x + 7"]


def test_functions_that_are_called_twice_are_told_once(tmp_path: Path) -> None:
    code = """static int limit(int v, int most) {
      if (v > most) return most;
      return v;
    }
    int main(void) {
      return limit(__VERIFIER_nondet_int(), 5) + limit(__VERIFIER_nondet_int(), 9);
    }
    """
    note = told(tmp_path, code, "limit", "main")
    assert note.calls == 2
    assert "5 <= most <= 9" in (ways(note)[2, "true"] or [])
    assert "v > most" in (ways(note)[2, "true"] or [])


def test_memory(tmp_path: Path) -> None:
    code = """short table[3];
    int unused;
    struct { int a; short b; } s;
    int main(void) {
      int x = __VERIFIER_nondet_int(), *p = &x;
      table[1] = 7; s.b = 4;
      if (x > 3) { *p = 9; }
      if (x > 9) return 1;
      return 0;
    }
    """
    facts = ways(told(tmp_path, code))[8, "false"] or []
    assert {"table[1] == 7", "s.b == 4"} <= set(facts)
    assert not any("unused" in text for text in facts)
    assert ways(told(tmp_path, code))[8, "true"] is None


def test_names_that_are_there_twice(tmp_path: Path) -> None:
    code = """int main(void) {
      int x = 1;
      {
        int x = 2;
        if (__VERIFIER_nondet_int()) return x;
      }
      return x;
    }
    """
    assert ways(told(tmp_path, code))[5, "true"] == ["x:2 == 1", "x:4 == 2"]


def test_inputs_read_in_a_loop(tmp_path: Path) -> None:
    code = """int main(void) {
      int sum = 0;
      for (int i = 0; i < 9; i++) {
        int v = __VERIFIER_nondet_int();
        if (v < 0 || v > 4) break;
        sum += v;
      }
      return sum;
    }
    """
    facts = heads(told(tmp_path, code))["loop1"] or []
    assert "v@entry" not in " ".join(facts)
    assert any("sum" in text for text in facts)


def test_bits_that_are_read_in_another_way(tmp_path: Path) -> None:
    """An unsigned variable that is only ever compared as a signed one."""
    code = """int main(void) {
      unsigned u = __VERIFIER_nondet_int();
      int a = u, b = u, c = u, d = u;
      if ((int)u < -5) { if (a < b + c + d) return 1; return 2; }
      return 0;
    }
    """
    facts = ways(told(tmp_path, code))[4, "true"] or []
    assert facts and not any(text.startswith("u <= -") for text in facts)


@pytest.mark.parametrize(
    "code",
    [
        "int main(void) { double d = 0; while (d < 3.0) d += 0.5; return d > 2; }",
        "int main(void) { int x = __VERIFIER_nondet_int(); while (1) x ^= x << 1; }",
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x) goto in; do { x--; in: x -= 2; } while (x > 0); }",
        "int a[9]; int main(void) { int *p = a; while (p < a + 9) *p++ = 1; return a[3] == 1; }",
        "int f(int n) { return n < 1 ? 0 : f(n - 1) + 1; } int main(void) { if (f(3) > 2) return 1; return 0; }",
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x / 3 > x % 7) return x * x > 4; return 0; }",
    ],
)
def test_what_is_hard_to_follow_is_still_told(tmp_path: Path, code: str) -> None:
    note = told(tmp_path, code)
    assert note.points and all(text for text, _ in note.lines())
