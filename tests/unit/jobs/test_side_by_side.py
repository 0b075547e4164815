"""Arms in processes of their own: answers, deaths, errors and limits; and what they leave to each other."""

from __future__ import annotations

import math
import os
import pickle
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from clew.analysis.absint.analyse import Invariants
from clew.base.budget import Budget, StopReason, current_memory_mb
from clew.base.errors import InternalError, UserError
from clew.base.location import Location
from clew.base.options import ReachRequest, VerifyRequest
from clew.base.processes import descendants, proportional_mb
from clew.execute.engine import Engine
from clew.execute.state import State
from clew.jobs import ladders
from clew.jobs.arms import Arm
from clew.jobs.ledger import DistantWork, Ledger
from clew.jobs.phases.exhaustive import Exhaustive
from clew.jobs.phases.loop_facts import LoopFacts
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import DEFAULT_CHECKS, verify_settings
from clew.jobs.prepare import load_checked
from clew.jobs.reach import run_reach
from clew.jobs.run_record import coverage_of, record_of
from clew.jobs.sharing.coordination import KILLED
from clew.jobs.sharing.relay import Relay
from clew.jobs.side_by_side import crew
from clew.jobs.side_by_side.crew import KILLED_TWICE, SideBySide
from clew.jobs.side_by_side.exchange import Diary, enter
from clew.jobs.side_by_side.messages import News
from clew.jobs.verdict import TARGET
from clew.jobs.verify import run_verify
from clew.parallel.local import Channel, LocalWorkers
from clew.report.listener import Listener
from clew.report.records import Bug, Summary, Test
from clew.techniques.conflicts.clause_exchange import ClauseExchange
from clew.techniques.conflicts.statistics import ConflictStatistics
from clew.techniques.invariants.candidates.lemmas import NO_LEMMAS
from clew.techniques.tasks import UNDECIDED, Open, OpenReason, Proved
from oracle.arms_apart import apart
from unit.execute.support import PRELUDE

KEY, OTHER = ("assert", Location("p.c", 1)), ("assert", Location("p.c", 2))
BUG = Bug("assert", "it fails", Location("p.c", 2), "main", confirmed=True)


class Kept(Listener):
    def __init__(self) -> None:
        self.found: list[Test | Bug] = []

    def test_found(self, test: Test) -> None:
        self.found.append(test)

    def bug_found(self, bug: Bug) -> None:
        self.found.append(bug)


# What arms leave to each other


def ledger() -> Ledger:
    return Ledger(VerifyRequest((Path("p.c"),)), "verify", Budget())


def test_what_is_found_out_gets_from_one_ledger_into_another_and_not_back() -> None:
    """By way of a third: that of the command."""
    first, whole, second = ledger(), ledger(), ledger()
    kept = Kept()
    writer, reader = Diary(first, Relay(Listener())), Diary(second, Relay(Listener()))
    first.answers[KEY] = Proved("by a technique")
    first.findings.meet_unasked(OTHER, "")
    first.findings.doubtful.add(OTHER)
    news = replace(writer.news(), found=(Test((), frozenset(), BUG, "bug"), BUG))
    passed = enter(whole, news, kept)
    reader.learn(passed)
    for entered in (whole, second):
        assert entered.proved() == {KEY} and entered.findings.confirmed() == {OTHER}
        assert entered.findings.unasked == {OTHER: ""} and entered.findings.doubtful == {OTHER}
    assert [type(one) for one in kept.found] == [Test, Bug]
    assert not reader.has_news() and not reader.news() and not writer.news()
    assert not enter(whole, replace(news, unasked={}, doubtful=frozenset()), kept) and len(kept.found) == 2


def test_a_proof_stands_and_reasons_for_none_are_not_passed_on() -> None:
    """What keeps one arm from a proof says nothing about another one's."""
    whole = ledger()
    enter(whole, News({KEY: Proved("so"), OTHER: UNDECIDED}), Listener())
    passed = enter(whole, News({KEY: Open(OpenReason.STOPPED, "time limit"), OTHER: UNDECIDED}), Listener())
    assert whole.answers == {KEY: Proved("so"), OTHER: UNDECIDED}
    assert not passed.answers


