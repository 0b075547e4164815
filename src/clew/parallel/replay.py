"""Prefixes followed: the state that waits at the end of one, made again in a run of the same program.

No solver is asked, nothing is queued, counted or told to anybody on the way; only coverage grows, by what whoever made
the prefix has covered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from clew.base.errors import PathEnd, Unsupported
from clew.execute.engine import SLICE, Engine
from clew.execute.events import Events
from clew.execute.history import Diverged, Following, Turned
from clew.execute.pending import Pending
from clew.execute.run import Run
from clew.execute.state import State
from clew.expr.node import Expr
from clew.parallel.prefix import Prefix

Start = Callable[[Run], State]
"""Makes the first state of a run."""


class Lost(Exception):
    """A prefix that leads nowhere: the program, or what models it, is not the one that the prefix was made with."""


class Ended(Exception):
    """The path ends where a prefix leads, or just behind: whoever made that could not file it."""

    def __init__(self, state: State, problem: PathEnd | Unsupported) -> None:
        super().__init__()
        self.state = state
        self.problem = problem


def follow(run: Run, start: Start, prefix: Prefix, is_over: Callable[[], bool] = lambda: False) -> Pending | None:
    """The sibling, or the state that gave way to others, at the end of a prefix; it is not queued.

    ``is_over`` is asked now and then: if it is, there is nothing. ``Lost`` if the prefix leads elsewhere, ``Ended`` if
    nothing comes behind it.
    """
    following = Following(prefix.history(), prefix.choices)
    with _quietly(run):
        try:
            found = _follow(run, start, prefix, following, is_over)
        except (PathEnd, Unsupported) as end:
            raise Lost(f"{type(end).__name__} after {prefix.decisions} decisions") from None
    if found is None:
        return None
    state, decisions = found.state, found.state.decisions
    length, digest = (0, 0) if decisions is None else (decisions.length, decisions.digest)
    if state.following is not None and (length, digest) != (prefix.decisions, prefix.digest):
        raise Lost(f"{length} decisions in place of {prefix.decisions}, or other ones")
    state.following = None
    state.depth, state.generation, state.covered_new = prefix.depth, prefix.generation, prefix.covered_new
    found.depth = prefix.depth
    return found


def _follow(
    run: Run, start: Start, prefix: Prefix, following: Following, is_over: Callable[[], bool]
) -> Pending | None:
    run.following = following
    try:
        state = start(run)
    finally:
        run.following = None
    state.model = following.model() or state.model
    while not following.is_over or state.steps < prefix.executed or state.choices < prefix.choices:
        if is_over():
            return None
        left = prefix.executed - state.steps - 1  # loops go on to the next look at what is left
        most = min(SLICE, left) if following.is_over and left > 0 else SLICE
        try:
            Engine.run_slice(state, most)
            for listener in run.events.slice_end:
                listener(state)
        except Turned as turned:
            state = turned.sibling
            if following.is_over:
                return run.new_pending(state, turned.constraint, None, turned.check)
            if isinstance(turned.constraint, Expr):
                state.path = state.path.add(turned.constraint)
            model = following.model()
            if model is not None:
                state.go_on_with(model)
        except (PathEnd, Unsupported) as problem:
            if isinstance(problem, Diverged) or not following.is_over or state.choices < prefix.choices:
                raise
            state.following = None
            state.covered_new = prefix.covered_new
            raise Ended(state, problem) from None
        if state.following is None:
            break  # it is past the end, if not by much: what was forked since is queued
    return run.new_pending(state, None)


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
