"""From a request to a run that is ready to start: what all commands that explore a program share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget, StopReason
from clew.base.cache import Cache
from clew.base.dataclass import dataclass
from clew.base.errors import Unsupported, UserError
from clew.base.options import ProjectRequest, Request, StartValue, TestRequest
from clew.base.randomness import Randomness
from clew.checks.check import chosen_kinds, sanitizers, states_assumptions
from clew.execute.context import SYMBOLIC_SIZE, RunOptions
from clew.execute.coverage import Coverage
from clew.execute.engine import GIVEN_UP, Engine
from clew.execute.heap.shapes import is_given_pointers
from clew.execute.heap.surroundings import HeapOptions
from clew.execute.helpers import build_machine
from clew.execute.instrument.loop_marks import mark_loops
from clew.execute.machine import Machine
from clew.execute.pending import Searcher
from clew.execute.policy import ExplorePolicy
from clew.execute.run import Run
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.frontend.selects import convert
from clew.jobs.call_plan import call_plan, signature
from clew.jobs.collector import Collector
from clew.jobs.findings import Findings
from clew.jobs.reexecution import EntryPoint, find_entry
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.listener import Listener, ProgramInfo
from clew.report.records import LossKind
from clew.runtime import link
from clew.search.registry import SearchContext, make_searcher
from clew.solver.backends.registry import BACKENDS
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats
from clew.techniques.accounts import Accounts
from clew.techniques.registry import technique
from clew.techniques.technique import Exploration, Technique

QUERY_LIMIT = 10.0
"""Seconds one question to the solver may take, if the budget allows that much."""
KEEP_ALL = ("-femit-all-decls",)
"""Keeps static functions that nothing calls, which Clang leaves out otherwise."""
COMPILING = 1 / 3
"""The part of the time that compiling the files of a folder or build may take."""


SHORT_TURN = (20_000, 32)
"""Instructions and forks of one path before others run, where a path may follow a list that has no end, or a circle."""

AroundSearcher = Callable[[Searcher, Machine, frozenset[str], EntryPoint], Searcher]
"""Takes the searcher of a strategy, what is run, the kinds of errors asked for, and the entry; gives the one to use."""


@dataclass(frozen=True, slots=True)
class ExploreSettings:
    """How a command explores, beside what the user's request says."""

    goal: str
    """Which tests to keep: see ``Collector``."""
    search: str | None = None
    loop_bound: int | None = None
    start: tuple[StartValue, ...] = ()
    checks: tuple[str, ...] | None = None
    """Names for --check that hold where the user gives none; None for all."""
    techniques: tuple[Technique, ...] = ()
    """Made for this run; they take part in this order."""
    kinds: frozenset[str] | None = None
    """Kinds of ends that count as found, whatever checks there are; None for those of the checks."""
    traced: bool = False
    """Whether code tells of every choice it makes: techniques that lead states need that."""
    convert: bool = False
    """Whether selects may take the place of simple branches: not where those are to be covered."""
    around: AroundSearcher | None = None
    """Puts another searcher around that of the strategy, or in its place."""
    symbolic_size: int = SYMBOLIC_SIZE
    """Bytes an object of symbolic size may have."""

    def with_techniques(self, sparing: Technique | None) -> ExploreSettings:
        """The same, for a run over all paths, of which a technique may spare some; long loops are jumped over."""
        jumping = () if self.loop_bound is not None else (technique("acceleration"),)
        return replace(self, techniques=(*jumping, *(() if sparing is None else (sparing,))))


@dataclass(frozen=True, slots=True, eq=False)
class PreparedRun:
    """A run about to start."""

    request: Request
    budget: Budget
    program: Program
    """What is run may have more in it, for techniques."""
    entry: EntryPoint
    engine: Engine
    collector: Collector
    loaded: Program
    """With all branches that the source has."""
    accounts: Accounts
    """Of the techniques that take part."""
    techniques: tuple[Technique, ...]

    @property
    def run(self) -> Run:
        return self.engine.run

    def give_up(self) -> None:
        """Make room: nothing of the run is needed any more but what it has found and counted."""
        run = self.run
        self.engine.stop(StopReason.MEMORY)
        run.solver.clear()
        for listener in run.events.memory_short:
            listener()
        given_up = run.searcher.evict(len(run.searcher))
        run.statistics.states_evicted += len(given_up)
        run.note_loss(LossKind.EVICTED, GIVEN_UP, None, count=len(given_up))
        for waiting in given_up:
            waiting.release()