LOOPING = """
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;
  while (i < n) { i++; j += 2; if (i > 1000) break; }
  assert(j %% 2 == 0 && %s);
}
"""


def test_lemmas_of_one_phase_are_used_by_another_if_they_are_about_the_same_loops(tmp_path: Path) -> None:
    def facts(code: str) -> tuple[LoopFacts, Invariants]:
        program = tmp_path / "program.c"
        program.write_text("#include <assert.h>\n" + PRELUDE + code, encoding="utf-8")
        request, listener = VerifyRequest((program,), compiler_flags=("-w",)), Listener()
        budget = request.budget()
        own = Ledger(request, "verify", budget)
        loaded = load_checked(request, listener, DEFAULT_CHECKS)
        found = LoopFacts(Context(request, listener, budget, own, loaded))
        invariants = found.invariants(budget)
        assert invariants is not None
        return found, invariants

    def told(first: LoopFacts, second: LoopFacts) -> News:
        """Over two processes."""
        sender, receiver = first._context.ledger, second._context.ledger
        news: News = pickle.loads(pickle.dumps(enter(ledger(), News(lemmas=sender.lemmas), Listener())))
        reader = Diary(receiver, Relay(Listener()))
        reader.learn(news)
        assert not reader.has_news()
        return news

    (first, invariants), (second, same), (third, others) = map(facts, (LOOPING % "1", LOOPING % "1", PATHS % ""))
    diary = Diary(first._context.ledger, Relay(Listener()))
    lemmas = first.lemmas(invariants, Budget())
    assert lemmas and diary.has_news() and diary.news().lemmas == {False: lemmas} and not diary.has_news()
    assert told(first, second).lemmas == told(first, third).lemmas == {False: lemmas}
    with patch("clew.jobs.phases.loop_facts.find_lemmas", return_value=NO_LEMMAS) as search:
        assert second.lemmas(same, Budget()) == lemmas and not search.called
        assert third.lemmas(others, Budget()) is NO_LEMMAS and search.called


# Processes, with phases that are made up


class Phase:
    """Polls for so long, then does what it is given."""

    technique = "made up"
    ready = None

    def __init__(self, context: Context[Any], seconds: float, work: Callable[[Ledger], None]) -> None:
        self._context, self._seconds, self._work = context, seconds, work
        self.over = False

    def seconds_left(self, worked: float) -> float:
        return math.inf

    def run(self, share: Budget, effort: int | None) -> None:
        until = time.monotonic() + self._seconds
        while time.monotonic() < until:
            reason = share.exhausted()
            if reason is not None:
                self._context.ledger.answer_open({TARGET: Open(OpenReason.STOPPED, str(reason))})
                return
            time.sleep(0.001)
        self._work(self._context.ledger)


def answers(ledger: Ledger) -> None:
    ledger.answers[TARGET] = Proved("found")


def dies(ledger: Ledger) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fails(ledger: Ledger) -> None:
    raise KeyError("oops")


def complains(ledger: Ledger) -> None:
    raise UserError("no such file")


def run(
    *arms: tuple[float, Callable[[Ledger], None]], jobs: int = 2, seconds: float | None = None, warns: bool = False
) -> Ledger:
    """Run made-up arms, each given by how long it takes and what it does then; ``warns``: until there is a warning,
    too."""
    budget = Budget(seconds)
    ledger = Ledger(ReachRequest((Path("p.c"),), line=1), "reach", budget)
    relay = Relay(Listener())
    context: Context[Any] = Context(None, relay, budget, ledger, None)  # type: ignore[arg-type]

    def arm(seconds: float, work: Callable[[Ledger], None]) -> Arm[Any]:
        return Arm(lambda context: Phase(context, seconds, work), context)

    def is_decided() -> bool:
        return bool(ledger.proved()) and (not warns or bool(ledger.findings.warnings))

    made = [arm(*each) for each in arms]
    SideBySide(ledger, relay, made, jobs, lambda arm: nullcontext()).run(budget, is_decided)
    return ledger


