"""What techniques may spend: their capital, a share of the work, and what they have earned."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from clew.report.statistics import RunStatistics
from clew.solver.stats import SolverStats
from clew.techniques.accounts import Accounts, work_of


def accounts() -> tuple[Accounts, RunStatistics, Any]:
    statistics, coverage = RunStatistics(), SimpleNamespace(version=0)
    return Accounts(statistics, SolverStats(), cast(Any, coverage)), statistics, coverage


def test_all_kinds_of_work_count() -> None:
    statistics, solver = RunStatistics(), SolverStats()
    seen = [work_of(statistics, solver)]
    for name in ("instructions", "forks", "paths_completed", "paths_pruned", "paths_cut_short"):
        setattr(statistics, name, 8)
        seen.append(work_of(statistics, solver))
    for name in ("nodes", "hard"):
        setattr(solver, name, 3)
        seen.append(work_of(statistics, solver))
    assert seen[0] == 0 and seen == sorted(set(seen))


def test_a_technique_that_brings_nothing_costs_its_capital_and_its_share() -> None:
    made, statistics, _ = accounts()
    account = made.open("any", 1_000, 0.1)  # so little is there at once
    assert account.affords(1_000) and not account.affords(1_001)
    account.charge(own=1_000)
    assert account.balance() == 100  # its share of its own work
    account.charge(caused=100)
    assert not account.affords(1)
    statistics.instructions = 40_000
    assert account.balance() == 1_000


def test_one_that_pays_gets_more_at_once() -> None:
    made, _, _ = accounts()
    account = made.open("any", 0, 0.0)
    assert not account.affords(1)
    account.credit(2, 5_000)
    assert account.affords(5_000)
    assert (account.branches, account.earned, account.spent) == (2, 5_000, 0)


def test_the_work_of_all_counts_once() -> None:
    made, statistics, _ = accounts()
    first, second = made.open("a", 0, 0.0), made.open("b", 0, 0.0)
    first.charge(own=300)
    second.charge(own=50, caused=70)
    statistics.instructions = 4 * 70  # what the second one caused is among it
    assert made.work() == 300 + 50 + 70
    assert [(one.name, one.spent, one.work) for one in made.records()] == [("a", 300, 420), ("b", 120, 420)]


def test_the_price_of_a_branch_is_the_work_since_the_last_one() -> None:
    made, statistics, coverage = accounts()
    statistics.instructions = 400
    assert made.expected_price() == 100
    coverage.version = 1
    made.notice()
    assert made.price == 100
    statistics.instructions = 1_200
    assert (made.price, made.expected_price()) == (100, 200)


def test_capital_is_not_spent_before_exploration_has_begun() -> None:
    made, statistics, _ = accounts()
    account = made.open("any", 100_000, 0.0)
    assert not account.affords(60_000)
    statistics.instructions = 4 * 200_000
    assert account.affords(60_000) and not account.affords(100_000)
    statistics.instructions = 4 * 10**9
    assert account.balance() == 100_000


def test_the_share_of_one_that_has_not_paid_becomes_smaller() -> None:
    made, statistics, _ = accounts()
    idle, useful = made.open("idle", 0, 0.1), made.open("useful", 0, 0.1)
    shares: list[float] = []
    for work in (4, 16, 64, 256):
        statistics.instructions = 4_000_000 * work
        idle.charge(caused=1)
        useful.credit(0, 1)
        shares.append(idle.balance() / made.work())
        assert useful.balance() >= 0.1 * made.work()
    assert shares == sorted(set(shares), reverse=True) and shares[-1] < shares[0] / 2
    before = idle.balance()
    idle.credit(0, idle.spent)
    assert idle.balance() > 2 * before  # it comes back at once
