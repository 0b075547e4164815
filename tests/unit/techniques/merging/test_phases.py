"""When paths are merged: accounts of work, of the whole and of single merge points."""

from __future__ import annotations

from itertools import pairwise

from clew.execute.codegen.context import Watch
from clew.techniques.merging.known_states import MergePointAccounts
from clew.techniques.merging.limits import USUAL
from clew.techniques.merging.searcher import MergingPhase
from clew.techniques.merging.work import WorkAccount


class Work:
    """A run whose work is what the test says."""

    def __init__(self) -> None:
        self.done = 0
        self.switched: list[bool] = []
        self.phase = MergingPhase()
        self.phase.explored = lambda: self.done
        self.phase.switch = self.switched.append

    def turns(self, count: int, done: int = 100, paid: int = 0, credited: int = 0) -> None:
        for _ in range(count):
            self.done += done
            self.phase.account.charge(paid if self.phase.on else 0)
            self.phase.account.credit(credited if self.phase.on else 0)
            self.phase.turn()

    def turns_until_switched(self, **work: int) -> int:
        count, before = 0, len(self.switched)
        while len(self.switched) == before:
            self.turns(1, **work)
            count += 1
        return count


def test_a_deficit_is_what_did_not_come_back_since_it_broke_even() -> None:
    account = WorkAccount()
    account.charge(10)
    account.credit(30)
    account.charge(5)
    assert (account.paid, account.credited, account.deficit) == (15, 30, 5)


def test_what_pays_goes_on() -> None:
    work = Work()
    work.turns(5000, paid=2000, credited=2001)
    assert work.switched == [] and work.phase.pays()


def test_what_does_not_pay_is_tried_more_and_more_rarely() -> None:
    work = Work()
    pauses = []
    for _ in range(4):
        work.turns_until_switched(paid=2000)
        assert not work.phase.on
        pauses.append(work.turns_until_switched())
        assert work.phase.on
    assert all(later > 2 * earlier for earlier, later in pairwise(pauses))
    assert work.phase.account.paid < 0.1 * work.done


def test_what_has_paid_in_between_is_tried_again_soon() -> None:
    work = Work()
    for _ in range(3):
        work.turns_until_switched(paid=2000)
        long = work.turns_until_switched()
    work.turns(100, paid=2000, credited=1 << 30)
    work.turns_until_switched(paid=2000)
    assert work.turns_until_switched() < long


def test_first_turns_may_cost_more_unless_paths_do_not_come_to_an_end() -> None:
    work = Work()
    work.turns(20, paid=6_000)
    assert work.phase.on and work.phase.saves_most
    work.turns(20, paid=6_000)
    assert not work.phase.on
    work = Work()
    work.turns(20, paid=12_000)
    assert not work.phase.on
    work = Work()
    work.phase.gave_way()
    work.turns(1)
    assert work.phase.on
    work.phase.gave_way()
    work.turns(1)
    assert not work.phase.on


def test_what_joins_a_small_run_may_cost_what_that_has_explored() -> None:
    costs = []
    for explored in (100, 20_000, 10_000_000):
        work = Work()
        work.phase.on = False
        work.turns(1, done=explored)
        work.phase.begin()
        work.turns_until_switched(paid=500)
        costs.append(work.phase.account.paid)
    assert costs[0] < 30_000 and costs[0] < costs[1] < costs[2] <= 100_000


def test_questions_to_the_solver_count() -> None:
    work = Work()
    asked = 0
    work.phase.asked = lambda: asked
    for _ in range(200):
        asked += 3000
        work.turns(1)
    assert work.switched == [False]


def test_depth_first_has_most_turns_only_while_most_is_saved() -> None:
    work = Work()
    work.turns(40, credited=201)
    assert work.phase.saves_most
    work.turns(100, credited=20)
    assert work.phase.on and not work.phase.saves_most


def test_a_trial_in_which_much_comes_back_may_be_longer() -> None:
    """Small subtrees are explored first: what merging them saves grows."""
    costs = []
    for credited in (0, 400, 1000):
        work = Work()
        work.turns_until_switched(paid=2000, credited=credited)
        costs.append(work.phase.account.deficit)
    assert costs[1] < 1.2 * costs[0] and costs[2] > 1.5 * costs[0]
    work = Work()
    work.turns(60, paid=2000, credited=1000)
    assert work.phase.saves_most


def test_a_merge_point_rests_twice_as_long_each_time() -> None:
    watch = Watch()
    accounts = MergePointAccounts({"a": watch, "b": Watch()}, USUAL)
    rests = []
    for _ in range(3):
        while watch.on:
            accounts.of("a").charge(1000)
            accounts.settle("a")
        count = 0
        while not watch.on:
            accounts.path_ended()
            count += 1
        rests.append(count)
    assert rests == [USUAL.first_pause, 2 * USUAL.first_pause, 4 * USUAL.first_pause]
    accounts.merged("a", 10)
    assert accounts.of("a").pause == USUAL.first_pause


def test_all_merge_points_are_switched_off_and_those_that_rest_stay_so() -> None:
    watches = {"a": Watch(), "b": Watch()}
    accounts = MergePointAccounts(watches, USUAL)
    accounts.of("a").charge(USUAL.point_deficit + 1)
    accounts.settle("a")
    accounts.switch(False)
    assert not watches["a"].on and not watches["b"].on
    accounts.switch(True)
    assert not watches["a"].on and watches["b"].on
    for _ in range(USUAL.first_pause):
        accounts.path_ended()
    assert watches["a"].on
