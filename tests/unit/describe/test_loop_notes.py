"""Loops in source terms: chains, functions of counters, ways out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.describe.loops import notes_of, own_functions
from clew.execute.helpers import build_machine
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.models.registry import all_models
from clew.report.loop_report import FunctionLoops, LoopNote, LoopReport
from unit.execute.support import PRELUDE


def report(folder: Path, code: str, function: str | None = None) -> LoopReport:
    file = folder / "p.c"
    file.write_text(f'{PRELUDE}\n#line 1 "p.c"\n{code}', encoding="utf-8")
    program = load([file], CompileOptions(("-w",)), None)
    names = own_functions(program) if function is None else [function]
    return LoopReport(tuple(notes_of(build_machine(program, all_models()), names)))


def only(folder: Path, code: str) -> LoopNote:
    """The one loop of a program."""
    (function,) = report(folder, code).functions
    (loop,) = function.loops
    return loop


def told(loop: LoopNote) -> list[str]:
    return [variable.text for variable in loop.variables]


def chains(loop: LoopNote) -> dict[str, list[str]]:
    return {chain.condition: list(chain.updates) for chain in loop.chains}


def test_sums(tmp_path: Path) -> None:
    code = """int f(const int *t, int n) {
      int ones = 0, rest = 5;
      for (int i = 0; i < n; i++)
        if (t[i] == 1) ones++;
        else rest -= 2;
      return ones + rest;
    }
    """
    loop = only(tmp_path, code)
    assert chains(loop) == {
        "i < n && t[i] == 1": ["ones += 1", "i += 1"],
        "i < n && t[i] != 1": ["rest -= 2", "i += 1"],
    }
    assert told(loop) == ["ones = k1 (modulo 2^32)", "rest = 5 - 2 * k2 (modulo 2^32)", "i = k1 + k2 (exact)"]
    assert loop.counting == ("i",)
    (way,) = loop.exits
    assert (way.condition, way.before) == ("k1 + k2 >= n", ("k1 + k2 - 1 < n",))
    assert way.location is not None and way.location.line == 3


def test_products_and_what_is_set(tmp_path: Path) -> None:
    code = """int f(int n, int c) {
      unsigned x = 5, seen = 0, run = 7;
      while (n > 0) {
        x *= 3;
        if (n == c) seen = 1;
        else if (n == c + 1) run = 0;
        else run++;
        n--;
      }
      return x + seen + run;
    }
    """
    loop = only(tmp_path, code)
    functions = {variable.name: (variable.kind, variable.function) for variable in loop.variables}
    assert functions["x"][0] == "product"
    assert functions["x"][1] == "5 * 3^k1 * 3^k2 * 3^k3"
    assert functions["seen"] == ("set", "1 once k1 > 0; 0 before")
    assert functions["run"] == ("set", "0 + k3 since c2; 7 + k3 before")
    assert functions["n"] == ("sum", "n0 - k1 - k2 - k3")


def test_nested_loops(tmp_path: Path) -> None:
    code = """int f(int n, int m) {
      int count = 0;
      for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++)
          if (j < m) count++;
      return count;
    }
    """
    outer = only(tmp_path, code)
    (inner,) = outer.loops
    assert (outer.depth, inner.depth) == (1, 2)
    assert chains(outer) == {"i < n && k2 + k3 >= 4": ["count += step with 0 <= step <= 4", "i += 1"]}
    assert told(outer)[0] == "count = steps1 with 0 <= steps1 <= 4 * k1 (modulo 2^32)"
    assert told(inner) == ["count = count0 + k2 (modulo 2^32)", "j = k2 + k3 (exact)"]
    assert inner.exits[0].condition == "k2 + k3 >= 4"


def test_memory_has_names(tmp_path: Path) -> None:
    code = """struct { int x, y[3]; } point;
    static int total;
    int f(int n) {
      int local[2] = {0, 1};
      for (int i = 0; i < n; i++) {
        total += 2;
        point.y[1]++;
        local[1]--;
      }
      return local[1];
    }
    """
    assert told(only(tmp_path, code)) == [
        "i = k1 (exact)",
        "total = total0 + 2 * k1 (modulo 2^32)",
        "point.y[1] = old point.y[1] + k1 (modulo 2^32)",
        "local[1] = old local[1] - k1 (modulo 2^32)",
    ]


def test_what_cannot_be_told(tmp_path: Path) -> None:
    code = """double f(double d, int *p) {
      while (d < 100.0) {
        d *= 1.5;
        p = *(int **)p;
      }
      return d + *p;
    }
    """
    loop = only(tmp_path, code)
    assert loop.counting == ()
    assert {variable.name: variable.kind for variable in loop.variables}["d"] == "unknown"
    assert [way.condition for way in loop.exits] == ["!(d < 100.0)"]


def test_every_loop_is_told_of(tmp_path: Path) -> None:
    """Also those that no way to a return leads through."""
    code = """void f(unsigned n) {
      for (;;) {
        n++;
        if (n == 7)
          for (int j = 0; j < 9; j++) __VERIFIER_nondet_int();
      }
    }
    int g(int n) {
      while (n > 3) return 4;
      do n++; while (n < 9);
      return n;
    }
    """
    found = report(tmp_path, code).functions
    assert [(function.name, len(function.loops)) for function in found] == [("f", 1), ("g", 1)]
    assert len(found[0].loops[0].loops) == 1


def test_functions(tmp_path: Path) -> None:
    code = """static int inner(int n) { int s = 0; while (n-- > 0) s++; return s; }
    int none(int x) { return x; }
    int outer(int n) { int s = 0; for (int i = 0; i < n; i++) s += inner(2); return s; }
    int jumps(int n) { int i = 0; if (n > 4) goto in; while (i < n) { i++; in: i += 2; } return i; }
    """
    found = {function.name: function for function in report(tmp_path, code).functions}
    assert list(found) == ["inner", "outer", "jumps"]
    assert len(found["outer"].loops) == 1
    assert found["jumps"].unsupported == "a loop of jumps that is entered by goto"
    assert [function.name for function in report(tmp_path, code, "outer").functions] == ["outer"]


def test_text_and_json(tmp_path: Path) -> None:
    code = """int f(int n) {
      int i;
      for (i = 0; i < n; i += 4) {}
      return i == 15;
    }
    """
    found = report(tmp_path, code)
    assert [text for text, _ in found.lines()] == [
        "f (p.c:1)",
        "  loop at p.c:3",
        "    c1   when i < n: i += 4",
        "    i = 4 * k1 (modulo 2^32)",
        "    leaves at p.c:3 when 4 * k1 >= n",
        "      one iteration earlier, if there was one: 4 * k1 - 4 < n",
        "    closure: exact",
    ]
    (function,) = json.loads(json.dumps(found.to_json()))["functions"]
    assert (function["function"], function["line"]) == ("f", 1)
    (loop,) = function["loops"]
    assert loop["chains"] == [{"chain": "c1", "counter": "k1", "condition": "i < n", "updates": ["i += 4"]}]
    assert loop["variables"][0]["function"] == "4 * k1"
    assert loop["exits"][0]["before"] == ["4 * k1 - 4 < n"]


def test_no_loops(tmp_path: Path) -> None:
    found = report(tmp_path, "int main(void) { return 0; }")
    assert (found, found.lines()) == (LoopReport(), [("no loops", "")])


@pytest.mark.parametrize("name", ["jumps", "f"])
def test_a_function_that_is_not_supported_says_so(name: str) -> None:
    note = FunctionLoops(name, None, (), "something")
    assert [text for text, _ in note.lines()] == [name, "  chains do not support something"]


def test_members_by_their_names(tmp_path: Path) -> None:
    """LLVM has numbers for members; the names are those of the records in debug info that fit."""
    code = """struct image { unsigned width; struct { int x, y; } at; char depth; };
    unsigned f(struct image *image) {
      unsigned x = 0;
      while (x < image->width && image->at.y > 3) x++;
      return x;
    }
    """
    (condition,) = chains(only(tmp_path, code))
    assert condition in ("image->at.y >= 4 && x < image->width", "x < image->width && image->at.y >= 4")


def test_members_of_records_that_differ(tmp_path: Path) -> None:
    """Two records of one size call the same place differently: no name is better than a wrong one."""
    code = """struct one { int first, second; } a;
    struct two { int left, right; } b;
    int f(struct two *t) {
      int x = 0;
      while (x < t->right) x++;
      return x + a.first + b.left;
    }
    """
    (condition,) = chains(only(tmp_path, code))
    assert condition == "x < t->field1"


@pytest.mark.parametrize(
    ("body", "closure"),
    [
        ("for (unsigned i = 0; i < n; i++) x += 2;", "exact"),
        ("for (unsigned i = 0; i < n; i++) x = x * x + i;", "approximate ("),
        ("for (unsigned i = 0; i < n; i++) *p++ = 1;", "none ("),
    ],
)
def test_closure(tmp_path: Path, body: str, closure: str) -> None:
    loop = only(tmp_path, f"unsigned f(unsigned n, unsigned *p) {{ unsigned x = 0; {body} return x; }}")
    assert loop.closure.startswith(closure)
    assert loop.closure == "exact" or loop.closure.endswith(")")


def test_closure_of_a_nest(tmp_path: Path) -> None:
    """The reason is told once, however deep it lies."""
    code = """void f(int *p, int n) {
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          for (int k = 0; k < n; k++) *p++ = 1;
    }
    """
    assert only(tmp_path, code).closure.count("of an inner loop") == 1
