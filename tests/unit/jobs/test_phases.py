"""Phases that are left in the middle and taken up again come to the same as those that are not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from clew.base.budget import Budget
from clew.base.options import ReachRequest, TestRequest, VerifyRequest
from clew.checks.properties import PropertyKey
from clew.execute import engine
from clew.execute.instrument.targets import insert_probes
from clew.jobs import ladders
from clew.jobs.arms import Arm
from clew.jobs.ledger import Ledger
from clew.jobs.phases import chain_search
from clew.jobs.phases.chain_search import LEAST, QUICK_LOOK, ChainSearch
from clew.jobs.phases.directed_search import DirectedSearch
from clew.jobs.phases.exhaustive import Exhaustive
from clew.jobs.phases.guided_exploration import GuidedExploration
from clew.jobs.phases.phase import Context, Phase
from clew.jobs.prepare import load_program
from clew.jobs.reach import _target
from clew.jobs.sharing.relay import Relay
from clew.report.listener import Listener
from clew.techniques.registry import make_techniques
from clew.techniques.tasks import Answer, ReachTask
from unit.execute.support import PRELUDE

PROGRAM = """#include <assert.h>
int main(void) {
  unsigned char s = 0;
  for (int i = 0; i < 4; i++) {
    unsigned char c = __VERIFIER_nondet_uchar();
    if (c > 100) s++;
    if (c == 7 && s == 2) s = 9;
  }
  assert(s != 11);
  if (s == 77) { target: s = 0; }
  return 10 / (s + 1);
}
"""


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many polls."""
    monkeypatch.setattr(engine, "SLICE", 40)
    monkeypatch.setattr(engine, "CALM", 0.0)


Found = tuple[set[PropertyKey], dict[PropertyKey, Answer], int, tuple[Any, ...]]


def found(ledger: Ledger) -> Found:
    coverage = tuple(branch for branch in ledger.coverage().branches if branch.covered)
    return ledger.findings.confirmed(), ledger.answers, ledger.statistics().paths_completed, coverage


def exploring(file: Path) -> tuple[Ledger, Phase]:
    without = {"merge": False, "summarize": False, "invariants": False, "navigate": False}
    request = TestRequest((file,), compiler_flags=("-w",), seconds=60.0, **without)  # type: ignore[arg-type]
    context = context_of(request)
    phase = GuidedExploration(context, make_techniques(request), Relay(context.listener))
    phase.prepare()
    return context.ledger, phase


def proving(file: Path) -> tuple[Ledger, Phase]:
    context = context_of(VerifyRequest((file,), compiler_flags=("-w",), keep_branches=True, seconds=60.0))
    return context.ledger, Exhaustive(context)


def searching(file: Path) -> tuple[Ledger, Phase]:
    request = ReachRequest((file,), label="target", compiler_flags=("-w",), keep_branches=True, seconds=60.0)
    program = load_program(request, Listener())
    target = _target(request, program)
    context = context_of(request, insert_probes(program, target.places))
    return context.ledger, DirectedSearch(context, target.text)


def context_of(request: Any, program: Any = None) -> Context[Any]:
    budget = request.budget()
    program = program or load_program(request, Listener())
    return Context(request, Listener(), budget, Ledger(request, "", budget), program)


@pytest.mark.parametrize("make", [exploring, proving, searching])
def test_left_and_taken_up_again(make: Callable[[Path], tuple[Ledger, Phase]], tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(PRELUDE + PROGRAM, encoding="utf-8")
    whole, phase = make(file)
    phase.run(whole.budget, None)
    assert phase.over
    parts, phase = make(file)
    times = 0
    while not phase.over and times < 5000:
        times += 1
        share = parts.budget if make is searching else parts.budget.share(most=0.01)
        phase.run(share, None if make is exploring else times)
    assert phase.over and times > 1
    assert found(parts) == found(whole)
    assert len(parts.runs) == 1


def test_a_budget_that_is_spent_is_the_end(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(PRELUDE + PROGRAM, encoding="utf-8")
    ledger, phase = proving(file)
    ledger.budget.interrupt.request()
    phase.run(Budget(), None)
    assert phase.over and ledger.answering.stopped is not None
    assert all(str(answer).count("interrupted") for answer in ledger.answers.values())


VERIFYING = [ladders._all_paths, ladders._summarized, ladders._merged, ladders._conflicts, ladders._accelerated]


@pytest.mark.sample(3)
@pytest.mark.parametrize("make", VERIFYING)
def test_paused_at_every_poll(make: Callable[[Context[Any]], Any], tmp_path: Path, impatient: None) -> None:
    """As an arm, with another one that does the same in between."""
    file = tmp_path / "p.c"
    file.write_text(PRELUDE + PROGRAM, encoding="utf-8")
    request = VerifyRequest((file,), compiler_flags=("-w",), seconds=60.0)
    whole = context_of(request)
    make(whole).run(whole.budget, None)
    contexts = [context_of(request) for _ in range(2)]
    arms = [Arm(make, context) for context in contexts]
    turns = 0
    while any(arm.is_waiting for arm in arms):
        turns += 1
        for arm in arms:
            if arm.is_waiting:
                arm.take_turn(0.0)
    assert turns > 3
    for context in contexts:
        assert found(context.ledger)[:3] == found(whole.ledger)[:3]
        assert context.ledger.statistics().instructions == whole.ledger.statistics().instructions


def test_a_search_by_chains_is_paused_at_every_poll(tmp_path: Path, impatient: None) -> None:
    file = tmp_path / "p.c"
    file.write_text(PRELUDE + PROGRAM.replace("s == 77", "s == 3"), encoding="utf-8")
    request = ReachRequest((file,), label="target", compiler_flags=("-w",), keep_branches=True, seconds=60.0)
    program = load_program(request, Listener())
    context = context_of(request, insert_probes(program, _target(request, program).places))
    arm = Arm(ChainSearch, context)
    turns = 0
    while arm.is_waiting:
        turns += 1
        arm.take_turn(0.0)
    assert turns > 1
    assert context.ledger.findings.arrival is not None and context.ledger.findings.arrival.confirmed


def test_chains_promise_less_where_they_look_ahead_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "p.c"
    file.write_text(PRELUDE + PROGRAM)
    request = ReachRequest((file,), label="target", compiler_flags=("-w",), seconds=60.0)
    program = load_program(request, Listener())
    context = context_of(request, insert_probes(program, _target(request, program).places))
    worked, promises = 0.0, list[float]()

    def reach(task: ReachTask) -> None:
        nonlocal worked
        task.looking = worked = 2.0
        for seconds in (0.5, 4.0, 1000.0):
            worked = task.looking + seconds * QUICK_LOOK
            promises.append(phase.promise)
        task.looks, task.looked, task.looking = 8, 4 * QUICK_LOOK, None
        promises.append(phase.promise)

    monkeypatch.setattr(Budget, "worked", lambda budget: worked)
    monkeypatch.setattr(chain_search, "technique", lambda name: SimpleNamespace(reach=reach))
    phase = ChainSearch(context)
    assert phase.promise == 1.0
    phase.run(context.budget, None)
    assert promises == [1.0, pytest.approx(1 / 4), LEAST, 1.0]
