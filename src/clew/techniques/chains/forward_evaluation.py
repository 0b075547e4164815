"""Looking ahead of a state: the values that code to come computes, on all ways at once.

Sits on ``outline`` (functions without cycles), ``memory`` (what is foreseen of it) and the operations of the engine's
own code generator. A block is evaluated once per passage: where ways meet, a value is a choice by the conditions of
the ways. What cannot be foreseen (inputs still to be read, cells at places that are not known) is a symbol of its own
that nothing is said about. So every execution from the state on is described by some assignment of the symbols;
not every assignment is an execution.

Loops are closed by ``loops.close``: complete iterations become counters, with facts about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import Any, NamedTuple, Protocol

from clew.analysis.callees import CalleeKind
from clew.analysis.callgraph import accepts
from clew.base.dataclass import dataclass
from clew.base.errors import Unsupported
from clew.execute.coverage import Edge
from clew.execute.guided import OutOfBudget
from clew.execute.values import from_bits, to_bits
from clew.expr import build
from clew.expr.node import Bool, Expr, symbol
from clew.expr.sort import BOOL, Sort, bv
from clew.memory.symbolic import load_at
from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.types import Type
from clew.program.values import Constant, ConstUndef, Register, Value
from clew.solver.path import conjuncts
from clew.techniques.chains.acyclic import AcyclicFunction, Expansion, Passage
from clew.techniques.chains.memory import Ground, Memory, cell_at
from clew.techniques.chains.program_facts import ProgramFacts
from clew.techniques.chains.queries import IterationQueries

Registers = dict[str, Any]
"""Values by register; one that is missing has a value that cannot be foreseen (and no sort for a symbol)."""


PREFIX = "\1"
"""Begins the names of symbols here, and of no input."""


class Way(NamedTuple):
    """How control may come to a place."""

    condition: Bool
    registers: Registers
    memory: Memory
    source: str = ""
    """The block it comes from."""
    result: Any = None
    """What it returns."""


@dataclass(slots=True)
class Notes:
    """What is found on the way, and holds for all of a look ahead or of a loop's body."""

    name: str = ""
    facts: list[Bool] = field(default_factory=list)
    """Hold of every execution."""
    symbols: list[Expr] = field(default_factory=list)
    """Made here."""
    arrivals: list[Bool] = field(default_factory=list)
    """Conditions under which the target is reached."""
    edges: list[tuple[Edge, Bool]] = field(default_factory=list)
    """Choices, and when they are taken."""
    forms: list[Any] = field(default_factory=list)
    """Loops that were closed: ``loops.Form``."""
    endless: list[Expr] = field(default_factory=list)
    """That a loop is executed so often that its counters say nothing."""

    def fresh(self, sort: Sort, name: str) -> Expr:
        made = symbol(f"{PREFIX}{self.name}/{name}#{len(self.symbols)}", sort)
        self.symbols.append(made)
        return made


@dataclass(slots=True)
class Walk:
    """Through the passages of an expansion."""

    outline: AcyclicFunction
    expansion: Expansion
    arriving: dict[Passage, list[Way]]
    """Ways to passages that are still to come."""
    returned: list[Way] = field(default_factory=list)
    completed: list[Way] = field(default_factory=list)


class Close(Protocol):
    """The way behind all complete iterations of a loop that is entered by a way."""

    def __call__(self, ahead: MergedEvaluator, outline: AcyclicFunction, loop: int, way: Way) -> Way: ...


class TooLarge(Unsupported):
    """There is more code ahead than can be looked at."""