def test_the_answer_comes_from_any_process() -> None:
    assert run((60.0, answers), (0.05, answers)).answers == {TARGET: Proved("found")}


def test_what_dies_once_is_done_again(tmp_path: Path) -> None:
    def dies_once(ledger: Ledger) -> None:
        if not (tmp_path / "died").exists():
            (tmp_path / "died").touch()
            dies(ledger)
        answers(ledger)

    assert run((0.01, dies_once)).answers == {TARGET: Proved("found")}


def test_an_arm_that_dies_twice_is_lost_and_others_go_on() -> None:
    found = run((0.0, dies), (0.0, answers), warns=True)
    assert found.answers == {TARGET: Proved("found")}
    assert found.findings.warnings == [f"made up: {KILLED_TWICE}"]


def test_if_all_are_lost_that_is_why_nothing_is_known() -> None:
    assert run((0.0, dies)).answers == {TARGET: Open(OpenReason.NOT_FOLLOWED, f"made up: {KILLED_TWICE}")}


def test_an_internal_error_ends_one_arm() -> None:
    found = run((0.0, fails), (0.0, answers), warns=True)
    assert found.answers == {TARGET: Proved("found")}
    assert found.findings.warnings == ["internal error in made up: KeyError: 'oops'"]
    with pytest.raises(InternalError, match="oops"):
        run((0.0, fails))


def test_a_mistake_of_the_users_ends_the_command() -> None:
    with pytest.raises(UserError, match="no such file"):
        run((0.0, complains), (60.0, answers))


def test_when_the_time_is_over_all_come_to_their_ends() -> None:
    assert run((60.0, answers), (60.0, answers), seconds=0.2).answers == {TARGET: Open(OpenReason.STOPPED, "time")}


class Greedy(Phase):
    """An arm that takes all the memory it may have."""

    def run(self, share: Budget, effort: int | None) -> None:
        taken = []
        while share.exhausted() is None:
            taken.append(b"x" * (1 << 19))
            time.sleep(0.002)
        super().run(share, effort)


def test_memory_is_that_of_all_processes() -> None:
    """Of two arms that grow and grow, one is given up; the other stops. Together they stay below the limit."""
    budget = Budget(memory_mb=current_memory_mb() + 300.0)
    ledger = Ledger(ReachRequest((Path("p.c"),), line=1), "reach", budget)
    relay, largest = Relay(Listener()), 0.0
    context: Context[Any] = Context(None, relay, budget, ledger, None)  # type: ignore[arg-type]
    arms: list[Arm[Any]] = [Arm(lambda context: Greedy(context, 60.0, answers), context) for _ in range(2)]
    listen = SideBySide._listen

    def measured(crew: SideBySide, seconds: float) -> None:
        nonlocal largest
        listen(crew, seconds)
        largest = max(largest, sum(map(proportional_mb, (os.getpid(), *descendants(os.getpid())))))

    with patch.object(SideBySide, "_listen", measured), patch("clew.jobs.side_by_side.crew.MEMORY_LOOK", 0.0):
        SideBySide(ledger, relay, arms, 2, lambda arm: nullcontext()).run(budget, lambda: bool(ledger.proved()))
    assert budget.memory_mb is not None
    assert 0.8 * budget.memory_mb < largest < 1.1 * budget.memory_mb
    assert not ledger.proved()


def test_a_run_is_forgotten_with_its_process(tmp_path: Path) -> None:
    """The summary then tells of another one."""
    program = tmp_path / "program.c"
    program.write_text("int main(void) { return 0; }", encoding="utf-8")
    request = VerifyRequest((program,))
    ledger = Ledger(request, "verify", request.budget())
    loaded = load_checked(request, Listener())
    context = Context(request, Listener(), ledger.budget, ledger, loaded)
    ready = ledger.enter(context.prepare_run(verify_settings(request)))
    distant = replace(record_of(ready), stopped=StopReason.FAILED)
    ledger.hear(5, DistantWork({(5, 1): (distant, coverage_of(ready))}, ledger.assistance()))
    ledger.credit((5, 1))
    assert ledger.answering == distant
    ledger.forget(5)
    assert ledger.answering == record_of(ready)


