"""Exploration with helpers: techniques that find inputs for branches which it does not come to by itself.

Invariants first, as soon as exploration does not cover something new with every other step
(``clew.jobs.invariant_inputs``); then, whenever it has covered nothing new for a while, navigation
(``clew.jobs.chain_inputs``). What they find is run as a path of its own, with all that exploration does on it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from clew.execute.state import State
from clew.jobs.cover_goals import CoverGoals, Progress, has_loops
from clew.jobs.ledger import Ledger
from clew.jobs.path_purpose import DeferredSiblings, PathPurpose
from clew.jobs.prepare import PreparedRun
from clew.report.records import BranchId, Unreachable

if TYPE_CHECKING:  # imported where there is something to do for them: that takes a while
    from clew.jobs.chain_inputs import ChainInputs
    from clew.jobs.invariant_inputs import InvariantInputs

STUCK_STEPS = 600
STUCK_INSTRUCTIONS = 4_000_000
"""Without anything new, before navigation is asked: it may take long."""
LONGEST_WAY = 10_000_000
LONGEST_SECONDS = 2.0
LONGEST_SHARE = 0.05
"""Instructions and time (seconds, and of what is left) of a path to a branch, before others get their turn."""
UNLIMITED = sys.maxsize


class GuidedExploration:
    """One run. ``unreachable`` gets the branches that turn out to be that."""

    def __init__(self, ready: PreparedRun, ledger: Ledger) -> None:
        self._ready = ready
        self._ledger = ledger
        self._uncovered = CoverGoals(ready.run)
        self._deferred = DeferredSiblings(ready.run)
        self.unreachable: dict[BranchId, Unreachable] = {}

    def explore(self, invariants: bool, navigate: bool) -> None:
        """Explore everything there is."""
        ready = self._ready
        loops = has_loops(ready.run)
        first: State | None = ready.entry.start(ready.run)
        goes_on = True
        if invariants and loops:
            from clew.jobs.invariant_inputs import InvariantInputs

            guidance = InvariantInputs(ready, self._uncovered, self.unreachable)
            while goes_on and not guidance.is_over:
                goes_on = self._explore(first, guidance.is_time) and self._follow(guidance)
                first = None
        navigation = self._navigation() if navigate and loops else None
        progress = Progress(ready.run, self._uncovered, STUCK_STEPS, STUCK_INSTRUCTIONS)

        def helpless() -> bool:
            useful = bool(self._deferred.waiting) or (navigation is not None and navigation.is_useful())
            return progress.is_stuck() and useful

        while goes_on:
            goes_on = self._explore(first, helpless)
            first = None
            if goes_on:
                self._deferred.release()
                goes_on = navigation is None or self._navigate(navigation)
                progress.begin()

    def _navigation(self) -> ChainInputs:
        from clew.jobs.chain_inputs import ChainInputs

        return ChainInputs(self._ready, self._ledger, self._uncovered, self.unreachable)

    def _follow(self, guidance: InvariantInputs) -> bool:
        from clew.jobs.invariant_inputs import GUIDANCE

        goes_on = True
        for wishes in guidance.candidates():
            self._ready.run.input_hints = wishes
            try:
                goes_on = self._walk(self._ready.entry.start(self._ready.run), GUIDANCE)
            finally:
                self._ready.run.input_hints = {}
            if not goes_on:
                break
        self._ready.run.statistics.invariant_tests = self._ready.collector.by_purpose.get(GUIDANCE, 0)
        return goes_on

    def _navigate(self, navigation: ChainInputs) -> bool:
        from clew.jobs.chain_inputs import NAVIGATION

        goes_on = True
        for model in navigation.ways():
            state = self._ready.entry.start(self._ready.run)
            state.model = model
            goes_on = goes_on and self._walk(state, NAVIGATION)
        return goes_on

    def _walk(self, state: State, purpose: str) -> bool:
        """Run a state until its path has ended, or is long enough for now."""
        statistics, budget = self._ready.run.statistics, self._ready.budget
        paths, instructions = self._uncovered.ended(), statistics.instructions + LONGEST_WAY
        share = budget.share(LONGEST_SHARE, most=LONGEST_SECONDS)
        state.extend(PathPurpose.GENERATED)

        def is_over() -> bool:
            walked = self._uncovered.ended() > paths or statistics.instructions > instructions
            return walked or share.time_left() == 0.0

        try:
            return self._explore(state, is_over, purpose)
        finally:
            # If it waits now: what it covered is worth a test; if there is nothing of that kind, it is of no use.
            if state.covered_new:
                state.forget(PathPurpose)
            else:
                state.extend(PathPurpose.SURPLUS)

    def _explore(self, first: State | None, pause: Callable[[], bool], purpose: str = "") -> bool:
        """Explore up to the next pause; False if there is nothing to go on with.

        ``purpose``: what ``first`` is run for; it lets no others run before the pause.
        """
        engine, finished = self._ready.engine, partial(self._ready.collector.finished, purpose=purpose)
        policy = replace(engine.policy, finished=finished, pause=pause)
        if purpose:
            policy = replace(policy, turn_steps=UNLIMITED, turn_forks=UNLIMITED)
        engine.explore(first, policy)
        return engine.paused
