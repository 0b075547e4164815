"""What one generation of tests covers: the first run, and the runs that turn one of its decisions round.

Such a sibling runs to its end, but what it would turn round itself is generation 2, and not run.
"""

from __future__ import annotations

from benchmarks.run import Run, watch
from clew.base.options import TestRequest
from clew.execute.pending import Pending
from clew.search.generational import Generational
from clew.search.registry import SEARCHERS, SearchContext

NAME = "first-generation"
"""For ``TestRequest.search``, once this module is imported; not in the command, since it leaves paths out."""


@SEARCHERS.register(NAME, "the first run and its siblings, without theirs")
class FirstGeneration(Generational):
    """Keeps nothing beyond generation 1.

    While the first run lasts, everything that comes is a part of it or a sibling of it. Later, only a sibling that
    gives way to others comes back; what was kept back while there was something better to do is not wanted.
    """

    def __init__(self, context: SearchContext) -> None:
        super().__init__(context)
        self._latest = 0
        """The latest generation that was begun; 2 when all is over."""

    def add(self, pending: Pending) -> None:
        gives_way = pending.constraint is None and pending.state.generation == self._latest
        if (self._latest == 0 and pending.state.generation <= 1) or gives_way:
            super().add(pending)
        else:
            pending.taken = True

    def select(self) -> Pending | None:
        pending = super().select()
        self._latest = 2 if pending is None else max(self._latest, pending.state.generation)
        return pending


def explore_first(request: TestRequest) -> Run:
    """Run it in this process; the search of the request is to be ``NAME``, and it is not to navigate.

    The mark ``LIMIT`` says what the first run alone covers.
    """
    return watch(request, None, 1)
