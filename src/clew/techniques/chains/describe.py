"""The loops of a program in source terms: what looking ahead (``ahead``, ``loops``) finds out about them.

Each function is looked at from its beginning, for all parameters and any memory. Loops of functions that it calls are
told at these.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from clew.base.errors import Unsupported
from clew.base.location import Location
from clew.execute.machine import Machine
from clew.expr import build
from clew.expr.node import Bool, Expr, symbol
from clew.expr.op import SYMBOL
from clew.expr.sort import Kind as SortKind
from clew.expr.sort import bv
from clew.expr.walk import substitute
from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.values import Register
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats
from clew.techniques.chains.ahead import Ahead, Ends, Notes, Registers, Way
from clew.techniques.chains.loopreport import ChainNote, ExitNote, FunctionNote, LoopNote, LoopReport, VariableNote
from clew.techniques.chains.loops import Form, close, is_counting
from clew.techniques.chains.memory import ANYTHING, Cell, Ground, Memory
from clew.techniques.chains.outline import Expansion, Outline, Passage
from clew.techniques.chains.recurrence import Kind, Update, Variable
from clew.techniques.chains.spelling import Source, Speller, number
from clew.techniques.chains.survey import Survey
from clew.techniques.chains.system import Questions

SECONDS = 2.0
"""For one question about a loop."""
OWN = "\0loops/"
"""Begins the names of symbols here: counters, and sums of steps that differ."""


def describe(machine: Machine, function: str | None = None) -> LoopReport:
    """The loops of one function, or of all that the program defines."""
    survey = Survey(machine)
    names = [function] if function is not None else [
        name for name, item in machine.program.functions.items()
        if not item.is_declaration and name not in machine.program.runtime
    ]  # fmt: skip
    notes = [_function(survey, machine.program.functions[name]) for name in names]
    found = [note for note in notes if note.loops or note.unsupported]
    return LoopReport(tuple(sorted(found, key=lambda note: _order(note.location))))


def _order(location: Location | None) -> tuple[str, int, int]:
    return (location.file, location.line, location.column) if location else ("", 0, 0)


def _function(survey: Survey, function: Function) -> FunctionNote:
    try:
        outline = survey.outline(function.name)
        if not outline.loops:
            return FunctionNote(function.source_name, function.location)
        look = _look(survey, outline)
    except Unsupported as problem:
        return FunctionNote(function.source_name, function.location, (), problem.feature)
    return FunctionNote(function.source_name, function.location, _Teller(survey, outline, look).top())


# Looking


@dataclass(slots=True)
class _Found:
    """A loop, as it was met."""

    form: Form
    exits: list[tuple[ir.Terminator, Bool]]


class _Look(Ahead):
    """Looks ahead, and remembers where symbols come from and how loops are left."""

    def __init__(self, survey: Survey, ground: Ground, questions: Questions) -> None:
        super().__init__(survey, ground, close, questions)
        self.origins: dict[Expr, tuple[Function, ir.Instruction]] = {}
        self.exits: dict[int, list[tuple[ir.Terminator, Bool]]] = {}
        """Per body, by the identity of its notes: jumps that leave the loop, and when."""
        self.loops: dict[int, _Found] = {}
        self._inside: list[str] = []

    @contextmanager
    def inside(self, loop: str, entered: Bool) -> Iterator[Notes]:
        self._inside.append(loop)
        try:
            with super().inside(loop, entered) as notes:
                self.exits[id(notes)] = []
                yield notes
        finally:
            self._inside.pop()

    def _instruction(self, function: Function, i: ir.Instruction, way: Way) -> None:
        super()._instruction(function, i, way)
        self._note(function, i, way.registers)

    def _call(self, function: Function, i: ir.Call, way: Way) -> Way | None:
        after = super()._call(function, i, way)
        if after is not None:
            self._note(function, i, after.registers)
        return after

    def _note(self, function: Function, i: ir.Instruction, registers: Registers) -> None:
        value = registers.get(i.result.name) if i.result is not None else None
        if isinstance(value, Expr):
            made = [node for node in value.symbols if node not in self.origins] if value.op is not SYMBOL else [value]
            for node in made:
                self.origins.setdefault(node, (function, i))

    def _leave(
        self,
        outline: Outline,
        expansion: Expansion,
        passage: Passage,
        way: Way,
        arriving: dict[Passage, list[Way]],
        ends: Ends,
    ) -> None:
        super()._leave(outline, expansion, passage, way, arriving, ends)
        if not self._inside:
            return
        function, _, header = self._inside[-1].partition(":")
        if outline.function.name == function:
            terminator = outline.blocks[passage.block].terminator
            leaving = [
                to for to in outline.successors[passage.block] if outline.headed[header] not in outline.around[to]
            ]
            if leaving:
                taken = build.disjunction([when for to, when in self._choices(terminator, way) if to in leaving])
                self.exits[id(self.notes)].append((terminator, build.land(way.condition, taken)))


def _look(survey: Survey, outline: Outline) -> _Look:
    """A look at a whole function."""
    machine = survey.machine
    masks = {address: survey.effects.bit(name) for name, address in machine.globals.addresses.items()}
    ground = Ground(machine.initial_memory, survey.layout, masks)
    solver = build_chain(SolverOptions(time_limit=SECONDS), SolverStats())
    look = _Look(survey, ground, Questions(solver))
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


def _anything(look: _Look) -> Memory:
    memory = Memory(look.ground, look.future)
    memory.lost = ANYTHING
    return memory


def _collect(look: _Look, outline: Outline, forms: list[Form]) -> None:
    """Of a loop in a loop, what counts is how it was met within an iteration of that."""
    for form in forms:
        if form.outline is outline:
            inner = form.loop in look.loops
            if not inner:
                look.loops[form.loop] = _Found(form, look.exits[id(form.notes)])
            _prefer_nested(look, outline, form)


def _prefer_nested(look: _Look, outline: Outline, form: Form) -> None:
    for inner in form.notes.forms:
        if inner.outline is outline:
            known = look.loops.get(inner.loop)
            parent = outline.loops[inner.loop].parent
            if known is None or parent == form.loop:
                look.loops[inner.loop] = _Found(inner, look.exits[id(inner.notes)])
            _prefer_nested(look, outline, inner)


def _look_alone(look: _Look, outline: Outline, loop: int) -> None:
    """At a loop that no way through the function comes to, or none that was looked at: whatever is before it."""
    header = outline.header[loop]
    needed = look.survey.needed(outline.function.name, header)
    registers: Registers = {name: look.fresh(sort, name) for name, sort in needed}
    before = len(look.notes.forms)
    close(look, outline, loop, Way(True, registers, _anything(look)))
    _collect(look, outline, look.notes.forms[before:])


# Telling


@dataclass(slots=True)
class _Names:
    """What symbols are called within one loop."""

    known: dict[Expr, str] = field(default_factory=dict)


class _Teller:
    """Tells of the loops of one function."""

    def __init__(self, survey: Survey, outline: Outline, look: _Look) -> None:
        self._survey = survey
        self._outline = outline
        self._look = look
        self._function = outline.function
        self._source = Source(survey.program)
        self._names: dict[Expr, str] = {}
        self._spell = Speller(self._name)
        self._numbers: dict[int, list[int]] = {}
        order = sorted(look.loops, key=lambda loop: (_order(self._place(loop)), outline.loops[loop].depth))
        count = 0
        for loop in order:
            chains = look.loops[loop].form.chains
            self._numbers[loop] = list(range(count + 1, count + 1 + len(chains)))
            count += len(chains)
            for variable in look.loops[loop].form.variables:
                self._names[variable.symbol] = self._variable(variable)
        self._order = order

    def top(self) -> tuple[LoopNote, ...]:
        return tuple(self._loop(loop) for loop in self._order if self._outline.loops[loop].parent not in self._order)

    def _place(self, loop: int) -> Location | None:
        block = self._outline.blocks[self._outline.header[loop]]
        locations = [i.location for i in block.instructions if i.location is not None and i.location.line]
        return next(iter(locations), None)

    def _loop(self, loop: int) -> LoopNote:
        found = self._look.loops[loop]
        form, numbers = found.form, self._numbers[loop]
        changing = [variable for variable in form.variables if variable.changes]
        chains = tuple(
            ChainNote(number, self._spell.condition(chain.condition), tuple(self._updates(changing, index)))
            for index, (number, chain) in enumerate(zip(numbers, form.chains, strict=True))
        )
        inner = tuple(self._loop(other) for other in self._order if self._outline.loops[other].parent == loop)
        return LoopNote(
            self._place(loop),
            self._outline.loops[loop].depth,
            tuple(dict.fromkeys(self._names[variable.symbol] for variable in changing if is_counting(variable))),
            chains,
            tuple(self._after(variable, numbers) for variable in changing),
            tuple(self._exit(form, numbers, *way) for way in found.exits if way[1] is not False),
            inner,
        )

    # Names

    def _name(self, e: Expr) -> str:
        known = self._names.get(e)
        if known is None:
            known = self._names[e] = self._found_name(e)
        return known

    def _found_name(self, e: Expr) -> str:
        text = str(e.value)
        if text.startswith(OWN):
            return text.removeprefix(OWN).partition("/")[0]
        origin = self._look.origins.get(e)
        if origin is not None:
            function, instruction = origin
            match instruction:
                case ir.Load(pointer=pointer):
                    return self._source.place(function, pointer)
                case ir.Call():
                    return self._source.call(function, instruction)
                case ir.Alloca(result=Register(name=name)):
                    return f"&{self._source.memory(function, name)}"
            if instruction.result is not None:
                return self._source.variable(function, instruction.result.name)
        name = text.rpartition("/")[2].partition("#")[0]
        return "?" if name in ("?", "cell", "k", "f", "l") else self._source.variable(self._function, name)

    def _variable(self, variable: Variable) -> str:
        place = variable.place
        return self._cell(place) if isinstance(place, Cell) else self._source.variable(self._function, place)

    def _cell(self, cell: Cell) -> str:
        """A variable in memory, or the part of one."""
        if cell.base is not None:
            base, offset = self._name(cell.base).removeprefix("&"), cell.offset
            return (
                base
                if not offset
                else f"{base}[{offset // cell.size}]"
                if offset % cell.size == 0
                else f"{base}+{offset}"
            )
        for name, address in self._survey.machine.globals.addresses.items():
            variable = self._survey.program.globals.get(name)
            if variable is not None:
                size = self._survey.layout.store_size(variable.type)
                if address <= cell.offset < address + size:
                    own, offset = variable.source_name or name, cell.offset - address
                    return own if size == cell.size else f"{own}[{offset // cell.size}]"
        return "?"

    # Updates and functions

    def _updates(self, variables: list[Variable], chain: int) -> Iterator[str]:
        for variable in variables:
            name, update, width = self._names[variable.symbol], variable.updates[chain], variable.sort.width
            match update.kind:
                case Kind.ADD:
                    yield self._moved(name, update.amount, width)
                case Kind.VARY:
                    yield f"{name} += s{_bounds(update, '')}"
                case Kind.SET:
                    yield f"{name} = {'unknown' if update.amount is None else self._spell.text(update.amount, width)}"
                case Kind.SCALE:
                    yield f"{name} *= {number(update.amount, width)}"
                case Kind.LOST:
                    yield f"{name} = unknown"

    def _moved(self, name: str, amount: Any, width: int) -> str:
        text = self._spell.text(amount, width)
        return f"{name} -= {text[1:]}" if text.startswith("-") and " " not in text else f"{name} += {text}"

    def _after(self, variable: Variable, numbers: list[int]) -> VariableNote:
        """A variable as a function of the counters."""
        name, width = self._names[variable.symbol], variable.sort.width
        kinds = {update.kind for update in variable.updates} - {Kind.KEEP}
        entry = self._entry(variable)
        if kinds <= {Kind.ADD, Kind.VARY}:
            text, kind = self._sum(variable, numbers, entry), "sum"
        elif kinds == {Kind.SCALE}:
            factors = [
                f"{number(update.amount, width)}^k{n}"
                for update, n in zip(variable.updates, numbers, strict=True)
                if update.kind is Kind.SCALE
            ]
            text, kind = " * ".join([entry, *factors] if entry != "1" else factors), "product"
        elif kinds <= {Kind.ADD, Kind.VARY, Kind.SET}:
            text, kind = self._set(variable, numbers, entry), "set"
        else:
            text, kind = "unknown", "unknown"
        return VariableNote(name, text, kind, width, bool(variable.exact))

    def _entry(self, variable: Variable) -> str:
        """The value a variable enters the loop with; ``i0`` where nothing better is known."""
        text = self._spell.text(variable.entry, variable.sort.width)
        return f"{self._names[variable.symbol]}0" if "?" in text or "..." in text else text

    def _sum(self, variable: Variable, numbers: list[int], entry: str) -> str:
        terms, limits = [], []
        for update, n in zip(variable.updates, numbers, strict=True):
            if update.kind is Kind.ADD:
                terms.append(_times(self._spell.text(update.amount, variable.sort.width), f"k{n}"))
            elif update.kind is Kind.VARY:
                terms.append(f"s{n}")
                limits.append(_bounds(update, str(n)))
        parts = terms if entry == "0" and terms else [entry, *terms]
        return " + ".join(parts).replace("+ -", "- ") + "".join(limits)

    def _set(self, variable: Variable, numbers: list[int], entry: str) -> str:
        """The last chain that set it counts, and what was added since."""
        setting = [(u, n) for u, n in zip(variable.updates, numbers, strict=True) if u.kind is Kind.SET]
        added = [
            _times(self._spell.text(u.amount, variable.sort.width), f"k{n}") if u.kind is Kind.ADD else f"s{n}"
            for u, n in zip(variable.updates, numbers, strict=True)
            if u.kind in (Kind.ADD, Kind.VARY)
        ]
        since = "".join(f" + {text}" for text in added)
        options = []
        for update, n in setting:
            value = "unknown" if update.amount is None else self._spell.text(update.amount, variable.sort.width)
            options.append(f"{value}{since} since c{n}" if since else f"{value} once k{n} > 0")
        return ", or ".join(options) + f"; {entry}{since} before".replace("+ -", "- ")

    # Exits

    def _exit(self, form: Form, numbers: list[int], terminator: ir.Terminator, condition: Bool) -> ExitNote:
        counters = [symbol(f"{OWN}k{n}", bv(64)) for n in numbers]
        now = self._in_counters(form, condition, counters, None)
        before: dict[str, None] = {}
        if isinstance(condition, Expr):
            stays = build.lnot(condition)
            for index, n in enumerate(numbers):
                text = self._in_counters(form, stays, counters, index)
                before[f"{text} if c{n} was last" if len(numbers) > 1 else text] = None
        texts = tuple(before)
        plain = {text.partition(" if c")[0] for text in texts}
        return ExitNote(terminator.location, now, tuple(sorted(plain)) if len(plain) == 1 else texts)

    def _in_counters(self, form: Form, condition: Bool, counters: list[Expr], last: int | None) -> str:
        """A condition after so many executions; before the last one of a chain, if one is given."""
        mapping: dict[Expr, Any] = {}
        for variable in form.variables:
            value = self._total(variable, counters, last)
            if value is not None:
                mapping[variable.symbol] = value
        result = substitute(condition, mapping)
        assert not isinstance(result, float)
        return self._spell.condition(result)

    def _total(self, variable: Variable, counters: list[Expr], last: int | None) -> Any:
        """The value of a variable as a sum over counters; None if it is no sum."""
        if not variable.changes:
            return None if _unnamed(variable.entry, self._name) else variable.entry
        if not variable.additive or variable.sort.kind is not SortKind.BV or variable.sort.width > 64:
            return None
        width = variable.sort.width
        total = variable.entry
        if _unnamed(total, self._name):
            total = symbol(f"{OWN}{self._names[variable.symbol]}0/{width}", variable.sort)
        for index, (update, counter) in enumerate(zip(variable.updates, counters, strict=True)):
            times = build.trunc(counter, width) if width < 64 else counter
            if update.kind is Kind.ADD:
                if index == last:
                    times = build.sub(times, 1, width)
                total = build.add(total, build.mul(update.amount, times, width), width)
            elif update.kind is Kind.VARY:
                if last is not None:
                    return None
                total = build.add(total, symbol(f"{OWN}s{self._name(counter)[1:]}/{width}", variable.sort), width)
        return total


def _unnamed(value: Any, name: Any) -> bool:
    return isinstance(value, Expr) and any(name(made) == "?" for made in value.symbols)


def _times(amount: str, counter: str) -> str:
    if amount in ("1", "-1"):
        return f"{'-' if amount == '-1' else ''}{counter}"
    return f"{amount} * {counter}" if " " not in amount else f"({amount}) * {counter}"


def _bounds(update: Update, n: str) -> str:
    """What is known of steps that differ: of one, or of the sum of all of a chain's."""
    times = f" * k{n}" if n else ""
    low = f"{update.low}{times if update.low else ''} <= " if update.low is not None else ""
    high = f" <= {update.high}{times if update.high else ''}" if update.high is not None else ""
    return f" with {low}s{n}{high}" if low or high else ""
