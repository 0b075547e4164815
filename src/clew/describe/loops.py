"""The loops of a program in source terms: what the chain technique's forward evaluation finds out about them.

Each function is evaluated from its beginning, for all parameters and any memory. Loops of functions that it calls are
described with these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clew.base.errors import Unsupported
from clew.base.location import source_order
from clew.describe.loop_evaluation import DescribedEvaluator, Found, Wide
from clew.describe.loop_notes import LoopDescriber
from clew.execute.machine import Machine
from clew.program.module import Function, Program
from clew.program.values import Register
from clew.report.loop_report import FunctionLoops
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats
from clew.techniques.chains.acyclic import AcyclicFunction
from clew.techniques.chains.forward_evaluation import Registers, Way
from clew.techniques.chains.instances import ClosedLoop
from clew.techniques.chains.loop_closing import close
from clew.techniques.chains.memory import ANYTHING, Ground, Memory
from clew.techniques.chains.program_facts import ProgramFacts
from clew.techniques.chains.queries import IterationQueries

SECONDS = 2.0
"""For one question about a loop."""


def own_functions(program: Program) -> list[str]:
    """The functions that the program defines, in the order of the source."""
    own = [f for f in program.functions.values() if not f.is_declaration and f.name not in program.runtime]
    return [function.name for function in sorted(own, key=lambda function: source_order(function.location))]


def notes_of(machine: Machine, names: Iterable[str]) -> Iterator[FunctionLoops]:
    """The notes about each of these functions that has loops, one after the other: each may take a while."""
    survey = Wide(machine)
    for name in names:
        note = _function(survey, machine.program.functions[name])
        if note.loops or note.unsupported:
            yield note


def _function(survey: ProgramFacts, function: Function) -> FunctionLoops:
    try:
        outline = survey.outline(function.name)
        if not outline.loops:
            return FunctionLoops(function.source_name, function.location)
        look = _look(survey, outline)
    except Unsupported as problem:
        return FunctionLoops(function.source_name, function.location, (), problem.feature)
    return FunctionLoops(function.source_name, function.location, LoopDescriber(survey, outline, look).top())


def _look(survey: ProgramFacts, outline: AcyclicFunction) -> DescribedEvaluator:
    """The evaluation of a whole function, with all its loops."""
    machine = survey.machine
    masks = {address: survey.effects.bit(name) for name, address in machine.globals.addresses.items()}
    ground = Ground(machine.initial_memory, survey.layout, masks)
    solver = build_chain(SolverOptions(time_limit=SECONDS), SolverStats())
    look = DescribedEvaluator(survey, ground, IterationQueries(solver))
    registers: Registers = {}
    for parameter in outline.function.parameters:
        assert isinstance(parameter.value, Register)
        sort = survey.sort(parameter.value.type)
        if sort is not None:
            registers[parameter.value.name] = look.fresh(sort, parameter.value.name)
    expansion = outline.expansion(outline.entry, None, frozenset(outline.headed), returns=True)
    look.walk(outline, expansion, Way(True, registers, _anything(look)))
    _collect(look, outline, look.notes.forms)
    for loop in outline.loops:
        if loop.index not in look.loops:
            _look_alone(look, outline, loop.index)
    return look


def _anything(look: DescribedEvaluator) -> Memory:
    memory = Memory(look.ground, look.future)
    memory.lost = ANYTHING
    return memory


def _collect(look: DescribedEvaluator, outline: AcyclicFunction, forms: list[ClosedLoop]) -> None:
    """Record closed loops; of a loop in a loop, the form that it has within an iteration of the outer one."""
    for form in forms:
        if form.outline is outline:
            look.loops.setdefault(form.loop, Found(form, look.exits[id(form.notes)]))
            _prefer_nested(look, outline, form)


def _prefer_nested(look: DescribedEvaluator, outline: AcyclicFunction, form: ClosedLoop) -> None:
    for inner in form.notes.forms:
        if inner.outline is outline:
            known = look.loops.get(inner.loop)
            parent = outline.loops[inner.loop].parent
            if known is None or parent == form.loop:
                look.loops[inner.loop] = Found(inner, look.exits[id(inner.notes)])
            _prefer_nested(look, outline, inner)


def _look_alone(look: DescribedEvaluator, outline: AcyclicFunction, loop: int) -> None:
    """Evaluate a loop that no evaluated path comes to, from any state at its header."""
    header = outline.header[loop]
    needed = look.survey.needed(outline.function.name, header)
    registers: Registers = {name: look.fresh(sort, name) for name, sort in needed}
    before = len(look.notes.forms)
    close(look, outline, loop, Way(True, registers, _anything(look)))
    _collect(look, outline, look.notes.forms[before:])
