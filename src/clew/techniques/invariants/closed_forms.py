"""Values of registers as linear expressions over inputs and rounds of loops, from one pass over the code.

A register that each round of its loop changes by the same amount is ``start + amount * rounds``: an equality that holds
whenever control is in that loop or behind it, found without a fixpoint. That amounts may depend on inputs or on loops
inside gives products (``Product``), which are linear once the rounds are fixed.

Nothing here is sound, and nothing has to be: numbers are mathematical integers, and a loop inside another one is taken
to go round as often each time. It is for ``clew.techniques.invariants.closed_form_inputs``, whose results are run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from clew.analysis.absint.linear import Linear, Variable
from clew.analysis.absint.numbers import in_view
from clew.analysis.absint.variables import Held
from clew.analysis.absint.views import WIDEST, is_number, overflow_operation
from clew.analysis.callees import CalleeKind, Callees
from clew.analysis.graph import (
    ControlFlow,
    DominatorTree,
    Loop,
    LoopForest,
    dominators,
    loop_forest,
    reverse_postorder,
)
from clew.base.dataclass import dataclass
from clew.program import instructions as ir
from clew.program.module import Block, Function, Program
from clew.program.operands import registers
from clew.program.types import IntType, Type
from clew.program.values import ConstInt, ConstZero, Register, Value
from clew.techniques.invariants.jump_threading import main_flow
from clew.techniques.invariants.limits import USUAL, Limits


@dataclass(frozen=True, slots=True)
class Rounds:
    """How often a loop has gone back to its head since it was entered.

    ``full``: the number it had whenever it was left in earlier rounds of the loop around it.
    """

    frame: int
    header: str
    full: bool = False


@dataclass(frozen=True, slots=True)
class Product:
    """``rounds * factor``."""

    rounds: Rounds
    factor: Linear


@dataclass(frozen=True, slots=True)
class Input:
    """The bits of an input, and what reads it; None for a parameter of the entry."""

    width: int
    definition: ir.Instruction | None


@dataclass(slots=True)
class ClosedFormActivation:
    """A function with the chain of calls to it that were followed."""

    number: int
    function: Function
    around: tuple[Rounds, ...]
    """The loops that its call is in, innermost first."""
    parent: ClosedFormActivation | None = None
    call: int = 0
    """The block of the parent that calls."""
    graph: ControlFlow = field(init=False)
    tree: DominatorTree = field(init=False)
    forest: LoopForest = field(init=False)
    definitions: dict[str, ir.Instruction] = field(init=False)

    def __post_init__(self) -> None:
        self.graph = main_flow(self.function)
        self.tree = dominators(self.graph)
        self.forest = loop_forest(self.graph)
        self.definitions = self.function.definitions()

    def rounds(self, loop: Loop) -> Rounds:
        return Rounds(self.number, self.graph.names[loop.header])

    def loops_around(self, block: int) -> tuple[Rounds, ...]:
        """Innermost first, with those around the call."""
        return (*map(self.rounds, self.forest.around(block)), *self.around)

    def above(self, block: int) -> Iterator[int]:
        """The blocks that dominate a block, itself first."""
        while block >= 0:
            yield block
            block = self.tree.parent[block]


class ClosedForms:
    """Of one program that starts at ``entry``."""

    def __init__(self, program: Program, entry: str, resolver: Callees, limits: Limits = USUAL) -> None:
        self._program = program
        self._limits = limits
        self._resolver = resolver
        self.activations: list[ClosedFormActivation] = []
        self.inputs: dict[Held, Input] = {}
        """Registers that get an input, once; or the address of memory that does, and is not written otherwise."""
        self.loops_around: dict[Rounds, tuple[Rounds, ...]] = {}
        """The loops around each, innermost first."""
        self._values: dict[Held, Linear] = {}
        self._phis: dict[Held, Rounds] = {}
        """Registers of loop heads, which stand for themselves until their loop is understood."""
        self._closed: dict[Held, Linear] = {}
        self._left = limits.instructions
        if _size(program.functions[entry]) <= self._left:
            self._follow(program.functions[entry], (), None)

    # Questions

    def linear(self, frame: int, value: Value, signed: bool = True) -> Linear | None:
        """An operand, over inputs and heads of loops."""
        if isinstance(value, Register):
            return self._values.get(Held(frame, value.name))
        if isinstance(value, ConstInt) and isinstance(value.type, IntType):
            return Linear.number(in_view(value.value, value.type.width, signed))
        return Linear.number(0) if isinstance(value, ConstZero) and is_number(value.type) else None

    def loop_of(self, rounds: Rounds) -> tuple[ClosedFormActivation, Loop]:
        """The loop that goes these rounds."""
        at = self.activations[rounds.frame]
        loop = at.forest.headed_by(at.graph.numbers[rounds.header])
        assert loop is not None
        return at, loop

    def resolved(self, linear: Linear) -> Linear | None:
        """Over inputs, rounds and products; None if a loop changes it in some other way."""
        linear = self._substituted(linear)
        return None if any(variable in self._phis for variable in linear.terms) else linear

    def _substituted(self, linear: Linear) -> Linear:
        while known := [variable for variable in linear.terms if variable in self._closed]:
            for variable in known:
                assert isinstance(variable, Held)
                linear = linear.substituted(variable, self._closed[variable])
        return linear

    def full(self, linear: Linear, loop: Rounds) -> Linear:
        """As it was when an earlier round of a loop ended: loops inside of it had gone all their rounds."""
        for variable in list(linear.terms):
            rounds = variable.rounds if isinstance(variable, Product) else variable
            if not isinstance(rounds, Rounds) or rounds.full or loop not in self.loops_around[rounds]:
                continue
            whole = Rounds(rounds.frame, rounds.header, True)
            to = Product(whole, variable.factor) if isinstance(variable, Product) else whole
            linear = linear.substituted(variable, Linear.of(to))
        return linear

    # The pass

    def _follow(
        self, function: Function, arguments: Sequence[Linear | None], call: tuple[ClosedFormActivation, int] | None
    ) -> Linear | None:
        """Look at a function; its result, if there is only one."""
        around = call[0].loops_around(call[1]) if call else ()
        self._left -= _size(function)
        made = ClosedFormActivation(len(self.activations), function, around, *(call or ()))
        self.activations.append(made)
        for place, parameter in enumerate(function.parameters):
            if not isinstance(parameter.value, Register) or not is_number(parameter.value.type):
                continue
            value = arguments[place] if call else self._input(made, parameter.value.name, parameter.value.type, None)
            if value is not None:
                self._values[Held(made.number, parameter.value.name)] = value
        self._fill(made)
        results: list[Linear | None] = []
        for number in reverse_postorder(made.graph):
            block = function.blocks[number]
            for instruction in block.instructions:
                self._look(made, number, block, instruction)
            if isinstance(block.terminator, ir.Return) and block.terminator.value is not None:
                results.append(self.linear(made.number, block.terminator.value))
        for loop in reversed(made.forest.loops):
            self.loops_around[made.rounds(loop)] = made.loops_around(loop.header)[1:]
            self._close(made, loop)
        return _common(results)

    def _input(self, at: ClosedFormActivation, register: str, type: Type, definition: ir.Instruction | None) -> Linear:
        assert isinstance(type, IntType)
        held = Held(at.number, register)
        self.inputs[held] = Input(type.width, definition)
        return Linear.of(held)

    def _fill(self, at: ClosedFormActivation) -> None:
        """Find variables in memory that a call fills with an input, and that nothing else writes."""
        types: dict[str, Type] = {}
        filled: dict[str, ir.Call] = {}
        for number, block in enumerate(at.function.blocks):
            for i in block.instructions:
                if isinstance(i, ir.Alloca):
                    if i.result is not None and is_number(i.allocated):
                        types[i.result.name] = i.allocated
                    continue
                if isinstance(i, ir.Load) or not types:
                    continue
                for register in registers(i):
                    if register.name not in types or ir.lifetime_mark(i):
                        continue
                    again = register.name in filled or at.loops_around(number)
                    if isinstance(i, ir.Call) and self._makes_input(i, register) and not again:
                        filled[register.name] = i
                    else:
                        del types[register.name]
        for name, call in filled.items():
            if name in types:
                self._input(at, name, types[name], call)

    def _makes_input(self, call: ir.Call, register: Register) -> bool:
        return self._resolver.resolve(call).effect.makes_object and call.arguments[0].value == register

    def _look(self, at: ClosedFormActivation, number: int, block: Block, i: ir.Instruction) -> None:
        if i.result is None or not is_number(i.result.type):
            if isinstance(i, ir.Call):
                self._call(at, number, i)
            return
        held = Held(at.number, i.result.name)
        if isinstance(i, ir.Phi):
            loop = at.forest.headed_by(number)
            if loop is not None and not loop.irreducible:
                self._phis[held] = at.rounds(loop)
                value: Linear | None = Linear.of(held)
            else:
                value = self._merged(at, number, i) if loop is None else None
        elif isinstance(i, ir.Call):
            value = self._call(at, number, i)
        else:
            value = self._computed(at, i)
        if value is not None:
            self._values[held] = value

    def _merged(self, at: ClosedFormActivation, number: int, phi: ir.Phi) -> Linear | None:
        sources = {at.graph.names[source] for source in at.graph.predecessors[number]}
        return _common([self.linear(at.number, value) for value, source in phi.incoming if source in sources])

    def _computed(self, at: ClosedFormActivation, i: ir.Instruction) -> Linear | None:
        match i:
            case ir.Binary(op=op, left=left, right=right):
                return self._binary(at.number, op, left, right)
            case ir.Cast(op="trunc" | "zext" | "sext", operand=operand) | ir.Freeze(operand=operand):
                return self.linear(at.number, operand)
            case ir.Load(pointer=Register(name=name), result=Register(type=IntType(width=width))):
                held = Held(at.number, name)
                known = self.inputs.get(held)
                return Linear.of(held) if known is not None and known.width == width else None
            case ir.ExtractValue(aggregate=Register(name=name), indices=(0,)):
                operation = overflow_operation(at.definitions.get(name))
                if operation is not None:
                    op, _, left, right = operation
                    return self._binary(at.number, op, left, right)
        return None

    def _binary(self, frame: int, op: str, left: Value, right: Value) -> Linear | None:
        if op not in ("add", "sub", "mul", "shl"):
            return None
        one, other = self.linear(frame, left), self.linear(frame, right)
        if one is None or other is None:
            return None
        if op == "shl":
            if not other.is_number or not 0 <= other.constant < WIDEST:
                return None
            op, other = "mul", Linear.number(1 << other.constant)
        if op == "mul":
            if one.is_number:
                one, other = other, one
            return self._simple(one * other.constant) if other.is_number else None
        return self._simple(one + other if op == "add" else one - other)

    def _simple(self, linear: Linear) -> Linear | None:
        """An expression, unless numbers or terms have become too many to be of use."""
        if len(linear.terms) > self._limits.terms or linear.constant.bit_length() > WIDEST:
            return None
        return None if any(factor.bit_length() > WIDEST for factor in linear.terms.values()) else linear

    def _call(self, at: ClosedFormActivation, number: int, call: ir.Call) -> Linear | None:
        target = self._resolver.resolve(call)
        kind, name, result = target.kind, target.name, call.result
        if target.effect.is_input and result is not None and is_number(result.type):
            return None if at.loops_around(number) else self._input(at, result.name, result.type, call)
        if name.startswith("llvm.expect."):
            return self.linear(at.number, call.arguments[0].value)
        if kind is not CalleeKind.FUNCTION:
            return None
        function = self._program.functions[name]
        chain, up = [at.function.name], at.parent
        while up is not None:
            chain.append(up.function.name)
            up = up.parent
        if name in chain or len(chain) > self._limits.call_depth or _size(function) > self._left:
            return None
        if len(function.parameters) != len(call.arguments):
            return None
        arguments = [self.linear(at.number, argument.value) for argument in call.arguments]
        return self._follow(function, arguments, (at, number))

    # Loops

    def _close(self, at: ClosedFormActivation, loop: Loop) -> None:
        """Find out how a loop changes the registers of its head; the loops inside are done."""
        rounds = at.rounds(loop)
        for phi in at.function.blocks[loop.header].phis:
            assert phi.result is not None
            held = Held(at.number, phi.result.name)
            if held not in self._phis:
                continue
            sides: tuple[list[Linear | None], list[Linear | None]] = ([], [])
            for value, source in phi.incoming:
                sides[at.graph.numbers[source] in loop.blocks].append(self.linear(at.number, value))
            start, next_ = _common(sides[0]), _common(sides[1])
            if start is None or next_ is None:
                continue
            step = self._substituted(next_) - Linear.of(held)
            if any(variable in self._phis for variable in step.terms):
                continue
            closed = start + Linear.of(rounds, step.constant)
            varying = self.full(step - step.constant, rounds)
            if not varying.is_number:
                closed += Linear.of(Product(rounds, varying))
            self._closed[held] = closed


def _size(function: Function) -> int:
    return sum(len(block.instructions) for block in function.blocks)


def _common(values: Sequence[Linear | None]) -> Linear | None:
    """The value that all of these have; None if they differ, or if one is not known."""
    return values[0] if values and all(value == values[0] for value in values) else None


def previous(linear: Linear, rounds: Rounds) -> Linear:
    """What an expression was one round of a loop before."""
    result = linear - linear.terms.get(rounds, 0)
    for variable, factor in linear.terms.items():
        if isinstance(variable, Product) and variable.rounds == rounds:
            result -= variable.factor * factor
    return result


def first(linear: Linear, rounds: Rounds) -> Linear:
    """What an expression was in the first round of a loop."""
    return Linear({v: c for v, c in linear.terms.items() if not _counts(v, rounds)}, linear.constant)


def _counts(variable: Variable, rounds: Rounds) -> bool:
    return variable == rounds or (isinstance(variable, Product) and variable.rounds == rounds)
