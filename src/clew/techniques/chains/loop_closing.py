"""Loops closed: complete iterations become counters of chains, with facts about them.

The body of a loop is evaluated once, from symbols that stand for the values at the start of an iteration. *Chains* are
the ways through it that differ in what they do to the variables that matter: ways with the same updates are one chain.
Each chain gets a counter, and the variables become functions of the counters (``recurrence``); ``instances`` says what
is known of the counters.
"""

from __future__ import annotations

from typing import Any

from clew.expr import build
from clew.expr.node import BV, Bool, Expr, postorder
from clew.expr.op import ITE, Op
from clew.expr.sort import bv
from clew.expr.walk import substitute
from clew.program import instructions as ir
from clew.techniques.chains.acyclic import AcyclicFunction
from clew.techniques.chains.closures import closure_fact
from clew.techniques.chains.forward_evaluation import MergedEvaluator, Notes, Way
from clew.techniques.chains.instances import ClosedLoop, LoopChain, instantiate, renamed
from clew.techniques.chains.memory import Cell
from clew.techniques.chains.recurrence import WIDE, RecurrenceKind, Update, Variable, classify


def close(ahead: MergedEvaluator, outline: AcyclicFunction, loop: int, way: Way) -> Way:
    """The way behind all complete iterations of a loop that is entered by ``way``."""
    form = _form(ahead, outline, loop, way)
    ahead.notes.forms.append(form)
    registers, memory = dict(way.registers), way.memory.copy()
    memory.forget(form.lost)
    if form.chains:
        for phi in outline.blocks[outline.header[loop]].instructions:
            if isinstance(phi, ir.Phi) and phi.result is not None:
                registers.pop(phi.result.name, None)  # some have a type that there are no symbols of
    for variable, value in zip(form.variables, instantiate(ahead, form), strict=True):
        if isinstance(variable.place, Cell):
            memory.write(variable.place, value)
        else:
            registers[variable.place] = value
    behind = way._replace(registers=registers, memory=memory)
    if ahead.survey.uses_closures:
        never = build.conjunction([build.eq(counter, 0, WIDE) for counter in form.counters])
        known = closure_fact(ahead, outline.function.name, outline.header[loop], way, behind)
        ahead.notes.facts.append(build.lor(never, known))
    return behind


# The body


def _form(ahead: MergedEvaluator, outline: AcyclicFunction, loop: int, way: Way) -> ClosedLoop:
    """The chains of a loop, as the invariant values of ``way`` make them."""
    survey = ahead.survey
    function, header = outline.function.name, outline.header[loop]
    mask = survey.effects.loop_written(function, header)
    around = ahead.notes
    with ahead.inside(f"{function}:{header}", way.condition) as notes:
        body = _Body(ahead, way, notes, around)
        form = ClosedLoop(outline, loop, [], [], notes)
        end = body.walk(outline, loop, mask)
        if end is not None:
            form.lost = end.memory.lost
            _fill(ahead, form, body, end)
    return form


def _fill(ahead: MergedEvaluator, form: ClosedLoop, body: _Body, end: Way) -> None:
    """What an iteration does, from its end."""
    pairs = [(v, end.registers.get(name)) for name, v in body.phis.items()]
    pairs += [(v, end.memory.read(cell)) for cell, v in body.cells.items()]
    _find_chains(ahead, form, end, pairs)
    for variable in form.variables:
        if variable.changes and variable.additive:
            _bound_steps(ahead, form, variable)
            _find_exact(ahead, form, variable)
    form.bounded = any(is_counting(variable) for variable in form.variables)


class _Body:
    """The start of an iteration: names for what may change."""

    def __init__(self, ahead: MergedEvaluator, way: Way, notes: Notes, around: Notes) -> None:
        self.ahead = ahead
        self.way = way
        self.notes = notes
        self.around = around
        """Where the loop is entered. Cells are named while loops further inside are walked, but belong here."""
        self.phis: dict[str, Variable] = {}
        self.cells: dict[Cell, Variable] = {}

    def walk(self, outline: AcyclicFunction, loop: int, mask: int) -> Way | None:
        """The end of an iteration, with the values that the header's phis get there; None if none comes to it."""
        ahead, header = self.ahead, outline.header[loop]
        registers = dict(self.way.registers)
        phis = outline.blocks[header].phis
        for phi in phis:
            assert phi.result is not None
            name = phi.result.name
            entry = registers.pop(name, None)
            sort = ahead.survey.sort(phi.result.type)
            if entry is not None and sort is not None:
                self.phis[name] = Variable(name, ahead.fresh(sort, name), entry, sort)
                registers[name] = self.phis[name].symbol
        start = Way(True, registers, self.way.memory.iteration(mask, self.named))
        expansion = outline.expansion(outline.iteration(loop), loop, frozenset(), returns=False)
        completed = ahead.walk(outline, expansion, start).completed
        if not completed:
            return None
        ways = [way._replace(registers=ahead.through(phis, way)) for way in completed]
        end = ahead.merge(ways, [(name, v.sort) for name, v in self.phis.items()])
        own = set(ahead.notes.symbols)
        for cell in end.memory.cells:
            if cell.base not in own and end.memory.mask_of(cell) & mask:
                self.named(cell)
        return end

    def named(self, cell: Cell) -> BV:
        """The value of a cell at the start of the iteration."""
        known = self.cells.get(cell)
        if known is None:
            sort = bv(8 * cell.size)
            entry = self.way.memory.read(cell)
            if entry is None:
                entry = self.around.fresh(sort, "?")
            known = self.cells[cell] = Variable(cell, self.notes.fresh(sort, "cell"), entry, sort)
        return known.symbol


# Chains


