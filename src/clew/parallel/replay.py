"""Prefixes followed: the states that wait at the ends of some, made again in a run of the same program.

No solver is asked, nothing is queued, counted or told to anybody on the way; only coverage grows, by what whoever made
the prefixes has covered. What several of them have in common is run once (``clew.parallel.bundle``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from clew.base.dataclass import dataclass
from clew.base.errors import PathEnd, Unsupported
from clew.execute.engine import SLICE, Engine
from clew.execute.events import Events
from clew.execute.history import Diverged, Following, Junction, Turn, Turned
from clew.execute.pending import Pending
from clew.execute.run import Run
from clew.execute.state import State
from clew.expr.node import Expr
from clew.parallel.bundle import bundles
from clew.parallel.prefix import Prefix

Start = Callable[[Run], State]
"""Makes the first state of a run."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A prefix that leads nowhere: the program, or what models it, is not the one that the prefix was made with."""

    why: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The path ends where a prefix leads, or just behind: whoever made that could not file it."""

    state: State
    problem: PathEnd | Unsupported


Outcome = Pending | Lost | Ended
"""The sibling, or the state that gave way to others, at the end of a prefix; or there is none."""


def follow(
    run: Run,
    start: Start,
    prefixes: Sequence[Prefix],
    is_over: Callable[[], bool] = lambda: False,
    begin: Callable[[int], None] = lambda number: None,
) -> dict[int, Outcome]:
    """What is at the end of each prefix, by its place among them; it is not queued.

    ``is_over`` is asked now and then: if it is, what was not found by then is missing. ``begin`` is told which prefix
    is followed from now on; of several that are followed together, one.
    """
    found: dict[int, Outcome] = {}
    with _quietly(run):
        for tree in bundles(prefixes):
            _Walk(run, start, prefixes, is_over, begin, found).through(tree)
    if not is_over():
        for number in range(len(prefixes)):
            found.setdefault(number, Lost("it turns where nothing is to be decided"))
    return found


class _Walk:
    """Along the histories of one tree, one state after the other."""

    def __init__(
        self,
        run: Run,
        start: Start,
        prefixes: Sequence[Prefix],
        is_over: Callable[[], bool],
        begin: Callable[[int], None],
        found: dict[int, Outcome],
    ) -> None:
        self._run = run
        self._start = start
        self._prefixes = prefixes
        self._is_over = is_over
        self._begin = begin
        self._found = found
        self._turns: list[Turn] = []
        """Siblings that are still to be gone on with."""

    def through(self, tree: Junction) -> None:
        """Follow all of them."""
        self._go(Following(tree, self._turns), None)
        while self._turns and not self._is_over():
            turn = self._turns.pop()
            state, following = turn.sibling, turn.sibling.following
            if following.is_at_end(state.choices):
                self._arrived(following, state, turn)
            else:
                if isinstance(turn.constraint, Expr):
                    state.path = state.path.add(turn.constraint)
                self._go(following, state)

    def _go(self, following: Following, state: State | None) -> None:
        """Go on with a sibling, or with the first state, up to the end of what it follows."""
        self._begin(following.at.first)
        try:
            state = state or self._first(following)
            model = following.model()
            if model is not None:
                state.go_on_with(model)
            self._run_to_end(following, state)
        except Turned:
            pass  # others go on
        except (PathEnd, Unsupported) as problem:
            decided = 0 if state is None or state.decisions is None else state.decisions.length
            self._lose(following.at, f"{type(problem).__name__} after {decided} decisions")

    def _first(self, following: Following) -> State:
        self._run.following = following
        try:
            return self._start(self._run)
        finally:
            self._run.following = None

    def _run_to_end(self, following: Following, state: State) -> None:
        while not following.is_at_end(state.choices, state.steps):
            if self._is_over():
                return
            left = following.left(state.steps)
            most = SLICE if left is None else min(SLICE, max(1, left // 2))  # code runs on to its next look at that
            try:
                Engine.run_slice(state, most)
                for listener in self._run.events.slice_end:
                    listener(state)
            except (PathEnd, Unsupported) as problem:
                is_near = following.is_over and state.choices >= following.at.choices
                if isinstance(problem, Diverged | Turned) or not is_near:
                    raise
                self._ended(following.at, state, problem)
                return
            if state.following is None:
                break  # it is past the end, if not by much: what was forked since is queued
        self._arrived(following, state)

    # What is found

    def _arrived(self, following: Following, state: State, turn: Turn | None = None) -> None:
        """The state is where a history ends: as the sibling that waits there, or as one that gave way to others."""
        number = following.at.end
        assert number is not None
        prefix, decisions = self._prefixes[number], state.decisions
        length, digest = (0, 0) if decisions is None else (decisions.length, decisions.digest)
        if state.following is not None and (length, digest) != (prefix.decisions, prefix.digest):
            self._found[number] = Lost(f"{length} decisions in place of {prefix.decisions}, or other ones")
            return
        self._begin(number)
        is_past = state.following is None
        state.following = None
        state.depth, state.generation = prefix.depth, prefix.generation
        state.covered_new = prefix.covered_new or (is_past and state.covered_new)
        constraint, check = (None, None) if turn is None else (turn.constraint, turn.check)
        self._found[number] = pending = self._run.new_pending(state, constraint, None, check)
        if turn is not None:
            pending.told = prefix  # which need not be made again

    def _ended(self, at: Junction, state: State, problem: PathEnd | Unsupported) -> None:
        assert at.end is not None
        state.following = None
        state.covered_new = state.covered_new or self._prefixes[at.end].covered_new
        self._found[at.end] = Ended(state, problem)

    def _lose(self, at: Junction, why: str) -> None:
        """What was to come from here on leads nowhere."""
        below = [at]
        while below:
            one = below.pop()
            if one.end is not None:
                self._found[one.end] = Lost(why)
            below += [*one.turns.values(), *(() if one.then is None else (one.then,))]


@contextmanager
def _quietly(run: Run) -> Iterator[None]:
    """Within the block, nobody hears of what happens in the run, and nothing is counted."""
    events, losses, hints = run.events, dict(run.losses), run.input_hints
    counted = run.statistics.solver_unknowns
    run.events, run.input_hints = Events(), {}
    run.events.slice_end = events.slice_end  # who jumps over long loops
    try:
        yield
    finally:
        run.events, run.input_hints = events, hints
        run.losses.clear()
        run.losses.update(losses)
        run.statistics.solver_unknowns = counted
