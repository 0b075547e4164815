"""Events of a run, and loops made visible."""

from __future__ import annotations

from clew.base.errors import PathEnd
from clew.execute.ends import Exited, Failed
from clew.execute.events import Events, Visit
from clew.execute.frame import Frame
from clew.execute.instrument.loop_marks import mark_loops
from clew.execute.pending import Pending
from clew.execute.state import State
from clew.expr.node import Expr
from unit.execute.support import c_program, exit_code, explore

CODE = """
int main(void) {
  int a = __VERIFIER_nondet_int();
  int r = 0;
  if (a > 10) r = 1;
  if (a > 5 && r) r = 2;
  if (a == 77) r = 100 / (a - 77);
  return r;
}
"""


class Recorder:
    """Writes down what it is told."""

    def listen(self, events: Events) -> None:
        events.branch.append(self.branch)
        events.pending_sibling.append(self.pending)
        events.infeasible_sibling.append(self.infeasible)
        events.path_end.append(self.path_end)

    def __init__(self) -> None:
        self.branches: list[Expr] = []
        self.queued: list[Pending] = []
        self.refuted = 0
        self.ends: list[PathEnd] = []

    def branch(self, state: State, frame: Frame, constraint: Expr) -> None:
        assert state.frame is frame
        assert state.model.eval(constraint) is True
        assert constraint not in state.path
        self.branches.append(constraint)

    def pending(self, pending: Pending) -> bool:
        self.queued.append(pending)
        return True

    def infeasible(self, pending: Pending, core: object) -> None:
        self.refuted += 1

    def path_end(self, state: State, end: PathEnd) -> None:
        self.ends.append(end)


def test_listeners_are_called() -> None:
    recorder = Recorder()
    found = explore(CODE, listen=recorder.listen)
    assert len(recorder.ends) == len(found.ways)
    assert [end.kind for end in recorder.ends if isinstance(end, Failed)] == ["division-by-zero"]
    assert len(recorder.queued) == found.run.statistics.forks
    assert len(recorder.queued) == len(recorder.ends) - 1 + recorder.refuted
    assert len(recorder.branches) >= 3
    assert sum(isinstance(end, Exited) for end in recorder.ends) == len(found.codes)


def test_a_listener_can_drop_siblings() -> None:
    found = explore(CODE, listen=lambda events: events.pending_sibling.append(lambda pending: False))
    assert len(found.ways) == 1
    assert found.run.statistics.forks == 0


REPEATED = """
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  if (a > 10 && a > 10) return 1;
  int array[300];
  array[a] = 1;
  return 0;
}
"""


def test_what_a_path_implies_is_told() -> None:
    facts: list[Expr] = []
    events: list[str] = []

    def implied(state: State, fact: Expr, check: object, edge: object, core: object) -> None:
        assert state.model.eval(fact) is True
        facts.append(fact)

    def listen(to: Events) -> None:
        to.implied_fact.append(implied)
        to.repeated_branch.append(lambda state, constraint: events.append("repeated"))

    assert explore(REPEATED, listen=listen).codes == [0, 1]
    assert facts
    told = len(facts)
    assert explore(REPEATED).codes == [0, 1] and len(facts) == told, "nobody listens: nobody is told"


NESTED = """
int main(void) {
  int s = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++)
      s += i * j;
  return s;
}
"""


def test_loops_announce_themselves() -> None:
    headers: list[tuple[str, int]] = []

    def visited(visit: Visit) -> None:
        headers.append((visit.loop, len(visit.values)))

    found = explore(NESTED, listen=lambda events: events.loop_header.append(visited))
    assert found.codes == [3]
    outer, inner = (next(name for name, _ in headers if f":{line}" in name) for line in (4, 5))
    assert [name for name, _ in headers].count(outer) == 4
    assert [name for name, _ in headers].count(inner) == 9
    assert all(values >= 1 for _, values in headers)


def test_watched_programs_compute_the_same() -> None:
    code = """
    int main(void) {
      int s = 0, i = 0;
      do {
        while (s % 3) s += 2;
        s++;
        if (s > 40) break;
        switch (s & 3) { case 1: continue; case 2: s += 5; }
      } while (++i < 30);
      for (;;) { if (s & 1) break; s += 3; }
      return s;
    }
    """
    watched = mark_loops(c_program(code))
    assert exit_code(watched) == exit_code(code)


def test_loop_bound_cuts_and_says_so() -> None:
    code = """
    int main(void) {
      int n = __VERIFIER_nondet_int(), i = 0;
      while (i < n) i++;
      return i > 100 ? 100 : i;
    }
    """
    found = explore(code, loop_bound=4)
    assert found.codes == [0, 1, 2, 3, 4]
    assert found.endings["lost"] == 1
    assert "runs more than 4 times" in found.lost[0]
    assert [kind for kind, _, _ in found.run.losses] == ["bounded"]


def test_loop_bound_counts_each_activation_anew() -> None:
    code = """
    static int three(void) { int k = 0; for (int i = 0; i < 3; i++) k += i; return k; }
    int main(void) { return three() + three() + three(); }
    """
    assert explore(code, loop_bound=3).codes == [9]
    assert explore(code, loop_bound=2).codes == []
