"""Properties that hold by k-induction, for growing k.

For each k the loops of the program are opened (see ``clew.techniques.invariants.induction``), and all paths of what
comes out are run. What none of them violates is proved; a path that violates something may be one that the program does
not have, so its inputs are tried on the program itself.

Attempts take turns: those with small k get the more effort, and each is taken up again where it was.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice

from clew.analysis.absint.analyse import Invariants
from clew.base.budget import Budget
from clew.base.options import VerifyRequest
from clew.base.watchdog import Stopped
from clew.checks.properties import PropertyKey
from clew.describe.invariants import FactDescriber
from clew.execute.instrument.havoc import ANY
from clew.execute.instrument.loop_marks import name_of_loop
from clew.execute.policy import Finished
from clew.jobs.phases.acceleration_proof import holding, told_in_c
from clew.jobs.phases.exhaustive import Exhaustive
from clew.jobs.phases.loop_facts import LoopFacts
from clew.jobs.phases.phase import Context
from clew.jobs.phases.seeding import seeded
from clew.jobs.phases.settings import properties_of, verify_settings
from clew.jobs.prepare import PreparedRun
from clew.jobs.reexecution import execute
from clew.jobs.verdict import open_properties
from clew.report.lines import counted
from clew.report.listener import Listener
from clew.report.values import InputValue
from clew.techniques.cover_goals import has_loops
from clew.techniques.invariants.candidates.lemmas import NO_LEMMAS, Lemmas
from clew.techniques.invariants.induction.loop_opening import Opened, open_loops
from clew.techniques.invariants.induction.probing import Probes
from clew.techniques.tasks import UNDECIDED, Answer, Proved, unsupported

ROUNDS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
"""The values of k."""
EFFORT, GROWTH = 2_000, 4
"""Of the first attempt when it is tried first, and by how much more that is each time."""
TRIAL = 200_000
"""Instructions that inputs are tried for."""
ZEROS = (InputValue("", "long long", 64, 0),) * 64
"""What a program reads behind inputs that are tried."""


class InductionProof:
    """Of all properties that others have not decided; its share of the time alone limits it."""

    technique = "induction"

    def __init__(self, context: Context[VerifyRequest], facts: LoopFacts | None = None) -> None:
        self._context = context
        self._facts = facts or LoopFacts(context)
        self.ready: PreparedRun | None = None
        self.over = False

    def seconds_left(self, worked: float) -> float:
        return math.inf  # nobody knows which k is enough

    def run(self, share: Budget, effort: int | None) -> None:
        """Work until every property is decided, all attempts are over, or the share is spent.

        Nothing is proved where paths have shown errors that nobody asked for: what comes behind these is not defined.
        """
        self.over = True
        ledger = self._context.ledger
        ready = self.ready = self._context.prepare_run(verify_settings(self._context.request))
        ledger.properties = properties_of(ready.run.machine, ready.run.options.checks, ready.entry.function)
        ledger.enter(ready)
        otherwise: Answer = UNDECIDED
        try:
            if has_loops(self._context.program) and not ledger.findings.unasked:
                otherwise = self._attempt_all(share, ready)
        except Stopped as stop:
            ready.engine.stop(stop.reason)
        ledger.answer_open({item.key: otherwise for item in ledger.properties})
        ledger.technique = self.technique

    def _attempt_all(self, share: Budget, ready: PreparedRun) -> Answer:
        """One k after the other; the answer to what is open after all of them."""
        program, effects, found = self._facts.machine.program, self._facts.effects, self._facts.invariants(share)
        if found is None:
            return unsupported(self.technique, "programs of this size")
        opened = open_loops(effects, found, ROUNDS[0])
        if opened.left and not opened.loops:
            return unsupported(self.technique, f"what changes in {name_of_loop(program, *opened.left[0])}")
        self._told = told_in_c(FactDescriber(program, found), opened.loops)
        coming = self._attempts(share, found)
        attempts: list[_Attempt] = []
        for turn in count():
            attempts += islice(coming, 1)
            if all(attempt.over for attempt in attempts):
                break
            for index, attempt in enumerate(attempts):
                if not attempt.over:
                    self._work(attempt, EFFORT * GROWTH ** (turn - index), ready)
                if not open_properties(self._context.ledger) or share.exhausted() is not None:
                    return UNDECIDED
        return UNDECIDED

    def _attempts(self, share: Budget, found: Invariants) -> Iterator[_Attempt]:
        """In the order in which they are begun: the first without lemmas, which take a while."""

        def attempt(rounds: int, lemmas: Lemmas) -> _Attempt:
            return _Attempt(self._context, share, open_loops(self._facts.effects, found, rounds, lemmas), rounds)

        yield attempt(ROUNDS[0], NO_LEMMAS)
        lemmas = self._facts.lemmas(found, share)
        if lemmas:
            yield attempt(ROUNDS[0], lemmas)
        for rounds in ROUNDS[1:]:
            yield attempt(rounds, lemmas)

    def _work(self, attempt: _Attempt, effort: int, ready: PreparedRun) -> None:
        """Go on with an attempt, and enter what comes of it."""
        ledger = self._context.ledger
        known = ledger.proved() | ledger.findings.confirmed()
        proved = attempt.run(effort, known)
        ledger.answer_open({key: Proved(attempt.reason) for key in proved})
        if proved:
            ledger.loop_invariants = self._told
        for inputs in attempt.counterexamples():
            _try(ready, inputs)


class _Attempt:
    """One k: all paths of the program that is opened for so many rounds."""

    def __init__(self, context: Context[VerifyRequest], share: Budget, opened: Opened, rounds: int) -> None:
        loops = counted(len(opened.loops), "loop")
        self.reason = f"by {rounds}-induction over {loops}" if opened.loops or opened.left else ""
        request = replace(context.request, unroll=None)
        self._given = replace(context, request=request, listener=Listener(), budget=share, program=opened.program)
        self._begin(frozenset(context.ledger.findings.seen()))

    def _begin(self, excluded: frozenset[PropertyKey]) -> None:
        """``excluded``: errors that are known to happen, in the program or in the opened one."""
        self._context = replace(self._given, ledger=self._given.ledger.of_helper())
        self._excluded = excluded
        self._probes = Probes(self._context.budget, excluded)
        self._phase = Exhaustive(self._context, self._probes)
        self._tried = 0

    @property
    def over(self) -> bool:
        return self._phase.over

    def run(self, effort: int, known: set[PropertyKey]) -> frozenset[PropertyKey]:
        """Explore for a while; which properties are proved by that, beside those whose answers are ``known``."""
        while True:
            ledger = self._context.ledger
            ledger.answers.update({key: Proved() for key in known})  # nobody looks for violations of these
            self._phase.run(self._context.budget, effort)
            shown = ledger.findings.seen()
            if not self.over:
                return frozenset()
            if not self._probes.used & shown:
                return holding(self._phase.properties, ledger, shown) - known
            self._begin(self._excluded | shown)  # what was relied on does not hold, or is not known to

    def counterexamples(self) -> Iterator[list[InputValue]]:
        """The inputs of paths that violate something, and were not given before."""
        bugs = self._context.ledger.findings.bugs
        for bug in bugs[self._tried :]:
            yield [value for value in bug.inputs if value.name != ANY]
        self._tried = len(bugs)


def _try(ready: PreparedRun, inputs: list[InputValue]) -> None:
    """Run the program with inputs, and zeros behind them: if that violates something, it is found."""
    run, engine = ready.run, ready.engine
    outcome = execute(run.machine, ready.entry, [*inputs, *ZEROS], TRIAL, run.options, interrupt=ready.budget.interrupt)
    wanted = run.options.checks
    if outcome.end != "bug" or wanted is None or outcome.kind not in wanted:
        return
    ended = False

    def finished(path: Finished) -> None:
        nonlocal ended
        ended = True
        ready.collector.finished(path)

    state = seeded(run, [b"".join(value.to_bytes() for value in inputs)], ready.entry.start)
    engine.explore(state, replace(engine.policy, finished=finished, pause=lambda: ended, turn_steps=2 * TRIAL))
    run.give_up_waiting()
