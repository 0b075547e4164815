"""Brief functions: a call runs in place, and everything is as if it had a frame of its own."""

from __future__ import annotations

import pytest

from clew.analysis.callees import Callees
from clew.execute import engine
from clew.execute.codegen import compiled
from clew.execute.codegen.brief import MOST, is_brief
from clew.models.registry import all_models
from clew.report.records import BranchId
from unit.execute.support import Exploration, Way, c_program, exit_code, explore, llvm

PROGRAM = """
#include <stdlib.h>
static int numbers[4] = {4, 2, 7, 1};
static int smaller(const int *a, const int *b) { return *a < *b; }
static void swap(int *a, int *b) { int kept = *a; *a = *b; *b = kept; }
static int rank(int x) {
  if (x < 0) return x == -7 ? -2 : -1;
  switch (x) { case 0: return 0; case 3: return 30; case 9: return 90; }
  return 100 / (x - 5);
}
static int pick(int n, const int *from) { return from[n]; }
static int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += rank(i + 10); return s; }
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  int a = rank(x);
  if (y > 2 && y < 7) { numbers[0] = y; swap(&numbers[0], &numbers[3]); }
  if (smaller(&numbers[0], &numbers[3])) a++;
  if (x == 77) a += pick(y, numbers);
  if (x == 78) { swap(&numbers[1], &x); a += x + sum(3); }
  return a;
}
"""


def outcome(explored: Exploration) -> tuple[tuple[Way, ...], int, int, set[BranchId]]:
    """All that can be seen of an exploration."""
    return (
        explored.ways,
        explored.run.statistics.instructions,
        explored.run.statistics.paths_completed,
        explored.run.coverage.taken(),
    )


def framed(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on, no function is brief."""
    monkeypatch.setattr(compiled, "is_brief", lambda function, ends_tree: False)


def test_calls_in_place_show_what_calls_with_frames_do(monkeypatch: pytest.MonkeyPatch) -> None:
    for search in ("dfs", "bfs"):
        brief = outcome(explore(PROGRAM, search=search))
        with monkeypatch.context() as patch:
            framed(patch)
            assert outcome(explore(PROGRAM, search=search)) == brief
    assert {way.how for way in brief[0]} == {"exit", "bug"}


def test_slices_may_end_in_them(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = explore(PROGRAM)
    monkeypatch.setattr(engine, "SLICE", 1)
    assert explore(PROGRAM).ways == whole.ways


def test_an_error_has_the_whole_stack() -> None:
    bugs = [way for way in explore(PROGRAM).ways if way.how == "bug"]
    assert {tuple(frame.function for frame in way.stack) for way in bugs} == {("rank", "main"), ("pick", "main")}
    lines = {frame.location.line for way in bugs for frame in way.stack if frame.location is not None}
    assert len(lines) == 4  # of the two errors, and of the two calls


@pytest.mark.parametrize(("given", "code"), [((9, 0), 90), ((-7, 0), 254), ((78, 5), 54)])
def test_concrete_calls(given: tuple[int, int], code: int) -> None:
    assert exit_code(PROGRAM, *given) & 0xFF == code


def test_more_arguments_than_parameters() -> None:
    """Old declarations say nothing about them."""
    code = """
    define internal i32 @f(i32 %x) {
      %y = add i32 %x, 1
      ret i32 %y
    }
    define i32 @main() {
      %r = call i32 (i32, i32) @f(i32 4, i32 undef)
      ret i32 %r
    }
    """
    assert exit_code(llvm(code)) == 5


def test_what_is_brief() -> None:
    code = """
    int plain(int x) { return x > 3 ? x : 7; }
    int loops(int x) { while (x > 3) x -= 2; return x; }
    int calls(int x) { return plain(x) + 1; }
    int any(int x, ...) { return x; }
    int kept(int x) { int v[2]; v[x & 1] = 1; return v[0]; }
    int main(void) { return loops(3) + calls(2) + any(1) + kept(1); }
    """
    program = c_program(code)
    ends_tree = Callees(program, all_models()).ends_tree
    own = [function for function in program.functions.values() if not function.is_declaration]
    assert [function.name for function in own if is_brief(function, ends_tree)] == ["plain"]
    long = "int f(int x) { " + "x ^= x * 3; " * MOST + "return x; } int main(void) { return f(1); }"
    assert not is_brief(c_program(long).functions["f"], ends_tree)