def prepare_run(
    request: Request,
    listener: Listener,
    budget: Budget,
    manner: ExploreSettings,
    program: Program | None = None,
    findings: Findings | None = None,
) -> PreparedRun:
    """Everything up to the first path; ``program`` is what to run, if it is loaded already.

    ``findings`` are those of the command, if it has had other runs.
    """
    kinds = _kinds(request, manner)
    if program is None:
        program = load_program(request, listener, sanitizers(kinds))
    loaded = program
    if manner.convert and "uninitialized" not in kinds:  # what a branch depends on is an error there
        program = convert(program)
    entry = find_entry(program, request.function, heap_options(request))
    if "abort" not in (request.checks or ()) and states_assumptions(program):
        kinds -= {"abort"}
    anything = "uninitialized" not in kinds  # their use is no error that was asked for: they are followed
    options = RunOptions(
        kinds, manner.loop_bound, manner.start, request.stdin, request.argv,
        any_undefined=anything, malloc_may_fail=request.malloc_may_fail, symbolic_size=manner.symbolic_size,
        settle_entropy=isinstance(request, TestRequest),
    )  # fmt: skip
    prepared = program
    for each in manner.techniques:
        prepared = each.prepare(prepared, entry.function.name)
    machine = make_machine(prepared, options, manner.traced)
    coverage = Coverage(machine.program, machine.compiler)
    context = SearchContext(machine.program, coverage, Randomness(request.seed))
    searcher = make_searcher(manner.search, context)
    if manner.around is not None:
        searcher = manner.around(searcher, machine, kinds, entry)
    for each in manner.techniques:
        searcher = each.searcher(searcher, manner.search, context)
    solver_stats = SolverStats()
    solver = build_chain(_solver_options(request, budget), solver_stats)
    run = Run(machine, solver, searcher, coverage, options)
    plan, emits = call_plan(program, entry), isinstance(request, TestRequest) and request.emit is not None
    as_written = signature(program, entry, ModRef(program, machine.callees)) if emits else None
    bits = program.layout.pointer_bits
    listener.loaded(ProgramInfo(entry.function.source_name, bits, plan, as_written, program.digest))
    collector = Collector(
        run, entry, manner.goal, budget, solver_stats, listener, findings or Findings(), request.validate, emits
    )
    policy = ExplorePolicy(collector.finished, collector.progress)
    if not entry.as_program and is_given_pointers(program, entry.function):
        policy = replace(policy, turn_steps=SHORT_TURN[0], turn_forks=SHORT_TURN[1])
    engine = Engine(run, budget, policy)
    accounts = Accounts(run.statistics, solver_stats, coverage)
    exploration = Exploration(run, lambda: entry.start(run), collector.takes, accounts)
    for each in manner.techniques:
        each.attach(exploration)
    return PreparedRun(request, budget, program, entry, engine, collector, loaded, accounts, manner.techniques)


def heap_options(request: Request) -> HeapOptions:
    """How far the memory goes that a function of ``--function`` is given."""
    length = 1 if request.array_length is None else request.array_length
    return HeapOptions(
        length,
        not request.no_alias,
        not request.no_null,
        request.depth,
        request.guess,
        own_objects=request.guess and request.own_objects,
        promises=request.promises,
    )


def _kinds(request: Request, manner: ExploreSettings) -> frozenset[str]:
    """What counts as found."""
    return manner.kinds if manner.kinds is not None else wanted_kinds(request, manner.checks)


