"""One iteration of a loop with any number K, run by the engine itself: what makes a summary more than a guess.

The state as it was at the first of three visits gets ``start + step * K`` for every induction variable, K a new
symbol, and a symbol of its own for every odd one. It runs from the header on, along the way that iteration 1 took. What
it adds to its path condition says exactly when iteration K goes this way. If it comes back to the header and every
variable has moved on as its motion says, with nothing else changed, then by induction the state after n iterations is
known for every n, as long as that condition holds for all K below n.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from immutables import Map

from clew.base.dataclass import dataclass
from clew.base.errors import PathEnd, Unsupported
from clew.execute.coverage import Coverage
from clew.execute.engine import Engine
from clew.execute.events import Events, Visit
from clew.execute.pending import NoSiblings
from clew.execute.run import Run
from clew.execute.state import State
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import BV, Bool, Expr, symbol
from clew.expr.sort import bv
from clew.memory.changes import changes, value_at, word_at
from clew.memory.space import AddressSpace
from clew.techniques.summaries.induction import (
    Added,
    InductionForm,
    Motion,
    Number,
    Replaced,
    depends,
    flat,
    form_of,
)
from clew.techniques.summaries.loop_records import set_activations
from clew.techniques.summaries.tables import Stop, Table, Variable, name_of, other_changes, same

IterationKey = tuple[int, str, str]
"""An activation of a loop: depth of its frame, function, header."""
START, TARGET = "start", "target"
"""Under these names a state that runs a generic iteration keeps its activation: at its start, and from then on."""
FOLLOWED = 1
"""The iteration, counted from the first of the three visits, whose way is taken."""


class Back(PathEnd):
    """The generic iteration has come back to its header."""

    def __init__(self, visit: Visit) -> None:
        super().__init__()
        self.visit = visit


class Counter:
    """K, as a ``Number``: a symbol for each width, since a narrow variable sees its low bits only."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.symbols: dict[int, Expr] = {}

    def at(self, width: int) -> Expr:
        known = self.symbols.get(width)
        if known is None:
            known = self.symbols[width] = symbol(f"{self._name}.{width}", bv(width))
        return known

    def is_zero(self) -> Bool:
        return build.eq(self.at(64), 0, 64)

    def opaque(self, number: int, width: int) -> Expr:
        """A symbol for an odd variable."""
        return symbol(f"{self._name}.odd{number}", bv(width))


@dataclass(frozen=True, slots=True)
class Iteration:
    """A generic iteration: when it goes this way, and what it does to each variable."""

    conditions: tuple[Expr, ...]
    model: Model
    """Of the inputs and K: the conditions hold under it."""
    steps: int
    """Instructions."""
    motions: tuple[tuple[Variable, Motion], ...]
    symbols: Mapping[Expr, InductionForm]
    """For K and for variables that are sums: what they are as functions of K."""
    odd: tuple[Variable, ...] = ()
    """Variables that go on in some other way."""
    opaque: frozenset[Expr] = frozenset()
    """The symbols of those, and of variables that are replaced."""
    odd_places: tuple[int, ...] = ()
    problem: str = ""
    """What else changes."""
    sizes: Mapping[int, int] = field(default_factory=dict)
    """Bytes of cells that it writes in other sizes than the table has, by address."""

    @property
    def regular(self) -> bool:
        """Whether it shows what any number of iterations does."""
        return not self.odd and not self.odd_places and not self.problem


def probing_run(run: Run, events: Events) -> Run:
    """A run for generic iterations: the same program and solver, but nothing is covered or queued."""
    coverage = Coverage(run.program, run.compiler)
    probing = Run(run.machine, run.solver, NoSiblings(), coverage, run.options, events)
    probing.undefined = run.undefined
    probing.reported = run.reported
    return probing


def placed(base: State, values: Mapping[Variable, BV], places: tuple[int, ...]) -> State:
    """A state at the header where ``base`` is, with other values of some variables.

    ``places``: where the phis are among the values that live there.
    """
    frame = base.frame
    assert frame is not None
    live = list(frame.live)
    for variable, value in values.items():
        if variable.place >= 0:
            live[places[variable.place]] = value
    state = base.snapshot(frame.suspended(object(), frame.at, tuple(live)))
    state.forget_all()
    for variable, value in values.items():
        if variable.place < 0:
            state.memory.store_bits(variable.address, value, variable.size)
    return state


def after(motions: tuple[tuple[Variable, Motion], ...], number: Number) -> dict[Variable, BV]:
    """The values of variables after a number of iterations."""
    return {variable: motion.after(variable.start, variable.width, number) for variable, motion in motions}


def _steady(variable: Variable, step: BV) -> Added:
    """Each iteration adds the same."""
    return Added(InductionForm(step, 0, variable.width))


