"""What a technique costs a run, and what it brings: in units of work, which do not depend on the clock.

A unit is about the work of a microsecond. Each technique has an account: it is charged for all that it does, and for
what is done on its behalf, and credited with what it brings. What it may spend is its capital, a share of all the work
of the run, and what it has earned: so a technique that does not pay for itself costs little more than its share, which
becomes smaller in time, and one that does is asked for more at once.

    account.charge(own=units)         it has done something
    account.credit(branches, units)   it has saved so much work, or covered branches that would have cost it
    account.affords(units)            whether it may do something that costs so much
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from clew.execute.coverage import Coverage
from clew.report.records import TechniqueAccount
from clew.report.statistics import RunStatistics
from clew.solver.stats import SolverStats

INSTRUCTIONS = 4
"""Instructions of one unit."""
_FORK, _PATH, _NODE, _HARD = 150, 100, 25, 100
"""Units of a fork, of a path that ends, of a node of a query that comes to a solver, and of a question by which the
solver shows that it is hard."""


_AT_ONCE, _EARLY = 50_000, 0.15
"""Of its capital, what a technique may spend at once, and the part of all work by which it gets at more of it: none
holds up the beginning of a run."""
_LONG, _FADING = 4_000_000, 0.75
"""The work from which on the share of a technique that has not paid for itself becomes smaller, and the power with
which what it comes to goes on growing: trials become rarer and rarer."""
_NOTHING = SolverStats()


def work_of(statistics: RunStatistics, solver: SolverStats = _NOTHING) -> int:
    """The work of a run, so far, with that of its solver."""
    paths = statistics.paths_ended
    explored = statistics.instructions // INSTRUCTIONS + _FORK * statistics.forks + _PATH * paths
    return explored + _NODE * solver.nodes + _HARD * solver.hard


class Account:
    """Of one technique in one run; ``work`` gives the units of the run so far."""

    def __init__(self, name: str, capital: int, share: float, work: Callable[[], int]) -> None:
        self.name = name
        self._capital = capital
        self._share = share
        self._work = work
        self.own = 0
        """Work that it has done itself."""
        self.caused = 0
        """Work that the run has done because of it."""
        self.earned = 0
        self.branches = 0
        """Outcomes of branches that it has covered first."""

    @property
    def spent(self) -> int:
        """All that it has cost."""
        return self.own + self.caused

    def charge(self, own: int = 0, caused: int = 0) -> None:
        """The technique has done so much itself, or caused the run to do it."""
        self.own += own
        self.caused += caused

    def credit(self, branches: int, units: int) -> None:
        """The technique has covered so many branches, or saved paths: that is worth so much."""
        self.branches += branches
        self.earned += units

    def balance(self) -> int:
        """What the technique may spend now."""
        work, gain = self._work(), self.earned - self.spent
        capital = min(self._capital, _AT_ONCE + _EARLY * work)
        if gain < 0 and work > _LONG:
            work = int(_LONG * (work / _LONG) ** _FADING)
        return int(capital + self._share * work + gain)

    def affords(self, units: int) -> bool:
        """Whether the technique may begin something that costs so much."""
        return self.balance() >= units


class Accounts:
    """Those of one run, which knows what a branch is worth: what it has cost since one was covered last."""

    def __init__(self, statistics: RunStatistics, solver: SolverStats, coverage: Coverage) -> None:
        self._statistics = statistics
        self._solver = solver
        self._coverage = coverage
        self._version = coverage.version
        self._since = 0
        self.price = 0
        """The work that was done, when something new was covered last, since the time before."""
        self._accounts: dict[str, Account] = {}

    def work(self) -> int:
        """All the work of the run, with what techniques do themselves."""
        return work_of(self._statistics, self._solver) + sum(one.own for one in self._accounts.values())

    def open(self, name: str, capital: int, share: float) -> Account:
        """A new account of a technique that may spend ``capital``, and that ``share`` of all work.

        What was added for it before, of an earlier run, is on it.
        """
        earlier = self.totals().get(name)
        made = self._accounts[name] = Account(name, capital, share, self.work)
        if earlier is not None:
            self.add(name, *earlier)
        return made

    @contextmanager
    def charging(self, account: Account, other: RunStatistics | None = None) -> Iterator[None]:
        """Charge an account for what the run, its solver and an ``other`` run do within the context."""
        caused, own = work_of(self._statistics, self._solver), 0 if other is None else work_of(other)
        try:
            yield
        finally:
            own = 0 if other is None else work_of(other) - own
            account.charge(own, work_of(self._statistics, self._solver) - caused)

    def notice(self) -> None:
        """See whether anything new was covered; to be called often."""
        if self._coverage.version != self._version:
            work = self.work()
            self.price, self._version, self._since = work - self._since, self._coverage.version, work

    def expected_price(self) -> int:
        """The work since anything new was covered: what exploration would pay for the next branch, at the least."""
        self.notice()
        return self.work() - self._since

    def totals(self) -> dict[str, tuple[int, int, int, int]]:
        """By name: work of its own, caused, earned, and branches."""
        return {one.name: (one.own, one.caused, one.earned, one.branches) for one in self._accounts.values()}

    def add(self, name: str, own: int, caused: int, earned: int, branches: int) -> None:
        """The same technique has done so much, and brought so much, in another process, or in an earlier run."""
        account = self._accounts.get(name) or self.open(name, 0, 0.0)
        account.charge(own, caused)
        account.credit(branches, earned)

    def records(self) -> tuple[TechniqueAccount, ...]:
        """For the summary of the run."""
        work = self.work()
        return tuple(
            TechniqueAccount(one.name, one.spent, one.earned, one.branches, work) for one in self._accounts.values()
        )
