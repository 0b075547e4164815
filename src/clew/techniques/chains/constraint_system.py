"""Constraint systems: what must hold for some execution from a state on to reach the target.

The system of a state has solutions for every execution that leads from it to the target: without solution, none
does. A solution says which chains of the loops ahead to execute how often, and which ways to take between them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import field

from clew.base.dataclass import dataclass
from clew.base.errors import Unsupported
from clew.execute.codegen.plan import PointKind
from clew.execute.coverage import Edge
from clew.execute.frame import Frame
from clew.execute.state import State
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import BV
from clew.expr.walk import substitute
from clew.program import instructions as ir
from clew.program.values import Register
from clew.techniques.chains.acyclic import Passage
from clew.techniques.chains.forward_evaluation import MergedEvaluator, Registers, Way
from clew.techniques.chains.instances import ClosedLoop
from clew.techniques.chains.loop_closing import close
from clew.techniques.chains.memory import Ground, Memory
from clew.techniques.chains.program_facts import ProgramFacts
from clew.techniques.chains.queries import IterationQueries
from clew.techniques.chains.recurrence import WIDE, RecurrenceKind, Variable


class System:
    """The system of one state."""

    def __init__(self, ahead: MergedEvaluator) -> None:
        notes = ahead.notes
        self._survey = ahead.survey
        self.notes = notes
        self.arrival = build.disjunction(notes.arrivals)
        self.formula = build.conjunction([*notes.facts, self.arrival])
        self.moderate = build.conjunction([self.formula, *map(build.lnot, notes.endless)])
        """The same, for executions of a length that is to be expected."""
        self.doubts = tuple(ahead.doubts)

    @property
    def length(self) -> BV:
        """How many iterations of loops there are on the way, not counting those of loops in loops."""
        total: BV = 0
        for form in self.notes.forms:
            for counter in form.counters:
                total = build.add(total, counter, WIDE)
        return total

    @property
    def chains(self) -> int:
        """Those of all loops on the way, and of the loops in them."""
        found: dict[tuple[str, int], int] = {}
        forms = list(self.notes.forms)
        while forms:
            form: ClosedLoop = forms.pop()
            found[form.outline.function.name, form.loop] = len(form.chains)
            forms += form.notes.forms
        return sum(found.values())

    def plan(self, model: Model) -> SystemPlan:
        """How often a solution takes each choice on the way."""
        plan = SystemPlan()
        for key, condition in self.notes.edges:
            if model.eval(condition):
                plan.wanted[key] += 1
        for form in self.notes.forms:
            _count_loop(form, self._survey, model, plan)
        return plan


@dataclass(slots=True, eq=False)
class SystemPlan:
    """How often to take which choice, and which choices to take first."""

    against: int = 0
    """Choices that were wanted, but not what the state's inputs would have taken."""
    patience: int = 8
    """How many of these there may be before a new solution is looked for."""
    detours: int = 0
    """Choices that were taken though nobody wanted them."""
    wanted: Counter[Edge] = field(default_factory=Counter)
    early: set[Edge] = field(default_factory=set)
    """Those of chains that set what other chains add to: only what is added afterwards counts."""

    def urgency(self, edge: Edge | None) -> tuple[bool, bool, int]:
        """The larger, the rather should this choice be taken now."""
        if edge is None:
            return False, False, 0
        times = self.wanted[edge]
        return times > 0, edge in self.early, times

    def wants(self, edge: Edge | None) -> bool:
        return edge is not None and self.wanted[edge] > 0

    def take(self, edge: Edge | None) -> None:
        if edge is not None and edge in self.wanted:
            self.wanted[edge] -= 1
            self.detours += self.wanted[edge] < 0
        else:
            self.detours += 1


def _belongs(form: ClosedLoop, survey: ProgramFacts, edge: Edge) -> bool:
    """Whether an edge is a choice of a loop's own iterations, and not of a loop in it."""
    function, block, _ = edge
    around = survey.outline(function).around[block]
    if function != form.outline.function.name:
        return not around
    return around <= form.outline.around[form.outline.header[form.loop]]


