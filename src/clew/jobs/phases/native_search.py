"""Inputs that fail, or come to a target, from runs of the compiled program: what needs no more than many tries.

The program is compiled, and run natively on inputs that are changed again and again (``clew.native``). Those that fail
there, or may have come to the target, are run by the interpreter, each as one path: what this shows is reported as
always, and nothing else. It proves nothing, and has no end of its own: it is an arm beside others.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any

from clew.analysis.passed_blocks import PassedBlocks
from clew.base.budget import Budget
from clew.base.cache import Cache
from clew.base.errors import Unsupported
from clew.execute.context import GivenInputs
from clew.execute.instrument.targets import probes_of
from clew.execute.machine import Machine
from clew.execute.pending import NoSiblings, Searcher
from clew.jobs.arms import FIRST_TURN, processor_time
from clew.jobs.mutation_session import Mutated, MutationSession
from clew.jobs.phases.phase import Context
from clew.jobs.prepare import ExploreSettings, PreparedRun
from clew.jobs.reexecution import EntryPoint, find_entry
from clew.native.executor import NativeExecutor
from clew.native.program import NativeProgram
from clew.program.module import Program
from clew.solver.stats import SolverStats
from clew.techniques.statistics import no_statistics

FIRST_SLICE, SLICE = 1_000_000, 8_000_000
"""Passes through loops between two looks at what was found, at first and at the most."""
SHORT = FIRST_TURN
"""Seconds that a slice takes if the next one may be twice as large."""
BARREN = 0.5
LEAST = 1 / 16
"""What is left of the promise after a slice of full length that has shown no branch for the first time (more after a
shorter one), and at the least."""
COMPILING = 1 / 8
"""Of the promise, while the compiler is at work beside others."""


class NativeSearch:
    """One search; ``settings`` are those of the run that shows what it finds.

    ``source``: the program without marks at targets, so that all questions about it have the same code.
    """

    technique = "native"

    def __init__(self, context: Context[Any], settings: ExploreSettings, source: Program) -> None:
        self._context = context
        self._settings = settings
        self._source = source
        self._targets = {(site.function, site.block) for site in probes_of(context.program)}
        self._program: NativeProgram | None = None
        self._executor: NativeExecutor | None = None
        self._statistics = no_statistics()
        self.promise = 1.0 if self._is_asked_for else COMPILING
        """What part of its time it should have, as it has got on so far."""
        self.ready: PreparedRun | None = None
        self.over = False

    @property
    def _is_asked_for(self) -> bool:
        return bool(self._context.request.engine == "native")

    def seconds_left(self, worked: float) -> float:
        return math.inf

    def clock(self) -> float:
        """Processor time, with that of the process that runs the program."""
        return processor_time() + (0.0 if self._executor is None else self._executor.worked())

    def run(self, share: Budget, effort: int | None) -> None:
        """Search until the share is spent, or native runs turn out to be of no use; there is no measure of effort."""
        self.over = True
        try:
            self._search(share)
        except Unsupported as problem:
            if self._is_asked_for:
                self._context.listener.warning(f"--engine native: no {problem.feature}; the interpreter runs alone")
        finally:
            self._close()

    def _search(self, share: Budget) -> None:
        context, request = self._context, self._context.request
        context.ledger.assist(self._statistics, SolverStats())
        entry = find_entry(self._source, None)
        self._program = NativeProgram(self._source, entry.function, request.args, Cache.default())
        if not self._program.is_written:
            share.give_way()
        if not self._program.compile():
            share.give_way()
        self._executor = self._program.executor(request.stdin)
        session = MutationSession(self._executor, request)
        self.promise, fed, work = 1.0, [b""], FIRST_SLICE
        while share.exhausted() is None and not (self.ready is not None and self.ready.engine.stopped):
            began = self.clock()
            shown = session.slice(fed, work, share.time_left())
            self._statistics.native_runs += shown.runs
            is_barren = not shown.found and not self._is_asked_for
            self.promise = max(LEAST, self.promise * BARREN ** (work / SLICE)) if is_barren else 1.0
            fed = []
            if self.clock() - began < SHORT:
                work = min(2 * work, SLICE)
            self._show_all(shown.found)
            if session.is_useless:
                return

    def _close(self) -> None:
        if self._program is not None:
            self._program.stop()
        if self._executor is not None:
            self._executor.close()
        self._program = self._executor = None

    # The interpreter

    def _show_all(self, found: Iterable[Mutated]) -> None:
        for each in found:
            if self._may_arrive(each) if self._targets else each.fails:
                self._show(each.inputs)

    def _may_arrive(self, found: Mutated) -> bool:
        return not self._targets.isdisjoint(self._passed.of(found.branches))

    @cached_property
    def _passed(self) -> PassedBlocks:
        assert self._executor is not None
        return PassedBlocks(self._source, find_entry(self._source, None).function, self._executor.branches)

    def _show(self, inputs: GivenInputs) -> None:
        """Run inputs as one path: what it ends with is filed as that of any path."""
        if self.ready is None:
            self.ready = self._context.prepare_run(replace(self._settings, around=_one_path))
            self._context.ledger.enter(self.ready)
        run, engine = self.ready.run, self.ready.engine
        run.input_hints = inputs
        try:
            policy = replace(engine.policy, turn_steps=sys.maxsize, turn_forks=sys.maxsize)
            engine.explore(self.ready.entry.start(run), policy)
        finally:
            run.input_hints = {}


def _one_path(strategy: Searcher, machine: Machine, kinds: frozenset[str], entry: EntryPoint) -> Searcher:
    return NoSiblings()
