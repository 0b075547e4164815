"""Exploration with helpers: techniques that propose inputs for branches which it does not come to by itself.

They are asked when exploration covers nothing new, and as far as the account of each allows: what they do, and what
running their proposals takes, is charged; branches that they cover are credited with what exploration has spent since
it covered anything (``techniques.accounts``). What they propose is run as a path of its own, with all that exploration
does on it.

Where exploration comes to its end, but has lost paths on its way, native runs go on with the time that is left.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import cycle
from typing import TYPE_CHECKING, Protocol

from clew.base.budget import Budget
from clew.base.options import TestRequest
from clew.base.randomness import Randomness
from clew.execute.coverage import Edge
from clew.execute.state import State
from clew.expr.evaluate import Model
from clew.jobs.phases.head_start import HeadStart
from clew.jobs.phases.path_purpose import DeferredSiblings, PathPurpose
from clew.jobs.phases.phase import Context
from clew.jobs.phases.seeding import seeded
from clew.jobs.prepare import ExploreSettings, PreparedRun
from clew.jobs.seeds import read_seeds
from clew.jobs.sharing.relay import Relay
from clew.jobs.sharing.sharing import Sharing
from clew.report.records import BranchCoverage, LossKind, Unreachable
from clew.report.runlog import StoredLog
from clew.search.suggestions import Suggestions
from clew.techniques.cover_goals import CoverGoals, Progress
from clew.techniques.technique import CoverTask, InputGenerator, Technique

if TYPE_CHECKING:  # where there is something to say about them only: that takes a while
    from clew.analysis.absint.analyse import Invariants
    from clew.describe.invariants import FactDescriber

STUCK_STEPS = 600
STUCK_INSTRUCTIONS = 4_000_000
"""Without anything new, before siblings of proposed paths come in."""
OFTEN, SELDOM, LATE = 256, 8, 1024
"""Turns after each of which techniques are asked whether they propose something; later, after each so many; in the end
so rarely that they wait for that part of the turns so far."""
LONGEST_WAY = 2_500_000
"""Units of work of a path to a branch, before others get their turn."""
UNLIMITED = sys.maxsize
LOST = frozenset((LossKind.SOLVER_UNKNOWN, LossKind.EVICTED))
"""What exploration has lost that an input may show: neither bounds nor what Clew cannot run at all."""
LAST_WORK = 20_000_000
"""Units of native work that show nothing, after all paths that can be explored."""
LAST_SECONDS = 2.0
"""Of the run, in which it ends by itself rather than to begin something."""
LEAST_BOUND = 2
"""Iterations of loops that no branch depends on, where bounds come from invariants."""
_DONE = object()


class NativeInputs(InputGenerator, Protocol):
    """Proposes inputs from native runs."""

    def has_more(self) -> bool:
        """Whether a turn may show something, whatever it costs."""


class GuidedExploration:
    """One run, for ``clew test``; there is no measure of effort other than time."""

    def __init__(
        self,
        context: Context[TestRequest],
        techniques: tuple[Technique, ...],
        relay: Relay,
        earlier: StoredLog | None = None,
    ) -> None:
        """``earlier``: the log of the run that is gone on with, if one is."""
        self._context = context
        self._earlier = earlier
        self._relay = relay
        self._techniques = techniques
        self._exploration: Iterator[None] | None = None
        self._share = context.budget
        self._describer: FactDescriber | None = None
        self.over = False

    def prepare(self) -> PreparedRun:
        """The run, which the ledger has from now on."""
        context, request = self._context, self._context.request
        bound = LEAST_BOUND if isinstance(request.loop_bound, str) else request.loop_bound
        goal = "path" if request.goal == "path" else "branch"
        is_guided = request.search is None and goal == "branch"
        waiting = [technique for technique in self._techniques if is_guided and technique.postpone()]
        self._seeds = read_seeds(request.seeds, request.stdin, context.listener.warning) if request.seeds else []
        settings = ExploreSettings(goal, request.search, bound, request.start, techniques=self._techniques)
        ready = self._ready = context.ledger.enter(context.prepare_run(settings))
        if is_guided:
            suggestions = Suggestions(ready.program, Randomness(request.seed).stream("suggestions"))
            ready.engine.policy = replace(ready.engine.policy, model=suggestions.model)
        self.sharing = Sharing(ready, context.ledger, self._relay, request.jobs, self._earlier)
        self._goals = CoverGoals(ready.run)
        self._head_start = HeadStart(ready, self._goals, waiting)
        self._accounts = ready.accounts
        self._deferred = DeferredSiblings(ready.run)
        self._task = CoverTask(
            ready.run, ready.entry.function, ready.entry.start, ready.program, ready.loaded, ready.budget, self._goals,
            self._accounts, self._note_unreachable, context.ledger.assist, ready.collector.progress,
        )  # fmt: skip
        return ready

    def run(self, share: Budget, effort: int | None) -> None:
        """Explore until there is nothing left, or the share is spent."""
        self._share = share
        if self._exploration is None:
            self._exploration = self._explore_all()
        with self.sharing.within():
            self.over = next(self._exploration, _DONE) is _DONE

    def _explore_all(self) -> Iterator[None]:
        """Explore everything there is; yields whenever the share is spent."""
        with ExitStack() as stack:
            yield from self._explore_within(stack)

    def _explore_within(self, stack: ExitStack) -> Iterator[None]:
        """``stack``: what is to be closed in the end."""
        for technique in self._techniques:
            technique.begin(self._task)
        first: State | None = None
        if self.sharing.goes_on:
            self._head_start.end()
        if not self.sharing.goes_on:
            first = seeded(self._ready.run, self._seeds, self._ready.entry.start)
        elif not self.sharing.more():
            return
        generators = [made for technique in self._techniques if (made := technique.inputs(self._task)) is not None]
        natives: list[NativeInputs] = []
        if self._context.request.engine != "interpreter":
            from clew.jobs.concolic.inputs import ConcolicInputs
            from clew.jobs.mutation import MutationInputs

            warn = self._ready.collector.warn
            mutation = MutationInputs(self._context.request, self._task, self._seeds, warn)
            stack.callback(mutation.close)
            concolic = ConcolicInputs(self._context.request, self._task, self._seeds, mutation.is_stuck)
            stack.callback(concolic.close)
            natives = [mutation, concolic]
            generators[:0] = natives
        progress = Progress(self._ready.run, self._goals, STUCK_STEPS, STUCK_INSTRUCTIONS)
        due: InputGenerator | None = None
        asked = next_look = 0

        def is_time() -> bool:
            nonlocal asked, next_look, due
            asked += 1
            if not self.sharing.awaits_cluster and self._head_start.turn():
                due = None
                return True
            if asked < next_look or self._proposals_wait:
                return False
            next_look = asked + (1 if asked < OFTEN else max(SELDOM, asked // LATE))
            self._accounts.notice()
            able = generators if self._head_start.over else natives
            mine = (one for place, one in enumerate(able) if self.sharing.is_mine(place))
            due = next((generator for generator in mine if generator.is_time()), None)
            return due is not None or (bool(self._deferred.waiting) and progress.is_stuck())

        while True:
            goes_on = yield from self._explore_until(first, is_time)
            first = None
            if goes_on and due is None:
                if self._head_start.is_long_enough:
                    first = self._head_start.start_over()
                else:
                    self._deferred.release()
                progress.begin()
            elif goes_on:
                assert due is not None
                goes_on = self._follow(due)
            if not goes_on and not self.sharing.more() and not self._is_more_found(natives):
                return

    @property
    def _proposals_wait(self) -> bool:
        """Whether techniques may join first, which shortens paths. Native runs that somebody asks for do not wait,
        nor do any for a cluster."""
        is_asked_for = self._context.request.engine == "native"
        return not (self._head_start.is_under_way or is_asked_for or self.sharing.awaits_cluster)

    def _explore_until(self, first: State | None, is_time: Callable[[], bool]) -> Generator[None, None, bool]:
        """Explore until it is time for something else; False if there is nothing to go on with."""

        def is_spent() -> bool:
            return self._share is not self._context.budget and self._share.time_left() == 0.0

        shared = False

        def is_over() -> bool:
            nonlocal shared
            shared = self.sharing.is_time()
            return shared or is_spent() or is_time()

        while self._explore(first, is_over):
            first = None
            if shared:
                if not self.sharing.split():
                    return False
                if self.sharing.results is not None:  # else it is tried again later
                    self._head_start.divide()
                if self.sharing.is_copy:
                    self._deferred.waiting.clear()  # which are the same in all processes
            elif not is_spent():
                return True
            else:
                yield
        return False

    def _follow(self, generator: InputGenerator) -> bool:
        """Run what a technique proposes; False if there is nothing to go on with."""
        run, collector, account = self._ready.run, self._ready.collector, generator.account
        goes_on = True
        for proposal in generator.proposals():
            price, covered = self._accounts.expected_price(), len(run.coverage.edges)
            bugs = len(collector.findings.bugs)
            run.input_hints = {} if isinstance(proposal, Model) else proposal
            try:
                with self._accounts.charging(account):
                    state = self._ready.entry.start(run)
                    if isinstance(proposal, Model):
                        state.go_on_with(proposal)
                    goes_on = self._walk(state, generator.purpose)
            finally:
                run.input_hints = {}
            found = len(run.coverage.edges) - covered
            account.credit(found, (found + len(collector.findings.bugs) - bugs) * price)
            if self._ready.engine.stopped is not None:
                break
        generator.kept(collector.by_purpose.get(generator.purpose, 0))
        return goes_on

    def _is_more_found(self, natives: Sequence[NativeInputs]) -> bool:
        """Exploration is over: whether native runs show something to explore, where paths were lost."""
        run, engine = self._ready.run, self._ready.engine
        if all(kind not in LOST for kind, _, _ in run.losses):
            return False
        end, turns = self._accounts.work() + LAST_WORK, cycle(natives)

        def is_over() -> bool:
            left = self._share.time_left()
            is_late = left is not None and left < LAST_SECONDS
            return is_late or engine.stopped is not None or self._accounts.work() > end

        while not is_over() and self._goals.are_left():
            if self._deferred.waiting:
                self._deferred.release()
            if len(run.searcher):
                return True
            if not any(native.has_more() for native in natives):
                return False
            native = next(turns)
            if native.has_more():
                self._follow(native)
        return False

    def _walk(self, state: State, purpose: str) -> bool:
        """Run a state until its path has ended, or is long enough for now."""
        paths, work = self._goals.ended(), self._accounts.work() + LONGEST_WAY
        state.extend(PathPurpose.GENERATED)

        def is_over() -> bool:
            self.sharing.attend()
            return self._goals.ended() > paths or self._accounts.work() > work

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

    def _note_unreachable(self, edge: Edge, branch: BranchCoverage, why: Invariants | str) -> None:
        if branch.location is None:
            return
        if not isinstance(why, str):
            from clew.describe.invariants import FactDescriber

            if self._describer is None:  # they are computed once
                self._describer = FactDescriber(self._ready.run.program, why)
            why = self._describer.dead(edge[0], edge[1])
        self._context.ledger.unreachable.setdefault(branch.id, Unreachable(branch.location, branch.outcome, why))