def _find_chains(ahead: MergedEvaluator, form: ClosedLoop, end: Way, pairs: list[tuple[Variable, Any]]) -> None:
    """Split what an iteration does by what it does to the variables that matter."""
    condition = end.condition
    still = {v.symbol: v.entry for v, following in pairs if following is v.symbol}
    if still:
        condition = renamed(condition, still)
        form.notes.facts[:] = [renamed(fact, still) for fact in form.notes.facts]
        form.notes.edges[:] = [(key, renamed(when, still)) for key, when in form.notes.edges]
        pairs = [(v, v.symbol if v.symbol in still else substitute(f, still)) for v, f in pairs]
    form.variables = [v for v, _ in pairs]
    function = form.outline.function.name
    matters = [
        ahead.survey.matters(function, v.place, end.memory.mask_of(v.place) if isinstance(v.place, Cell) else 0)
        for v in form.variables
    ]
    chains = _split(ahead, form, condition, tuple(f for _, f in pairs), matters)
    moving = {v.symbol for v, f in pairs if f is not v.symbol} | set(form.notes.symbols)
    for index, variable in enumerate(form.variables):
        updates = []
        for chain in chains:
            value = chain.following[index]
            if value is None or not matters[index] and value is not variable.symbol:
                updates.append(Update(RecurrenceKind.LOST))
            else:
                updates.append(classify(variable, value, moving))
        variable.updates = tuple(updates)
    form.chains = chains


def _split(
    ahead: MergedEvaluator, form: ClosedLoop, condition: Bool, following: tuple[Any, ...], matters: list[bool]
) -> list[LoopChain]:
    work: list[tuple[Bool, tuple[Any, ...]]] = [(condition, following)]
    done: dict[tuple[Any, ...], list[tuple[Bool, tuple[Any, ...]]]] = {}
    leaves = 0
    while work:
        when, values = work.pop()
        if when is False or (leaves and ahead.refutes([*form.notes.facts, when])):
            continue
        choice = _choice(value for value, counts in zip(values, matters, strict=True) if counts)
        if choice is None:
            leaves += 1
            key = tuple(value if counts else None for value, counts in zip(values, matters, strict=True))
            done.setdefault(key, []).append((when, values))
            continue
        if leaves + len(work) >= ahead.survey.limits.chains:
            return [LoopChain(condition, following)]
        for side in (False, True):
            fixed = {choice: side}
            taken = build.land(renamed(when, fixed), choice if side else build.lnot(choice))
            work.append((taken, tuple(substitute(value, fixed) for value in values)))
    chains = []
    for ways in done.values():
        merged = build.disjunction([when for when, _ in ways])
        values = ways[0][1] if len(ways) == 1 else _common([values for _, values in ways])
        chains.append(LoopChain(merged, values))
    return chains


def _common(several: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Values that ways agree on; None for the others, which do not matter."""
    return tuple(
        values[0] if all(value is values[0] for value in values) else None for values in zip(*several, strict=True)
    )


def _choice(values: Any) -> Expr | None:
    """A condition that one of the values depends on, the outermost first."""
    for value in values:
        if isinstance(value, Expr):
            for node in reversed(postorder([value])):
                if node.op is ITE:
                    return node.args[0]
                if node.op is Op.ZEXT and node.args[0].width == 0:
                    return node.args[0]
    return None


# What is known of steps


def _bound_steps(ahead: MergedEvaluator, form: ClosedLoop, variable: Variable) -> None:
    updates = []
    for update, chain in zip(variable.updates, form.chains, strict=True):
        if update.kind is RecurrenceKind.VARY:
            known = [*form.notes.facts, chain.condition]
            low, high = ahead.bounds(update.amount, known)
            update = update._replace(low=low, high=high)
        updates.append(update)
    variable.updates = tuple(updates)


def _find_exact(ahead: MergedEvaluator, form: ClosedLoop, variable: Variable) -> None:
    """Whether no step of a variable wraps."""
    for reading in ("signed", "unsigned"):
        if all(
            _stays(ahead, form, variable.symbol, update, chain, reading)
            for update, chain in zip(variable.updates, form.chains, strict=True)
        ):
            variable.exact = reading
            return


def _stays(ahead: MergedEvaluator, form: ClosedLoop, v: Expr, update: Update, chain: LoopChain, reading: str) -> bool:
    if update.kind is RecurrenceKind.KEEP:
        return True
    if update.kind is RecurrenceKind.ADD and isinstance(update.amount, Expr):
        return False
    step, width = update.amount, v.width
    if reading == "signed":
        wraps = build.sadd_overflow(v, step, width)
    elif update.kind is RecurrenceKind.VARY and (update.low is None or update.low < 0):
        return False
    elif isinstance(step, int) and step >> (width - 1):
        wraps = build.ult(v, (1 << width) - step, width)
    else:
        wraps = build.uadd_overflow(v, step, width)
    condition = chain.condition
    tested = isinstance(condition, Expr) and v in condition.symbols
    return ahead.refutes([*form.notes.facts, condition, wraps], in_context=tested)


def is_counting(variable: Variable) -> bool:
    """Whether a variable moves in one direction with every iteration, and never wraps: so there is an end to it."""
    if not variable.exact or not variable.updates:
        return False
    signs = set()
    for update in variable.updates:
        if update.kind is RecurrenceKind.ADD and isinstance(update.amount, int):
            signs.add(update.amount >> (variable.sort.width - 1))
        elif update.kind is RecurrenceKind.VARY and update.low is not None and update.low > 0:
            signs.add(0)
        elif update.kind is RecurrenceKind.VARY and update.high is not None and update.high < 0:
            signs.add(1)
        else:
            return False
    return len(signs) == 1