# Commands

PATHS = """
int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  unsigned n = 0;
  for (int i = 0; i < 5; i++) if (c >> i & 1) n += 1 << i; else n ^= c;
  %s
  return c & 31;
}
"""


def verify(folder: Path, code: str, listener: Listener | None = None, **options: Any) -> Summary:
    program = folder / "program.c"
    program.write_text("#include <assert.h>\n" + PRELUDE + code, encoding="utf-8")
    request = VerifyRequest((program,), compiler_flags=("-w",), keep_branches=True, **options)
    return run_verify(request, listener or Listener())


@pytest.mark.parametrize(("strategy", "statement"), [("plain", "assert(n < 999);"), ("auto", "assert(n != 21);")])
def test_verdicts_and_counterexamples_are_those_of_one_process(tmp_path: Path, strategy: str, statement: str) -> None:
    alone, kept = verify(tmp_path, PATHS % statement, strategy=strategy), Kept()
    with apart(statement, 2, 0.0):
        shared = verify(tmp_path, PATHS % statement, kept, strategy=strategy, jobs=2)
    assert (shared.verdict, shared.reason, shared.properties) == (alone.verdict, alone.reason, alone.properties)
    assert [bug.confirmed for bug in shared.bugs] == [bug.confirmed for bug in alone.bugs]
    assert len(kept.found) == 2 * len(alone.bugs)


@pytest.mark.parametrize(("line", "verdict"), [("n == 21", "REACHED"), ("n > 999", "UNREACHABLE")])
def test_reach_by_several_processes(tmp_path: Path, line: str, verdict: str) -> None:
    program = tmp_path / "program.c"
    program.write_text(PRELUDE + PATHS % f"if ({line}) T: n = 1;", encoding="utf-8")
    with apart(line, 2, 0.0):
        summary = run_reach(ReachRequest((program,), label="T", jobs=2, keep_branches=True), Listener())
    assert summary.verdict == verdict
    assert (summary.target is not None and summary.target.arrival is not None) == (verdict == "REACHED")


def test_a_path_that_ends_each_process_is_a_loss_and_no_proof(tmp_path: Path) -> None:
    """It is set aside; what waits beside it is explored all the same."""
    end, alone = Engine._end, os.getpid()

    def deadly(engine: Engine, state: State, how: Any, trace: Any) -> None:
        if os.getpid() != alone and state.model.eval(how.code) == 9:
            os.kill(os.getpid(), signal.SIGKILL)
        end(engine, state, how, trace)

    values = {"jobs.phases.dovetail.HEAD_START": 0.0, "jobs.side_by_side.crew.LEAST_PATHS": 1}
    with ExitStack() as stack:
        stack.enter_context(apart("deadly", 2, 0.0))
        for name, value in (values | {"parallel.coordinator.DEATHS": 2}).items():
            stack.enter_context(patch(f"clew.{name}", value))
        stack.enter_context(patch.object(Engine, "_end", deadly))
        summary = verify(tmp_path, PATHS % "assert(n < 999);", strategy="plain", jobs=2)
    assert (summary.verdict, summary.reason) == ("UNKNOWN", f"unexplored: {KILLED}")


def test_what_limits_the_first_turn_does_not_limit_several_processes(tmp_path: Path) -> None:
    """They are divided before its effort is spent."""

    def with_effort(context: Context[VerifyRequest], relay: Relay, make: Any) -> ladders.Rung:
        return ladders.Rung(ladders._dovetail(context, relay, (Arm(make, context, effort=9),), lambda: False))

    with (
        apart("effort", 2, 0.0),
        patch("clew.jobs.phases.dovetail.HEAD_START", 0.0),
        patch.object(crew, "LEAST_PATHS", 1),
        patch.object(ladders, "_alone", with_effort),
    ):
        summary = verify(tmp_path, PATHS % "assert(n < 999);", strategy="plain", jobs=2, seconds=10.0)
    assert summary.verdict == "TRUE"


