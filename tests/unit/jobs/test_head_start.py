"""``clew test`` explores plainly before techniques take part, and then once more from the start."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from clew.base.options import TestRequest
from clew.execute.codegen.compiled import Compiler, Unit
from clew.execute.state import State
from clew.jobs.phases import head_start
from clew.jobs.phases.guided_exploration import GuidedExploration
from clew.jobs.phases.head_start import HeadStart
from clew.jobs.prepare import PreparedRun
from clew.jobs.sharing import sharing
from clew.jobs.sharing.worker import all_waiting
from clew.jobs.test import run_test
from clew.report.records import LossKind, Summary
from clew.techniques.cover_goals import CoverGoals
from clew.techniques.technique import InputGenerator, Technique
from unit.execute.support import PRELUDE
from unit.jobs.test_test import Heard


def explored(folder: Path, code: str, **options: Any) -> tuple[Summary, Heard]:
    path = folder / "p.c"
    path.write_text(PRELUDE + '#line 1 "p.c"\n' + code, encoding="utf-8")
    heard = Heard()
    return run_test(TestRequest((path,), compiler_flags=("-w",), **options), heard), heard


def shown(heard: Heard) -> set[Any]:
    return {branch for test in heard.tests for branch in test.covers}


def covered(summary: Summary) -> set[Any]:
    return {branch.id for branch in summary.coverage.branches if branch.covered}


ALL_DIFFER = """int main(void) {
  unsigned n = 1;
  for (int i = 0; i < 9; i++) {
    n *= 2;
    if (klee_int("bit") > i) n++;
  }
  return n;
}
"""


def test_each_path_counts_once(tmp_path: Path) -> None:
    summary, heard = explored(tmp_path, ALL_DIFFER, merge=False)
    plain, _ = explored(tmp_path, ALL_DIFFER, merge=False, summarize=False)
    assert summary.stats.paths_repeated > 0 and plain.stats.paths_repeated == 0
    assert summary.stats.paths_completed == plain.stats.paths_completed == 512
    assert summary.reason == plain.reason and covered(summary) == covered(plain) <= shown(heard)
    assert len({test.inputs for test in heard.tests}) == len(heard.tests)


@pytest.mark.parametrize("options", [{"search": "default"}, {"search": "dfs"}, {"goal": "path"}], ids=str)
def test_who_names_an_order_or_wants_all_paths_gets_that_at_once(tmp_path: Path, options: dict[str, Any]) -> None:
    summary, _ = explored(tmp_path, ALL_DIFFER, **options)
    assert summary.stats.paths_repeated == 0 and summary.reason.endswith("all paths explored")


def test_it_lasts_while_exploration_covers_something_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[tuple[int, int, int]] = []
    end = HeadStart.end

    def watched(self: HeadStart) -> None:
        if not self.over:
            ended.append((self._turns, self._last, self._length))
        end(self)

    monkeypatch.setattr(HeadStart, "end", watched)
    rows = "\n".join(f'if (klee_int("x") > {number}) n += {number};' for number in range(12))
    explored(tmp_path, f"int main(void) {{ int n = 0; {rows} return n; }}")
    dead = "\n".join(f"if (y == {number}) n = {number};" for number in range(4, 24))
    explored(tmp_path, f'int main(void) {{ int n = 0, y = klee_int("y") & 3; {rows} {dead} return n; }}')
    (turns, last, length), (long, late, least) = ended
    assert length < turns <= last + 1  # hardly anything is left near by
    assert late + least < long  # much is, but it does not come to it


@pytest.mark.sample(2)
@pytest.mark.parametrize("merge", (False, True))
@pytest.mark.parametrize("summarize", (False, True))
def test_where_much_was_explored_it_is_not_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, merge: bool, summarize: bool
) -> None:
    monkeypatch.setattr(head_start, "LONGEST", 0)
    summary, heard = explored(tmp_path, ALL_DIFFER, merge=merge, summarize=summarize)
    plain, _ = explored(tmp_path, ALL_DIFFER, merge=False, summarize=False)
    assert summary.stats.paths_repeated == 0 and summary.reason == plain.reason
    assert covered(summary) == covered(plain) <= shown(heard)
    if not merge:
        assert summary.stats.paths_completed == plain.stats.paths_completed == 512


@pytest.mark.parametrize("merge", (False, True))
def test_it_goes_on_in_each_of_several_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, merge: bool) -> None:
    """Each has its own end of it, and nothing that is repeated."""
    ends = tmp_path / "ends"
    end = HeadStart.end

    def watched(self: HeadStart) -> None:
        if not self.over:
            with ends.open("a", encoding="utf-8") as file:
                print(os.getpid(), self._repeats, file=file)
        end(self)

    monkeypatch.setattr(HeadStart, "end", watched)
    monkeypatch.setattr(sharing, "PATIENCE", 0.0)
    monkeypatch.setattr(sharing, "MANY", 1)
    summary, heard = explored(tmp_path, ALL_DIFFER, merge=merge, jobs=2)
    plain, _ = explored(tmp_path, ALL_DIFFER, merge=False, summarize=False)
    ended = [line.split() for line in ends.read_text(encoding="utf-8").splitlines()]
    assert {may_repeat for _, may_repeat in ended} == {"False"}
    assert len(ended) == len({process for process, _ in ended}) and str(os.getpid()) not in {one for one, _ in ended}
    assert summary.stats.paths_repeated == 0 and summary.reason == plain.reason
    assert covered(summary) == covered(plain) <= shown(heard)
    if not merge:
        assert summary.stats.paths_completed == plain.stats.paths_completed == 512


def test_a_path_that_has_covered_something_is_not_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No other has a test for that, once it is covered."""
    seen: list[tuple[bool, bool]] = []
    start_over = HeadStart.start_over

    def watched(self: HeadStart) -> State | None:
        waiting = all_waiting(self._ready.run)
        for pending in waiting:
            self._ready.run.searcher.add(pending.twin())
        first = start_over(self)
        seen.append((any(pending.state.covered_new for pending in waiting), first is None))
        return first

    monkeypatch.setattr(HeadStart, "start_over", watched)
    code = """int main(void) {
      if (klee_int("x") == 7)
        for (int i = 0; i < 600; i++)
          if (klee_int("y") == i) return i;
      return 0;
    }
    """
    summary, heard = explored(tmp_path, code, navigate=False)
    assert seen and all(seen_new == goes_on for seen_new, goes_on in seen) and (True, True) in seen
    assert all(branch.covered for branch in summary.coverage.branches) and covered(summary) <= shown(heard)
    assert summary.reason.endswith("all paths explored")


