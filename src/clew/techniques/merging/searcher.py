"""When paths are merged, and in which order they are explored meanwhile.

What lies ahead of a place must be explored to its end before paths can be merged there: depth first does that. So there
are two phases by turns. In one, paths are merged; depth first has most of the turns while that saves most of the work,
every other one while it saves some; what paths leave that others chose comes last, for it would keep depth first from
the end of anything. The phase ends when merging has cost more than it brought. In the other the strategies of
the default search do what they always do, and nothing is merged; it is so long that trials cost a small part of all
work, and a smaller one each time; what has paid comes back soon.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from clew.execute.coverage import Coverage
from clew.execute.pending import Pending
from clew.search.depth_breadth import DepthFirst
from clew.search.interleave import CLEAN_EVERY, Interleaved
from clew.search.registry import SearchContext
from clew.techniques.merging.work import WorkAccount

_LOSS, _FIRST, _LEAST = 40_000, 2, 20_000
"""Work that a trial may cost in vain, how much more the first one may, and what any may; beyond that, no more than
``_FOLD`` times what was explored before it."""
_FOLD = 2
_TRIAL = 32
"""Turns of a phase of merging, at least: the first ones bring little."""
_SHARE, _GROWTH = 24, 4
"""Work without merging, for each unit that the first trial cost in vain, and how much more after the next one."""
_LOOK = 64
"""Turns between two looks at the work that was done meanwhile."""
_PROMISING, _PATIENCE = 4, 4
"""The part of what was paid that must have come back for a trial to be longer, and how much longer it may be then, and
cost: small subtrees come first, and with each decision that does not count what a merged path saves doubles. Once more
has come back than was paid, it may take half as long as all before for some more to do so."""
_SAVES_MOST = 2
"""Work that is saved, for each unit that is done, if depth first is to have most of the turns."""
_EXCURSION = 64
"""Then every so many turns belong to others; twice as many after each in which they cover nothing new."""


class MergingPhase:
    """Whether paths are merged now: a search may have better use for the time."""

    def __init__(self) -> None:
        self.on = True
        self.account = WorkAccount()
        self.explored: Callable[[], int] = lambda: 0
        """The work of the run so far."""
        self.asked: Callable[[], int] = lambda: 0
        """Of that, what its solver has done."""
        self.switch: Callable[[bool], None] = lambda on: None
        """Called when paths are not merged any more, or again."""
        self.release: Callable[[Pending], None] = lambda pending: None
        """Told of what is explored next."""
        self._loss, self._share = _FIRST * _LOSS, _SHARE
        self._turns = self._asked = self._charged = 0
        self._goes_on = sys.maxsize
        """The work after which paths are merged again."""
        self._began = (0, 0, 0)
        """Work that was done, paid and credited before this phase."""

    def pays(self) -> bool:
        """Whether merging is worth its cost here, or may be."""
        deficit, most = self.account.deficit, 2 * self._loss
        if deficit <= self._loss or (self._turns < _TRIAL and max(deficit, self._charged) <= most):
            return True
        if not self._is_promising:
            return False
        return deficit <= max(_PATIENCE * self._loss, self._paid // 2 if self._credited >= self._paid else 0)

    @property
    def _paid(self) -> int:
        """In this phase."""
        return self.account.paid - self._began[1]

    @property
    def _credited(self) -> int:
        """In this phase."""
        return self.account.credited - self._began[2]

    @property
    def _is_promising(self) -> bool:
        """Whether much of what was paid in this phase came back."""
        return _PROMISING * self._credited >= self._paid

    @property
    def saves_most(self) -> bool:
        """Whether most of the work is saved, or that may be."""
        if self._turns < _TRIAL or (self._turns < _PATIENCE * _TRIAL and self._is_promising):
            return True
        return self._credited >= _SAVES_MOST * (self.explored() - self._began[0])

    def gave_way(self) -> None:
        """A path goes on that did not come to its end in its turn: it may be one that never does."""
        self._turns += _TRIAL // 2
        self.account.charge(self._loss)

    def turn(self) -> None:
        """Another path is about to be chosen; while paths are not merged, it is enough to say so now and then."""
        if not self.on:
            if self.explored() >= self._goes_on:
                self.begin()
            return
        self._turns += 1
        asked = self.asked()
        # Symbols that stand for numbers make questions harder.
        self.account.charge(asked - self._asked)
        self._charged, self._asked = self._charged + asked - self._asked, asked
        if not self.pays():
            self._pause()

    def _pause(self) -> None:
        if self._credited >= self._paid:
            self._share = _SHARE
        self._goes_on = self.explored() + int(self._share * min(self.account.deficit, 2 * _LOSS))
        self._loss, self._share = _LOSS, self._share * _GROWTH
        self.on = False
        self.switch(False)

    def begin(self, part: float = 1.0) -> None:
        """Merge paths from now on. ``part``: of what was explored so far, what a trial is measured by."""
        account = self.account
        account.deficit = self._turns = self._charged = 0
        self._began, self._asked = (self.explored(), account.paid, account.credited), self.asked()
        self._loss = min(self._loss, max(_LEAST, int(_FOLD * part * self.explored())))
        self.on = True
        self.switch(True)


class DepthFirstPhases:
    """The default search, with phases in which depth first takes many of the siblings."""

    def __init__(self, others: Interleaved, context: SearchContext, phase: MergingPhase) -> None:
        self._others = others
        self._deep = DepthFirst(context)
        self._phase = phase
        self._is_aside = False
        """Whether the path that runs was taken by others while depth first is at work."""
        self._coverage: Coverage = context.coverage
        self._version = -1
        self._turn = 0
        self._interval = _EXCURSION
        self._until_excursion = _EXCURSION
        """Turns of depth first, before one that belongs to others."""

    def add(self, pending: Pending) -> None:
        self._others.add(pending)
        if self._is_aside:
            self._deep.add_last(pending)
        else:
            self._deep.add(pending)

    def select(self) -> Pending | None:
        self._turn += 1
        if self._turn % CLEAN_EVERY == 0:
            self._deep.evict(0)
        if self._phase.on or self._turn % _LOOK == 0:
            self._phase.turn()
        pending = self._deep.select() if self._phase.on and self._is_deep() else None
        self._is_aside = self._phase.on and pending is None
        if pending is not None:
            self._others.turn_passed()
            if pending.gave_way:
                self._phase.gave_way()
        else:
            pending = self._others.select()
        if pending is not None and pending.state.extensions:
            self._phase.release(pending)
        return pending

    def _is_deep(self) -> bool:
        """Whether the next sibling is taken depth first, while paths are merged."""
        if not self._phase.saves_most:
            return self._turn % 2 == 0
        self._until_excursion -= 1
        if self._until_excursion > 0:
            return True
        is_new, self._version = self._coverage.version != self._version, self._coverage.version
        self._interval = _EXCURSION if is_new else 2 * self._interval
        self._until_excursion = self._interval
        return False

    def evict(self, count: int) -> list[Pending]:
        victims = self._others.evict(count)
        self._deep.evict(0)
        return victims

    def __len__(self) -> int:
        return len(self._others)
