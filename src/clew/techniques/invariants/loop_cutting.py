"""Loops cut open: a program in which the iterations beyond a bound are one, from any state that the invariant allows.

    before:                 after, for a bound of N:
      header: ...             header:  %done = phi [ 0, outside ], [ %next, again ], [ %next, rest ]
                                       ...
      latch:                  latch:   br again
        br header             again:   %next = %done + 1; N > %done ? header : more
                              more:    N == %done ? rest : stop
                              rest:    new values for all that the loop changes; assume the invariant; br header
                              stop:    the path ends: its state is one of those that rest has begun with

Whatever a real execution does, the cut program can do: in each loop, iterations up to the bound as they are, and any
later one through ``rest``, as the state before it satisfies the invariant. So what no path of the cut program violates
holds, at any number of iterations. The converse is not true: what a path of it shows may not be.

A loop is cut if all that it changes can be given new values (``changes``).
"""

from __future__ import annotations

import dataclasses
from dataclasses import field

from clew.analysis.absint.analyse import Invariants
from clew.analysis.absint.linear import Constraint
from clew.analysis.absint.variables import Cell, Held
from clew.analysis.escape import Object
from clew.analysis.graph import Loop, dominators
from clew.analysis.mod_ref import ModRef
from clew.base.dataclass import dataclass
from clew.execute.instrument.havoc import assume, havoc_object, havoc_register
from clew.program import instructions as ir
from clew.program.module import Block, Function, Program
from clew.program.types import I1, I8, I32, I64, PTR, IntType
from clew.program.values import ConstInt, ConstUndef, GlobalRef, Register, Value
from clew.techniques.invariants.limits import USUAL, Limits
from clew.techniques.invariants.loop_effects import Changes, Nameable


@dataclass(frozen=True, slots=True)
class Cut:
    """A program with its loops cut open."""

    program: Program
    loops: tuple[tuple[str, str], ...]
    """Function and header of those that are."""
    left: tuple[tuple[str, str], ...]
    """The same, of those that are as they were."""


def cut_open(effects: ModRef, invariants: Invariants, bound: int = 0, limits: Limits = USUAL) -> Cut:
    """The program with every loop cut for which that can be done."""
    program = effects.program
    functions = dict(program.functions)
    done: list[tuple[str, str]] = []
    left: list[tuple[str, str]] = []
    for name in sorted({frame.function.name for frame in invariants.frames}):
        surgeon = _Surgeon(effects, invariants, name, bound, limits)
        outline = surgeon.outline
        for loop in outline.forest.loops:
            (done if surgeon.cut(loop) else left).append((name, outline.graph.names[loop.header]))
        functions[name] = surgeon.function()
    return Cut(dataclasses.replace(program, functions=functions), tuple(done), tuple(left))


@dataclass(slots=True)
class _Draft:
    """A block under construction."""

    name: str
    instructions: list[ir.Instruction] = field(default_factory=list)

    def add(self, instruction: ir.Instruction) -> Value:
        self.instructions.append(instruction)
        return instruction.result if instruction.result is not None else ConstUndef(I1)

    def block(self) -> Block:
        return Block(self.name, tuple(self.instructions))


