"""From ended paths to tests and bugs: decide what to keep, confirm it, hand it on at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from clew.base.budget import Budget, Interrupt
from clew.base.errors import InternalError
from clew.base.location import Location
from clew.base.watchdog import held
from clew.checks.properties import PropertyKey, key_of
from clew.execute.assumptions import real_inputs, rests_on
from clew.execute.coverage import Coverage, Edge, branch_ids
from clew.execute.ends import AlreadyReported, Dropped, Exited, Failed, Lost, Subsumed
from clew.execute.heap.behaviour import in_common
from clew.execute.heap.guesses import unlikely
from clew.execute.input_values import input_values, of_program
from clew.execute.instrument.targets import REACHED
from clew.execute.policy import Finished
from clew.execute.run import Run
from clew.execute.short_inputs import short_model
from clew.execute.state import State
from clew.expr.evaluate import EMPTY_MODEL
from clew.jobs.decisive_inputs import COST, decisive, mentioned_inputs
from clew.jobs.findings import Findings
from clew.jobs.path_trace import told_steps
from clew.jobs.reexecution import ConcreteOutcome, EntryPoint, execute
from clew.jobs.robust_failure import MOST_PATHS, MOST_SECONDS, shows_regardless
from clew.jobs.spare_bytes import read_by, without_spare_bytes
from clew.jobs.spare_pointers import without_spare_pointers
from clew.models.math import APPROXIMATE
from clew.report.listener import Listener, Snapshot, WorkerStanding
from clew.report.path import PathStep
from clew.report.records import TARGET_TEST, Arrival, Bug, LossKind, Test
from clew.report.values import Behaviour, InputValue
from clew.solver.stats import SolverStats

CONFIRM_SLACK = 1_000_000
"""Instructions a re-execution may take beyond what the path took."""
CONFIRM_MOST = 200_000_000
"""Instructions of a path that is not run again: one with a loop that was summarized may have any length."""
CONFIRM_JUMPING = 20_000_000
"""Instructions of a re-execution of such a path, where loops may be jumped over."""
CONFIRM_SHARE = 0.25
"""Of the time that is left, for a re-execution that takes longer than the path did."""
CONFIRM_GRACE = 1.0
"""Seconds a re-execution may take when the run's time is over."""

REGARDLESS_SHARE = 0.2
"""Of the time of a run, for finding out whether failures rest on what was made up; then they count as such."""
TRACED_MOST = 1_000_000
"""Instructions of a path whose steps are told: a second's work, more or less."""
TRIES = 400
"""Re-executions in a run for finding out which inputs bugs need; some more, for the last bug."""
SHORTENING_TRIES = 40
"""Re-executions for one bug, to find out which bytes of its inputs can go."""
SHORTENING_INSTRUCTIONS = 2_000_000
"""Of these re-executions together, more or less."""
MOST_TRIES = 8
"""Failures at one place that may rest on something made up, which are looked at closely."""