def wanted_kinds(request: Request, otherwise: tuple[str, ...] | None = None) -> frozenset[str]:
    """The kinds of errors that the user asks for, or those of the checks that hold ``otherwise``; None for all."""
    kinds = chosen_kinds(request.checks if request.checks is not None else otherwise)
    return kinds - {"signed-overflow"} if "-fwrapv" in request.compiler_flags else kinds


def import_engine() -> None:
    """Import what any run needs and nobody has asked for yet: done while the compiler is at work, it takes no time."""
    all_models()
    BACKENDS.get(BACKENDS.names()[0])


def load_checked(
    request: Request,
    listener: Listener,
    checks: tuple[str, ...] | None = None,
    meanwhile: Callable[[], object] = import_engine,
) -> Program:
    """The program of a request, with what Clang compiles in for its checks, or for those that hold otherwise.

    ``meanwhile`` is called while the compiler is at work: imports take a while.
    """
    program = load_program(request, listener, sanitizers(wanted_kinds(request, checks)), meanwhile=meanwhile)
    mains = [one for one in program.functions.values() if one.source_name == "main" and one.blocks]
    if request.function is None and len(mains) > 1:
        places = sorted(one.location.file for one in mains if one.location is not None)
        raise UserError(f"several files define main ({', '.join(places[:4])}); name the files, or the target, of one")
    return program


def load_program(
    request: Request,
    listener: Listener,
    sanitize: tuple[str, ...] = (),
    extra: tuple[str, ...] = (),
    meanwhile: Callable[[], object] = import_engine,
) -> Program:
    """Compile, with options beside the user's own, and read what the request names."""
    for note in request.notes:
        listener.warning(note)
    program = _load(request, listener, sanitize, extra, meanwhile)
    if request.function is not None and request.function not in program.functions and extra != KEEP_ALL:
        program = _load(request, listener, sanitize, KEEP_ALL, meanwhile)
    return program


def _load(
    request: Request,
    listener: Listener,
    sanitize: tuple[str, ...],
    extra: tuple[str, ...],
    meanwhile: Callable[[], object],
) -> Program:
    options = CompileOptions(
        flags=(*request.compiler_flags, *extra),
        target=request.target,
        data_model=request.data_model,  # type: ignore[arg-type]  # the request has checked it
        clang=request.clang,
        sanitize=sanitize,
        recipes=request.recipes,
        apart=request.apart,
    )
    if request.apart:
        options = replace(options, going_on=_compiling(request, listener))
    cache = Cache.default()
    as_declared = request.function is not None or isinstance(request, ProjectRequest)
    return link(load(request.files, options, cache, listener.warning, meanwhile, as_declared), options, cache)


def _compiling(request: Request, listener: Listener) -> Callable[[int, int], bool]:
    """Tells the listener how far compiling is, and says whether there is time for more of it."""
    share = request.budget().share(COMPILING)

    def going_on(done: int, total: int) -> bool:
        if request.interrupt.requested:
            raise KeyboardInterrupt  # there is nothing to be lost yet
        listener.compiling(done, total)
        return share.time_left() != 0.0

    return going_on


def make_machine(program: Program, options: RunOptions, traced: bool = False) -> Machine:
    """A machine for the program, with loops that count their iterations if there is a bound for these.

    UserError if something in the program cannot be run at all.
    """
    if options.loop_bound is not None:
        program = mark_loops(program)
    try:
        return build_machine(program, all_models(), traced)
    except Unsupported as problem:
        raise UserError(f"Clew does not support {problem.feature}") from None


def _solver_options(request: Request, budget: Budget) -> SolverOptions:
    limit = QUERY_LIMIT if budget.seconds is None else min(QUERY_LIMIT, max(0.1, budget.seconds / 4))
    return SolverOptions(
        time_limit=limit,
        seed=request.seed,
        validate=request.validate,
        memory_mb=budget.memory_mb,
        stop=budget.lets_go,
        next_turn=budget.next_turn,
    )


def stop_text(stopped: StopReason) -> str:
    """What ended a run, for its ``reason``."""
    return "interrupted" if stopped is StopReason.INTERRUPTED else f"stopped by {stopped}"
