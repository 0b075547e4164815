"""Are the clauses that conflict-driven search learns true? Each is checked against paths that really exist.

A clause says that no execution makes certain choices together. So after a program has been verified, more of its
paths are executed, with random inputs and along the same unrolled graph: none may make all the choices that some
clause rules out. Verdicts show a wrong clause only where it hides an error, this shows most of them.

Clauses that do nothing but keep a path from being tried once more are no such claims, and left out; so are
those about alternatives within an instruction, which have no place in the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from clew.base.budget import Budget
from clew.execute.ends import Dropped, Failed
from clew.execute.guided import OutOfBudget
from clew.execute.run import Run
from clew.execute.state import State
from clew.explain.prefix import Prefix
from clew.explain.unrolled import Edge, Status, Unrolled, UnrolledNode
from clew.techniques.conflicts import prove
from clew.techniques.conflicts.formula import Formula
from clew.techniques.conflicts.guided_execution import PrefixExecutor, decision
from clew.techniques.conflicts.search import Search
from oracle.verify_compare import Way, verify

LEARN = Way("conflicts", "learn:10")
SMALL = 9
"""Most inputs are below: programs compare them with small numbers."""


@dataclass(frozen=True)
class Violation:
    """A clause that a path contradicts, in the words of the graph."""

    clause: tuple[str, ...]
    path: str

    def __str__(self) -> str:
        return f"{{{', '.join(self.clause)}}} on a path that {self.path}"


@dataclass
class Findings:
    """How many clauses were checked against how many paths, and those that are wrong."""

    clauses: int = 0
    paths: int = 0
    violated: list[Violation] = field(default_factory=list)


def check_clauses(program: Path, paths: int, seed: int = 0, way: Way = LEARN, seconds: float = 20.0) -> Findings:
    """Verify a program, then look for random paths that contradict something learned on the way."""
    findings = Findings()

    class Checked(prove.Prover):
        """Looks at what was learned while the run is still there."""

        def close(self) -> None:
            assert isinstance(self.formula, _Recording)
            super().close()
            _check(self, self.formula.learned, paths, Random(seed), findings)

    with (
        mock.patch.object(prove, "Formula", _Recording),
        mock.patch.object(prove, "Search", _Telling),
        mock.patch.object(prove, "Prover", Checked),
    ):
        verify(program, way, seconds)
    return findings


# --- what is learned


class _Recording(Formula):
    """Keeps the clauses that claim something."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.learned: list[tuple[int, ...]] = []
        self.claims = True

    def add(self, clause: list[int]) -> None:
        super().add(clause)
        if self.claims:
            self.learned.append(tuple(clause))


class _Telling(Search):
    """Says which clauses only keep a path from being tried again."""

    def _learn_all(self, prefix: Prefix, extra: Iterable[int] = ()) -> None:
        assert isinstance(self.formula, _Recording)
        extra = tuple(extra)
        self.formula.claims = bool(extra)  # with a way on from there, that way is said to be closed
        super()._learn_all(prefix, extra)
        self.formula.claims = True


# --- paths that exist


class _Wanderer(PrefixExecutor):
    """Lets states go where their inputs lead, as far as the graph goes."""

    def __init__(self, run: Run, graph: Unrolled, start: Callable[[], State]) -> None:
        super().__init__(run, graph, Budget(), start, self._leads_on)

    def wander(self) -> Track:
        """One path."""
        self.ended = None
        self.root = Prefix(None, 0, self.graph.first)
        self._run_from(self.root, self._start(), self.root.items.append)
        return Track(self)

    def _leads_on(self, variable: int) -> bool:
        edge = self.graph.owner[variable]
        assert isinstance(edge, Edge)
        *_, last = _onward(edge.target)
        return last.status is not Status.EXIT

    def save(self, prefix: Prefix, state: object) -> None:
        """Nothing waits: other paths start anew."""


class Track:
    """The nodes that a path has certainly passed, and the ways it took out of them."""

    def __init__(self, led: _Wanderer) -> None:
        self.on = {led.graph.first.var}
        self.left: set[UnrolledNode] = set()
        """Nodes with several ways out where it has taken one of them."""
        path = led.ended
        self.exists = path is None or not isinstance(path.end, Dropped)
        """Not so if an assumption of the program's does not hold on it."""
        self.end = "stops where the graph does" if path is None else f"ends with {type(path.end).__name__}"
        last = decision(led.at)
        complete = (
            path is not None
            and isinstance(path.end, Failed)
            and path.place is not None
            and last.status is Status.GOAL
            and (path.place.function, path.place.block) == (last.scope.shape.name, last.block)
        )
        at: Prefix | None = led.at
        while at is not None:
            self.on.add(at.node.var)
            if complete:
                self.on.update(node.var for node in _onward(at.node))
            if at.edge is not None:
                self.on.add(at.edge.var)
                self.left.add(at.edge.source)
                complete = True
            at = at.parent

    def contradicts(self, clause: tuple[int, ...], graph: Unrolled) -> bool:
        """Whether the path does all that a clause says cannot be done together.

        A way out that has to be taken was not if the path went another way, but not if it ended before.
        """
        for literal in clause:
            if literal < 0:
                if -literal not in self.on:
                    return False
                continue
            owner = graph.owner[literal]
            if literal in self.on or not isinstance(owner, Edge) or owner.source not in self.left:
                return False
        return True


def _onward(node: UnrolledNode) -> Iterator[UnrolledNode]:
    """A node and what follows it, up to the next choice."""
    yield node
    while len(node.outs) == 1 and not node.open:
        (edge,) = node.outs.values()
        node = edge.target
        yield node


# --- both together


def _check(
    prover: prove.Prover, learned: list[tuple[int, ...]], paths: int, random: Random, findings: Findings
) -> None:
    graph = prover.led.graph
    left = {clause for clause in learned if all(abs(literal) in graph.owner for literal in clause)}
    findings.clauses += len(left)
    wanderer = _Wanderer(prover.task.run, graph, prover.task.start)
    with _random_inputs(prover.task.run, random):
        for _ in range(paths):
            try:
                track = wanderer.wander()
            except OutOfBudget:
                return
            if not track.exists:
                continue
            findings.paths += 1
            wrong = sorted(clause for clause in left if track.contradicts(clause, graph))
            left.difference_update(wrong)
            findings.violated += [Violation(_words(clause, graph), track.end) for clause in wrong]


@contextmanager
def _random_inputs(run: Run, random: Random) -> Iterator[None]:
    """Inputs start with random values; the path may then ask for others."""

    def value(name: str, position: int, floating: int = 0) -> int:
        return random.randrange(SMALL) if random.random() < 0.4 else random.getrandbits(64)

    with mock.patch.object(run, "start_value", value):
        yield


def _words(clause: tuple[int, ...], graph: Unrolled) -> tuple[str, ...]:
    return tuple(f"{'not ' if literal < 0 else ''}{graph.owner[abs(literal)]}" for literal in clause)