class Collector:
    """Receives every ended path of a run.

    ``goal`` says of which to keep the inputs: ``branch``, those that cover something new or show a bug; ``path``, all;
    ``error``, only those that show a bug.
    """

    def __init__(
        self,
        run: Run,
        entry: EntryPoint,
        goal: str,
        budget: Budget,
        solver: SolverStats,
        listener: Listener,
        findings: Findings,
        validate: bool = False,
        readable: bool = False,
    ) -> None:
        """``readable``: people are to read the tests, so that what does not matter is left out of them."""
        self._run = run
        self._entry = entry
        self.every_path = goal == "path"
        self._errors_only = goal == "error"
        self._validate = validate
        self._readable = readable
        self._budget = budget
        self.solver = solver
        self.findings = findings
        self._listener = listener
        self._branches = branch_ids(run.program)
        self._covered: tuple[int, int] = (-1, 0)
        self._told: tuple[object, float] = (None, 0.0)
        """What was found when the listener was told last, and when that was."""
        self._seconds_regardless = 0.0
        """Spent on finding out whether failures rest on what was made up."""
        self._tries = TRIES
        """Re-executions that are left for finding out which inputs bugs need."""
        self._shortenings = TRIES
        """The same, for finding out which bytes they do not need."""
        self._filed: set[PropertyKey] = set()
        """What this run has tried to confirm."""
        self._purpose = ""
        """Of the path that is being filed."""
        self.by_purpose: dict[str, int] = {}
        self.workers: tuple[WorkerStanding, ...] = ()
        """Others that explore the same run."""

    def finished(self, path: Finished, purpose: str = "") -> None:
        """Called by the engine for every path that ends.

        ``purpose`` is what the path was run for, if that is something of its own: why its test is kept, if it is.
        """
        self._purpose = purpose
        if self._validate:
            self._check_prediction(path)
        if isinstance(path.end, Failed):
            self._failed(path, path.end)
        elif isinstance(path.end, Exited | Lost | Subsumed | AlreadyReported) and self._worth_keeping(path):
            self._keep(path, (purpose or "coverage") if path.state.covered_new else "path")
        elif isinstance(path.end, Dropped) and path.state.covered_new:
            # What it ran before the assumption failed needs a test only if no other path runs it.
            path.state.covered_new = False

    def report(self, path: Finished) -> bool:
        """File a path that a technique has found to fail; whether its inputs, run again, show that failure."""
        assert isinstance(path.end, Failed)
        self.finished(path)
        return self.key(path, path.end) in self.findings.confirmed()

    def key(self, path: Finished, end: Failed) -> PropertyKey:
        """The property that a path violates."""
        return key_of(end.kind, path.location, self._function(path))

    def _function(self, path: Finished) -> str:
        return path.stack[0].function if path.stack else self._entry.function.name

    def _worth_keeping(self, path: Finished) -> bool:
        return self.every_path or (path.state.covered_new and not self._errors_only)

    def _keep(self, path: Finished, reason: str) -> None:
        if isinstance(path.end, Lost) and self._budget.memory_share() >= 1.0:
            # Running it again would need as much memory once more.
            inputs, outcome = input_values(path.state), ConcreteOutcome("stopped")
        else:
            ends = isinstance(path.end, Exited)
            inputs, outcome = self._run_short(path.state, lambda found: found.end == "exit" or not ends)
        told = of_program(self._told_inputs(path, inputs, outcome))
        self._emit(_test(told, self._wherever(path, inputs, outcome), reason), path)

    def _run_short(
        self, state: State, shows: Callable[[ConcreteOutcome], bool]
    ) -> tuple[tuple[InputValue, ...], ConcreteOutcome]:
        """The inputs of an ended path, as short as it allows, and what they lead to; ``shows`` says whether that is
        as it should be, and if not, they are those that the path was run with. The state keeps their model."""
        given = state.model
        state.model = short_model(state)
        inputs = input_values(state)
        outcome = self._replay(state, inputs)
        if state.model is not given and outcome.end != "stopped" and not shows(outcome):
            state.model = given
            inputs = input_values(state)
            outcome = self._replay(state, inputs)
        return inputs, outcome

    def _told_inputs(
        self, path: Finished, inputs: tuple[InputValue, ...], outcome: ConcreteOutcome
    ) -> tuple[InputValue, ...]:
        """The inputs as a test tells them that people are to read."""
        if not self._readable or outcome.end not in ("exit", "bug"):
            return inputs
        return without_spare_pointers(inputs, outcome, lambda other: self._replay(path.state, other))

    def _wherever(self, path: Finished, inputs: tuple[InputValue, ...], outcome: ConcreteOutcome) -> ConcreteOutcome:
        """An outcome as a test may expect it that is run natively: without what depends on addresses."""
        if not self._readable or outcome.behaviour is None:
            return outcome
        heap = dataclasses.replace(self._entry.heap, elsewhere=True)
        other = self._replay(path.state, inputs, dataclasses.replace(self._entry, heap=heap))
        if other.end == "stopped":
            return outcome
        agreed = Behaviour(varies=True)
        if other.behaviour is not None and other.covers == outcome.covers:
            agreed = in_common(outcome.behaviour, other.behaviour)
        return dataclasses.replace(outcome, behaviour=agreed)

    def _failed(self, path: Finished, end: Failed) -> None:
        location = path.location
        end.rests_on = end.rests_on or unlikely(path.state, end)
        settled = bool(end.rests_on)
        end.rests_on = rests_on(path.state, end)
        if not end.rests_on:
            self._no_more(path, end)
        kinds = self._run.options.checks
        key = self.key(path, end)
        unasked = kinds is not None and end.kind not in kinds
        if unasked:
            self.findings.meet_unasked(key, end.bound)
        unconfirmed = key in self.findings.unconfirmed and key not in self._filed
        known = key in self.findings.reported and not unconfirmed
        if unasked or known or (end.rests_on and self.findings.possible[key] >= MOST_TRIES):
            self._file_known(path, end)
            return
        self._filed.add(key)

        def shows(found: ConcreteOutcome) -> bool:
            return found.shows(end.kind, location)

        inputs, outcome = self._run_short(path.state, shows)
        confirmed = shows(outcome)
        if unconfirmed and not confirmed:
            self._file_known(path, end)
            return
        if not confirmed:
            self._warn_unconfirmed(end, location, outcome)
            if outcome.end != "stopped":
                # What lies behind it was not explored, and the place is not looked at again.
                what = f"{end.kind}: a path that ends in it, which its inputs do not show again"
                self._run.note_loss(LossKind.UNSUPPORTED, what, path.state, location)
                self.findings.doubtful.add(key)
                if self._worth_keeping(path):
                    self._emit(_test(of_program(inputs), outcome, "coverage"), path)
                return
        if end.rests_on and not settled and self._shows_regardless(path, end, inputs, location):
            end.rests_on = ""
            self._no_more(path, end)
        if end.rests_on:
            self.findings.possible[key] += 1
            if self.findings.possible[key] > 1:
                self._file_known(path, end)
                return
            path.state.stop_tracking()  # others that come to its place may show it for certain
        else:
            self.findings.reported.add(key)
        message, stack = end.message, path.stack
        if confirmed and end.kind != REACHED and not end.rests_on:
            shorter = self._without_spare_bytes(path, inputs, outcome, shows)
            if shorter is not None:
                if self._worth_keeping(path) and not outcome.covers <= shorter[1].covers:
                    self._emit(_test(of_program(inputs), outcome, "coverage"), path)
                inputs, outcome = shorter
                message, stack = outcome.detail, outcome.stack
        told = of_program(self._told_inputs(path, inputs, outcome))
        given, function, inputs = inputs, self._function(path), of_program(inputs)
        if end.kind == REACHED:
            arrival = Arrival(location, function, path.stack, inputs, confirmed, rests_on=end.rests_on)
            self._arrived(arrival, outcome)
            return
        bug = Bug(end.kind, message, location, function, stack, inputs, confirmed, rests_on=end.rests_on)
        steps = self._steps(path, bug, given, outcome.instructions)
        bug = dataclasses.replace(bug, decisive=self._decisive(path, bug), path=steps)
        with held():
            self._emit(Test(told, outcome.covers, bug, "bug", bug.kind, lines=outcome.lines), path)
            self.findings.file(bug, key)
            self._listener.bug_found(bug)

    def _without_spare_bytes(
        self,
        path: Finished,
        inputs: tuple[InputValue, ...],
        outcome: ConcreteOutcome,
        shows: Callable[[ConcreteOutcome], bool],
    ) -> tuple[tuple[InputValue, ...], ConcreteOutcome] | None:
        """The inputs of a failure without bytes that it does not need, and what they lead to; None where there are
        none, or each path is to have a test of its own."""
        best, tries = outcome, min(SHORTENING_TRIES, SHORTENING_INSTRUCTIONS // (outcome.instructions + COST))
        if self.every_path:
            return None

        def accept(changed: tuple[InputValue, ...]) -> bool:
            nonlocal best, tries
            if not tries or not self._shortenings or self._budget.is_out_of_time():
                return False
            tries -= 1
            self._shortenings -= 1
            found = self._replay(path.state, changed)
            is_shorter = shows(found) and read_by(changed, found.read) is not None
            if is_shorter:
                best = found
            return is_shorter

        found = without_spare_bytes(inputs, accept)
        return None if found is inputs else (read_by(found, best.read) or found, best)

    def _steps(
        self, path: Finished, bug: Bug, inputs: tuple[InputValue, ...], instructions: int
    ) -> tuple[PathStep, ...]:
        """How the inputs of a bug lead to it, line by line; nothing where that is not known, or takes too long."""
        if not bug.confirmed or self._budget.interrupt.requested or instructions > TRACED_MOST:
            return ()
        outcome, steps = told_steps(self._run, lambda trace: self._replay(path.state, inputs, coverage=trace))
        return steps if outcome.shows(bug.kind, bug.location) else ()

    def _decisive(self, path: Finished, bug: Bug) -> tuple[int, ...] | None:
        """Which inputs a bug needs; None where nobody can tell."""
        state, tries = path.state, self._tries
        if not bug.confirmed or self._budget.interrupt.requested or not tries:
            return None
        own = input_values(state)
        if own != of_program(own):
            return None
        mentioned = mentioned_inputs(state, len(own)) if own == bug.inputs else [True] * len(bug.inputs)
        heap = dataclasses.replace(self._entry.heap, of_tests=False)  # what matters, not what is permitted
        anything = dataclasses.replace(self._entry, heap=heap)
        covered = Coverage(self._run.program, self._run.machine.compiler)  # by all of them: nobody asks by which

        def shows(inputs: tuple[InputValue, ...]) -> bool:
            self._tries -= 1
            return self._replay(state, inputs, anything, covered).shows(bug.kind, bug.location)

        return decisive(bug.inputs, mentioned, state.length(), shows)

    def _shows_regardless(
        self, path: Finished, end: Failed, inputs: tuple[InputValue, ...], location: Location | None
    ) -> bool:
        """Whether a failure shows with these inputs whatever the values are that were made up."""
        given = real_inputs(path.state.inputs, inputs)
        length = path.state.length()
        began = self._budget.elapsed()
        enough = self._seconds_regardless > began * REGARDLESS_SHARE + MOST_SECONDS
        if enough or self._budget.interrupt.requested or length > CONFIRM_MOST:
            return False
        budget = self._budget.share(most=MOST_SECONDS, instructions=MOST_PATHS * length + CONFIRM_SLACK)
        failure = (end.kind, location)
        shows = shows_regardless(self._run.machine, self._entry, given, failure, self._run.options, budget)
        self._seconds_regardless += self._budget.elapsed() - began
        return shows

    def _no_more(self, path: Finished, end: Failed) -> None:
        """The engine need not look for a failure of this kind at this place again."""
        if path.place is not None:
            place = path.place
            frame = path.state.frame
            inside = frame is not None and frame.function.name == place.function
            function = self._run.called_as(frame) if frame is not None and inside else place.function
            self._run.reported.add((end.kind, function, place.block, place.position))

    def _file_known(self, path: Finished, end: Failed) -> None:
        """A failure that was reported, or that nobody asked for."""
        if end.rests_on:
            path.state.stop_tracking()
        if self._worth_keeping(path):
            self._keep(path, "coverage")

    def _arrived(self, arrival: Arrival, outcome: ConcreteOutcome) -> None:
        """A path has come to the target: no bug, but inputs to keep."""
        with held():
            if self.findings.arrive(arrival):
                self._emit(Test(arrival.inputs, outcome.covers, None, TARGET_TEST, REACHED, lines=outcome.lines))

    def _warn_unconfirmed(self, end: Failed, location: Location | None, outcome: ConcreteOutcome) -> None:
        """A finding that its own inputs do not show again is no finding; one there was no time to confirm is."""
        text = f"{end.kind} at {location}: not confirmed by re-execution ({outcome.end} {outcome.kind}), not reported"
        if outcome.end == "stopped":
            text = f"{end.kind} at {location}: {outcome.detail or 'the run ended before re-execution could confirm it'}"
        self.warn(text)

    def warn(self, text: str) -> None:
        """Tell the user something, once."""
        if text not in self.findings.warnings:
            self.findings.warnings.append(text)
            self._listener.warning(text)

    def _check_prediction(self, path: Finished) -> None:
        """``--validate``: the path's inputs, run concretely, must end as the path did."""
        if not isinstance(path.end, Exited | Failed) or APPROXIMATE in path.state.environment:
            return
        state = path.state
        outcome = self._replay(state, input_values(state))
        if outcome.end == "stopped":
            return
        if isinstance(path.end, Failed):
            predicted = ("bug", path.end.kind, path.location)
            seen = (outcome.end, outcome.kind, outcome.location)
            if path.end.kind == "uninitialized":
                return
        else:
            value = state.model.eval(path.end.code)
            predicted = ("exit", str(int(value) & 0xFF if isinstance(value, int) else 0), None)
            seen = (outcome.end, str(outcome.exit_code), None)
        if predicted != seen:
            raise InternalError(f"path {state.id} predicts {predicted}, re-execution gives {seen} {outcome.detail}")

    def takes(self, state: State, edge: Edge) -> bool:
        """Whether the inputs of a path, run once more, lead it over an edge."""
        return self._run.coverage.branch_of(edge) in self._replay(state, input_values(state)).covers

    def _replay(
        self,
        state: State,
        inputs: tuple[InputValue, ...],
        entry: EntryPoint | None = None,
        coverage: Coverage | None = None,
    ) -> ConcreteOutcome:
        options = self._run.options
        length, listeners = state.length(), self._run.events.replay
        if length > CONFIRM_MOST and not listeners:
            return ConcreteOutcome("stopped", detail=f"not run again to confirm it: {length:,} instructions")
        limit = length + length // 4 + CONFIRM_SLACK if length <= CONFIRM_MOST else CONFIRM_JUMPING
        left, interrupt = self._budget.time_left(), self._budget.interrupt
        seconds = None if left is None else left + CONFIRM_GRACE
        if length > state.steps and left is not None:
            seconds = left * CONFIRM_SHARE + CONFIRM_GRACE  # loops that were not run may take long
        if interrupt.requested:
            seconds, interrupt = CONFIRM_GRACE, Interrupt()
        memory = self._budget.memory_mb
        undefined = state.model if options.any_undefined else EMPTY_MODEL
        return execute(
            self._run.machine,
            entry or self._entry,
            inputs,
            limit,
            options,
            seconds,
            interrupt,
            memory,
            undefined,
            listeners,
            coverage,
        )

    def _emit(self, test: Test, path: Finished | None = None) -> None:
        if path is not None:
            test = dataclasses.replace(test, path=_path_of(path.state))
        if self.findings.is_written(test, self.every_path):
            return
        if not self.every_path:
            self.findings.written[test.inputs] = test
        self.findings.tests += 1
        if self._purpose:
            self.by_purpose[self._purpose] = self.by_purpose.get(self._purpose, 0) + 1
        self._listener.test_found(test)

    def progress(self) -> None:
        """Tell the listener where the run stands, if something was found, or it was not told just now."""
        run, coverage, wall = self._run, self._run.coverage, self._budget.elapsed()
        found = (coverage.version, self.findings.tests, len(self.findings.bugs))
        if found == self._told[0] and wall < self._told[1] + self._listener.interval:
            return
        self._told = found, wall
        if self._covered[0] != coverage.version:
            self._covered = (coverage.version, len(coverage.taken() & self._branches))
        self._listener.progress(
            Snapshot(
                paths=run.statistics.paths_completed,
                merged=run.statistics.paths_merged,
                pending=len(run.searcher),
                branches_covered=self._covered[1],
                branches_total=len(self._branches),
                lines_covered=len(coverage.lines),
                tests=self.findings.tests,
                bugs=len(self.findings.bugs),
                instructions=run.statistics.instructions,
                solver_queries=self.solver.queries,
                solver_seconds=self.solver.seconds,
                wall_seconds=wall,
                seconds_left=self._budget.time_left(),
                workers=self.workers,
            )
        )


def _path_of(state: State) -> tuple[int, ...]:
    """Tells a path from others, in any process."""
    decisions = state.decisions
    return (state.choices, *((0, 0) if decisions is None else (decisions.length, decisions.digest)))


def _test(inputs: tuple[InputValue, ...], outcome: ConcreteOutcome, reason: str) -> Test:
    """A test that shows no bug, with what re-execution saw: ``clew replay`` compares that with the native run."""
    if outcome.end != "exit":
        end = outcome.kind if outcome.end == "bug" else outcome.end
        return Test(inputs, outcome.covers, None, reason, end, lines=outcome.lines)
    import hashlib  # loads OpenSSL: a run without tests does without

    output = hashlib.sha256(outcome.stdout).hexdigest()
    code, behaviour = outcome.exit_code, outcome.behaviour
    covers, lines = outcome.covers, outcome.lines
    return Test(inputs, covers, None, reason, outcome.end, code, output, behaviour, lines=lines)
