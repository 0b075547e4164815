"""Closed loops of the chain technique -> notes in source terms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from clew.analysis.loops.closure import Refusal
from clew.base.location import Location, source_order
from clew.describe.c_names import CNames
from clew.describe.c_text import Speller, number
from clew.describe.loop_evaluation import DescribedEvaluator, label
from clew.expr import build
from clew.expr.node import Bool, Expr, postorder, symbol
from clew.expr.op import Op
from clew.expr.sort import SortKind, bv
from clew.expr.walk import substitute
from clew.program import instructions as ir
from clew.program.values import Register
from clew.report.loop_report import ChainNote, ExitNote, LoopNote, VariableNote
from clew.solver.path import conjuncts
from clew.techniques.chains.acyclic import AcyclicFunction
from clew.techniques.chains.instances import ClosedLoop
from clew.techniques.chains.loop_closing import is_counting
from clew.techniques.chains.memory import Cell
from clew.techniques.chains.program_facts import ProgramFacts
from clew.techniques.chains.recurrence import RecurrenceKind, Update, Variable

MOST_PARTS = 12
"""Of a condition that is simplified."""
MOST_TEXT = 120
"""Characters of the condition of an exit; of a longer one it is not told what held before."""
OWN = "\0loops/"
"""Begins the names of symbols here: counters, and sums of steps that differ."""


class LoopDescriber:
    """Makes the notes about the loops of one function."""

    def __init__(self, survey: ProgramFacts, outline: AcyclicFunction, look: DescribedEvaluator) -> None:
        self._survey = survey
        self._outline = outline
        self._look = look
        self._function = outline.function
        self._source = CNames(survey.program)
        self._names: dict[Expr, str] = {}
        self._taken: dict[tuple[str, str], Expr] = {}
        self._spell = Speller(self._name)
        self._numbers: dict[int, list[int]] = {}
        order = sorted(look.loops, key=lambda loop: (source_order(self._place(loop)), outline.loops[loop].depth))
        count = 0
        for loop in order:
            chains = look.loops[loop].form.chains
            self._numbers[loop] = list(range(count + 1, count + 1 + len(chains)))
            count += len(chains)
            for variable in look.loops[loop].form.variables:
                self._names[variable.symbol] = self._variable(variable)
        self._order = order
        self._name_counters(look.notes.forms)

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
            ChainNote(number, self._condition(form, chain.condition), tuple(self._updates(changing, index)))
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
            closure=self._closure(loop),
        )

    def _closure(self, loop: int) -> str:
        """How well any number of iterations is known as one relation."""
        closure = self._survey.loops.closure(self._function.name, self._outline.header[loop])
        if isinstance(closure, Refusal):
            return f"none ({closure.reason})"
        if closure.exact or closure.exact_with_congruences:
            return "exact"
        return f"approximate ({closure.reason})"

    def _condition(self, form: ClosedLoop, condition: Bool) -> str:
        return self._spell.condition(self._simple(form, condition))

    def _simple(self, form: ClosedLoop, condition: Bool) -> Bool:
        """A condition without the parts that follow from the others, and options that contradict them."""
        if not isinstance(condition, Expr) or len(conjuncts(condition)) > MOST_PARTS:
            return condition
        kept: list[Bool] = list(conjuncts(condition))
        for part in conjuncts(condition):
            others = [*form.notes.facts, *(other for other in kept if other is not part)]
            options = [option for option in _options(part) if not self._look.refutes([*others, option])]
            kept[kept.index(part)] = build.disjunction(options) if options else part
        shorter = build.conjunction(kept)
        if not isinstance(shorter, Expr):
            return condition
        parts = sorted(conjuncts(shorter), key=lambda part: len(postorder([part])), reverse=True)
        for part in list(parts):
            rest = [other for other in parts if other is not part]
            if rest and self._look.refutes([*form.notes.facts, *rest, build.lnot(part)]):
                parts = rest
        return build.conjunction(parts)

    # Names

    def _name_counters(self, forms: list[ClosedLoop]) -> None:
        """Wherever a loop was met: its counters are called alike."""
        for form in forms:
            if form.outline is self._outline:
                for counter, number in zip(form.counters, self._numbers[form.loop], strict=False):
                    if isinstance(counter, Expr):
                        self._names[counter] = f"k{number}"
            self._name_counters(form.notes.forms)

    def _name(self, e: Expr) -> str:
        known = self._names.get(e)
        if known is None:
            known = self._names[e] = self._told_apart(e, self._found_name(e))
        return known

    def _told_apart(self, e: Expr, name: str) -> str:
        """``text[k]`` may be read twice in an iteration, and differ."""
        scope = str(e.value).rpartition("/")[0]
        while name != "?" and self._taken.setdefault((scope, name), e) is not e:
            name += "'"
        return name

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
        name = label(e)
        return "?" if name in ("?", "cell", "k", "f", "l") else self._source.variable(self._function, name)

    def _variable(self, variable: Variable) -> str:
        place = variable.place
        return self._cell(place) if isinstance(place, Cell) else self._source.variable(self._function, place)

    def _cell(self, cell: Cell) -> str:
        """A variable in memory, or the part of one."""
        if cell.base is not None:
            origin = self._look.origins.get(cell.base)
            if origin is None or not isinstance(origin[1].result, Register):
                return "?"
            return self._source.part_of_local(origin[0], origin[1].result.name, cell.offset)
        for name, address in self._survey.machine.globals.addresses.items():
            variable = self._survey.program.globals.get(name)
            if variable is not None and address <= cell.offset < address + self._survey.layout.store_size(
                variable.type
            ):
                return self._source.part_of_global(variable, cell.offset - address)
        return "?"

    # Updates and functions

    def _updates(self, variables: list[Variable], chain: int) -> Iterator[str]:
        for variable in variables:
            name, update, width = self._names[variable.symbol], variable.updates[chain], variable.sort.width
            match update.kind:
                case RecurrenceKind.ADD:
                    yield self._moved(name, update.amount, width)
                case RecurrenceKind.VARY:
                    yield f"{name} += step{_bounds(update, 'step', '')}"
                case RecurrenceKind.SET:
                    yield f"{name} = {'unknown' if update.amount is None else self._spell.text(update.amount, width)}"
                case RecurrenceKind.SCALE:
                    yield f"{name} *= {number(update.amount, width)}"
                case RecurrenceKind.LOST:
                    yield f"{name} = unknown"

    def _moved(self, name: str, amount: Any, width: int) -> str:
        text = self._spell.text(amount, width)
        return f"{name} -= {text[1:]}" if text.startswith("-") and " " not in text else f"{name} += {text}"

    def _after(self, variable: Variable, numbers: list[int]) -> VariableNote:
        """A variable as a function of the counters."""
        name, width = self._names[variable.symbol], variable.sort.width
        kinds = {update.kind for update in variable.updates} - {RecurrenceKind.KEEP}
        entry = self._entry(variable)
        if kinds <= {RecurrenceKind.ADD, RecurrenceKind.VARY}:
            text, kind = self._sum(variable, numbers, entry), "sum"
        elif kinds == {RecurrenceKind.SCALE}:
            factors = [
                f"{number(update.amount, width)}^k{n}"
                for update, n in zip(variable.updates, numbers, strict=True)
                if update.kind is RecurrenceKind.SCALE
            ]
            text, kind = " * ".join([entry, *factors] if entry != "1" else factors), "product"
        elif kinds <= {RecurrenceKind.ADD, RecurrenceKind.VARY, RecurrenceKind.SET}:
            text, kind = self._set(variable, numbers, entry), "set"
        else:
            text, kind = "unknown", "unknown"
        return VariableNote(name, text, kind, width, bool(variable.exact))

    def _entry(self, variable: Variable) -> str:
        """The value a variable enters the loop with; ``i0`` where nothing better is known."""
        text = self._spell.text(variable.entry, variable.sort.width)
        if "?" in text or "..." in text:
            return self._old(variable)
        own = re.escape(self._names[variable.symbol])  # of a loop around this one
        return re.sub(rf"(?<![\w.]){own}(?![\w.\['])", self._old(variable), text)

    def _old(self, variable: Variable) -> str:
        """A name for the value a variable has when the loop is entered."""
        name = self._names[variable.symbol]
        return f"{name}0" if name.isidentifier() else f"old {name}"

    def _sum(self, variable: Variable, numbers: list[int], entry: str) -> str:
        terms = list(self._added(variable, numbers))
        parts = terms if entry == "0" and terms else [entry, *terms]
        varying = [(u, n) for u, n in zip(variable.updates, numbers, strict=True) if u.kind is RecurrenceKind.VARY]
        limits = [_bounds(update, f"steps{n}", f" * k{n}") for update, n in varying]
        return " + ".join(parts).replace("+ -", "- ") + "".join(limits)

    def _added(self, variable: Variable, numbers: list[int]) -> Iterator[str]:
        """What all executions of each chain add together."""
        for update, n in zip(variable.updates, numbers, strict=True):
            if update.kind is RecurrenceKind.ADD:
                yield _times(self._spell.text(update.amount, variable.sort.width), f"k{n}")
            elif update.kind is RecurrenceKind.VARY:
                yield f"steps{n}"

    def _set(self, variable: Variable, numbers: list[int], entry: str) -> str:
        """The last chain that set it counts, and what was added since."""
        setting = [(u, n) for u, n in zip(variable.updates, numbers, strict=True) if u.kind is RecurrenceKind.SET]
        since = "".join(f" + {text}" for text in self._added(variable, numbers))
        options = []
        for update, n in setting:
            value = "unknown" if update.amount is None else self._spell.text(update.amount, variable.sort.width)
            options.append(f"{value}{since} since c{n}" if since else f"{value} once k{n} > 0")
        return ", or ".join(options) + f"; {entry}{since} before".replace("+ -", "- ")

    # Exits

    def _exit(self, form: ClosedLoop, numbers: list[int], terminator: ir.Terminator, condition: Bool) -> ExitNote:
        counters = [symbol(f"{OWN}k{n}", bv(64)) for n in numbers]
        condition = self._simple(form, condition)
        now = self._in_counters(form, condition, counters, None)
        before: dict[str, None] = {}
        if isinstance(condition, Expr) and len(now) <= MOST_TEXT:
            stays = build.lnot(condition)
            for index, n in enumerate(numbers):
                text = self._in_counters(form, stays, counters, index)
                before[f"{text} if c{n} was last" if len(numbers) > 1 else text] = None
        texts = tuple(before)
        plain = {text.partition(" if c")[0] for text in texts}
        return ExitNote(terminator.location, now, tuple(sorted(plain)) if len(plain) == 1 else texts)

    def _in_counters(self, form: ClosedLoop, condition: Bool, counters: list[Expr], last: int | None) -> str:
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
        own = self._names[variable.symbol]
        if _unnamed(total, self._name) or (isinstance(total, Expr) and own in map(self._name, total.symbols)):
            total = symbol(f"{OWN}{self._old(variable)}/{width}", variable.sort)
        for index, (update, counter) in enumerate(zip(variable.updates, counters, strict=True)):
            times = build.trunc(counter, width) if width < 64 else counter
            if update.kind is RecurrenceKind.ADD:
                if index == last:
                    times = build.sub(times, 1, width)
                total = build.add(total, build.mul(update.amount, times, width), width)
            elif update.kind is RecurrenceKind.VARY:
                if last is not None:
                    return None
                total = build.add(total, symbol(f"{OWN}steps{self._name(counter)[1:]}/{width}", variable.sort), width)
        return total


def _options(condition: Expr) -> list[Bool]:
    """The parts of a disjunction; of another condition, itself."""
    if condition.op is Op.LNOT and condition.args[0].op is Op.LAND:
        return [build.lnot(part) for part in condition.args[0].args]
    return [condition]


def _unnamed(value: Any, name: Any) -> bool:
    return isinstance(value, Expr) and any(name(made) == "?" for made in value.symbols)


def _times(amount: str, counter: str) -> str:
    if amount in ("1", "-1"):
        return f"{'-' if amount == '-1' else ''}{counter}"
    return f"{amount} * {counter}" if " " not in amount else f"({amount}) * {counter}"


def _bounds(update: Update, name: str, times: str) -> str:
    """What is known of steps that differ: of one, or of the sum of all of a chain's."""
    low = f"{update.low}{times if update.low else ''} <= " if update.low is not None else ""
    high = f" <= {update.high}{times if update.high else ''}" if update.high is not None else ""
    return f" with {low}{name}{high}" if low or high else ""
