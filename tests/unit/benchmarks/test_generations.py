"""What counts as the first generation, and what it covers of small programs."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from benchmarks.generations import NAME, FirstGeneration, explore_first
from benchmarks.run import LIMIT, Run
from clew.base.options import StartValue, TestRequest
from clew.execute.pending import Pending
from clew.search.registry import SearchContext


def searcher() -> FirstGeneration:
    coverage = SimpleNamespace(edges=set())
    return FirstGeneration(cast(SearchContext, SimpleNamespace(coverage=coverage)))


def waiting(serial: int, generation: int, gives_way: bool = False) -> Pending:
    """A sibling, or a state that gives way to others, which has no constraint."""
    state: Any = SimpleNamespace(generation=generation, depth=0)
    return Pending(state, None if gives_way else cast(Any, "c"), None, None, serial)


def test_siblings_of_siblings_are_left_out() -> None:
    one = searcher()
    one.add(waiting(1, 1))
    one.add(waiting(2, 1))
    first = one.select()
    assert first is not None and first.serial == 1
    late = waiting(3, 2)
    one.add(late)
    assert late.taken and len(one) == 1


def test_whoever_gives_way_comes_back() -> None:
    one = searcher()
    one.add(waiting(1, 1))
    first_run = waiting(2, 0, gives_way=True)
    one.add(first_run)
    assert one.select() is first_run
    one.add(waiting(3, 1))
    sibling = one.select()
    assert sibling is not None and sibling.serial == 1
    again = waiting(4, 1, gives_way=True)
    one.add(again)
    assert {pending.serial for pending in iter(one.select, None)} == {3, 4}


@pytest.mark.parametrize("generation", [0, 1])
def test_what_was_kept_back_is_not_wanted(generation: int) -> None:
    one = searcher()
    one.add(waiting(2, 1))
    assert one.select() is not None
    kept = waiting(1, generation)
    one.add(kept)
    assert kept.taken and one.select() is None
    last = waiting(3, generation, gives_way=True)
    one.add(last)
    assert last.taken and len(one) == 0


PROGRAM = """
extern int klee_int(const char *name);
int main(void) {
  int a = klee_int("a"), b = klee_int("b");
  if (a == 7) {
    if (b == 8) return 2;
    return 1;
  }
  return 0;
}
"""


def test_a_program(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(PROGRAM, encoding="utf-8")

    def explored(*start: StartValue) -> Run:
        return explore_first(TestRequest((path,), search=NAME, start=start, navigate=False))

    def figures(run: Run) -> tuple[int, int, int]:
        """Branches of the first run, of it and its siblings; how many runs there were."""
        return run.marks[LIMIT].branches, run.covered, run.count("paths_completed")

    assert figures(explored()) == (1, 3, 2)
    assert figures(explored(StartValue("a", 7))) == (2, 4, 3)
