"""All ways through the body of a loop, from its header until control is back there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from clew.analysis.absint.frames import FunctionOutline
from clew.analysis.absint.linear import Linear, Variable, at_least, at_most
from clew.analysis.absint.views import is_number
from clew.analysis.graph import Loop
from clew.analysis.loops import arithmetic, calls
from clew.analysis.loops.closure import After, Before, Closure, Fixed, LoopVariable, Memory, Unknown
from clew.analysis.loops.conditions import assume, in_view
from clew.analysis.loops.limits import Limits
from clew.analysis.loops.memory import Contents
from clew.analysis.loops.path import (
    Activation,
    Address,
    Content,
    Junction,
    Number,
    Open,
    Opposite,
    Outside,
    Pair,
    Path,
    Refused,
    Test,
    Truth,
)
from clew.analysis.mod_ref import ModRef
from clew.base.memo import remembered
from clew.program import instructions as ir
from clew.program.types import I1, FloatType, IntType, PointerType
from clew.program.values import ConstFloat, ConstInt, ConstNull, ConstUndef, ConstZero, Register, Value

Closing = Callable[[str, str], Closure]
"""The closure of an inner loop, by function and header; raises ``Refused``."""

_POINTERS = (ir.GetElementPtr, ir.Alloca)


class Walker:
    """Walks through the body of one loop."""

    def __init__(self, effects: ModRef, contents: Contents, closing: Closing, limits: Limits) -> None:
        self.effects = effects
        self.contents = contents
        self.limits = limits
        self._closing = closing

    def walk(self, function: str, loop: Loop) -> list[Path]:
        """The paths of complete iterations; their registers are those behind the phis of the header."""
        outline = self.outline(function)
        header = outline.blocks[outline.graph.names[loop.header]]
        start = Activation(0, outline, header, len(header.phis))
        path = Path([start])
        for phi in header.phis:
            assert phi.result is not None
            start.registers[phi.result.name] = self._known(path, start, phi.result)
        work, finished, steps = [path], [], 0
        while work:
            path = work.pop()
            steps += 1
            if steps > self.limits.steps or len(work) + len(finished) > self.limits.pieces:
                raise Refused("there are too many paths through the body")
            for way in self._step(path, loop):
                if way.frames[0].index < 0:
                    finished.append(way)
                else:
                    work.append(way)
        return finished

    @remembered
    def outline(self, function: str) -> FunctionOutline:
        """Control flow of a function."""
        return FunctionOutline(self.effects.program.functions[function])

    # Values

    def at_header(self, function: str, register: Register) -> Fixed:
        """The value of an integer register at the header."""
        assert isinstance(register.type, IntType)
        signed = register.type != I1 and self.contents.views(function).is_signed(register.name)
        return Fixed(register, register.type.width, signed)

    def _known(self, path: Path, frame: Activation, register: Register) -> Content | None:
        """The value of a register that is defined before the body runs."""
        if not is_number(register.type):
            return self.contents.address(frame, register) if register.name not in frame.registers else None
        fixed = self.at_header(frame.outline.function.name, register)
        return Number(path.symbol(fixed), fixed.width)

    def value(self, path: Path, value: Value) -> Content | None:
        """An operand; None if nothing is known about it."""
        match value:
            case Register(name=name):
                registers = path.top.registers
                if name not in registers:
                    registers[name] = self._known(path, path.top, value)
                return registers[name]
            case ConstInt(type=IntType(width=width), value=number) if is_number(value.type):
                return Number.constant(number, width)
            case ConstZero(type=IntType(width=width)) if is_number(value.type):
                return Number(Linear(), width)
            case ConstUndef(type=IntType(width=width)) if is_number(value.type):
                return path.opaque(width, "the body uses a value that is not defined")
        return self.contents.address(path.top, value) if isinstance(value.type, PointerType) else None

    def number(self, path: Path, value: Value) -> Iterator[tuple[Path, Number]]:
        """An operand that is an integer."""
        known = self.value(path, value)
        if isinstance(known, Number | Test | Outside | Junction | Opposite | Open):
            yield from arithmetic.as_number(path, known, self.limits)
            return
        if not isinstance(value.type, IntType):
            raise Refused("it computes with values that are no integers")
        yield path, path.opaque(value.type.width, "the body uses a value that is not followed")

    def truth(self, path: Path, value: Value) -> Truth:
        """An operand that is a condition."""
        known = self.value(path, value)
        if isinstance(known, Number | Test | Outside | Junction | Opposite | Open):
            return arithmetic.as_truth(known)
        return Open("a condition in the body is not followed")

    # Control

    def _step(self, path: Path, loop: Loop) -> Iterable[Path]:
        """What comes after one instruction."""
        frame = path.top
        instruction = frame.block.instructions[frame.index]
        frame.index += 1
        match instruction:
            case ir.Jump(target=target):
                return self._enter(path, target, loop)
            case ir.Branch():
                return self._branch(path, instruction, loop)
            case ir.Switch():
                return self._switch(path, instruction, loop)
            case ir.Return(value=value):
                return calls.leave(self, path, value)
            case ir.Unreachable():
                return ()
            case ir.IndirectBranch() | ir.UnsupportedInstruction() | ir.VaArg():
                raise Refused("it has instructions that are not looked at")
            case ir.Load(volatile=True) | ir.Store(volatile=True):
                raise Refused("it reads or writes volatile memory")
            case ir.AtomicUpdate() | ir.CompareExchange():
                raise Refused("it has atomic instructions")
            case ir.Call():
                return calls.call(self, path, instruction)
        return self._compute(path, instruction)

    def _branch(self, path: Path, i: ir.Branch, loop: Loop) -> Iterator[Path]:
        if i.if_true == i.if_false:
            yield from self._enter(path, i.if_true, loop)
            return
        truth = self.truth(path, i.condition)
        for wanted, target in ((False, i.if_false), (True, i.if_true)):
            if not self._leaves(path, target, loop):
                for way in assume(path.copy(), truth, wanted, self.limits):
                    yield from self._enter(way, target, loop)

    def _switch(self, path: Path, i: ir.Switch, loop: Loop) -> Iterator[Path]:
        for way, number in self.number(path, i.value):
            for end, linear in in_view(way, number, False, self.limits):
                for first, last, target in _ranges(i, (1 << number.width) - 1):
                    case = end.copy()
                    if not self._leaves(end, target, loop) and case.assume(
                        (at_least(linear, first), at_most(linear, last))
                    ):
                        yield from self._enter(case, target, loop)

    def _leaves(self, path: Path, target: str, loop: Loop) -> bool:
        """Whether a jump leaves the loop: then the iteration is not complete."""
        frame = path.top
        return frame.number == 0 and frame.outline.graph.numbers[target] not in loop.blocks

    def _enter(self, path: Path, target: str, loop: Loop) -> Iterator[Path]:
        """Over an edge: phis, the end of the iteration, inner loops."""
        if self._leaves(path, target, loop):
            return
        frame = path.top
        source = frame.block.name
        block = frame.outline.blocks[target]
        new: dict[str, Content | None] = {}
        for phi in block.phis:
            assert phi.result is not None
            new[phi.result.name] = self.value(path, next(value for value, name in phi.incoming if name == source))
        frame.registers.update(new)
        graph = frame.outline.graph
        number = graph.numbers[target]
        if frame.number == 0 and number == loop.header:
            frame.index = -1
            yield path
            return
        frame.block, frame.index = block, len(new)
        inner = frame.outline.forest.headed_by(number)
        if inner is None:
            if any(number in each.entries for each in frame.outline.forest.around(number) if each.irreducible):
                raise Refused("an inner loop has several entries")
            yield path
        elif graph.numbers[source] not in inner.blocks:
            if inner.irreducible:
                raise Refused("an inner loop has several entries")
            yield from self._jump(path, target)

    # Inner loops

    def _jump(self, path: Path, header: str) -> Iterator[Path]:
        """Over all iterations of an inner loop but the last, incomplete one."""
        closure = self._closing(path.top.outline.function.name, header)
        if not closure.exact and closure.disjuncts:
            path.doubt(f"an inner loop is not exact: {closure.reason}")
        for disjunct in closure.disjuncts:
            way = path.copy()
            way.reads_inputs |= closure.reads_inputs
            variables = {v: None for constraint in disjunct for v in constraint.variables}
            for end, values in self._values(way, list(variables)):
                after = {v: self._renewed(end, v) for v in closure.changed}
                for variable in variables:
                    if isinstance(variable, After):
                        values[variable] = after[variable.of]
                constraints = [each.about(_substituted(each.linear, values)) for each in disjunct]
                if end.assume(constraints):
                    for variable, linear in after.items():
                        self._set(end, variable, Number(linear, variable.width))
                    for variable in closure.havocked:
                        self._forget(end, variable)
                    yield end
        yield path

    def _values(self, path: Path, variables: list[Variable]) -> Iterator[tuple[Path, dict[Variable, Linear]]]:
        """The variables of a closure before the inner loop, and new unknowns, one after the other."""
        ways: list[tuple[Path, dict[Variable, Linear]]] = [(path, {})]
        for variable in variables:
            following: list[tuple[Path, dict[Variable, Linear]]] = []
            for way, values in ways:
                match variable:
                    case Unknown():
                        following.append((way, values | {variable: way.unknown(-(1 << 80), 1 << 80)}))
                    case Before(of=of) | (Fixed() as of):
                        following += [
                            (end, values | {variable: linear})
                            for end, linear in in_view(way, self._get(way, of), of.signed, self.limits)
                        ]
                    case _:
                        following.append((way, values))
            ways = following
        yield from ways

    def _get(self, path: Path, of: LoopVariable | Fixed) -> Number:
        if isinstance(of.place, Register):
            known = self.value(path, of.place)
        else:
            register = Register("", IntType(of.width))
            known = self.contents.load(path, self._address(path, of.place), register)
        return known if isinstance(known, Number) else path.opaque(of.width, "an inner loop uses a condition")

    def _renewed(self, path: Path, variable: LoopVariable) -> Linear:
        return path.unknown(variable.least, variable.greatest)

    def _address(self, path: Path, place: Memory) -> Address:
        return Address(path.top.number if isinstance(place.object, tuple) else 0, place.object, place.offset)

    def _set(self, path: Path, variable: LoopVariable, value: Number) -> None:
        if isinstance(variable.place, Register):
            path.give(variable.place, value)
        else:
            where = self._address(path, variable.place)
            store = ir.Store(None, None, ConstInt(IntType(variable.width), 0), ConstNull(), 1)
            self.contents.store(path, where, value, store)

    def _forget(self, path: Path, variable: LoopVariable) -> None:
        if isinstance(variable.place, Register):
            path.give(variable.place, None)
        else:
            where = self._address(path, variable.place)
            self.contents.blur(path, where.frame, where.object, "an inner loop writes memory that is not followed")

    # Instructions

    def _compute(self, path: Path, i: ir.Instruction) -> Iterator[Path]:
        """Instructions without control: each result of theirs on its own path."""
        if i.result is not None and isinstance(i.result.type, FloatType):
            raise Refused("it computes with floating-point numbers")
        for way, value in self._results(path, i):
            way.give(i.result, value)
            yield way

    def _results(self, path: Path, i: ir.Instruction) -> arithmetic.Results:
        limits = self.limits
        match i:
            case ir.Binary(op="and" | "or" as op, left=left, right=right) if left.type == I1:
                yield path, Junction(self.truth(path, left), self.truth(path, right), op == "or")
            case ir.Binary(op="xor", left=left, right=ConstInt(value=1)) if left.type == I1:
                yield path, Opposite(self.truth(path, left))
            case ir.Binary(op=op, left=left, right=right, flags=flags) if is_number(left.type):
                for way, first in self.number(path, left):
                    for end, second in self.number(way, right):
                        yield from arithmetic.binary(end, op, first, second, "disjoint" in flags, limits)
            case ir.Compare(floating=True):
                raise Refused("it compares floating-point numbers")
            case ir.Compare(predicate=predicate, left=left, right=right) if is_number(left.type):
                for way, first in self.number(path, left):
                    for end, second in self.number(way, right):
                        yield end, Test(predicate, first, second)
            case ir.Compare():
                yield path, Open("the body compares pointers")
            case ir.Cast(op="zext" | "sext" as op, operand=operand, to=IntType(width=width)) if width <= 64:
                for way, number in self.number(path, operand):
                    yield from arithmetic.extended(way, number, width, op == "sext", limits)
            case ir.Cast(op="trunc", operand=operand, to=IntType(width=width)) if is_number(operand.type):
                for way, number in self.number(path, operand):
                    yield way, Number(number.linear, width)
            case ir.Freeze(operand=operand):
                yield path, self.value(path, operand)
            case ir.Select(condition=condition, if_true=yes, if_false=no) if condition.type == I1:
                truth = self.truth(path, condition)
                for wanted, chosen in ((False, no), (True, yes)):
                    for way in assume(path.copy(), truth, wanted, limits):
                        yield way, self.value(way, chosen)
            case ir.ExtractValue(aggregate=Register(name=name), indices=(place,)):
                pair = path.top.registers.get(name)
                yield path, (pair.overflow if place else pair.number) if isinstance(pair, Pair) else None
            case ir.Load(pointer=pointer, result=Register() as result):
                yield path, self.contents.load(path, self.contents.address(path.top, pointer), result)
            case ir.Store():
                yield from self._store(path, i)
            case _:
                yield path, self._pointer(path, i)

    def _store(self, path: Path, i: ir.Store) -> arithmetic.Results:
        where = self.contents.address(path.top, i.pointer)
        if isinstance(i.value, ConstFloat) or isinstance(i.value.type, FloatType):
            raise Refused("it computes with floating-point numbers")
        if not is_number(i.value.type):
            self.contents.store(path, where, None, i)
            yield path, None
            return
        for way, number in self.number(path, i.value):
            self.contents.store(way, where, number, i)
            yield way, None

    def _pointer(self, path: Path, i: ir.Instruction) -> Content | None:
        match i:
            case ir.GetElementPtr():
                return self.contents.element(path.top, i)
            case ir.Alloca(result=Register(name=name)):
                path.unknowns += 1  # a number of its own
                return Address(path.unknowns, (path.top.outline.function.name, name), 0)
            case ir.Cast(op="bitcast", operand=operand):
                return self.value(path, operand)
        if i.result is not None and is_number(i.result.type):
            assert isinstance(i.result.type, IntType)
            return path.opaque(i.result.type.width, "the body computes what is not followed")
        return None


def _substituted(linear: Linear, values: dict[Variable, Linear]) -> Linear:
    """With expressions in the place of all variables at once."""
    result = Linear.number(linear.constant)
    for variable, factor in linear.terms.items():
        result = result.plus(values[variable], factor)
    return result


def _ranges(i: ir.Switch, greatest: int) -> list[tuple[int, int, str]]:
    """The values of a switch as ranges with one target each."""
    found: list[tuple[int, int, str]] = []
    at = 0
    for value, target in sorted(i.cases):
        if value > at:
            found.append((at, value - 1, i.default))
        found.append((value, value, target))
        at = value + 1
    if at <= greatest:
        found.append((at, greatest, i.default))
    merged: list[tuple[int, int, str]] = []
    for first, last, target in found:
        if merged and merged[-1][2] == target:
            merged[-1] = (merged[-1][0], last, target)
        else:
            merged.append((first, last, target))
    return merged
