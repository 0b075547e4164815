"""Invariants against executions: whatever a program does, with whatever inputs, they must hold.

At every instruction and on every way from block to block, each constraint is evaluated with the values of that moment.
Code that runs must not be called unreachable. ``Claims`` is all that is asked of invariants, so those made by hand can
be checked as well (``test_invariants_check.py`` makes wrong ones, to see that the checker sees it).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from clew.analysis.absint.domain import Abstract
from clew.analysis.absint.linear import Constraint, Linear, Variable
from clew.analysis.absint.variables import Cell, Count, Held, Initial, Total
from clew.analysis.escape import Area
from clew.program import instructions as ir
from clew.program.module import Function, Program
from clew.program.types import IntType
from clew.program.values import ConstInt, GlobalRef, Register
from oracle.invariants_trace import Activation, Record, Runner, Trace

EVERY_VISIT = 300
"""So many visits of a place are looked at, then only some."""


class Chain(Protocol):
    """A chain of calls."""

    @property
    def number(self) -> int: ...
    @property
    def function(self) -> Function: ...
    @property
    def parent(self) -> int | None: ...
    @property
    def call(self) -> tuple[str, int] | None: ...
    @property
    def general(self) -> bool: ...


class Claims(Protocol):
    """What is said to hold."""

    @property
    def frames(self) -> Sequence[Chain]: ...
    def before(self, frame: int, block: str) -> Abstract: ...
    def at(self, frame: int, block: str, index: int) -> Abstract: ...
    def on_edge(self, frame: int, source: str, target: str) -> Abstract: ...
    def into(self, frame: int, source: str, target: str) -> Abstract: ...
    def signed(self, variable: Held | Cell | Initial) -> bool: ...


@dataclass(frozen=True)
class Violation:
    """A constraint that does not hold, or code that runs though it is said not to."""

    place: str
    what: str
    values: str = ""
    inputs: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.place}: {self.what}{' with ' + self.values if self.values else ''}"


class Checker:
    """Watches runs of one program. ``violations`` has at most one per place."""

    def __init__(self, program: Program, claims: Claims, *, ask_bounds: bool = True) -> None:
        self._claims = claims
        self._program = program
        self._ask_bounds = ask_bounds
        self._general = {frame.function.name: frame.number for frame in claims.frames if frame.general}
        self._entries = {frame.function.name: frame.number for frame in claims.frames if frame.parent is None}
        self._called = {
            (frame.parent, frame.call, frame.function.name): frame.number
            for frame in claims.frames
            if frame.parent is not None
        }
        self._widths = {name: dict(_widths(function)) for name, function in program.functions.items()}
        self._functions = {frame.number: frame.function.name for frame in claims.frames}
        self._known: dict[tuple[object, ...], _Facts] = {}
        self._visits: Counter[tuple[object, ...]] = Counter()
        self.violations: dict[str, Violation] = {}
        self.inputs: tuple[int, ...] = ()
        self._source = ""
        """The block that control comes from."""
        self.looked_at = 0
        """Constraints that were evaluated."""
        self.left_out = 0
        """Constraints about something that has no value."""

    # The watcher

    def numbered(self, parent: Activation | None, function: str) -> tuple[int | None, bool]:
        self._source = ""
        if parent is not None and parent.frame is not None:
            number = self._called.get((parent.frame, parent.site, function))
            if number is not None:
                return number, True
        number = self._general.get(function) if parent is not None else self._entries.get(function)
        if number is None:
            self._wrong(function, "runs, but no frame is there for it")
        return number, False

    def edge(self, trace: Trace, stack: Sequence[Activation], source: str, target: str) -> None:
        frame = stack[-1].frame
        self._source = source
        if frame is not None and self._due(frame, source, target):
            facts = self._facts((frame, source, target), lambda: self._claims.on_edge(frame, source, target))
            self._look(trace, stack, f"{stack[-1].function}: {source} -> {target}", facts)

    def reached(self, trace: Trace, stack: Sequence[Activation], starts: bool) -> None:
        frame = stack[-1].frame
        block, index = stack[-1].site
        if frame is None or not self._due(frame, block, index):
            return
        place = f"{stack[-1].function}: {block}"
        if starts and self._source:
            source = self._source
            facts = self._facts((frame, source, block, "into"), lambda: self._claims.into(frame, source, block))
            self._look(trace, stack, f"{stack[-1].function}: {source} -> {block}, phis assigned", facts)
        if starts:
            self._source = ""
            self._look(trace, stack, place, self._facts((frame, block), lambda: self._claims.before(frame, block)))
        facts = self._facts((frame, block, index), lambda: self._claims.at(frame, block, index))
        self._look(trace, stack, f"{place}, instruction {index}", facts)

    def _due(self, *place: object) -> bool:
        self._visits[place] += 1
        visits = self._visits[place]
        return visits < EVERY_VISIT or visits % 7 == 0

    # Facts

    def _facts(self, place: tuple[object, ...], ask: Callable[[], Abstract]) -> _Facts:
        known = self._known.get(place)
        if known is None:
            known = self._known[place] = _Facts(ask(), self._ask_bounds)
        return known

    def _look(self, trace: Trace, stack: Sequence[Activation], place: str, facts: _Facts) -> None:
        if facts.is_bottom:
            self._wrong(place, "is said to be unreachable")
            return
        values = [self._value(trace, stack, variable) for variable in facts.variables]
        key = tuple(values)
        if key in facts.seen:
            return
        facts.seen.add(key)
        valuation = {
            variable: value for variable, value in zip(facts.variables, values, strict=True) if value is not None
        }
        for constraint in facts.constraints:
            if any(variable not in valuation for variable in constraint.variables):
                self.left_out += 1
                continue
            self.looked_at += 1
            if not constraint.holds(valuation):
                self._wrong(place, f"not {constraint!r}", constraint, valuation)

    def _wrong(
        self,
        place: str,
        what: str,
        constraint: Constraint | None = None,
        valuation: Mapping[Variable, int] | None = None,
    ) -> None:
        if place not in self.violations:
            concerned = constraint.variables if constraint is not None else ()
            values = ", ".join(f"{variable} = {(valuation or {})[variable]}" for variable in concerned)
            self.violations[place] = Violation(place, what, values, self.inputs)

    # Values

    def _value(self, trace: Trace, stack: Sequence[Activation], variable: Variable) -> int | None:
        """What a variable stands for; None where that has no value yet, or none any more."""
        match variable:
            case Held(frame=frame, register=register):
                raw = _latest(stack, frame, lambda record: record.values.get(register))
                width = self._widths[self._functions[frame]].get(register)
                return None if raw is None or width is None else self._seen(variable, raw, width)
            case Count(frame=frame, header=header):
                return _latest(stack, frame, lambda record: record.counts.get(header))
            case Total(frame=frame, header=header):
                return _latest(stack, frame, lambda record: record.totals.get(header))
            case Cell(size=size):
                address = self._address(trace, stack, variable)
                raw = None if address is None else trace.peek(address, size)
                return None if raw is None else self._seen(variable, raw, 8 * size)
            case Initial(frame=frame, block=block, index=index):
                raw = _latest(stack, frame, lambda record: record.initial.get((block, index)))
                return None if raw is None else self._seen(variable, raw, self._input_width(variable))
        raise AssertionError(f"a variable that nobody knows: {variable!r}")

    def _seen(self, variable: Held | Cell | Initial, raw: int, width: int) -> int:
        if width > 1 and raw >> (width - 1) and self._claims.signed(variable):
            return raw - (1 << width)
        return raw

    def _input_width(self, ghost: Initial) -> int:
        """Of what a call of ``klee_make_symbolic`` fills."""
        function = self._program.functions[self._functions[ghost.frame]]
        block = next(block for block in function.blocks if block.name == ghost.block)
        call = block.instructions[ghost.index]
        assert isinstance(call, ir.Call) and isinstance(call.arguments[1].value, ConstInt)
        return 8 * call.arguments[1].value.value

    @staticmethod
    def _address(trace: Trace, stack: Sequence[Activation], cell: Cell) -> int | None:
        thing = cell.object
        if isinstance(thing, Area):
            return None
        if isinstance(thing, str):
            return trace.value_of(stack[-1], GlobalRef(thing)) + cell.offset
        base = next((r.values[thing[1]] for r in stack[-1].records(cell.frame) if thing[1] in r.values), None)
        return None if base is None else base + cell.offset


class _Facts:
    """What is claimed of one place."""

    def __init__(self, state: Abstract, ask_bounds: bool) -> None:
        self.is_bottom = state.is_bottom
        self.constraints = () if self.is_bottom else state.constraints()
        self.variables = tuple(dict.fromkeys(v for c in self.constraints for v in c.variables))
        self.seen: set[tuple[int | None, ...]] = set()
        """Values that were looked at."""
        if ask_bounds and not self.is_bottom:
            asked = [c for v in self.variables for c in _bounds(state, v)]
            self.constraints = tuple(dict.fromkeys((*self.constraints, *asked)))


def _bounds(state: Abstract, variable: Variable) -> Iterable[Constraint]:
    linear = Linear.of(variable)
    least, greatest = state.bounds(linear)
    if least is not None:
        yield Constraint(linear - least)
    if greatest is not None:
        yield Constraint(-linear + greatest)


def _latest(stack: Sequence[Activation], frame: int, get: Callable[[Record], int | None]) -> int | None:
    return next((value for record in stack[-1].records(frame) if (value := get(record)) is not None), None)


def _widths(function: Function) -> Iterable[tuple[str, int]]:
    parameters = [parameter.value for parameter in function.parameters]
    results = [instruction.result for block in function.blocks for instruction in block.instructions]
    for register in [*parameters, *results]:
        if isinstance(register, Register) and isinstance(register.type, IntType):
            yield register.name, register.type.width


@dataclass(frozen=True)
class Checked:
    """What came out for one program."""

    violations: tuple[Violation, ...]
    looked_at: int
    left_out: int
    ends: Counter[str]


def check(
    program: Program,
    claims: Claims,
    runs: Iterable[Sequence[int]],
    *,
    entry: str | None = None,
    most: int = 60_000,
    runner: Runner | None = None,
) -> Checked:
    """Run the program with each list of inputs, and look at all that is claimed."""
    runner = runner or Runner(program, entry)
    checker = Checker(program, claims)
    ends: Counter[str] = Counter()
    for inputs in runs:
        checker.inputs = tuple(inputs)
        outcome = runner.run(inputs, checker, most)
        ends[outcome.end if outcome.end != "bug" else f"bug: {outcome.kind}"] += 1
    return Checked(tuple(checker.violations.values()), checker.looked_at, checker.left_out, ends)
