"""What the tests of the engine share: small programs in C or LLVM text, explored and looked at path by path."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from clew.base.budget import Budget
from clew.base.options import StartValue
from clew.base.randomness import Randomness
from clew.execute.context import RunOptions
from clew.execute.coverage import Coverage
from clew.execute.ends import Dropped, Exited, Failed, Lost
from clew.execute.engine import Engine
from clew.execute.events import Events
from clew.execute.heap.surroundings import HeapOptions
from clew.execute.input_values import input_values
from clew.execute.instrument.loop_marks import mark_loops
from clew.execute.policy import ExplorePolicy, Finished
from clew.execute.run import Run
from clew.execute.state import printed
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.frontend.reader import read_module
from clew.jobs.prepare import make_machine
from clew.jobs.reexecution import ConcreteOutcome, find_entry
from clew.program import instructions as ir
from clew.program.module import Program
from clew.report.records import StackFrame
from clew.report.values import InputValue, Value
from clew.search.registry import SearchContext, make_searcher
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats
from support.concrete import run_concrete

X86_64 = "x86_64-linux-gnu"
TARGETS = (X86_64, "x86-linux-gnu", "aarch64-linux-gnu")

HEADER = """
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i8 @__VERIFIER_nondet_uchar()
declare i16 @__VERIFIER_nondet_ushort()
declare i32 @__VERIFIER_nondet_int()
declare i64 @__VERIFIER_nondet_long()
declare float @__VERIFIER_nondet_float()
declare double @__VERIFIER_nondet_double()
declare void @__VERIFIER_assume(i32)
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @abort()
"""

PRELUDE = """
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern long long __VERIFIER_nondet_longlong(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void *__VERIFIER_nondet_pointer(void);
extern void __VERIFIER_assume(int);
void reach_error(void);
void *malloc(__SIZE_TYPE__);
void free(void *);
#line 1
"""


@dataclass(frozen=True)
class Way:
    """One path that ended."""

    how: str
    """``exit``, ``bug``, ``dropped`` or ``lost``."""
    code: int = 0
    """The exit code as a signed int."""
    kind: str = ""
    message: str = ""
    line: int = 0
    inputs: tuple[Value, ...] = ()
    output: bytes = b""
    stack: tuple[StackFrame, ...] = ()
    constraints: int = 0


@dataclass(frozen=True)
class Exploration:
    """All paths of a program, in the order they ended."""

    ways: tuple[Way, ...]
    run: Run
    engine: Engine

    @property
    def codes(self) -> list[int]:
        """Exit codes of the paths that exited, sorted."""
        return sorted(way.code for way in self.ways if way.how == "exit")

    @property
    def bugs(self) -> list[tuple[str, int]]:
        """Kind and line of the paths that failed, sorted."""
        return sorted((way.kind, way.line) for way in self.ways if way.how == "bug")

    @property
    def kinds(self) -> list[str]:
        return sorted(way.kind for way in self.ways if way.how == "bug")

    @property
    def endings(self) -> Counter[str]:
        return Counter(way.how for way in self.ways)

    @property
    def lost(self) -> list[str]:
        return [way.message for way in self.ways if way.how == "lost"]


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="clew-tests-"))


@cache
def c_program(code: str, target: str = X86_64, flags: tuple[str, ...] = (), sanitize: tuple[str, ...] = ()) -> Program:
    """Compile C; ``#line 1`` is where the given text starts."""
    path = _folder() / f"program{c_program.cache_info().misses}.c"
    path.write_text(PRELUDE + code, encoding="utf-8")
    options = CompileOptions(flags=("-w", "-std=gnu11", *flags), target=target, sanitize=sanitize)
    return load([path], options, None)


def llvm(text: str) -> Program:
    """A program in LLVM text, indented freely; what LLVM's own printer indents is indented here."""
    lines = []
    for line in map(str.strip, text.splitlines()):
        outside = re.match(r"[%@]\S+ = (type|global|constant|private|internal|external|alias)|declare|define|}|$", line)
        lines.append(line if outside or re.fullmatch(r"[\w.]+:", line) else "  " + line)
    return read_module(HEADER + "\n".join(lines) + "\n")


def with_added(text: str, index: int, *added: ir.Instruction) -> Program:
    """A program in LLVM's language with instructions more in the first block of main."""
    program = llvm(text)
    main = program.functions["main"]
    first, *rest = main.blocks
    main = replace(main, blocks=(first.inserted({index: added}), *rest))
    return replace(program, functions={**program.functions, "main": main})


def main(body: str) -> Program:
    """A program whose ``main`` has the given body in LLVM text."""
    return llvm("define i32 @main() {\n" + body + "\n}\n")


def _way(path: Finished) -> Way:
    state, end = path.state, path.end
    assert all(state.model.eval(constraint) is True for constraint in state.path), "the model violates the path"
    inputs = input_values(state)
    values = tuple(value.value for value in inputs)
    output, line = printed(state.output), path.place.location.line if path.place and path.place.location else 0
    constraints = len(state.path)
    match end:
        case Exited(code=code):
            number = int(state.model.eval(code)) & 0xFFFFFFFF
            signed = number - (1 << 32) if number >> 31 else number
            return Way("exit", signed, "", "", line, values, output, path.stack, constraints)
        case Failed(kind=kind, message=message, location=location):
            line = location.line if location else line
            return Way("bug", 0, kind, message, line, values, output, path.stack, constraints)
        case Lost(kind=kind, what=what):
            return Way("lost", 0, kind, what, line, values, output, path.stack, constraints)
        case Dropped():
            return Way("dropped", 0, "", "", line, values, output, path.stack, constraints)
    raise AssertionError(f"unexpected end {end!r}")


def explore(
    program: Program | str,
    function: str | None = None,
    *,
    search: str = "dfs",
    seed: int = 0,
    array_length: int = 1,
    heap: HeapOptions | None = None,
    loop_bound: int | None = None,
    start: Sequence[StartValue] = (),
    checks: frozenset[str] | None = None,
    listen: Callable[[Events], object] = lambda events: None,
    budget: Budget | None = None,
    finished: Callable[[Finished], None] | None = None,
    report: bool = False,
) -> Exploration:
    """Explore all paths (text is C). ``report`` marks failures as reported, as the job does."""
    if isinstance(program, str):
        program = c_program(program)
    options = RunOptions(checks, loop_bound, tuple(start))
    events = Events()
    listen(events)
    if events.loop_header and loop_bound is None:
        program = mark_loops(program, counted=False)
    machine = make_machine(program, options)
    coverage = Coverage(machine.program, machine.compiler)
    searcher = make_searcher(search, SearchContext(machine.program, coverage, Randomness(seed)))
    solver = build_chain(SolverOptions(validate=True), SolverStats())
    run = Run(machine, solver, searcher, coverage, options, events)
    ways: list[Way] = []

    def ended(path: Finished) -> None:
        ways.append(_way(path))
        if report and isinstance(path.end, Failed) and path.place is not None:
            place = path.place
            run.reported.add((path.end.kind, place.function, place.block, place.position))
        if finished is not None:
            finished(path)

    engine = Engine(run, budget or Budget(seconds=600.0), ExplorePolicy(ended))
    entry = find_entry(machine.program, function, heap or HeapOptions(array_length))
    engine.explore(entry.start(run))
    assert budget is not None or engine.stopped is None, f"stopped by {engine.stopped}"
    return Exploration(tuple(ways), run, engine)


def concrete(program: Program | str, *inputs: int | InputValue, target: str = X86_64) -> ConcreteOutcome:
    """Run with given inputs (text is C)."""
    if isinstance(program, str):
        program = c_program(program, target)
    return run_concrete(program, list(inputs))


def exit_code(program: Program | str, *inputs: int | InputValue, target: str = X86_64) -> int:
    """The exit code of a concrete run that must end normally."""
    outcome = concrete(program, *inputs, target=target)
    assert outcome.end == "exit", outcome
    assert outcome.exit_code is not None
    return outcome.exit_code
