"""Re-execution of given inputs in the engine: no symbols, no forks.

Confirms what an exploration found, and is the side of the engine that is compared with native runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from pathlib import Path

from clew.base.budget import Budget, Interrupt
from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.location import Location
from clew.base.suggest import unknown_name
from clew.execute.context import RunOptions
from clew.execute.coverage import Coverage
from clew.execute.ends import Dropped, Exited, Failed, Lost
from clew.execute.engine import Engine
from clew.execute.entry import function_state, program_state
from clew.execute.heap.behaviour import observed
from clew.execute.heap.facts import GivenHeap
from clew.execute.heap.given import stream_of
from clew.execute.heap.promises import assumed
from clew.execute.heap.shapes import Shapes
from clew.execute.heap.surroundings import HeapOptions
from clew.execute.heap.text_length import text_length
from clew.execute.inputs import reads
from clew.execute.machine import Machine
from clew.execute.pending import NoSiblings, Searcher
from clew.execute.policy import ExplorePolicy, Finished
from clew.execute.run import Run
from clew.execute.state import State, printed
from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.program.module import Function, Program
from clew.report.lines import some
from clew.report.records import BranchId, StackFrame
from clew.report.values import Behaviour, InputValue
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats

_MANY = 6
"""Names that an error message lists."""


@dataclass(frozen=True, slots=True)
class ConcreteOutcome:
    """How a re-execution ended."""

    end: str
    """``exit``, ``bug``, ``dropped`` (an assumption failed), ``lost`` (unsupported or out of inputs), ``stopped``."""
    exit_code: int | None = None
    stdout: bytes = b""
    kind: str = ""
    """The kind of bug."""
    location: Location | None = None
    detail: str = ""
    instructions: int = 0
    covers: frozenset[BranchId] = frozenset()
    behaviour: Behaviour | None = None
    """Of a function that returned."""
    lines: frozenset[tuple[str, int]] = frozenset()
    """The lines of source that were run."""
    stack: tuple[StackFrame, ...] = field(default=(), compare=False)
    """Of a bug: the calls that lead to it, the innermost first."""
    read: tuple[str, ...] = field(default=(), compare=False)
    """The names of the inputs that were read, in order."""

    def shows(self, kind: str, location: Location | None) -> bool:
        """Whether it ended in a bug of this kind at this place."""
        return (self.end, self.kind, self.location) == ("bug", kind, location)


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """Where execution starts: a program at ``main``, or one function with its parameters as inputs."""

    function: Function
    as_program: bool = True
    heap: HeapOptions = field(default_factory=HeapOptions)

    def assumed(self, program: Program) -> tuple[str, ...]:
        """What holds for the parameters of a function, for people."""
        if self.as_program:
            return ()
        return assumed(self.function, Shapes(program.ctypes, program.layout), self.heap)

    def start(self, run: Run) -> State:
        """The first state of a run."""
        if self.as_program:
            return program_state(run, self.function)
        return function_state(run, self.function, self.heap)


def _instead(program: Program) -> str:
    """What can be run of a program without main."""
    own = [program.functions[name] for name in _defined(program)[0]]
    names = [function.source_name for function in own if not function.internal]
    if not names:
        return "name a function to run with --function NAME"
    return f"name a function to run with --function ({some(names, _MANY)}), or let 'clew project' run all"


def find_entry(program: Program, name: str | None, heap: HeapOptions | None = None) -> EntryPoint:
    """The entry the user means, as ``NAME`` or ``FILE:NAME``; UserError with close names if there is none, with those
    of files if there are several."""
    wanted = "main" if name is None else name
    function = program.functions.get(wanted) if name is None else _function(program, wanted)
    if function is None or function.is_declaration:
        if name is None:
            raise UserError(f"the program has no main; {_instead(program)}")
        if function is not None:
            raise UserError(f"function {wanted!r} is only declared; give the file that defines it, too")
        raise UserError(unknown_name("function", wanted, *_defined(program)))
    heap = heap or HeapOptions()
    if heap.guesses and name is not None:
        heap = replace(heap, characters=text_length(program, function))
    return EntryPoint(function, name is None, heap)


def _function(program: Program, wanted: str) -> Function | None:
    file, _, name = wanted.rpartition(":")
    found = [function for function in program.functions.values() if function.source_name == name and function.blocks]
    if file:
        parts = Path(file).parts
        found = [f for f in found if f.location is not None and Path(f.location.file).parts[-len(parts) :] == parts]
    files = [function.location.file for function in found if function.location is not None]
    visible = [function for function in found if not function.internal]
    if len(visible) == 1:
        return visible[0]
    if len(found) > 1 and len(set(files)) == len(found):
        raise UserError(f"several files define {name!r}: name one as {' or '.join(f'{each}:{name}' for each in files)}")
    return found[0] if found else program.functions.get(wanted)


def _defined(program: Program) -> tuple[list[str], list[str]]:
    """The names of functions that there is code of: those of the user's files, and the others."""
    own: list[str] = []
    others: list[str] = []
    for function in program.functions.values():
        if not function.is_declaration:
            place = function.location
            is_own = function.name not in program.runtime and (place is None or place.file in program.source_files)
            (own if is_own else others).append(function.name)
    return own, others


