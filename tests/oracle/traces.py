"""Traces of native runs beside the interpreter: the same branches in the same order, conditions that are true of the
input, and flips that go where they should."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.base.cache import Cache
from clew.execute.codegen.compiled import Compiler
from clew.execute.codegen.emitter import Origin
from clew.execute.coverage import Coverage
from clew.execute.helpers import build_machine
from clew.expr.node import Expr
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.jobs.concolic.flips import Flips
from clew.jobs.concolic.search import arrived
from clew.jobs.concolic.terms import input_of, model_of
from clew.jobs.reexecution import ConcreteOutcome, execute, find_entry
from clew.models.registry import all_models
from clew.native.executor import End
from clew.native.library import PREFIX
from clew.native.trace import Trace, TracedExecutor, TracedProgram
from clew.native.trace_ops import RecordKind
from clew.program.module import Program
from clew.report.records import BranchId
from clew.report.values import InputValue
from clew.runtime import link
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.path import conjuncts
from clew.solver.stats import SolverStats
from oracle import engine


class _Branches(Coverage):
    """All branches of one run, in order."""

    def __init__(self, program: Program, compiler: Compiler) -> None:
        super().__init__(program, compiler)
        self.sequence: list[BranchId] = []

    def leaf(self, unit: int, number: int) -> bool:
        new = super().leaf(unit, number)
        self.fresh[unit][number] = True
        code = self._compiler.units[unit]
        self._note(code.function, code.leaves[number].edges)
        return new

    def interrupted(self, function: str, origin: Origin) -> bool:
        new = super().interrupted(function, origin)
        self._note(function, origin.edges)
        return new

    def _note(self, function: str, edges: Sequence[tuple[str, str]]) -> None:
        found = (self.branch_of((function, source, target)) for source, target in edges)
        self.sequence += [one for one in found if one is not None]


@dataclass(frozen=True)
class Checked:
    """What a comparison has found wrong, and how much it has looked at."""

    problems: tuple[str, ...]
    records: int = 0
    flips: int = 0


def check(source: Path, inputs: Sequence[int], sanitize: tuple[str, ...] = (), most_flips: int = 12) -> Checked:
    """Trace a program with 64-bit inputs, and compare."""
    options = CompileOptions(flags=engine.FLAGS, sanitize=sanitize)
    program = link(load([source], options, None), options, Cache.default())
    sequence, outcome = _interpreted(program, [*inputs, *[0] * engine.SPARE])
    data = b"".join((value % (1 << 64)).to_bytes(8, "little") for value in inputs)
    with TracedProgram(program, program.functions["main"], cache=Cache.default()).executor() as executor:
        trace = executor.trace(data)
        if trace.run.end not in (End.EXIT, End.BUG):
            return Checked(
                (f"ends with {trace.run.end.name}: {trace.run.detail}",) if trace.run.end is End.FAULT else ()
            )
        problems = [*_compared(trace, sequence, outcome), *_evaluated(trace, executor)]
        wrong, flips = _flipped(trace, executor, most_flips)
    return Checked((*problems, *wrong), len(trace.records), flips)


def _interpreted(program: Program, inputs: Sequence[int]) -> tuple[list[BranchId], ConcreteOutcome]:
    machine = build_machine(program, all_models())
    coverage = _Branches(program, machine.compiler)
    values = [InputValue("", "long long", 64, item) for item in inputs]
    outcome = execute(machine, find_entry(program, None), values, coverage=coverage)
    return coverage.sequence, outcome


def _compared(trace: Trace, sequence: list[BranchId], outcome: ConcreteOutcome) -> list[str]:
    """The branches of a trace are some of the interpreter's, in its order; the end is the same."""
    if (trace.run.exit_code, trace.run.stdout) != (outcome.exit_code, outcome.stdout):
        return [f"ends with {trace.run.exit_code} {trace.run.stdout!r}, not {outcome.exit_code} {outcome.stdout!r}"]
    rest = iter(sequence)
    for record in trace.records:
        function, block, kind = trace.sites[record.site]
        if kind != "branch" or function.startswith(PREFIX):
            continue
        wanted = (function, block, 1 - record.taken)
        if not any(one == wanted for one in rest):
            return [f"the interpreter does not have {wanted} here"]
    missing = trace.run.branches - outcome.covers
    return [f"the interpreter does not cover {missing}"] if missing else []


def _evaluated(trace: Trace, executor: TracedExecutor) -> list[str]:
    """Each condition is true of the input, and each node has the value that its term has."""
    flips, model = Flips(trace, executor.program.functions), model_of(trace.data)
    found = []
    for position, record in enumerate(trace.records):
        if record.kind == RecordKind.LOST:
            continue
        site = trace.sites[record.site]
        value, expected = model.eval(flips.terms.of(record.node)), trace.node(record.node).value
        if int(value) != expected:
            found.append(f"{site}: {value} in place of {expected}")
        if not model.eval(flips.held(position)):
            found.append(f"{site}: does not hold")
    return found[:3]


def _flipped(trace: Trace, executor: TracedExecutor, most: int) -> tuple[list[str], int]:
    """Flips with all earlier conditions go where they should."""
    solver = build_chain(SolverOptions(time_limit=2.0), SolverStats())
    flips, found, count = Flips(trace, executor.program.functions), [], 0
    for flip in flips.all():
        if count >= most:
            break
        wanted = flips.wanted(flip)
        if flip.position >= flips.lost or type(wanted) is not Expr:
            continue
        count += 1
        model = solver.check(flips.prefix(flip) | frozenset(conjuncts(wanted)), model_of(trace.data)).model
        if model is not None:
            after = executor.trace(input_of(model, trace.data, 4096))
            if after.run.end not in (End.FUEL, End.MEMORY) and not arrived(after, flip):
                found.append(f"{flip.site} {flip.outcome}: the run went elsewhere")
    return found[:3], count