def test_a_divided_arm_works_on_what_it_did_before(tmp_path: Path) -> None:
    """Whether that has an end is known before any of its processes has told anything."""
    told: list[bool] = []
    divide = SideBySide._divide

    def noted(arms: SideBySide) -> None:
        divide(arms)
        told.extend(arm.standing().has_end for arm in arms._divided)

    with (
        apart("ends", 2, 0.0),
        patch.object(SideBySide, "_divide", noted),
        patch.object(Exhaustive, "is_shallow", True),
        patch.object(crew, "LEAST_PATHS", 1),
    ):
        verify(tmp_path, PATHS % "assert(n < 999);", strategy="auto", jobs=2)
    assert told and all(told)


def test_paths_for_which_no_process_can_be_started_are_explored_by_others(tmp_path: Path) -> None:
    start, code = LocalWorkers.start, PATHS % "assert(n < 999);"

    def alone(workers: LocalWorkers, number: int) -> Channel | None:
        if number:
            raise OSError("too many processes")
        return start(workers, number)

    values = {"jobs.phases.dovetail.HEAD_START": 0.0, "jobs.side_by_side.crew.LEAST_PATHS": 1}
    with ExitStack() as stack:
        stack.enter_context(apart("alone", 2, 0.0))
        for name, value in values.items():
            stack.enter_context(patch(f"clew.{name}", value))
        stack.enter_context(patch.object(LocalWorkers, "start", alone))
        summary = verify(tmp_path, code, strategy="plain", jobs=2)
    expected = verify(tmp_path, code, strategy="plain")
    assert (summary.verdict, summary.stats.paths_completed) == ("TRUE", expected.stats.paths_completed)


def test_a_short_run_has_one_process(tmp_path: Path) -> None:
    with patch.object(crew.SideBySide, "run") as begun:
        assert verify(tmp_path, "int main(void) { assert(1 + __VERIFIER_nondet_int() * 0); }", jobs=2).verdict == "TRUE"
    assert not begun.called


SEARCHED = """
int main(void) {
    int a = 0, b = 0;
    for (int i = 0; i < 3; i++) {
        unsigned k = __VERIFIER_nondet_uint();
        if (k % 3 == 0) a += 2; else if (k > 90) a += 4; else b += 2;
    }
    assert(a % 2 == 0);
    assert(b != 3);
    assert(a != 8);
    assert(b < 7);
}
"""


def test_searches_that_share_properties_answer_all_of_them(tmp_path: Path) -> None:
    alone = verify(tmp_path, SEARCHED, strategy="conflicts")
    with apart("searches", 2, 0.0):
        both = verify(tmp_path, SEARCHED, strategy="conflicts", jobs=2)
    assert {(item.location, item.verdict) for item in alone.properties} == {
        (item.location, item.verdict) for item in both.properties
    }
    assert [item.verdict for item in both.properties] == ["TRUE", "TRUE", "FALSE", "TRUE"]


def test_what_one_search_has_learned_spares_another_the_work(tmp_path: Path) -> None:
    def conflicts(exchange: ClauseExchange) -> ConflictStatistics:
        with patch.object(ladders._conflicts, "__defaults__", (exchange,)):
            summary = verify(tmp_path, SEARCHED, strategy="conflicts")
        assert [item.verdict for item in summary.properties] == ["TRUE", "TRUE", "FALSE", "TRUE"]
        return summary.stats.of(ConflictStatistics)

    first, second = ClauseExchange(0, 1), ClauseExchange(0, 1)
    before = conflicts(first)
    second.arrive(first.taken())
    after = conflicts(second)
    assert not before.clauses_from_others and after.clauses_from_others
    assert after.conflicts < before.conflicts
