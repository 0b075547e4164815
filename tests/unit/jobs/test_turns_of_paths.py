"""A path that waits in the middle: because its turn was over, or because something else was to be done."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from clew.base.options import TestRequest
from clew.jobs.prepare import ExploreSettings, load_checked, prepare_run
from clew.report.listener import Listener

CODE = """extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), n = 0;
  if (x == 3) return 1;
  for (unsigned i = 0; i < 400000; i++) n += i;
  return n == x;
}
"""


@pytest.mark.parametrize("gave_way", [False, True])
def test_a_path_has_given_way_if_its_turn_was_over(tmp_path: Path, gave_way: bool) -> None:
    path = tmp_path / "program.c"
    path.write_text(CODE, encoding="utf-8")
    request = TestRequest(files=(path,))
    ready = prepare_run(
        request, Listener(), request.budget(), ExploreSettings("branch", None, None), load_checked(request, Listener())
    )
    asked = 0

    def pause() -> bool:
        nonlocal asked
        asked += 1
        return asked > (1 if gave_way else 0)

    steps = 60_000 if gave_way else 10_000_000
    ready.engine.explore(ready.entry.start(ready.run), replace(ready.engine.policy, pause=pause, turn_steps=steps))
    waiting = ready.run.searcher.evict(len(ready.run.searcher))
    assert [pending.gave_way for pending in waiting if pending.constraint is None] == [gave_way]
