"""Endless loops: states that wait, as long as nothing speaks against it, for an exploration that still goes on.

A state that is an instance of an earlier one, and whose path refutes what was refuted below that one so far, is not
explored: it is *covered*, and waits. When nothing else is left to explore, what was refuted below each node is told to
all nodes above it, and every covered state is asked again whether its path refutes all of it; its own reasons are
told upwards in turn. A state that does not is explored after all. When all of them do, and nothing new was told to
anybody, the clauses of each node are an invariant of its place: whatever satisfies them can only do what was explored
below the node, up to a covered state, which satisfies those of another node. So no state can show anything new, after
any number of steps. (McMillan's *Lazy Abstraction with Interpolants*, 2006, closes loops by covering in this way.)
"""

from __future__ import annotations

from collections.abc import Callable

from clew.execute.extensions import Extension
from clew.execute.pending import Pending, Searcher
from clew.execute.state import State
from clew.techniques.merging.exploration_tree import ExplorationNode

FIRST_LOOK = 256
"""Turns after which covered states are asked again, the first time; then twice as many each time."""
MOST_ASKED = 6
"""Times that a state is asked again whether it is covered, before it is explored: what is asked may grow for ever."""


class Covered(Extension):
    """A state waits for what is explored below a node. ``name``: of the merge point."""

    __slots__ = ("asked", "first", "name", "node", "strength")

    def __init__(self, node: ExplorationNode, name: str, strength: tuple[int, int]) -> None:
        self.node = node
        self.name = name
        self.first = self.strength = strength
        """Of the node when the state was asked whether it is covered by it, first and last. The answer itself may make
        the node stronger: the state may be one of those below it."""
        self.asked = 0
        """How often it was found to be covered once more."""

    def for_sibling(self, state: State) -> None:
        return None


class Uncovered(Extension):
    """A state was covered once: where it is now, it has to be explored, unless all below some node was."""

    __slots__ = ()

    def for_sibling(self, state: State) -> None:
        return None


class Covers:
    """All states of one run that wait.

    ``holds`` says whether one is still covered, and tells its node why; ``gives_up`` is told of one that no answer is
    in sight for.
    """

    def __init__(
        self, holds: Callable[[State, ExplorationNode], bool], gives_up: Callable[[State, Covered], None]
    ) -> None:
        self._holds = holds
        self._gives_up = gives_up
        self._waiting: list[Pending] = []
        self._nodes: list[ExplorationNode] = []
        """Those that have not closed, parents before children."""
        self._told: dict[ExplorationNode, tuple[int, int]] = {}
        """How strong nodes were when their parents last heard of them."""
        self.places: dict[str, None] = {}
        """Merge points at which covered states have ended for good."""

    def __len__(self) -> int:
        return len(self._waiting)

    def entered(self, node: ExplorationNode) -> None:
        """A node is opened."""
        self._nodes.append(node)

    def wait(self, pending: Pending) -> None:
        """Put a covered state aside."""
        self._waiting.append(pending)

    def take(self, count: int) -> list[Pending]:
        """Give up states that wait, the last ones first."""
        taken = [self._waiting.pop() for _ in range(min(count, len(self._waiting)))]
        for pending in taken:
            pending.taken = True
        return taken

    def conclude(self) -> None:
        """Nothing is left to explore: none of those that wait can show anything new."""
        for pending in self._waiting:
            covered = pending.state.extension(Covered)
            assert covered is not None
            self.places[covered.name] = None
            pending.release()
        self._waiting.clear()

    def uncovered(self) -> list[Pending]:
        """Those that are to be explored after all; none if everything fits together."""
        while True:
            self._tell()
            broken: list[Pending] = []
            changed = False
            for pending in self._waiting:
                state = pending.state
                covered = state.extension(Covered)
                assert covered is not None
                node = covered.node
                if not node.is_invalid and node.strength == covered.strength:
                    continue
                strength = node.strength
                if not node.is_invalid and self._holds(state, node):
                    covered.strength = strength
                    covered.asked += 1
                    changed = True
                    if covered.asked < MOST_ASKED:
                        continue
                    self._gives_up(state, covered)
                broken.append(pending)
            if broken:
                gone = set(map(id, broken))
                self._waiting = [pending for pending in self._waiting if id(pending) not in gone]
                for pending in broken:
                    pending.state.forget(Covered)
                    pending.state.extend(Uncovered())
                return broken
            if not changed:
                return []

    def _tell(self) -> None:
        """Let every node know what was refuted below it."""
        self._nodes = [node for node in self._nodes if not node.is_closed and not node.is_invalid]
        for node in reversed(self._nodes):
            parent, strength = node.parent, node.strength
            told = self._told.get(node, (0, 0))
            if parent is not None and told != strength:
                parent.learn(node, told[0])
                self._told[node] = strength


class CoveredLast:
    """A searcher around another, which keeps what is covered back until nothing else is left."""

    def __init__(self, others: Searcher, covers: Covers) -> None:
        self._others = others
        self._covers = covers
        self._turns = self._interval = FIRST_LOOK

    def add(self, pending: Pending) -> None:
        if pending.state.extension(Covered) is not None:
            self._covers.wait(pending)
        else:
            self._others.add(pending)

    def select(self) -> Pending | None:
        self._turns -= 1
        pending = self._others.select() if self._turns else None
        while pending is None:
            self._interval *= 1 if self._turns else 2
            self._turns = self._interval
            uncovered = self._covers.uncovered()
            for each in reversed(uncovered):
                self._others.add(each)
            pending = self._others.select()
            if pending is None and not uncovered:
                self._covers.conclude()
                return None
        return pending

    def evict(self, count: int) -> list[Pending]:
        given_up = self._others.evict(min(count, len(self._others)))
        return given_up + self._covers.take(count - len(given_up))

    def __len__(self) -> int:
        return len(self._others) + len(self._covers)
