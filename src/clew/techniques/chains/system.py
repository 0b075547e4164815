"""Constraint systems: what must hold for some execution from a state on to reach the target.

The system of a state has solutions for every execution that leads from it to the target: without solution, none
does. A solution says which chains of the loops ahead to execute how often, and which ways to take between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from clew.base.errors import Unsupported
from clew.execute.codegen.plan import PointKind
from clew.execute.frame import Frame
from clew.execute.state import State
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import BV, Bool, Expr
from clew.expr.ranges import signed_interval
from clew.expr.walk import substitute
from clew.program import instructions as ir
from clew.program.values import Register
from clew.solver.chain import Chain as Solver
from clew.solver.interface import Answer
from clew.solver.path import EMPTY_PATH, PathCondition, conjuncts
from clew.techniques.chains.ahead import Ahead, Registers, Way
from clew.techniques.chains.forms import Form
from clew.techniques.chains.loops import close
from clew.techniques.chains.memory import Ground, Memory
from clew.techniques.chains.outline import Passage
from clew.techniques.chains.recurrence import WIDE, Kind, Variable
from clew.techniques.chains.survey import EdgeKey, Survey

FARTHEST = 1 << 12
"""Larger steps are not looked for."""
MOST_FAILURES = 8
"""Questions per look ahead that may be too hard, before nothing else is asked."""
MOST_QUESTIONS = 24
"""Questions per look ahead that depend on the state it is from, and so were never asked before."""


class Questions:
    """Answers about single iterations, remembered: the same loops are met at every look ahead."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._path: PathCondition = EMPTY_PATH
        self._patience = 0
        self._answers: dict[frozenset[Expr], Answer] = {}
        self._gave_up = False
        """Whether the last question was too hard."""
        self._failures = 0

    def look_from(self, path: PathCondition) -> None:
        """Begin a look ahead, from a state with this path condition."""
        self._path = path
        self._patience = MOST_QUESTIONS
        self._failures = 0

    def refutes(self, constraints: Sequence[Bool], context: Sequence[Bool]) -> bool:
        """Whether constraints, and what holds around them, are known to have no solution."""
        own = _plain(constraints)
        if own is None or self._ask(own):
            return True
        if not context:
            return False
        around = _plain(context)
        if around is None:
            return True
        every = own | around
        for constraint in tuple(every):
            every |= self._path.slice(constraint)
        return every != own and self._ask(every)

    def _ask(self, constraints: frozenset[Expr]) -> bool:
        known = self._answers.get(constraints)
        if known is None and self._failures < MOST_FAILURES:
            known = self._answers[constraints] = self._solver.check(constraints).answer
            self._failures += known is Answer.UNKNOWN
        elif known is None:
            known = Answer.UNKNOWN
        self._gave_up = known is Answer.UNKNOWN
        return known is Answer.UNSAT

    def bounds(
        self, value: Expr, constraints: Sequence[Bool], context: Sequence[Bool]
    ) -> tuple[int | None, int | None]:
        """The least and the largest that a signed number can be, if that was found."""
        low, high = self._bounds(value, constraints, ())
        if (low is None or high is None) and self._patience > 0:
            before = len(self._answers)
            low, high = self._bounds(value, constraints, context)
            self._patience -= len(self._answers) - before
        return low, high

    def _bounds(
        self, value: Expr, constraints: Sequence[Bool], context: Sequence[Bool]
    ) -> tuple[int | None, int | None]:
        def above(limit: int) -> bool:
            return self._is_refuted([*constraints, build.sgt(value, limit & value.mask, value.width)], context)

        def below(limit: int) -> bool:
            return self._is_refuted([*constraints, build.slt(value, -limit & value.mask, value.width)], context)

        low, high = signed_interval(value)
        most, least = _least_limit(above, low, high), _least_limit(below, -high, -low)
        return None if least is None else -least, most

    def _is_refuted(self, constraints: Sequence[Bool], context: Sequence[Bool]) -> bool:
        """The same as ``refutes``, for searches: they end where a question is too hard, as the next ones would be."""
        refuted = self.refutes(constraints, context)
        if self._gave_up and not refuted:
            raise TooHard
        return refuted


def _plain(constraints: Sequence[Bool]) -> frozenset[Expr] | None:
    """As a query; None if there is no need to ask."""
    if any(constraint is False for constraint in constraints):
        return None
    return frozenset(c for constraint in constraints if isinstance(constraint, Expr) for c in conjuncts(constraint))


class TooHard(Exception):
    """The solver gave up on a question."""