class _Surgeon:
    """Cuts the loops of one function."""

    def __init__(self, effects: ModRef, invariants: Invariants, name: str, bound: int, limits: Limits) -> None:
        self._invariants = invariants
        self._limits = limits
        self._function = effects.program.functions[name]
        self.outline = invariants.outline(invariants.frames_of(name)[0])
        tree = dominators(self.outline.graph)
        self._changes = Changes(effects, invariants, name, tree, limits.renewed_bytes)
        self._nameable = Nameable(invariants, self._function, tree)
        self._bound = bound
        self._blocks = dict(self.outline.blocks)
        self._added: list[Block] = []
        self._serial = 0

    def function(self) -> Function:
        """The function as it is now."""
        blocks = tuple(self._blocks[block.name] for block in self._function.blocks)
        return dataclasses.replace(self._function, blocks=(*blocks, *self._added))

    def cut(self, loop: Loop) -> bool:
        """Cut one loop; whether that was possible."""
        objects = self._changes.objects(loop)
        if objects is None:
            return False
        self._operate(loop, self.outline.graph.names[loop.header], objects)
        return True

    # How

    def _name(self, what: str) -> str:
        self._serial += 1
        return f"clew.{what}.{self._serial}"

    def _operate(self, loop: Loop, header: str, objects: list[Object]) -> None:
        names = self.outline.graph.names
        latches = {names[number] for number in loop.latches}
        done, following = Register(self._name("done"), I32), Register(self._name("next"), I32)
        again, more, rest, stop = (_Draft(self._name(what)) for what in ("again", "more", "rest", "stop"))
        old = self._blocks[header]
        phis = old.phis
        carried: list[Value] = []
        changed: list[ir.Instruction] = []
        renewed = {}
        for phi in phis:
            assert phi.result is not None
            inside = tuple((value, source) for value, source in phi.incoming if source in latches)
            carried.append(again.add(ir.Phi(Register(self._name("carried"), phi.result.type), None, inside)))
            renewed[phi.result.name] = rest.add(havoc_register(Register(self._name("any"), phi.result.type)))
        counted = again.add(
            ir.Phi(Register(self._name("count"), I32), None, tuple((done, name) for name in sorted(latches)))
        )
        again.add(ir.Binary(following, None, "add", counted, ConstInt(I32, 1)))
        goes = again.add(ir.Compare(Register(self._name("goes"), I1), None, "ult", counted, ConstInt(I32, self._bound)))
        again.add(ir.Branch(None, None, goes, header, more.name, implicit=True))
        is_next = more.add(ir.Compare(Register(self._name("is"), I1), None, "eq", counted, ConstInt(I32, self._bound)))
        more.add(ir.Branch(None, None, is_next, rest.name, stop.name, implicit=True))
        for thing in objects:
            self._refill(rest, thing)
        self._assume(rest, loop, header, renewed)
        rest.add(ir.Jump(None, None, header))
        stop.add(assume(ConstInt(I32, 0)))
        stop.add(ir.Unreachable(None, None))
        outside = [source for source in self._predecessors(loop) if source not in latches]
        for phi, value in zip(phis, carried, strict=True):
            assert phi.result is not None
            kept = tuple((given, source) for given, source in phi.incoming if source not in latches)
            incoming = (*kept, (value, again.name), (renewed[phi.result.name], rest.name))
            changed.append(dataclasses.replace(phi, incoming=incoming))
        zero = tuple((ConstInt(I32, 0), source) for source in outside)
        changed.append(ir.Phi(done, None, (*zero, (following, again.name), (following, rest.name))))
        self._blocks[header] = _with_phis(old, changed)
        for latch in latches:
            self._blocks[latch] = _redirected(self._blocks[latch], header, again.name)
        self._added += [again.block(), more.block(), rest.block(), stop.block()]

    def _predecessors(self, loop: Loop) -> list[str]:
        graph = self.outline.graph
        return [graph.names[number] for number in graph.predecessors[loop.header]]

    def _refill(self, rest: _Draft, thing: Object) -> None:
        size = self._changes.size(thing)
        assert size is not None
        rest.add(havoc_object(self._address(thing), ConstInt(I64, size)))

    def _address(self, thing: Object) -> Value:
        if isinstance(thing, str):
            return GlobalRef(thing)
        assert isinstance(thing, tuple)
        return Register(thing[1], PTR)

    # The invariant

    def _assume(self, rest: _Draft, loop: Loop, header: str, renewed: dict[str, Value]) -> None:
        state = self._nameable.again(loop, header)
        if state is None:
            rest.add(assume(ConstInt(I32, 0)))  # there is no second iteration
            return
        for constraint in state.constraints()[: self._limits.assumed]:
            widths = [self._invariants.width(v) for v in constraint.variables if isinstance(v, Held | Cell)]
            if constraint.equality:
                # As the program itself computes, modulo the width: solvers see through that with ease.
                self._assume_one(rest, constraint, max(widths), renewed)
            width = self._width(constraint)
            if width is not None:
                self._assume_one(rest, constraint, width, renewed)

    def _assume_one(self, rest: _Draft, constraint: Constraint, width: int, renewed: dict[str, Value]) -> None:
        """A constraint computed in so many bits."""
        total: Value = ConstInt(IntType(width), constraint.linear.constant % (1 << width))
        for variable, factor in sorted(constraint.linear.terms.items(), key=repr):
            assert isinstance(variable, Held | Cell)
            value = self._widened(rest, self._value(rest, variable, renewed), variable, width)
            scaled = rest.add(_binary(self._name("scaled"), "mul", value, ConstInt(value.type, factor % (1 << width))))
            total = rest.add(_binary(self._name("sum"), "add", total, scaled))
        predicate = "eq" if constraint.equality else "sge"
        holds = rest.add(ir.Compare(Register(self._name("holds"), I1), None, predicate, total, ConstInt(total.type, 0)))
        flag = rest.add(ir.Cast(Register(self._name("flag"), I32), None, "zext", holds, I32))
        rest.add(assume(flag))

    def _value(self, rest: _Draft, variable: Held | Cell, renewed: dict[str, Value]) -> Value:
        if isinstance(variable, Held):
            known = renewed.get(variable.register)
            return (
                known if known is not None else Register(variable.register, IntType(self._invariants.width(variable)))
            )
        where: Value = self._address(variable.object)
        if variable.offset:
            offset = ConstInt(I64, variable.offset % (1 << 64))
            where = rest.add(ir.GetElementPtr(Register(self._name("place"), PTR), None, I8, where, (offset,)))
        return rest.add(ir.Load(Register(self._name("cell"), IntType(8 * variable.size)), None, where, 1))

    def _widened(self, rest: _Draft, value: Value, variable: Held | Cell, width: int) -> Value:
        if self._invariants.width(variable) == width:
            return value
        op = "sext" if self._invariants.signed(variable) and self._invariants.width(variable) > 1 else "zext"
        return rest.add(ir.Cast(Register(self._name("wide"), IntType(width)), None, op, value, IntType(width)))

    def _width(self, constraint: Constraint) -> int | None:
        """Bits in which a constraint can be computed without wrapping around."""
        largest = abs(constraint.linear.constant)
        for variable, factor in constraint.linear.terms.items():
            assert isinstance(variable, Held | Cell)
            largest += abs(factor) << self._invariants.width(variable)
        needed = largest.bit_length() + 1
        return next((width for width in (32, 64, 128) if needed <= width), None)


