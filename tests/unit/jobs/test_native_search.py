"""Native runs beside the arms of ``clew verify`` and ``clew reach``: they propose, the interpreter decides."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clew.base.budget import Budget
from clew.base.options import ReachRequest, VerifyRequest
from clew.execute.instrument.targets import insert_probes
from clew.jobs.ledger import Ledger
from clew.jobs.mutation_session import Mutated, MutationSession, Slice
from clew.jobs.phases import native_search
from clew.jobs.phases.native_search import BARREN, FIRST_SLICE, LEAST, SHORT, NativeSearch
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import DEFAULT_CHECKS, reach_settings, verify_settings
from clew.jobs.prepare import load_checked
from clew.jobs.reach import _load, run_reach
from clew.jobs.verify import run_verify
from clew.native.executor import NativeExecutor
from clew.native.program import NativeProgram
from clew.report.listener import Listener
from clew.report.records import Summary

pytestmark = pytest.mark.native

MACHINE = """
#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned state = 7;
  int depth = 0, sum = 0;
  for (int i = 0; i < 24; i++) {
    unsigned char word = __VERIFIER_nondet_uchar();
    state = (state * 131 + word) ^ (state >> 3);
    switch (word & 7) {
    case 0: depth++; break;
    case 1: if (depth) depth--; break;
    case 2: sum += depth; break;
    case 3: if (state & 64) sum++; break;
    case 4: if (state % 11 == 3) depth += 2; break;
    }
    if (depth == 3) {
      sum++;
    }
  }
  assert(sum < 4 || (state & 15) != 5);
  return 0;
}
"""
"""Of its many paths a good part fails, for reasons that take a solver long."""
DEEP = MACHINE.splitlines().index("      sum++;") + 1
MIXED = """
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned mixed = __VERIFIER_nondet_uint();
  for (int i = 0; i < 24; i++)
    mixed = mixed * (mixed ^ 0x85ebca6bu) ^ mixed >> 7;
  if (mixed % 4001 == 1234) {
    assert(mixed == 0);
  }
  return 0;
}
"""
"""One input in a few thousand fails; a solver has to turn a chain of multiplications around."""
RARE = MIXED.splitlines().index("    assert(mixed == 0);") + 1
EASY = """
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  %s
  return 0;
}
"""


class Heard(Listener):
    def __init__(self) -> None:
        self.warnings: list[str] = []

    def warning(self, text: str) -> None:
        self.warnings.append(text)


def written(folder: Path, text: str) -> Path:
    source = folder / "p.c"
    source.write_text(text)
    return source


class Search:
    """The phase by itself, until the ledger has something, or it has come to its end."""

    def __init__(self, request: VerifyRequest | ReachRequest) -> None:
        self.budget = Budget(120.0)
        self.ledger = Ledger(request, "verify", self.budget)
        self.heard = Heard()
        if isinstance(request, ReachRequest):
            source, target = _load(request, self.heard)
            program, settings = insert_probes(source, target.places), reach_settings(request)
        else:
            source = program = load_checked(request, self.heard, DEFAULT_CHECKS)
            settings = verify_settings(request)
        context: Context[Any] = Context(request, self.heard, self.budget, self.ledger, program)
        self.phase = NativeSearch(context, settings.with_techniques(None), source)

    def run(self, until: Callable[[], bool] | None = None) -> Search:
        self.phase.run(self.budget.share(is_spent=until or (lambda: bool(self.ledger.findings.confirmed()))), None)
        return self


def test_inputs_that_fail_natively_are_shown_by_the_interpreter(tmp_path: Path) -> None:
    search = Search(VerifyRequest((written(tmp_path, MACHINE),))).run()
    (bug,) = search.ledger.findings.bugs
    assert bug.kind == "assert" and bug.confirmed and len(bug.inputs) == 24
    assert search.phase.ready is not None and search.ledger.runs == [search.phase.ready]
    assert search.ledger.statistics().native_runs > 0
    assert not search.ledger.proved()


def test_a_line_is_reached_by_inputs_that_may_have_come_there(tmp_path: Path) -> None:
    search = Search(ReachRequest((written(tmp_path, MACHINE),), line=DEEP)).run()
    arrival = search.ledger.findings.arrival
    assert arrival is not None and arrival.confirmed and not arrival.rests_on
    assert arrival.location is not None and arrival.location.line == DEEP


def test_all_targets_of_a_program_have_the_same_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    class Noted(NativeProgram):
        def executor(self, stdin: int | None = None) -> NativeExecutor:
            self.compile()
            assert self._code is not None
            compiled.append(self._code.text)
            return super().executor(stdin)

    monkeypatch.setattr(native_search, "NativeProgram", Noted)
    source = written(tmp_path, MACHINE)
    for line in (DEEP, DEEP - 1):
        Search(ReachRequest((source,), line=line)).run()
    assert len(compiled) == 2 and compiled[0] == compiled[1]


def proposing(monkeypatch: pytest.MonkeyPatch, *slices: tuple[Mutated, ...]) -> None:
    """Mutation finds this, slice by slice, and nothing afterwards."""
    left = list(slices)

    def slice_of(session: MutationSession, known: list[bytes], work: int, seconds: float | None) -> Slice:
        return Slice(left.pop(0) if left else (), 1, 1)

    monkeypatch.setattr(MutationSession, "slice", slice_of)
    monkeypatch.setattr(MutationSession, "is_useless", property(lambda session: not left))


def test_what_the_interpreter_does_not_see_is_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = written(tmp_path, EASY % "assert(x != 5);")
    proposing(monkeypatch, (Mutated(b"\4\0\0\0", frozenset(), True),))
    search = Search(VerifyRequest((source,))).run()
    assert not search.ledger.findings.bugs and not search.ledger.answers
    assert search.phase.ready is not None and search.phase.ready.run.statistics.paths_completed == 1
    proposing(monkeypatch, (Mutated(b"\5\0\0\0", frozenset(), True),))
    assert Search(VerifyRequest((source,))).run().ledger.findings.confirmed()


def test_inputs_that_do_not_fail_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proposing(monkeypatch, (Mutated(b"\5\0\0\0", frozenset(), False),))
    search = Search(VerifyRequest((written(tmp_path, EASY % "assert(x != 5);"),))).run()
    assert search.phase.ready is None and not search.ledger.runs


def test_errors_that_nobody_asked_for_are_known(tmp_path: Path) -> None:
    """What comes behind them is not defined, so nothing is proved: the same as with any other path."""
    source = written(tmp_path, EASY % "int cells[4] = {0}; if (x == 5) return cells[x]; assert(x != 7 || x);")
    search = Search(VerifyRequest((source,)))
    search.run(lambda: bool(search.ledger.findings.unasked))
    assert {kind for kind, _ in search.ledger.findings.unasked} == {"out-of-bounds"}
    assert not search.ledger.findings.bugs


def test_the_promise_falls_with_slices_that_show_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = (Mutated(b"", frozenset(), False),)
    proposing(monkeypatch, shown, (), (), shown, *[()] * 8)
    search = Search(VerifyRequest((written(tmp_path, EASY % "assert(x != 5);"),)))
    promises: list[float] = []
    proposed = MutationSession.slice

    def noted(session: MutationSession, known: list[bytes], work: int, seconds: float | None) -> Slice:
        promises.append(search.phase.promise)
        return proposed(session, known, work, seconds)

    monkeypatch.setattr(MutationSession, "slice", noted)
    search.run()
    parts = (0.0, 0.0, 1 / 4, 3 / 4, 0.0, 1.0)  # of a slice: the first ones are shorter
    assert promises[:6] == [pytest.approx(BARREN**part) for part in parts] and promises[-1] == LEAST


def test_slices_are_longer_where_they_are_quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, asked = 0.0, list[int]()

    def slice_of(session: MutationSession, known: list[bytes], work: int, seconds: float | None) -> Slice:
        nonlocal now
        asked.append(work)
        now += 0.5 * SHORT if len(asked) < 3 else 2 * SHORT
        return Slice((), 1, work)

    monkeypatch.setattr(MutationSession, "slice", slice_of)
    monkeypatch.setattr(MutationSession, "is_useless", property(lambda session: len(asked) == 5))
    monkeypatch.setattr(NativeSearch, "clock", lambda search: now)
    Search(VerifyRequest((written(tmp_path, EASY % "assert(x != 5);"),))).run()
    assert asked == [FIRST_SLICE * times for times in (1, 2, 4, 4, 4)]


def test_programs_that_do_not_run_natively_are_left_alone(tmp_path: Path) -> None:
    source = written(tmp_path, EASY % "assert(x != 5);")
    for engine, said in (("auto", 0), ("native", 1)):
        search = Search(VerifyRequest((source,), data_model="ILP32", engine=engine)).run()
        assert search.phase.over and not search.ledger.runs
        assert len(search.heard.warnings) == said


def verified(source: Path, **options: Any) -> Summary:
    return run_verify(VerifyRequest((source,), seconds=300.0, **options), Listener())


def forbidden(*words: Any) -> Any:
    raise AssertionError("nothing is to be compiled")


def test_short_runs_compile_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_search, "NativeProgram", forbidden)
    source = written(tmp_path, EASY % "assert(x != 5);")
    assert verified(source).verdict == "FALSE"
    assert verified(source, engine="interpreter").verdict == "FALSE"
    assert verified(source, engine="native", function="main").verdict == "FALSE"


@pytest.mark.parametrize("jobs", [1, 2])
def test_verdicts_are_those_of_the_interpreter(tmp_path: Path, jobs: int) -> None:
    summary = verified(written(tmp_path, MIXED), engine="native", jobs=jobs)
    assert summary.verdict == "FALSE" and summary.bugs[0].confirmed
    assert summary.stats.native_runs > 0 and summary.technique == "native"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_line_is_reached_beside_other_arms(tmp_path: Path, jobs: int) -> None:
    request = ReachRequest((written(tmp_path, MIXED),), line=RARE, seconds=300.0, engine="native", jobs=jobs)
    summary = run_reach(request, Listener())
    assert summary.verdict == "REACHED" and summary.target is not None and summary.target.arrival is not None
    assert summary.target.arrival.confirmed


@pytest.mark.parametrize("jobs", [1, 2])
def test_it_ends_with_the_others(tmp_path: Path, jobs: int) -> None:
    """Where nobody else can decide, native runs do not go on until the time is over."""
    source = written(tmp_path, EASY % "int nobody_knows(int); assert(nobody_knows(x) != 3);")
    summary = verified(source, engine="native", jobs=jobs)
    assert summary.verdict == "UNKNOWN" and summary.stopped is None
