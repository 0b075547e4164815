"""What a path is for, where it is not part of exploration like all others.

Inputs that a technique proposes for a branch are run as a path of its own. Exploration would come to all that it does,
so most siblings of such a path are not needed.
"""

from __future__ import annotations

from enum import Enum

from clew.execute.extensions import Extension
from clew.execute.pending import Pending
from clew.execute.run import Run
from clew.execute.state import State


class PathPurpose(Extension, Enum):
    """The extension of states; a path without it explores."""

    GENERATED = "generated"
    """To cover something that exploration would come to much later: all of it is in what waits, or was run."""
    SURPLUS = "surplus"
    """A sibling of a generated path from before that covered anything new: of no use."""
    DEFERRED = "deferred"
    """A sibling of a generated path from after it covered something new: of use if exploration is stuck."""

    @property
    def is_surplus(self) -> bool:
        return self is PathPurpose.SURPLUS

    @property
    def drops_siblings(self) -> bool:
        return True

    def for_sibling(self, state: State) -> PathPurpose | None:
        if self is not PathPurpose.GENERATED:
            return None
        return PathPurpose.DEFERRED if state.covered_new else PathPurpose.SURPLUS


class DeferredSiblings:
    """Siblings of generated paths that are queued when exploration is stuck."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.waiting: list[Pending] = []
        # Before others that listen: what is deferred is not queued, as far as they know.
        run.events.pending_sibling.insert(0, self._pending)
        run.events.memory_short.append(self.waiting.clear)  # what they lead to, siblings that wait do as well

    def _pending(self, pending: Pending) -> bool:
        if pending.state.extension(PathPurpose) is not PathPurpose.DEFERRED:
            return True
        self.waiting.append(pending)
        return False

    def release(self) -> None:
        """They take part in exploration from now on."""
        for pending in self.waiting:
            pending.state.forget(PathPurpose)
            self._run.statistics.forks += 1
            self._run.searcher.add(pending)
        self.waiting.clear()