class MergedEvaluator:
    """One look ahead. ``close`` closes loops (see ``loops``), ``oracle`` answers questions about them."""

    def __init__(self, survey: ProgramFacts, ground: Ground, close: Close, oracle: IterationQueries) -> None:
        self.survey = survey
        self.ground = ground
        self._oracle = oracle
        self._context: list[Bool] = []
        """What holds when the loops around are entered."""
        self._close = close
        self.future: dict[Expr, int] = {}
        self.notes = Notes()
        self.hunting = True
        """Whether arrivals count: not within complete iterations, as paths end with the first arrival."""
        self.doubts: dict[str, None] = {}
        """Why executions may do what is not described here."""
        self._bases: dict[Expr, int] = {}
        """The object that an address was computed from."""
        self._active: list[str] = []
        self._blocks = 0

    def _poll(self) -> None:
        if self.survey.is_over():
            raise OutOfBudget

    # Symbols

    def fresh(self, sort: Sort, name: str = "?") -> Expr:
        """A symbol that nothing is said about."""
        return self.notes.fresh(sort, name)

    def unknown(self, type: Type) -> Any:
        """A value of a type that cannot be foreseen; None if there are no symbols of such a type."""
        sort = self.survey.sort(type)
        return None if sort is None else self.fresh(sort)

    def refutes(self, constraints: Sequence[Bool], in_context: bool = False) -> bool:
        """Whether something is known not to happen in the iteration that is being looked at: in any iteration of the
        loop, or ``in_context`` of what holds when it is entered here."""
        self._poll()
        return self._oracle.refutes(constraints, self._context if in_context else ())

    def bounds(self, value: Expr, constraints: Sequence[Bool]) -> tuple[int | None, int | None]:
        """Between which signed numbers a value lies there, if that is known."""
        return self._oracle.bounds(value, constraints, self._context)

    @contextmanager
    def inside(self, loop: str, entered: Bool) -> Iterator[Notes]:
        """While the body of a loop is walked. Its symbols have the same names each time, so that answers are found
        again; they never leave it: instances of the loop have their own."""
        outer, hunting = self.notes, self.hunting
        self._context.append(entered)
        self.notes, self.hunting = Notes(loop), False
        try:
            yield self.notes
        finally:
            self._context.pop()
            self.notes, self.hunting = outer, hunting

    # Blocks

    def walk(self, outline: AcyclicFunction, expansion: Expansion, first: Way, index: int = 0) -> Walk:
        """Evaluate everything after the start, which ``first`` is in: ``index`` instructions of it are behind."""
        walk = Walk(outline, expansion, {expansion.start: [first]})
        for passage in expansion.order:
            ways = walk.arriving.pop(passage, None)
            if not ways or passage not in expansion.useful:
                continue
            is_start = passage == expansion.start
            way = first if is_start else self.enter(outline, passage, ways)
            if way.condition is False:
                continue
            self._blocks += 1
            self.survey.evaluated += 1
            self._poll()
            most = self.survey.limits.blocks
            if self._blocks > most:
                raise TooLarge(f"programs with more than {most} blocks ahead of a state")
            self._block(walk, passage, way, index if is_start else 0)
        return walk

    def enter(self, outline: AcyclicFunction, passage: Passage, ways: list[Way]) -> Way:
        """The merged way into a block; into the header of a loop, the way behind all its complete iterations."""
        function = outline.function.name
        block = outline.blocks[passage.block]
        sources = [way._replace(registers=self.through(block.phis, way)) for way in ways]
        way = self.merge(sources, self.survey.needed(function, passage.block))
        loop = outline.headed.get(passage.block)
        return way if loop is None else self._close(self, outline, loop, way)

    def through(self, phis: Sequence[ir.Phi], way: Way) -> Registers:
        """The registers behind an edge."""
        if not phis:
            return way.registers
        changed: Registers = dict(way.registers)
        for phi in phis:
            assert phi.result is not None
            incoming = next(value for value, block in phi.incoming if block == way.source)
            self._set(changed, phi.result, self.value(way.registers, incoming))
        return changed

    def merge(self, ways: list[Way], names: Iterable[tuple[str, Sort]]) -> Way:
        """One way for several: values are chosen by their conditions."""
        if len(ways) == 1:
            return ways[0]
        conditions = [way.condition for way in ways]
        telling = _telling(conditions)
        registers: Registers = {}
        for name, sort in names:
            values = [way.registers.get(name) for way in ways]
            if None not in values:
                registers[name] = _chosen(telling, values, sort)
        return Way(build.disjunction(conditions), registers, self._merged_memory(ways, telling))

    def _merged_memory(self, ways: list[Way], telling: list[Bool]) -> Memory:
        first = ways[0].memory
        if all(way.memory is first for way in ways):
            return first
        merged = first.copy()
        merged.cells = {}
        merged.lost = 0
        for way in ways:
            merged.lost |= way.memory.lost
        for cell in dict.fromkeys(cell for way in ways for cell in way.memory.cells):
            values = [way.memory.read(cell) for way in ways]
            sort = bv(8 * cell.size)
            merged.cells[cell] = self.fresh(sort) if None in values else _chosen(telling, values, sort)
        return merged

    def _block(self, walk: Walk, passage: Passage, way: Way, start: int) -> None:
        function, block = walk.outline.function, walk.outline.blocks[passage.block]
        way = way._replace(registers=dict(way.registers), memory=way.memory.copy())
        for index in range(start, len(block.instructions) - 1):
            instruction = block.instructions[index]
            if (function.name, block.name, index) in self.survey.spots:
                if self.hunting:
                    self.notes.arrivals.append(way.condition)
                return
            if isinstance(instruction, ir.Call):
                after = self._call(function, instruction, way)
                if after is None or after.condition is False:
                    return
                way = after
            else:
                self._instruction(function, instruction, way)
        if isinstance(block.terminator, ir.Return):
            given = block.terminator.value
            walk.returned.append(way._replace(result=None if given is None else self.value(way.registers, given)))
            return
        self._leave(walk, passage, way)

    def _leave(self, walk: Walk, passage: Passage, way: Way) -> None:
        block = walk.outline.blocks[passage.block]
        onward = walk.expansion.onward[passage]
        choices = self._choices(block.terminator, way)
        for successor, condition in choices:
            taken = False if condition is False else build.land(way.condition, condition)
            if taken is False:
                continue
            key = (walk.outline.function.name, block.name, successor)
            if key in self.survey.edges:
                # Also where no way leads on from here: such a choice may complete an iteration that is not counted.
                if self.hunting:
                    self.notes.arrivals.append(taken)
                continue
            if successor not in onward:
                continue
            if len(choices) > 1:
                self.notes.edges.append((key, taken))
            following = onward[successor]
            leaving = Way(taken, way.registers, way.memory, block.name)
            if following is None:
                walk.completed.append(leaving)
            elif following in walk.expansion.useful:
                walk.arriving.setdefault(following, []).append(leaving)

    def _choices(self, terminator: ir.Terminator, way: Way) -> list[tuple[str, Bool]]:
        match terminator:
            case ir.Jump(target=target):
                return [(target, True)]
            case ir.Branch(condition=value, if_true=yes, if_false=no):
                if yes == no:
                    return [(yes, True)]
                condition = self.value(way.registers, value)
                if condition is None:
                    condition = self.fresh(BOOL)
                return [(yes, condition), (no, build.lnot(condition))]
            case ir.Switch(value=value, default=default, cases=cases):
                return self._cases(self.value(way.registers, value), value.type, default, cases)
        condition_of: dict[str, Bool] = {}
        for target in ir.successors(terminator):
            condition_of[target] = self.fresh(BOOL)
        return list(condition_of.items())

    def _cases(
        self, subject: Any, type: Type, default: str, cases: tuple[tuple[int, str], ...]
    ) -> list[tuple[str, Bool]]:
        width = self.survey.layout.bits(type)
        by_target: dict[str, list[Bool]] = {}
        if subject is None:
            subject = self.fresh(bv(width))
        for case, target in cases:
            by_target.setdefault(target, []).append(build.eq(subject, case, width))
        every = build.disjunction([condition for conditions in by_target.values() for condition in conditions])
        by_target.setdefault(default, []).append(build.lnot(every))
        return [(target, build.disjunction(conditions)) for target, conditions in by_target.items()]

    # Instructions

    def value(self, registers: Registers, value: Value) -> Any:
        if isinstance(value, Register):
            return registers.get(value.name)
        if isinstance(value, ConstUndef) or not isinstance(value, Constant):
            return self.unknown(value.type)
        return self.survey.machine.globals.evaluate_constant(value)

    def _set(self, registers: Registers, result: Register, value: Any) -> None:
        if value is None:
            value = self.unknown(result.type)
        if value is None:
            registers.pop(result.name, None)
        else:
            registers[result.name] = value

    def _instruction(self, function: Function, i: ir.Instruction, way: Way) -> None:
        match i:
            case ir.Phi():
                return
            case ir.Load(result=Register() as result):
                self._set(way.registers, result, self._load(function, i, way))
            case ir.Store():
                self._store(function, i, way)
            case ir.Alloca(result=Register() as result):
                address = self.fresh(bv(self.survey.layout.pointer_bits), "@" + result.name)
                self.future[address] = self.survey.effects.bit((function.name, result.name))
                way.registers[result.name] = address
            case ir.AtomicUpdate() | ir.CompareExchange() | ir.VaArg() | ir.UnsupportedInstruction():
                way.memory.forget(self.survey.effects.written_by(function.name, i))
                if isinstance(i, ir.UnsupportedInstruction):
                    self.doubts[f"an instruction that is not supported: {i.text}"] = None
                if i.result is not None:
                    self._set(way.registers, i.result, None)
            case _ if i.result is not None:
                value = self._computed(function, i, way.registers)
                self._set(way.registers, i.result, value)
                if isinstance(i, ir.GetElementPtr):
                    self._note_base(i, way.registers)

    def _computed(self, function: Function, i: ir.Instruction, registers: Registers) -> Any:
        operation = self.survey.arithmetic(function.name).operation(i)
        if operation is None:
            return None
        names, apply = operation
        values = [registers.get(name) for name in names]
        if any(value is None for value in values):
            return None
        try:
            return apply(*values)
        except ZeroDivisionError:
            return None

    def _note_base(self, i: ir.GetElementPtr, registers: Registers) -> None:
        """Remember into which object of the state an address leads whose index is not known."""
        assert i.result is not None
        address, base = registers.get(i.result.name), self.value(registers, i.base)
        if type(address) is Expr:
            if type(base) is int:
                self._bases[address] = base
            elif type(base) is Expr and base in self._bases:
                self._bases[address] = self._bases[base]

    def _load(self, function: Function, i: ir.Load, way: Way) -> Any:
        assert i.result is not None
        kind = i.result.type
        address = self.value(way.registers, i.pointer)
        if address is None or i.volatile or self.survey.sort(kind) is None:
            return None
        size = self.survey.layout.store_size(kind)
        cell = cell_at(address, size, self.future)
        if cell is None:
            bits = self._table(address, size, way.memory)
        else:
            bits = way.memory.read(cell)
        return None if bits is None else from_bits(bits, kind, self.survey.layout)

    def _table(self, address: Any, size: int, memory: Memory) -> Any:
        """An element of a small constant table."""
        base = self._bases.get(address)
        if base is None:
            return None
        space = self.ground.space
        obj = space.pages.get(base >> space.page_bits)
        if obj is None or not obj.constant or obj.shadow is not None:
            return None
        if not size <= obj.size <= self.survey.limits.table_bytes:
            return None
        offset = build.sub(address, obj.base, self.survey.layout.pointer_bits)
        assert isinstance(offset, Expr)
        try:
            return load_at(space, obj, offset, size)
        except Unsupported:
            return None

    def _store(self, function: Function, i: ir.Store, way: Way) -> None:
        address, value = self.value(way.registers, i.pointer), self.value(way.registers, i.value)
        kind = i.value.type
        if address is not None and self.survey.sort(kind) is not None:
            cell = cell_at(address, self.survey.layout.store_size(kind), self.future)
            if cell is not None:
                if value is None:
                    value = self.unknown(kind)
                way.memory.write(cell, to_bits(value, kind, self.survey.layout))
                return
        way.memory.forget(self.survey.effects.written_by(function.name, i))

    # Calls

    def _call(self, function: Function, i: ir.Call, way: Way) -> Way | None:
        """The way behind a call; None if there is none."""
        callee = self.survey.callees.resolve(i)
        if callee.kind is CalleeKind.FUNCTION:
            if self._can_inline(callee.name, i):
                return self._inlined(callee.target, i, way)
            if not accepts(callee.target, i):
                self.doubts[f"a call of {callee.name}() with other types"] = None
        if self.hunting and self.survey.may_reach(i):
            self.notes.arrivals.append(way.condition)
        if callee.effect.assumes:
            return self._assumed(i, way)
        self.doubts.update(dict.fromkeys(self.survey.unmodelled.of(i)))
        way.memory.forget(self.survey.effects.written_by(function.name, i))
        if i.result is not None:
            value = self._computed(function, i, way.registers) if callee.kind is CalleeKind.INTRINSIC else None
            self._set(way.registers, i.result, value)
            if callee.kind is CalleeKind.MODEL and callee.name == "__VERIFIER_nondet_bool":
                self._is_flag(i.result, way)
        return way

    def _is_flag(self, result: Register, way: Way) -> None:
        value = way.registers[result.name]
        if isinstance(value, Expr) and value.width > 1:
            self.notes.facts.append(build.ule(value, 1, value.width))

    def _assumed(self, i: ir.Call, way: Way) -> Way:
        argument = i.arguments[0].value
        value = self.value(way.registers, argument)
        if value is None:
            return way
        width = self.survey.layout.bits(argument.type)
        holds = value if width == 1 else build.ne(value, 0, width)
        return way._replace(condition=build.land(way.condition, holds))

    def _can_inline(self, name: str, i: ir.Call) -> bool:
        callee = self.survey.program.functions[name]
        return (
            name not in self._active
            and not self.survey.effects.calls.is_recursive(name)
            and len(i.arguments) == len(callee.parameters)
            and accepts(callee, i)
            and not any(argument.byval is not None for argument in i.arguments)
        )

    def _inlined(self, callee: Function, i: ir.Call, way: Way) -> Way | None:
        registers: Registers = {}
        for parameter, argument in zip(callee.parameters, i.arguments, strict=True):
            assert isinstance(parameter.value, Register)
            self._set(registers, parameter.value, self.value(way.registers, argument.value))
        outline = self.survey.outline(callee.name)
        goals = self.survey.goals(callee.name) if self.hunting else frozenset[str]()
        expansion = outline.expansion(outline.entry, None, goals, returns=True)
        first = Way(way.condition, registers, way.memory)
        self._active.append(callee.name)
        try:
            returned = self.walk(outline, expansion, first).returned
        finally:
            self._active.pop()
        return self.after_call(i, way.registers, returned)

    def after_call(self, i: ir.Call, registers: Registers, returned: list[Way]) -> Way | None:
        """Back in the caller, whose registers are as they were."""
        if not returned:
            return None
        merged = self.merge(returned, ())
        registers = dict(registers)
        if i.result is not None:
            results = [way.result for way in returned]
            sort = self.survey.sort(i.result.type)
            known = sort is not None and None not in results
            value = _chosen(_telling([way.condition for way in returned]), results, sort) if known and sort else None
            self._set(registers, i.result, value)
        return Way(merged.condition, registers, merged.memory)


def _telling(conditions: list[Bool]) -> list[Bool]:
    """What tells conditions apart that exclude each other: without the parts that all of them have."""
    parts = [set(conjuncts(condition)) if isinstance(condition, Expr) else set() for condition in conditions]
    common = set.intersection(*parts)
    if not common:
        return conditions
    return [
        build.conjunction([part for part in conjuncts(condition) if part not in common])
        for condition in conditions
        if isinstance(condition, Expr)
    ]


def _chosen(conditions: list[Bool], values: Sequence[Any], sort: Sort) -> Any:
    """The value of the first option whose condition holds; one of them does."""
    chosen = values[-1]
    for condition, value in zip(reversed(conditions[:-1]), reversed(values[:-1]), strict=True):
        if value is not chosen:
            chosen = build.ite(condition, value, chosen, sort)
    return chosen
