"""Arms by turns: the answer comes after a small multiple of the fastest one's time, whatever the others do."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clew.base.budget import Budget, Interrupt, StopReason
from clew.base.errors import UserError
from clew.base.options import VerifyRequest
from clew.base.watchdog import Stopped, held
from clew.jobs.arms import Arm
from clew.jobs.ledger import Ledger
from clew.jobs.phases import dovetail
from clew.jobs.phases.dovetail import Dovetail
from clew.jobs.phases.phase import Context
from clew.jobs.phases.turns import GROWTH, length_of, next_of
from clew.report.listener import Listener
from clew.report.records import LossKind
from clew.techniques.tasks import Open, OpenReason, Proved

KEY = ("assert", "p.c:1")
STEP = 0.01


class Clock:
    """Time passes when somebody works."""

    def __init__(self) -> None:
        self.now = 0.0
        self.resolution = 0.0

    def __call__(self) -> float:
        return self.now // self.resolution * self.resolution if self.resolution else self.now


class Worker:
    """A made-up phase: works in steps, polls after each, and answers after so many seconds, if ever."""

    technique = "worker"
    ready = None

    def __init__(
        self, context: Context[Any], clock: Clock, seconds: float, step: float = STEP, explores: bool = False
    ) -> None:
        self._context, self._clock, self._step = context, clock, step
        self.seconds, self.explores = seconds, explores
        self.done = 0.0
        self.steps: list[int] = []
        self.over = False
        self.left_in_order = False

    def seconds_left(self, worked: float) -> float:
        return self.seconds - self.done if self.explores else math.inf

    def run(self, share: Budget, effort: int | None) -> None:
        try:
            self._run(share, effort)
        finally:
            self.left_in_order = True

    def _run(self, share: Budget, effort: int | None) -> None:
        while self.done < self.seconds:
            reason = share.exhausted()
            if reason is not None:
                self.over = True
                self._context.ledger.answer_open({KEY: Open(OpenReason.STOPPED, str(reason))})  # type: ignore[dict-item]
                return
            if effort is not None and len(self.steps) >= effort:
                return
            self.steps.append(len(self.steps))
            self._clock.now += self._step
            self.done += self._step
        self.over = True
        self._context.ledger.answers[KEY] = Proved(self.technique)  # type: ignore[index]


class Setting:
    """A command with made-up arms."""

    def __init__(self, seconds: float | None = None) -> None:
        self.clock = Clock()
        request = VerifyRequest((Path("p.c"),))
        self.budget = Budget(seconds)
        self.ledger = Ledger(request, "verify", self.budget)
        self.context: Context[Any] = Context(request, Listener(), self.budget, self.ledger, None)  # type: ignore[arg-type]

    def arm(
        self, seconds: float, effort: int | None = None, make: Any = Worker, beside: bool = False, **options: Any
    ) -> Arm[Any]:
        def made(context: Context[Any]) -> Any:
            return make(context, self.clock, seconds, **options)

        return Arm(made, self.context, effort, clock=self.clock, beside=beside)

    def run(self, *arms: Arm[Any]) -> Dovetail:
        rotation = Dovetail(self.ledger, arms, lambda: bool(self.ledger.proved()))
        rotation.run(self.budget, None)
        return rotation


NEVER = 1e9


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("needed", [0.3, 3.0, 30.0])
def test_an_arm_that_promises_little_gets_little(place: int, needed: float) -> None:
    setting = Setting()
    arms = [setting.arm(NEVER) for _ in range(2)]
    arms.insert(place, setting.arm(needed))
    for arm in arms[:place] + arms[place + 1 :]:
        arm._promise = lambda phase: 0.1
    setting.run(*arms)
    assert setting.clock.now < 1.6 * needed + 0.3 + dovetail.HEAD_START


def test_what_goes_by_the_clock_is_looked_at_once_for_each_moment() -> None:
    setting = Setting()
    arm = setting.arm(NEVER, step=STEP / 4)
    setting.clock.resolution = STEP
    moments: list[float] = []
    arm.attend = lambda: moments.append(setting.clock())
    arm.take_turn(5 * STEP)
    assert len(arm.phase.steps) >= 16
    assert moments == sorted(set(moments)) and 4 <= len(moments) <= 6


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("needed", [0.3, 3.0, 30.0])
def test_arms_that_never_end_beside_one_that_answers(place: int, needed: float) -> None:
    setting = Setting()
    arms = [setting.arm(NEVER) for _ in range(2)]
    arms.insert(place, setting.arm(needed))
    setting.run(*arms)
    assert setting.ledger.proved() == {KEY}
    most = 1.0 + GROWTH + 0.1
    assert setting.clock.now <= 3 * most * needed + 2 * dovetail.HEAD_START
    assert all(arm.is_over for arm in arms)


def test_a_pause_changes_nothing() -> None:
    setting = Setting()
    one, other = setting.arm(5.0), setting.arm(NEVER)
    setting.run(one, other)
    assert one.phase.steps == list(range(len(one.phase.steps)))
    assert one.phase.done == pytest.approx(5.0, abs=2 * STEP)
    assert one.worked() == pytest.approx(one.phase.done) and other.worked() == pytest.approx(other.phase.done)
    assert one.budget.worked() == one.worked()


def test_an_end_in_sight_gets_most_of_the_time() -> None:
    setting = Setting()
    setting.run(setting.arm(100.0, explores=True), setting.arm(NEVER), setting.arm(NEVER))
    assert setting.clock.now < 1.3 * 100.0


def test_an_end_that_recedes_does_not() -> None:
    """It always seems to be ten times as far away as the arm has come."""

    class Receding(Worker):
        def seconds_left(self, worked: float) -> float:
            return 10.0 * worked

    setting = Setting()
    setting.run(setting.arm(NEVER, make=Receding), setting.arm(20.0))
    assert setting.ledger.proved() == {KEY}
    assert setting.clock.now < 4 * 20.0


def test_an_end_that_was_misjudged_is_doubted_only_so_much() -> None:
    """At first it seems to be at a third of the way."""

    class Misjudged(Worker):
        def seconds_left(self, worked: float) -> float:
            return (self.seconds - self.done) / (3.0 if self.done < 5.0 else 1.0)

    setting = Setting()
    setting.run(setting.arm(60.0, make=Misjudged), *(setting.arm(NEVER) for _ in range(3)))
    assert setting.clock.now < 2.1 * 60.0


def test_an_end_that_always_seems_near_is_believed_less_than_a_true_one() -> None:
    class Promising(Worker):
        def seconds_left(self, worked: float) -> float:
            return 0.5

    setting = Setting()
    setting.run(setting.arm(NEVER, make=Promising), setting.arm(20.0, explores=True))
    assert setting.clock.now < 2.5 * 20.0


def test_an_end_beyond_the_time_there_is_does_not_count() -> None:
    setting = Setting(1000.0)
    setting.run(setting.arm(5000.0, explores=True), setting.arm(20.0))
    assert setting.clock.now < 3.2 * 20.0


def test_shares_are_kept_where_no_end_is_in_sight() -> None:
    setting = Setting()
    one, other = setting.arm(20.0), setting.arm(NEVER)
    other._shares = (0.25, 1.0)
    setting.run(one, other)
    assert 0.15 * 20.0 < other.worked() < 0.4 * 20.0


def test_shares_are_others_where_there_is_an_end() -> None:
    """Somewhere: how far away, nobody knows."""
    setting = Setting()
    one, other = setting.arm(20.0), setting.arm(NEVER)
    one._has_end, other._shares = lambda phase: True, (1.0, 0.25)
    setting.run(one, other)
    assert 0.15 * 20.0 < other.worked() < 0.4 * 20.0


def test_nobody_stands_back_for_an_end_that_is_very_far_away() -> None:
    class Far(Worker):
        def seconds_left(self, worked: float) -> float:
            return 50_000.0 * worked

    setting = Setting()
    first, other = setting.arm(NEVER, make=Far), setting.arm(20.0)
    first._has_end, first._shares = lambda phase: True, (1.0, 4.0)
    setting.run(first, other)
    assert first.worked() < 2.0 * 20.0


def test_an_end_that_there_is_and_that_recedes_gets_most_of_the_time() -> None:
    """Until it is reached, it seems to be ten times as far away as the arm has come."""

    class Receding(Worker):
        def seconds_left(self, worked: float) -> float:
            return 10.0 * worked

    setting = Setting()
    first, *others = setting.arm(20.0, make=Receding), setting.arm(NEVER), setting.arm(NEVER)
    first._has_end = lambda phase: True
    setting.run(first, *others)
    assert setting.clock.now < 2.0 * 20.0


def test_arms_that_take_long_to_begin_wait_for_one_that_is_about_to_end() -> None:
    setting = Setting()
    first, other = setting.arm(0.5), setting.arm(NEVER)
    first._has_end, first._shares = lambda phase: True, (1.0, 4.0)
    setting.run(first, other)
    assert other.worked() == 0.0


def test_what_explores_without_an_end_does_not() -> None:
    setting = Setting()
    setting.run(setting.arm(NEVER, explores=True), setting.arm(50.0))
    assert setting.clock.now < 2.0 * (1.0 + GROWTH) * 50.0 + 2.0


def test_long_steps_are_charged() -> None:
    """An arm that seldom polls has fewer turns, not more time."""
    setting = Setting()
    slow, quick = setting.arm(NEVER, step=7.0), setting.arm(20.0)
    setting.run(quick, slow)
    assert slow.worked() <= 20.0 * (1.0 + GROWTH) + 7.0


def test_the_first_arm_has_a_head_start() -> None:
    setting = Setting()
    first, second = setting.arm(0.3), setting.arm(NEVER)
    setting.run(first, second)
    assert (first.phase.done, second.phase.done) == (pytest.approx(0.3, abs=2 * STEP), 0.0)
    setting = Setting()
    first, second = setting.arm(0.5, effort=3), setting.arm(NEVER)
    setting.run(first, second)
    assert second.phase.done > 0.0 and first.phase.over


def test_an_arm_that_is_of_no_use_yet() -> None:
    setting, asked = Setting(), [False]
    idle = Arm(lambda context: Worker(context, setting.clock, 0.1), setting.context, when=lambda: asked[0])
    setting.run(setting.arm(3.0), idle)
    assert idle.worked() == 0.0
    assert not idle.is_waiting  # it was closed


def test_an_arm_beside_others_ends_with_them() -> None:
    class Undecided(Worker):
        def run(self, share: Budget, effort: int | None) -> None:
            super().run(share, effort)
            self._context.ledger.answers.clear()

    setting = Setting()
    beside = setting.arm(NEVER, beside=True)
    setting.run(setting.arm(2.0, make=Undecided), beside)
    assert beside.is_over and 0.0 < beside.worked() < 4.0 and not setting.ledger.answers


def test_no_arm_is_left() -> None:
    class Useless(Worker):
        def _run(self, share: Budget, effort: int | None) -> None:
            self.over = True

    setting = Setting()
    setting.run(setting.arm(1.0, make=Useless), setting.arm(1.0, make=Useless))
    assert setting.ledger.answers == {}


def test_an_error_of_the_user_comes_out_and_the_others_are_left_in_order() -> None:
    class Broken(Worker):
        def _run(self, share: Budget, effort: int | None) -> None:
            self._clock.now += 0.2
            assert share.exhausted() is None
            raise UserError("broken")

    setting = Setting()
    whole, broken = setting.arm(NEVER), setting.arm(1.0, make=Broken)
    with pytest.raises(UserError, match="broken"):
        setting.run(whole, broken)
    assert whole.is_over and whole.phase.left_in_order


def ask_to_stop(interrupt: Interrupt) -> None:
    interrupt.request()


def strike(interrupt: Interrupt) -> None:
    raise Stopped(StopReason.TIME)


@pytest.mark.parametrize("end", [ask_to_stop, strike])
def test_ended_in_the_middle(end: Callable[[Interrupt], None]) -> None:
    class Ending(Worker):
        def _run(self, share: Budget, effort: int | None) -> None:
            self._clock.now += 1.0
            end(share.interrupt)
            super()._run(share, effort)

    setting = Setting()
    arms = [setting.arm(NEVER), setting.arm(NEVER, make=Ending), setting.arm(NEVER)]
    if end is strike:
        with pytest.raises(Stopped):
            setting.run(*arms)
    else:
        setting.run(*arms)
        assert setting.ledger.answers == {KEY: Open(OpenReason.STOPPED, "interrupted")}
        assert all(arm.phase.over for arm in arms)  # each has seen it, and come to its end by itself
    assert all(arm.is_over for arm in arms)


def test_the_time_limit_is_that_of_the_share() -> None:
    setting = Setting()
    arms = [setting.arm(NEVER), setting.arm(NEVER)]
    rotation = Dovetail(setting.ledger, arms, lambda: False)
    rotation.run(Budget().share(most=0.0), None)
    assert setting.ledger.answers == {KEY: Open(OpenReason.STOPPED, "time")}
    assert all(arm.budget.seconds == 0.0 for arm in arms)


def test_nothing_is_paused_that_must_not_be_cut() -> None:
    class Holding(Worker):
        def _run(self, share: Budget, effort: int | None) -> None:
            with held():
                self._clock.now += 100.0
                assert share.exhausted() is None
                self.done = 1.0
            share.exhausted()
            self.done = 2.0

    setting = Setting()
    arm = setting.arm(NEVER, make=Holding)
    arm.take_turn(1.0)
    assert arm.phase.done == 1.0 and arm.is_waiting
    arm.take_turn(1.0)
    assert arm.phase.done == 2.0 and arm.is_over


def test_questions_are_put_off_when_others_have_waited_for_long() -> None:
    """A question takes 4 s, and a solver lets go of it when it is told to; then it is asked again."""

    class Asking(Worker):
        def _run(self, share: Budget, effort: int | None) -> None:
            while True:
                began = self._clock.now
                while not share.lets_go() and self._clock.now < began + 4.0:
                    self._clock.now += 0.5
                self.steps.append(int(self._clock.now - began))
                if not share.next_turn():
                    return

    setting = Setting()
    arm = setting.arm(NEVER, make=Asking)
    for turns in range(1, 3):
        arm.take_turn(1.0)
        assert not arm.is_over and arm.phase.steps == [2] * turns
    arm.take_turn(math.inf)
    assert arm.is_over and arm.phase.steps == [2, 2, 4]


def test_an_arm_gives_way() -> None:
    """Before something that takes long, but not when all come to their end."""

    class Giving(Worker):
        def _run(self, share: Budget, effort: int | None) -> None:
            for _ in range(2):
                share.give_way()
                self.done += 1.0

    setting = Setting()
    arm = setting.arm(NEVER, make=Giving)
    for done, seconds in ((0.0, 1.0), (1.0, 1.0), (2.0, math.inf)):
        arm.take_turn(seconds)
        assert (arm.phase.done, arm.is_over) == (done, seconds == math.inf)


def test_an_arm_that_is_alone_is_not_interrupted() -> None:
    setting = Setting()
    short, long = setting.arm(0.1), setting.arm(NEVER)
    assert length_of(long, (long, short)) < math.inf
    short.close()
    assert length_of(long, (long, short)) == math.inf


def test_turns_that_are_under_way_count() -> None:
    """Of two that have worked alike, the one is next of which no process works now."""
    setting = Setting()
    arms = setting.arm(NEVER), setting.arm(NEVER)
    for arm in arms:
        arm.take_turn(1.0)
    assert next_of(arms, arms, {arms[0]: 0.5}) is arms[1]
    assert next_of(arms, arms, {arms[1]: 0.5}) is arms[0]


def test_memory_runs_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arms are given up before the one that is most likely to answer has to give up paths."""
    setting = Setting()
    monkeypatch.setattr(Budget, "memory_share", lambda self: 0.95 if setting.clock.now > 5.0 else 0.1)
    arms = [setting.arm(20.0, explores=True), setting.arm(NEVER), setting.arm(NEVER)]
    setting.run(*arms)
    assert setting.ledger.proved() == {KEY}
    assert all(arm.worked() < 5.0 for arm in arms[1:])