class Generic:
    """The run of one generic iteration."""

    def __init__(self, run: Run, base: Stop, table: Table, counter: Counter, most_steps: int) -> None:
        self._run = run
        self._most_steps = most_steps
        self._base = base
        self._table = table
        self._counter = counter
        steady = tuple((variable, _steady(variable, step)) for variable, step in table.steady)
        self._before = after(steady, counter)
        self._opaque = {variable: counter.opaque(n, variable.width) for n, variable in enumerate(table.odd)}

    def go(self, places: tuple[int, ...], key: IterationKey, model: Model) -> Iteration | str:
        """Run it; a text says why that did not work."""
        state = placed(self._base.state, {**self._before, **self._opaque}, places)
        state.run, state.fresh = self._run, self._run.coverage.fresh
        known = {number: FOLLOWED & number.mask for number in self._counter.symbols.values()}
        state.model = model.updated(
            known | {odd: model.eval(variable.second) for variable, odd in self._opaque.items()}
        )
        set_activations(state, Map({START: key}))
        unknowns = self._run.statistics.solver_unknowns
        path, started, memory, frame = state.path, state.steps, state.memory.fork(), state.frame
        assert frame is not None
        try:
            while state.steps - started < self._most_steps:
                Engine.run_slice(state)
            return "its body is too long"
        except Back as back:
            visit = back.visit
            if visit.frame.parent is not frame.parent:
                return "an iteration of it does not come back to its start"
        except (PathEnd, Unsupported):
            return "an iteration of it does not come back to its start"
        if self._run.statistics.solver_unknowns > unknowns:  # what was left open for one may go wrong in another
            return "the solver left open what an iteration of it does"
        return self._judge(state, visit, memory, tuple(state.path.since(path)), state.steps - started)

    def _judge(
        self, state: State, visit: Visit, memory: AddressSpace, conditions: tuple[Expr, ...], steps: int
    ) -> Iteration:
        """Compare what came back with what was to be expected."""
        symbols = {number: InductionForm(0, 1, width) for width, number in self._counter.symbols.items()}
        motions: list[tuple[Variable, Motion]] = []
        odd: list[Variable] = []
        found = changes(memory, state.memory)
        for variable, step in self._table.steady:
            expected = build.add(flat(self._before[variable]), step, variable.width)
            result = self._result(variable, visit, state)
            if result is not None and same(flat(result), flat(expected)):
                motions.append((variable, _steady(variable, step)))
            else:
                odd.append(variable)
        for variable, before in self._opaque.items():
            motion = self._motion(before, self._result(variable, visit, state), variable, symbols)
            if motion is None:
                odd.append(variable)
            else:
                motions.append((variable, motion))
        opaque = frozenset(symbol for variable, symbol in self._opaque.items() if symbol not in symbols)
        return Iteration(
            conditions, state.model, steps, tuple(motions), symbols, tuple(odd), opaque,
            self._odd_places(visit), found.problem or self._strays(found.addresses) or self._others(state, visit),
            self._sizes(state),
        )  # fmt: skip

    def _result(self, variable: Variable, visit: Visit, state: State) -> BV | None:
        if variable.place >= 0:
            value: BV = visit.values[variable.place]
            return value
        return value_at(state.memory, variable.address, variable.size)

    def _motion(
        self, before: Expr, result: BV | None, variable: Variable, symbols: dict[Expr, InductionForm]
    ) -> Motion | None:
        """How an odd variable goes on; sums join the ``symbols``."""
        if result is None:
            return None
        result = flat(result)
        numbers = {number: symbols[number] for number in self._counter.symbols.values()}
        others = set(self._opaque.values())
        added = build.sub(result, before, variable.width)
        if not depends(added, others):
            form = form_of(added, variable.width, numbers)
            if form is None or form.bends:
                return None
            symbols[before] = InductionForm(variable.start, form.base, variable.width, form.step, form.spans)
            return Added(form)
        if not depends(result, others):
            return Replaced(result, tuple(self._counter.symbols.items()))
        return None

    def _odd_places(self, visit: Visit) -> tuple[int, ...]:
        """Phis that changed without being variables of the table."""
        variables = {variable.place for variable, _ in self._table.steady} | {v.place for v in self._table.odd}
        return tuple(
            place
            for place, value in enumerate(visit.values)
            if place not in variables and not same(value, self._base.values[place])
        )

    def _strays(self, addresses: tuple[int, ...]) -> str:
        """Cells that changed without being variables of the table."""
        known: set[int] = set()
        for variable in (*self._before, *self._opaque):
            known.update(range(variable.address, variable.address + variable.size))
        stray = next((address for address in addresses if address not in known), None)
        return "" if stray is None else f"{name_of(self._base.state.memory, stray)} changes in some iterations only"

    def _others(self, state: State, visit: Visit) -> str:
        twin = state.frame
        state.frame = visit.frame
        found = other_changes(self._base.state, state)
        state.frame = twin
        return found

    def _sizes(self, state: State) -> dict[int, int]:
        found = {}
        for variable in (*self._before, *self._opaque):
            if variable.place < 0:
                size = word_at(state.memory, variable.address)
                if size is not None and size != variable.size:
                    found[variable.address] = size
        return found