def _least_limit(refuted: Callable[[int], bool], lowest: int, known: int) -> int | None:
    """The least number from ``lowest`` on that nothing goes beyond; ``known`` is one. None if it is large, or too hard.

    Outside of these two nothing is asked: numbers there may be none of the value's width.
    """
    try:
        return _search_limit(refuted, lowest, known)
    except TooHard:
        return known if abs(known) <= FARTHEST else None


def _search_limit(refuted: Callable[[int], bool], lowest: int, known: int) -> int | None:
    start = min(max(0, lowest), known)
    if start < known and not refuted(start):
        low, high = start, start + 7
        while high < known and not refuted(high):
            low, high = high, 2 * high + 7
            if high > FARTHEST and high < known:
                return None
        high = min(high, known)
    else:
        low, high, step = start - 1, start, 1
        while low >= lowest and refuted(low):
            step *= 2
            low, high = low - step, low
            if high < -FARTHEST:
                return high
        low = max(low, lowest - 1)
    while high - low > 1:
        middle = (low + high) // 2
        if refuted(middle):
            high = middle
        else:
            low = middle
    return high


class System:
    """The system of one state."""

    def __init__(self, ahead: Ahead) -> None:
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

    def plan(self, model: Model) -> Plan:
        """How often a solution takes each choice on the way."""
        plan = Plan()
        for key, condition in self.notes.edges:
            if model.eval(condition):
                plan.wanted[key] += 1
        for form in self.notes.forms:
            _count_loop(form, self._survey, model, plan)
        return plan


class Plan:
    """How often to take which choice, and which choices to take first."""

    __slots__ = ("against", "detours", "early", "patience", "wanted")

    def __init__(self) -> None:
        self.against = 0
        """Choices that were wanted, but not what the state's inputs would have taken."""
        self.patience = 8
        """How many of these there may be before a new solution is looked for."""
        self.detours = 0
        """Choices that were taken though nobody wanted them."""
        self.wanted: Counter[EdgeKey] = Counter()
        self.early: set[EdgeKey] = set()
        """Those of chains that set what other chains add to: only what is added afterwards counts."""

    def urgency(self, edge: EdgeKey | None) -> tuple[bool, bool, int]:
        """The larger, the rather should this choice be taken now."""
        if edge is None:
            return False, False, 0
        times = self.wanted[edge]
        return times > 0, edge in self.early, times

    def wants(self, edge: EdgeKey | None) -> bool:
        return edge is not None and self.wanted[edge] > 0

    def take(self, edge: EdgeKey | None) -> None:
        if edge is not None and edge in self.wanted:
            self.wanted[edge] -= 1
            self.detours += self.wanted[edge] < 0
        else:
            self.detours += 1


def _belongs(form: Form, survey: Survey, edge: EdgeKey) -> bool:
    """Whether an edge is a choice of a loop's own iterations, and not of a loop in it."""
    function, block, _ = edge
    around = survey.outline(function).around[block]
    if function != form.outline.function.name:
        return not around
    return around <= form.outline.around[form.outline.header[form.loop]]


def _count_loop(form: Form, survey: Survey, model: Model, plan: Plan) -> None:
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
    return variable.updates[chain].kind is Kind.SET and bool(kinds & {Kind.ADD, Kind.VARY})


def build_system(survey: Survey, state: State, questions: Questions) -> System:
    """The system of a suspended state."""
    frames: list[Frame] = []
    frame = state.frame
    while frame is not None:
        frames.append(frame)
        frame = frame.parent
    ground = Ground(state.memory, survey.layout, _masks(survey, frames))
    questions.look_from(state.path)
    ahead = Ahead(survey, ground, close, questions)
    _walk_frames(ahead, survey, state, frames)
    return System(ahead)


def _walk_frames(ahead: Ahead, survey: Survey, state: State, frames: list[Frame]) -> None:
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


def _registers(survey: Survey, frame: Frame) -> Registers:
    """The values that a suspended frame has."""
    point = frame.function.plan.points[frame.at]
    names = {number: name for name, number in survey.liveness(frame.function.name).numbers.items()}
    return {names[number]: value for number, value in zip(point.live, frame.live, strict=True)}


def _masks(survey: Survey, frames: list[Frame]) -> dict[int, int]:
    """Which abstract objects the state's objects are, as far as that shows."""
    effects = survey.effects
    found = {address: effects.bit(name) for name, address in survey.machine.globals.addresses.items()}
    for frame in frames:
        own = set(frame.allocated)
        registers = _registers(survey, frame)
        for block in frame.function.function.blocks:
            for i in block.instructions:
                if isinstance(i, ir.Alloca) and isinstance(i.result, Register):
                    address = registers.get(i.result.name)
                    if address in own:
                        found[address] = effects.bit((frame.function.name, i.result.name))
    return found