def test_proposed_inputs_wait_for_techniques(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their paths may be long, and short with what these know."""
    joined: list[bool] = []
    follow = GuidedExploration._follow

    def watched(self: GuidedExploration, generator: InputGenerator) -> bool:
        joined.append(self._head_start.over)
        return follow(self, generator)

    monkeypatch.setattr(GuidedExploration, "_follow", watched)
    code = """int main(void) {
      int size = klee_int("size"), used = 0;
      if (size < 8) return 1;
      for (int left = size; left >= 12; left -= 12) used += 16;
      if (size > 60000) return 3;
      if (used > 65536) return 4;
      return 0;
    }
    """
    summary, _ = explored(tmp_path, code, max_instructions=400_000)
    assert joined and all(joined)
    assert all(branch.covered for branch in summary.coverage.branches)


def test_techniques_join_once() -> None:
    """However often processes divide their work."""
    joined: list[Technique] = []

    class Waiting(Technique):
        def join(self, part: float) -> None:
            assert part == 0
            joined.append(self)

    one = Waiting()
    ready = SimpleNamespace(accounts=SimpleNamespace(work=lambda: 7))
    start = HeadStart(cast("PreparedRun", ready), cast("CoverGoals", None), [one])
    start.end()
    start.end()
    assert start.over and joined == [one]


def test_losses_come_again_but_for_those_that_do_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start_over = HeadStart.start_over

    def with_losses(self: HeadStart) -> State | None:
        run = self._ready.run
        run.note_loss(LossKind.UNSUPPORTED, "not met again", None)
        run.note_loss(LossKind.BOUNDED, "met again if it is there", None)
        return start_over(self)

    monkeypatch.setattr(HeadStart, "start_over", with_losses)
    summary, _ = explored(tmp_path, ALL_DIFFER)
    assert summary.stats.paths_repeated > 0
    assert {note.what for note in summary.losses} == {"not met again"}


@pytest.mark.parametrize(("work", "turns"), [(head_start.SLOW // 2, 4), (100, 11)])
def test_it_is_short_where_paths_are_long(work: int, turns: int) -> None:
    """However much is left near by that loops keep exploration from."""
    done = 0
    coverage = SimpleNamespace(version=1, taken=lambda: range(20))
    ready = SimpleNamespace(accounts=SimpleNamespace(work=lambda: done), run=SimpleNamespace(coverage=coverage))
    goals = SimpleNamespace(near=lambda: 100, covered=lambda: 20)
    start = HeadStart(cast("PreparedRun", ready), cast("CoverGoals", goals), [Technique()])
    taken = 1
    while not start.turn():
        taken, done = taken + 1, done + work
    assert taken == turns


def test_it_goes_on_where_long_paths_show_something_new() -> None:
    done = 0
    coverage = SimpleNamespace(version=1, taken=lambda: range(20))
    ready = SimpleNamespace(accounts=SimpleNamespace(work=lambda: done), run=SimpleNamespace(coverage=coverage))
    goals = SimpleNamespace(near=lambda: 100, covered=lambda: 20)
    start = HeadStart(cast("PreparedRun", ready), cast("CoverGoals", goals), [Technique()])
    for _ in range(6):
        assert not start.turn()
        coverage.version, done = coverage.version + 1, done + head_start.SLOW // 2
    assert start.is_under_way  # native runs may begin
    assert not start.turn()
    until = 2 * done
    while not start.turn():
        done += head_start.SLOW // 2
    assert done == until + head_start.SLOW // 2  # in vain for as long as all before


def test_goals_are_counted_by_what_was_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turn, counts = HeadStart.turn, set[tuple[int, int]]()

    def compared(self: HeadStart) -> bool:
        goals, coverage = self._goals, self._ready.run.coverage
        left = goals.branches(1000)
        near = sum(edge[:2] in coverage.blocks for edge, _ in left)
        assert (goals.near(), goals.covered(), goals.are_left()) == (near, len(goals._edges) - len(left), bool(left))
        counts.add((goals.near(), goals.covered()))
        return turn(self)

    monkeypatch.setattr(HeadStart, "turn", compared)
    cases = 'switch (klee_int("x")) { case 1: case 2: n = 4; break; case 3: n = 5; break; case 4: n = 6; }'
    explored(tmp_path, f"int main(void) {{ int n = 0; {cases} if (n == 7) return n; if (n > 4) n++; return n; }}")
    assert len(counts) > 2


def test_code_is_made_once_for_what_runs_behind_the_first_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only without inputs, code does not have what techniques want to know: there is nothing to know then."""
    made: list[Unit] = []
    add = Compiler.add
    monkeypatch.setattr(Compiler, "add", lambda self, unit: (made.append(unit), add(self, unit))[1])
    code = """__attribute__((noinline)) int count(int most) {
      int n = 0;
      for (int i = 0; i < 9; i++) if (most > i) n += i;
      return n;
    }
    int main(void) { return count(%s); }"""
    summary, _ = explored(tmp_path, code % 'klee_int("most")', engine="interpreter")
    assert summary.stats.paths_repeated
    first = next(unit for unit in made if unit.function == "count")
    assert ".on:" in first.source
    assert sum(unit.source == first.source for unit in made) == 1
    made.clear()
    explored(tmp_path, code % "5", engine="interpreter")
    assert made and not any(".on:" in unit.source for unit in made)
