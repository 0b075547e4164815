"""What a process has to explore, and what it has told of that."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from clew.base.options import TestRequest
from clew.jobs.prepare import ExploreSettings, PreparedRun, load_checked, prepare_run
from clew.parallel.frontier import RUNNING, Frontier
from clew.report.listener import Listener
from unit.execute.support import PRELUDE

BITS = """
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  int n = 0;
  for (int i = 0; i < 6; i++)
    if (x >> i & 1) n += i;
  return n;
}
"""


def prepared(folder: Path) -> PreparedRun:
    path = folder / "program.c"
    path.write_text(PRELUDE + BITS, encoding="utf-8")
    request = TestRequest(files=(path,), compiler_flags=("-w",))
    return prepare_run(
        request, Listener(), request.budget(), ExploreSettings("dfs", None, None), load_checked(request, Listener())
    )


def explore(ready: PreparedRun, turns: int, begin: bool = False) -> None:
    """Go on for so many turns of a path."""
    left = turns

    def pause() -> bool:
        nonlocal left
        left -= 1
        return left < 0

    first = ready.entry.start(ready.run) if begin else None
    ready.engine.explore(first, replace(ready.engine.policy, pause=pause, turn_forks=1))


def test_what_can_be_given_away_is_told_soon_if_nobody_knows_of_it(tmp_path: Path) -> None:
    ready = prepared(tmp_path)
    frontier = Frontier(ready.engine)
    assert not frontier.has_untold_plenty()
    explore(ready, 8, begin=True)
    assert len(frontier) > 2 and frontier.has_untold_plenty()
    opened, closed = frontier.changes()
    assert len(opened) == len(frontier) and not closed
    assert not frontier.has_untold_plenty()
    frontier.lose([number for number, _ in opened[1:]])  # somebody else has these
    assert frontier.has_untold_plenty()


def test_the_job_at_work_is_said_when_it_is_another_one(tmp_path: Path) -> None:
    ready = prepared(tmp_path)
    said: list[int] = []
    frontier = Frontier(ready.engine, said.append)
    explore(ready, 8, begin=True)
    assert said == [RUNNING]  # nothing was told yet: all comes from the first path
    told = {number for number, _ in frontier.changes()[0]}
    explore(ready, 200)
    assert not len(frontier)
    assert set(said[1:]) == told  # each sibling of a job belongs to it
    assert all(one != other for one, other in pairwise(said))
    again: list[int] = []
    frontier.keep((), again.append)
    frontier.begin(said[-1])
    assert again == [said[-1]]  # somebody else listens, who has heard nothing yet
