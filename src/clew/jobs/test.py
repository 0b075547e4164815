"""``clew test``: explore, keep the tests that matter, confirm what fails."""

from __future__ import annotations

from clew.base.budget import Budget, StopReason, peak_memory_mb
from clew.base.errors import Unsupported, UserError
from clew.base.garbage import rare_collection
from clew.base.options import TestRequest
from clew.base.randomness import Randomness
from clew.base.watchdog import Stopped, watched
from clew.checks.aborts import states_assumptions
from clew.checks.check import chosen_kinds, sanitizers
from clew.execute.coverage import Coverage
from clew.execute.engine import Engine
from clew.execute.loops import watch_loops
from clew.execute.machine import Machine
from clew.execute.observers import Observers
from clew.execute.run import Run, RunOptions
from clew.frontend.cache import Cache
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.jobs.calls import call_plan
from clew.jobs.collect import Collector
from clew.jobs.concrete import Entry, find_entry
from clew.jobs.functions import with_functions
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.listener import Listener, ProgramInfo
from clew.report.records import LossKind, LossNote, RunStatistics, Summary
from clew.runtime import link
from clew.search.registry import SearchContext, make_searcher
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats

QUERY_LIMIT = 10.0
"""Seconds one question to the solver may take, if the budget allows that much."""


def run_test(request: TestRequest, listener: Listener) -> Summary:
    """Explore the program and report tests and bugs as they are found."""
    budget = request.budget()
    try:
        with watched(budget):
            entry, engine, collector = _prepare_run(request, listener, budget)
    except Stopped as stop:
        return _without_result(request, budget, stop.reason)
    try:
        with watched(budget), rare_collection():
            engine.explore(entry.start(engine.run))
    except Stopped as stop:
        engine.stopped = stop.reason
    return _summary(request, budget, engine, collector)


def _prepare_run(request: TestRequest, listener: Listener, budget: Budget) -> tuple[Entry, Engine, Collector]:
    """Everything up to the first path."""
    kinds = chosen_kinds(request.checks)
    if "-fwrapv" in request.compiler_flags:
        kinds -= {"signed-overflow"}
    program = load_program(request, listener, sanitizers(kinds))
    if request.function is not None and request.function not in program.functions:
        # Clang leaves out static functions that nothing calls, unless told to keep everything.
        program = load_program(request, listener, sanitizers(kinds), ("-femit-all-decls",))
    entry = find_entry(program, request.function, request.array_length)
    if request.checks is None and states_assumptions(program):
        kinds -= {"abort"}
    observers = Observers()
    options = RunOptions(kinds, request.loop_bound, request.start, request.stdin, request.args)
    try:
        machine = prepare(program, options, observers)
    except Unsupported as problem:
        raise UserError(f"Clew does not support {problem.feature}") from None
    coverage = Coverage(machine.program, machine.compiler)
    searcher = make_searcher(request.search, SearchContext(machine.program, coverage, Randomness(request.seed)))
    solver_stats = SolverStats()
    solver = build_chain(_solver_options(request, budget), solver_stats)
    run = Run(machine, solver, searcher, coverage, options, observers)
    listener.loaded(ProgramInfo(entry.function.name, program.layout.pointer_bits, call_plan(run, entry)))
    collector = Collector(run, entry, request.goal, budget, solver_stats, listener, request.validate)
    engine = Engine(run, budget, collector.finished)
    engine.tick = collector.progress
    return entry, engine, collector


def _summary(request: TestRequest, budget: Budget, engine: Engine, collector: Collector) -> Summary:
    run = engine.run
    for text in _unused_starts(run):
        collector.warn(text)
    _fill_statistics(run, collector.solver, budget)
    return Summary(
        command="test",
        files=tuple(str(file) for file in request.files),
        reason=_reason(engine.stopped, collector, run),
        bugs=tuple(collector.bugs),
        tests=collector.tests,
        coverage=with_functions(run.coverage.record(), run.coverage, run.program),
        stats=run.statistics,
        stopped=engine.stopped,
        losses=run.loss_notes(),
        seed=request.seed,
        warnings=tuple(collector.warnings),
    )


def _unused_starts(run: Run) -> list[str]:
    """A name in --start that no input has is most likely mistyped."""
    unused = [start.name for place, start in enumerate(run.options.start) if place not in run.started]
    return [f"--start: the program read no input called {name!r}" for name in unused if name is not None]


def _without_result(request: TestRequest, budget: Budget, stopped: StopReason) -> Summary:
    """The summary of a run that ended before its first path could begin."""
    statistics = RunStatistics(wall_seconds=budget.elapsed(), peak_memory_mb=peak_memory_mb())
    return Summary(
        command="test",
        files=tuple(str(file) for file in request.files),
        reason=f"0 bugs found; {_stop_text(stopped)} before the program could be run",
        stats=statistics,
        stopped=stopped,
        losses=(LossNote(LossKind.UNEXPLORED, "the whole program: compiling and reading it took too long"),),
        seed=request.seed,
    )


def load_program(
    request: TestRequest, listener: Listener, sanitize: tuple[str, ...], extra: tuple[str, ...] = ()
) -> Program:
    """Compile and read what the request names."""
    options = CompileOptions(
        flags=(*request.compiler_flags, *extra),
        target=request.target,
        data_model=request.data_model,  # type: ignore[arg-type]  # the request has checked it
        clang=request.clang,
        sanitize=sanitize,
        pipeline="test",
    )
    cache = Cache.default()
    return link(load(request.files, options, cache, listener.warning), options, cache)


def prepare(program: Program, options: RunOptions, observers: Observers) -> Machine:
    """A machine for the program, with loops made visible if anything needs to see them."""
    if options.loop_bound is not None or observers.watch_loops:
        program = watch_loops(program)
    return Machine(program, all_models())


def _solver_options(request: TestRequest, budget: Budget) -> SolverOptions:
    limit = QUERY_LIMIT if budget.seconds is None else min(QUERY_LIMIT, max(0.1, budget.seconds / 4))
    return SolverOptions(
        time_limit=limit,
        seed=request.seed,
        validate=request.validate,
        stop=lambda: budget.interrupt.requested or budget.time_left() == 0.0,
    )


def _fill_statistics(run: Run, solver: SolverStats, budget: Budget) -> None:
    statistics = run.statistics
    statistics.solver_queries = solver.queries
    statistics.solver_cache_hits = solver.cache_hits
    statistics.solver_seconds = solver.seconds
    statistics.wall_seconds = budget.elapsed()
    statistics.peak_memory_mb = peak_memory_mb()


def _stop_text(stopped: StopReason) -> str:
    return "interrupted" if stopped is StopReason.INTERRUPTED else f"stopped by {stopped}"


def _reason(stopped: StopReason | None, collector: Collector, run: Run) -> str:
    found = f"{len(collector.bugs)} bug{'s' if len(collector.bugs) != 1 else ''} found"
    if stopped is not None:
        return f"{found}; {_stop_text(stopped)}"
    if run.losses:
        return f"{found}; all paths explored but for what the losses name"
    return f"{found}; all paths explored"