class Failing(Worker):
    """A phase with an error of ours in it."""

    technique = "failing"

    def _run(self, share: Budget, effort: int | None) -> None:
        raise AssertionError("no such block")


@pytest.mark.parametrize("place", [0, 1])
def test_an_internal_error_ends_its_arm_only(place: int) -> None:
    setting = Setting()
    arms = [setting.arm(1.0)]
    arms.insert(place, setting.arm(1.0, make=Failing))
    setting.run(*arms)
    assert setting.ledger.proved() == {KEY}
    assert setting.ledger.findings.warnings == ["internal error in failing: AssertionError: no such block"]


def test_an_internal_error_is_a_loss_where_nothing_is_settled() -> None:
    setting = Setting()
    setting.run(setting.arm(1.0), setting.arm(1.0, make=Failing))
    lost = [note.what for note in setting.ledger.summary().losses if note.kind is LossKind.FAILED]
    assert lost == ["failing: AssertionError: no such block"]
    assert not any(note.kind is LossKind.FAILED for note in setting.ledger.summary(settled=True).losses)


def test_an_internal_error_of_all_arms_comes_out() -> None:
    setting = Setting()
    with pytest.raises(AssertionError, match="no such block"):
        setting.run(*(setting.arm(1.0, make=Failing) for _ in range(2)))


@pytest.mark.parametrize(("others", "patience"), [(0, dovetail.ALONE), (1, dovetail.PATIENCE)])
def test_how_long_arms_work_before_they_part(others: int, patience: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is alone is divided, which costs less than a process for each of several."""
    setting = Setting()
    arms = [setting.arm(NEVER) for _ in range(1 + others)]
    parted: list[float] = []
    monkeypatch.setattr(Arm, "is_divisible", lambda arm, paths: True)
    monkeypatch.setattr(Dovetail, "_part", lambda rotation, share: parted.append(setting.clock.now))
    setting.ledger.runs.append(None)  # type: ignore[arg-type]
    Dovetail(setting.ledger, arms, lambda: False, jobs=2).run(setting.budget, None)
    assert parted == [pytest.approx(patience, abs=2 * STEP)]