# Pieces of IR


def _binary(name: str, op: str, left: Value, right: Value) -> ir.Binary:
    return ir.Binary(Register(name, left.type), None, op, left, right)


def _with_phis(block: Block, phis: list[ir.Instruction]) -> Block:
    """The block with other phis, one more than there were."""
    rest = [i for i in block.instructions if not isinstance(i, ir.Phi)]
    return dataclasses.replace(
        block,
        instructions=(*phis, *rest),
        updates=tuple(dataclasses.replace(update, index=update.index + 1) for update in block.updates),
        landmarks=tuple(dataclasses.replace(known, index=known.index + 1) for known in block.landmarks),
    )


def _redirected(block: Block, old: str, new: str) -> Block:
    """The block with its way to another one changed."""

    def to(name: str) -> str:
        return new if name == old else name

    match block.terminator:
        case ir.Jump(target=target) as jump:
            last: ir.Instruction = dataclasses.replace(jump, target=to(target))
        case ir.Branch(if_true=yes, if_false=no) as branch:
            last = dataclasses.replace(branch, if_true=to(yes), if_false=to(no))
        case ir.Switch(default=default, cases=cases) as switch:
            last = dataclasses.replace(
                switch, default=to(default), cases=tuple((number, to(target)) for number, target in cases)
            )
        case other:
            last = other
    return dataclasses.replace(block, instructions=(*block.instructions[:-1], last))
