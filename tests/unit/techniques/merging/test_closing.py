"""States that count on what is still being explored: who is asked again, and who is explored after all."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from clew.execute.pending import Pending
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import Expr, as_bool
from clew.expr.sort import bv
from clew.solver.path import EMPTY_PATH
from clew.solver.stats import SolverStats
from clew.techniques.merging.clauses import clause
from clew.techniques.merging.closing import MOST_ASKED, Covered, CoveredLast, Covers
from clew.techniques.merging.exploration_tree import ExplorationNode
from clew.techniques.merging.instance_matching import Match
from clew.techniques.merging.statistics import MergingStatistics
from clew.techniques.merging.subsumption import Implication

X = build.symbol("x", bv(8))
NOTHING: Any = None


class Waiting:
    """As much of a state as covers look at."""

    depth = 0

    def __init__(self, node: ExplorationNode, strength: tuple[int, int] | None = None) -> None:
        self.kept: dict[type, Any] = {Covered: Covered(node, "main:head:0", strength or node.strength)}

    def extension(self, owner: type) -> Any:
        return self.kept.get(owner)

    def extend(self, extension: Any) -> None:
        self.kept[type(extension)] = extension

    def forget(self, owner: type) -> None:
        self.kept.pop(owner, None)


class Queue:
    """A searcher that hands out what came first."""

    def __init__(self) -> None:
        self.items: list[Pending] = []

    def add(self, pending: Pending) -> None:
        self.items.append(pending)

    def select(self) -> Pending | None:
        return self.items.pop(0) if self.items else None

    def evict(self, count: int) -> list[Pending]:
        return [self.items.pop() for _ in range(count)]

    def __len__(self) -> int:
        return len(self.items)


def node(parent: ExplorationNode | None = None) -> ExplorationNode:
    path = EMPTY_PATH.add(equals(0))
    return ExplorationNode(parent, ("main", 0), path, NOTHING, lambda node: None)


def equals(number: int) -> Expr:
    return as_bool(build.eq(X, number, 8))


def refute(at: ExplorationNode, number: int) -> None:
    at.refuted(clause(at.path, (equals(number),), core=frozenset((equals(0),))))


def pending(state: Waiting) -> Pending:
    return Pending(state, None, None, None, 0)  # type: ignore[arg-type]


def covers(holds: Callable[[State, ExplorationNode], bool]) -> Covers:
    return Covers(holds, lambda state, covered: None)


def test_what_is_covered_comes_last_and_ends_when_all_fits() -> None:
    top = node()
    known = covers(lambda state, node: True)
    known.entered(top)
    searcher = CoveredLast(Queue(), known)
    waiting, other = pending(Waiting(top)), pending(Waiting(top))
    other.state.forget(Covered)
    searcher.add(waiting)
    searcher.add(other)
    assert len(searcher) == 2
    assert searcher.select() is other
    assert len(searcher) == 1
    assert searcher.select() is None
    assert len(searcher) == 0 and list(known.places) == ["main:head:0"]


def test_a_state_is_asked_again_when_its_node_is_stronger() -> None:
    top = node()
    asked: list[int] = []

    def holds(state: State, node: ExplorationNode) -> bool:
        asked.append(node.strength[0])
        return False

    known = covers(holds)
    known.entered(top)
    searcher = CoveredLast(Queue(), known)
    waiting = pending(Waiting(top))
    searcher.add(waiting)
    refute(top, 5)
    assert searcher.select() is waiting
    assert asked == [1]
    assert waiting.state.extension(Covered) is None


def test_what_was_refuted_below_counts_above() -> None:
    top = node()
    child = node(top)
    known = covers(lambda state, node: False)
    known.entered(top)
    known.entered(child)
    searcher = CoveredLast(Queue(), known)
    waiting = pending(Waiting(top))
    searcher.add(waiting)
    refute(child, 5)
    assert searcher.select() is waiting


def test_an_answer_that_makes_the_node_stronger_is_no_answer() -> None:
    """The state lies below the node that it counts on."""
    top = node()
    numbers = iter(range(1, 200))

    def holds(state: State, node: ExplorationNode) -> bool:
        refute(top, 3 * next(numbers))
        return True

    known = covers(holds)
    known.entered(top)
    before = top.strength
    refute(top, 250)
    searcher = CoveredLast(Queue(), known)
    waiting = pending(Waiting(top, before))
    searcher.add(waiting)
    assert searcher.select() is waiting, "it must not wait for ever"
    assert next(numbers) == MOST_ASKED + 1


def test_what_is_lost_covers_nothing() -> None:
    top = node()
    known = covers(lambda state, node: True)
    known.entered(top)
    searcher = CoveredLast(Queue(), known)
    waiting = pending(Waiting(top))
    searcher.add(waiting)
    top.invalidate()
    assert searcher.select() is waiting


def test_given_up_with_the_rest() -> None:
    known = covers(lambda state, node: True)
    searcher = CoveredLast(Queue(), known)
    searcher.add(pending(Waiting(node())))
    assert len(searcher.evict(1)) == 1
    assert len(searcher) == 0


def test_what_models_were_asked_for_below_counts_where_a_state_is_covered() -> None:
    """A state that is the same but for a file it has read on is no instance of one below which that file is read."""
    earlier, own = node(), node()
    earlier.lookups = {"file in.txt"}
    statistics = SimpleNamespace(of=lambda _: MergingStatistics())
    run: Any = SimpleNamespace(statistics=statistics, reported=(), solver=SimpleNamespace(stats=SolverStats()))
    state: Any = SimpleNamespace(extension=lambda _: own, model=None, path=EMPTY_PATH)
    assert Implication(run).covers(state, earlier, Match())
    assert own.lookups == {"file in.txt"}