def _count_loop(form: ClosedLoop, survey: ProgramFacts, model: Model, plan: SystemPlan) -> None:
    for index, (counter, mapping) in enumerate(form.executions):
        times = model.eval(counter)
        if not times:
            continue
        resets = any(_is_reset(variable, index) for variable in form.variables)
        for key, condition in form.notes.edges:
            if _belongs(form, survey, key) and model.eval(substitute(condition, mapping)):
                plan.wanted[key] += times
                if resets:
                    plan.early.add(key)


def _is_reset(variable: Variable, chain: int) -> bool:
    kinds = {update.kind for update in variable.updates}
    return variable.updates[chain].kind is RecurrenceKind.SET and bool(
        kinds & {RecurrenceKind.ADD, RecurrenceKind.VARY}
    )


def build_system(survey: ProgramFacts, state: State, questions: IterationQueries) -> System:
    """The system of a suspended state."""
    frames: list[Frame] = []
    frame = state.frame
    while frame is not None:
        frames.append(frame)
        frame = frame.parent
    ground = Ground(state.memory, survey.layout, _masks(survey, frames))
    questions.look_from(state.path)
    ahead = MergedEvaluator(survey, ground, close, questions)
    _walk_frames(ahead, survey, state, frames)
    return System(ahead)


def _walk_frames(ahead: MergedEvaluator, survey: ProgramFacts, state: State, frames: list[Frame]) -> None:
    """From the innermost frame out: what runs after each has returned."""
    returned = [Way(True, {}, Memory(ahead.ground, ahead.future), result=state.result)]
    for depth, frame in enumerate(frames):
        name = frame.function.name
        outline = survey.outline(name)
        point = frame.function.plan.points[frame.at]
        registers = _registers(survey, frame)
        way = returned[0]._replace(registers=registers, source=point.block, result=None)
        start, index = Passage(point.block, frozenset()), point.index
        if point.kind is PointKind.CONTINUATION:
            call = outline.blocks[point.block].instructions[point.index - 1]
            after = ahead.after_call(call, registers, returned) if isinstance(call, ir.Call) else None
            if after is None:
                return
            way = after
        elif point.kind is PointKind.LABEL and depth:
            # It has not begun yet: main, while something runs that comes before it.
            way = ahead.merge(returned, ())._replace(registers=registers, result=None)
        elif depth:
            raise Unsupported("a frame that waits for something else than a call")
        outer = any(survey.goals(other.function.name) for other in frames[depth + 1 :])
        if point.kind is PointKind.EDGE:
            following = outline.follow(start, point.target)
            assert following is not None
            way, start, index = ahead.enter(outline, following, [way]), following, 0
        expansion = outline.expansion(start, None, survey.goals(name), outer)
        returned = ahead.walk(outline, expansion, way, index).returned
        if not outer or not returned:
            return


def _registers(survey: ProgramFacts, frame: Frame) -> Registers:
    """The values that a suspended frame has."""
    point = frame.function.plan.points[frame.at]
    names = {number: name for name, number in survey.liveness(frame.function.name).numbers.items()}
    return {names[number]: value for number, value in zip(point.live, frame.live, strict=True)}


def _masks(survey: ProgramFacts, frames: list[Frame]) -> dict[int, int]:
    """Which abstract objects the state's objects are, as far as that shows."""
    effects = survey.effects
    found = {address: effects.bit(name) for name, address in survey.machine.globals.addresses.items()}
    for frame in frames:
        own = set(frame.allocated)
        registers = _registers(survey, frame)
        for i in frame.function.function.instructions():
            if isinstance(i, ir.Alloca) and isinstance(i.result, Register):
                address = registers.get(i.result.name)
                if address in own:
                    found[address] = effects.bit((frame.function.name, i.result.name))
    return found
