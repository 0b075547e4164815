"""What every technique has to keep to, as functions that take its name.

A technique may find more, or find it sooner; it must not lose a branch or a bug, make a run depend on anything but its
seed, cost anything where it is off, or say of a branch that nothing leads to it when something does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from clew.base.budget import Budget
from clew.base.options import TestRequest, VerifyRequest
from clew.execute.events import Events
from clew.jobs.prepare import ExploreSettings, PreparedRun, prepare_run
from clew.jobs.test import run_test
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import Summary, Test
from clew.techniques.registry import SWITCHES, make_techniques
from unit.execute.support import PRELUDE, c_program

PROGRAMS = {
    "diamonds": """int main(void) {
      unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar(), n = 0;
      if (a & 1) n++; if (a & 2) n++; if (a & 4) n++; if (b > 200) n += 3;
      if (n == 6 && b == 201) reach_error();
      return n; }""",
    "count": """int main(void) {
      unsigned n = __VERIFIER_nondet_uint(), i = 0, s = 0;
      __VERIFIER_assume(n < 9);
      while (i < n) { i++; s += 2; }
      if (s == 14) return 1 / (int)(i - 7);
      if (s > 16) return 2;
      return 0; }""",
    "search": """int main(void) {
      char text[5]; int i;
      for (i = 0; i < 4; i++) text[i] = __VERIFIER_nondet_char();
      text[4] = 0;
      for (i = 0; text[i]; i++) if (text[i] == 'x') break;
      if (i == 3 && text[0] == 'a') reach_error();
      return text[i] == 'x'; }""",
    "memory": """int table[3];
    int main(void) {
      unsigned char i = __VERIFIER_nondet_uchar(), k = __VERIFIER_nondet_uchar();
      if (i > 4) i = 1;
      if (k < 2) table[k] = 7;
      int *p = malloc(4); if (!p) return 0;
      *p = table[i];
      if (*p == 7 && k == 1) { free(p); return *p; }
      free(p);
      return 3; }""",
    "nested": """int main(void) {
      unsigned char n = __VERIFIER_nondet_uchar(), m = __VERIFIER_nondet_uchar(); int s = 0;
      if (n > 3 || m > 2) return 9;
      for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) s += i > k;
      if (s == 3) reach_error();
      return s; }""",
}  # fmt: skip
"""Small enough to be explored to their ends without any technique."""

OFF: dict[str, Any] = {field: False if value is True else None for field, value in SWITCHES.values()}


@dataclass
class Tests(Listener):
    """Keeps the tests of a run."""

    found: list[Test] = field(default_factory=list)

    def test_found(self, test: Test) -> None:
        self.found.append(test)


@dataclass(frozen=True)
class Outcome:
    """What a run has come to."""

    summary: Summary
    tests: list[Test]

    @property
    def covered(self) -> set[tuple[int, str]]:
        """Lines and outcomes of branches that tests take."""
        return {(b.location.line, b.outcome) for b in self.summary.coverage.branches if b.location and b.covered}

    @property
    def bugs(self) -> set[tuple[str, int]]:
        return {(bug.kind, bug.location.line if bug.location else 0) for bug in self.summary.bugs}


def options_of(name: str | None) -> dict[str, Any]:
    """The options of a request in which nothing but one technique is on."""
    return OFF | dict([SWITCHES[name]] if name is not None else [])


def run(program: str, folder: Path, name: str | None, **options: Any) -> Outcome:
    """Run ``clew test`` on a program with one technique, or none."""
    path = folder / f"{program}.c"
    path.write_text(PRELUDE + PROGRAMS[program], encoding="utf-8")
    tests = Tests()
    options = {"compiler_flags": ("-w",), "seconds": 300.0, **options_of(name), **options}
    summary = run_test(TestRequest((path,), **options), tests)
    return Outcome(summary, tests.found)


def prepared(program: str, name: str | None) -> PreparedRun:
    """A run with one technique, or none, before its first path."""
    request = TestRequest((Path(f"{program}.c"),), **options_of(name))
    bound = 2 if request.loop_bound == "auto" else None
    settings = ExploreSettings("branch", loop_bound=bound, techniques=make_techniques(request))
    return prepare_run(request, Listener(), Budget(300.0), settings, _compiled(program))


@cache
def _compiled(program: str) -> Any:
    return c_program(PROGRAMS[program])


# The rules


def loses_nothing(program: str, folder: Path, name: str, plain: Outcome) -> None:
    """All branches and bugs that a run without the technique finds are found with it, and the run ends."""
    found = run(program, folder, name)
    assert found.summary.stopped is None
    if not cuts(name):
        assert plain.covered <= found.covered
        assert plain.bugs <= found.bugs
    assert found.bugs <= plain.bugs and found.covered <= plain.covered, "found without a path that shows it"


def cuts(name: str) -> bool:
    """Whether it is in the nature of a technique to leave something out, which it then says."""
    return name == "loop-bounds"


def follows_its_seed(program: str, folder: Path, name: str) -> None:
    """Two runs with the same seed write the same tests and do the same work."""
    one, two = (run(program, folder, name, seed=7) for _ in range(2))
    assert one.tests == two.tests
    assert _work(one) == _work(two)


def _work(outcome: Outcome) -> dict[str, object]:
    timed = ("seconds", "memory", "cache_hits")
    return {k: v for k, v in outcome.summary.stats.to_json().items() if not any(word in k for word in timed)}


def costs_nothing_when_off(program: str) -> None:
    """Without techniques, nobody listens, and the program is run as it is."""
    ready = prepared(program, None)
    assert ready.run.program is ready.program is ready.loaded
    assert not any(getattr(ready.run.events, kind) for kind in Events.__slots__)
    assert not ready.entry.start(ready.run).extensions


def claims_are_true(program: str, folder: Path, name: str, plain: Outcome) -> None:
    """What a technique calls unreachable, a complete run does not reach."""
    claims = {(claim.location.line, claim.outcome) for claim in run(program, folder, name).summary.unreachable}
    assert claims.isdisjoint(plain.covered)


def proofs_are_true(program: str, folder: Path, strategy: str) -> None:
    """What a technique proves, or finds violated, is what a run over all paths says."""
    answers = {}
    for chosen in ("plain", strategy):
        path = folder / f"{program}.c"
        path.write_text(PRELUDE + PROGRAMS[program], encoding="utf-8")
        request = VerifyRequest((path,), compiler_flags=("-w",), seconds=300.0, strategy=chosen)
        answers[chosen] = run_verify(request, Listener()).verdict
    assert answers[strategy] in (answers["plain"], "UNKNOWN")


def can_be_left_and_taken_up(program: str, name: str) -> None:
    """A run that is paused after each path comes to the same end as one that is not."""
    whole, pieces = (_explored(program, name, pausing) for pausing in (False, True))
    assert whole == pieces


def _explored(program: str, name: str, pausing: bool) -> tuple[object, object]:
    ready = prepared(program, name)
    ended: list[object] = []
    finished = ready.engine.policy.finished

    def note(path: Any) -> None:
        ended.append(path)
        finished(path)

    first, seen = ready.entry.start(ready.run), 0
    pause: Callable[[], bool] = (lambda: len(ended) > seen) if pausing else (lambda: False)
    policy = replace(ready.engine.policy, finished=note, pause=pause)
    ready.engine.explore(first, policy)
    while ready.engine.paused:
        seen = len(ended)
        ready.engine.explore(None, policy)
    return {bug.kind for bug in ready.collector.findings.bugs}, ready.run.coverage.taken()
