"""What is known of merge points: the earlier states to compare with, and whether it is worth the while.

A merge point is looked at only while that pays. If it does not, generated code passes it by (its ``Watch`` is off), for
twice as many paths each time; the first merged path undoes that.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from heapq import heappop, heappush

from clew.execute.codegen.context import Watch
from clew.techniques.merging.exploration_tree import ExplorationNode
from clew.techniques.merging.limits import Limits
from clew.techniques.merging.snapshot import Holder, ResumePoint
from clew.techniques.merging.state_index import StateIndex
from clew.techniques.merging.work import WorkAccount


class MergePointAccount(WorkAccount):
    """The account of one merge point of the program's text, whatever calls it."""

    __slots__ = ("pause", "rests", "watch")

    def __init__(self, watch: Watch, pause: int) -> None:
        super().__init__()
        self.watch = watch
        self.pause = pause
        """For how many paths it is passed by, next time."""
        self.rests = False


class MergePointAccounts:
    """All of them, by name."""

    def __init__(self, watches: dict[str, Watch], limits: Limits) -> None:
        self._limits = limits
        self._accounts = {name: MergePointAccount(watch, limits.first_pause) for name, watch in watches.items()}
        self._resting: list[tuple[int, str]] = []
        self._on = True
        self._paths = 0

    def of(self, name: str) -> MergePointAccount:
        return self._accounts[name]

    def switch(self, on: bool) -> None:
        """Pass all of them by, or look at those again that do not rest."""
        self._on = on
        for account in self._accounts.values():
            account.watch.on = on and not account.rests

    def settle(self, name: str) -> None:
        """A visit is over: it may have been one too many."""
        account = self._accounts[name]
        if account.deficit > self._limits.point_deficit:
            heappush(self._resting, (self._paths + account.pause, name))
            account.pause *= 2
            account.deficit = self._limits.point_deficit // 2
            account.rests, account.watch.on = True, False

    def merged(self, name: str, work: int) -> None:
        """A path was merged there that would have cost so much."""
        account = self._accounts[name]
        account.credit(work)
        account.pause = self._limits.first_pause

    def path_ended(self) -> None:
        """Those come back that have rested for long enough."""
        self._paths += 1
        while self._resting and self._resting[0][0] <= self._paths:
            account = self._accounts[heappop(self._resting)[1]]
            account.rests, account.watch.on = False, self._on


class EarlierStates:
    """Formulas of a merge point, for states that agree in what does not depend on input."""

    __slots__ = ("formulas", "index", "telling", "tries")

    def __init__(self, tries: int) -> None:
        self.formulas: list[ExplorationNode] = []
        self.index = StateIndex()
        """All nodes, whether they have closed or not, if states are compared with both."""
        self.tries = tries
        """How many states may still get symbols before one of them has to be of use."""
        self.telling: Holder | None = None
        """What told states apart last, and is not replaced by a symbol: it is compared first."""


class MergePointRecord:
    """What is known of a merge point with a certain way back."""

    __slots__ = ("blamed", "differing", "is_new", "small", "states", "telling")

    def __init__(self) -> None:
        self.is_new = True
        self.states: dict[Hashable, EarlierStates] = {}
        self.differing: dict[Holder, None] = {}
        """What states here differ in, and what is therefore replaced by symbols."""
        self.blamed: dict[Holder, int] = {}
        """How often what a symbol stands for was what told states apart all the same."""
        self.small: dict[Holder, None] = {}
        """What is replaced by a number as long as there are few of them."""
        self.telling: dict[Holder, None] = {}
        """What is replaced by a number, if it can be: it was blamed too often."""

    def blame(self, holders: Iterable[Holder], most: int) -> None:
        """States were told apart by what symbols stand for."""
        for holder in holders:
            self.blamed[holder] = self.blamed.get(holder, 0) + 1
            if self.blamed[holder] > most and holder in self.differing:
                del self.differing[holder]
                self.telling[holder] = None


class MergePointRecords:
    """All of them, with a limit on the formulas that are kept: they hold memory."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._records: dict[tuple[ResumePoint, ...], MergePointRecord] = {}
        self._kept = 0

    def at(self, spots: tuple[ResumePoint, ...]) -> MergePointRecord:
        found = self._records.get(spots)
        if found is None:
            found = self._records[spots] = MergePointRecord()
        return found

    def keep(self, states: EarlierStates, node: ExplorationNode) -> None:
        """Compare later states with a node that has closed."""
        formulas = states.formulas
        if len(formulas) >= self._limits.formulas:
            formulas.remove(min(formulas, key=lambda known: known.hits))
            self._kept -= 1
        formulas.insert(0, node)
        self._kept += 1
        if self._kept > self._limits.all_formulas:
            self._forget()

    def _forget(self) -> None:
        """Give up the formulas of the place that was visited first."""
        for states in self._all():
            if states.formulas:
                self._kept -= len(states.formulas)
                states.formulas.clear()
                return

    def _all(self) -> Iterator[EarlierStates]:
        for record in self._records.values():
            yield from record.states.values()