def replayed_run(
    machine: Machine,
    entry: EntryPoint,
    inputs: Sequence[InputValue],
    options: RunOptions,
    searcher: Searcher,
    coverage: Coverage,
    solving: SolverOptions | None = None,
) -> Run:
    """A run with given inputs, and without bounds of loops."""
    chosen, solver = replace(options, start=(), loop_bound=None), build_chain(solving or SolverOptions(), SolverStats())
    run = Run(machine, solver, searcher, coverage, chosen, replayed=stream_of(inputs))
    run.given = None if entry.as_program else GivenHeap(inputs)
    return run


def execute(
    machine: Machine,
    entry: EntryPoint,
    inputs: Sequence[InputValue],
    max_instructions: int | None = None,
    options: RunOptions | None = None,
    seconds: float | None = None,
    interrupt: Interrupt | None = None,
    memory_mb: float | None = None,
    undefined: Model = EMPTY_MODEL,
    listeners: Sequence[Callable[[Run], None]] = (),
    coverage: Coverage | None = None,
    is_spent: Callable[[], bool] | None = None,
) -> ConcreteOutcome:
    """Run once with the given inputs, and loops as often as they go round; ``undefined`` gives values the program never
    defined, where they may be any.

    ``listeners`` are told of the run before it begins; ``coverage`` is a fresh one, or one that several
    share of which nobody asks what it has covered. ``is_spent`` is asked now and then, and ends the run by saying yes.
    """
    coverage = coverage or Coverage(machine.program, machine.compiler)
    run = replayed_run(machine, entry, inputs, options or RunOptions(), NoSiblings(), coverage)
    ends: list[Finished] = []
    budget = Budget(seconds, memory_mb, max_instructions, interrupt)
    budget.is_spent = is_spent
    engine = Engine(run, budget, ExplorePolicy(ends.append))
    try:
        first = entry.start(run)
    except Lost as end:
        return ConcreteOutcome("lost", kind=end.kind, detail=end.what)
    first.model = undefined
    for listener in listeners:
        listener(run)
    engine.explore(first)
    # No end: the watchdog stopped it while the path was being filed.
    return _outcome(ends[0], run, entry.function) if ends else ConcreteOutcome("stopped")


def _outcome(finished: Finished, run: Run, function: Function) -> ConcreteOutcome:
    state, end = finished.state, finished.end
    result = ConcreteOutcome(
        "dropped", None, printed(state.output), "", finished.location, "", run.statistics.instructions,
        frozenset(run.coverage.taken()), lines=frozenset(run.coverage.lines),
    )  # fmt: skip
    match end:
        case Exited(code=code):
            value = EMPTY_MODEL.eval(code)
            result = replace(result, end="exit", exit_code=int(value) & 0xFF if isinstance(value, int) else 0)
            if not end.returned or run.given is None:
                return result
            return replace(result, behaviour=observed(state, run.given, code, function.ctype))
        case Failed(kind=kind, message=message):
            stack, read = finished.stack, _names(state)
            return replace(result, end="bug", kind=kind, detail=message, stack=stack, read=read)
        case Lost(kind="unexplored" | "evicted"):
            return replace(result, end="stopped", detail=end.what)
        case Lost(kind=kind, what=what):
            return replace(result, end="lost", kind=kind, detail=what)
        case Dropped():
            return result
    raise AssertionError(f"a path cannot end with {end!r}")


def _names(state: State) -> tuple[str, ...]:
    return tuple(read.name for read in reads(state.inputs))[::-1]
