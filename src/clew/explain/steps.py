"""What instructions and edges do to a trail: every value gets its definition.

Values that are no plain arithmetic (loads, results of models) are taken from what execution logged.
"""

from __future__ import annotations

import math
from typing import Any

from clew.analysis.callees import CalleeKind
from clew.analysis.escape import Area
from clew.analysis.graph import NONE
from clew.analysis.mod_ref import ModRef
from clew.base.errors import InternalError
from clew.base.memo import remembered
from clew.execute.machine import Machine
from clew.explain.arithmetic import Arithmetic
from clew.explain.definitions import UNKNOWN, Definition, Lost, value_of
from clew.explain.gates import Gate, gate_of
from clew.explain.memory import Step, guarded
from clew.explain.prefix import Prefix
from clew.explain.trail import Constraint, Cursor, Trail, TrailFrame
from clew.explain.unrolled import RETURN, Edge, Scope, Shape, Unrolled, UnrolledNode
from clew.expr import build
from clew.expr.node import Expr
from clew.program import instructions as ir
from clew.program.types import IntType, Type
from clew.program.values import Constant, ConstUndef, Register, Value

ALLOCATORS = frozenset({"malloc", "calloc", "aligned_alloc"})
MOST_PAGES = 1024
MOST_SYMBOLIC = 1 << 16
"""Bytes of a local array whose size depends on the input: more than execution makes it."""
LOWEST = 4096
"""Smaller numbers are no addresses."""
ANYTHING = -1
"""The mask of all objects."""


class Stepper:
    """Takes trails over instructions and edges."""

    def __init__(self, graph: Unrolled, machine: Machine, effects: ModRef) -> None:
        self._graph = graph
        self._machine = machine
        self._effects = effects
        self._anonymous = effects.bit(Area.HEAP) | effects.bit(Area.OTHER)
        self._prefix: Prefix = Prefix(None, 0, graph.first)
        """The one that is being walked."""
        self._page_bits = machine.initial_memory.page_bits
        self._globals = self._pages_of_globals()

    # Instructions

    def _run(self, trail: Trail, stop: int, items: Cursor) -> None:
        """The straight-line instructions before ``stop``."""
        node = trail.node
        instructions = node.scope.shape.blocks[node.block].instructions
        registers = trail.activation.registers
        arithmetic = self._operations(node.scope.shape.name)
        for index in range(trail.index, stop):
            instruction = instructions[index]
            if isinstance(instruction, _EFFECTS):
                self._effect(trail, instruction, items)
            elif instruction.result is not None and not isinstance(instruction, ir.Phi):
                operation = arithmetic.operation(instruction)
                name = instruction.result.name
                if operation is None:
                    registers[name] = self._opaque()
                    continue
                names, apply = operation
                arguments = tuple([registers[n] for n in names])
                if len(arguments) == 2 and isinstance(instruction, ir.Binary):
                    arguments = self._distance(instruction, arguments)
                defined = Definition(arguments, apply, instruction=instruction, type=instruction.result.type)
                is_number = isinstance(instruction, ir.Cast) and instruction.op in ("ptrtoint", "ptrtoaddr")
                registers[name] = self._number_of(trail, defined) if is_number else defined
        trail.index = stop

    def _number_of(self, trail: Trail, defined: Definition) -> Definition:
        """A pointer as a number. Which one an object gets depends on all that was allocated before it."""
        value = _known(defined)
        if type(value) is int and (value < LOWEST or value >> self._page_bits in self._globals):
            return defined
        opaque = self._opaque(UNKNOWN if value is None else value)
        opaque.arguments, opaque.instruction = defined.arguments, defined.instruction
        return opaque

    def _is_address(self, trail: Trail, value: Any) -> bool:
        """Whether a value that was loaded may be the address of something that was allocated on the way."""
        return type(value) is int and value >> self._page_bits in trail.memory.objects

    def _distance(self, instruction: ir.Binary, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The difference of two pointers into one object does not depend on where it lies."""
        pair = [a.arguments[0] for a in arguments if isinstance(a, Definition) and a.prefix is not None and a.arguments]
        if instruction.op == "sub" and len(pair) == 2:
            left, right = (_known(pointer) for pointer in pair)
            if type(left) is int and type(right) is int and left >> self._page_bits == right >> self._page_bits:
                return tuple(pair)
        return arguments

    def _opaque(self, value: Any = UNKNOWN) -> Definition:
        """A value of which only the path tells where it comes from."""
        return Definition(prefix=self._prefix, value=value)

    @remembered
    def _operations(self, function: str) -> Arithmetic:
        return Arithmetic(self._machine.compiler.function(function))

    def _value(self, trail: Trail, value: Value) -> Any:
        if isinstance(value, Register):
            return trail.activation.registers[value.name]
        if isinstance(value, ConstUndef) or not isinstance(value, Constant):
            return self._opaque()
        return self._machine.globals.evaluate_constant(value)

    def _subject(self, trail: Trail, last: ir.Instruction) -> Any:
        match last:
            case ir.Branch(condition=value) | ir.Switch(value=value) | ir.IndirectBranch(address=value):
                return self._value(trail, value)
            case ir.Call(callee=value):
                return self._value(trail, value)
        raise InternalError(f"{type(last).__name__} chooses nothing")

    # ModRef

    def _effect(self, trail: Trail, instruction: ir.Instruction, items: Cursor) -> None:
        match instruction:
            case ir.Load():
                self._load(trail, instruction, items)
            case ir.Store():
                self._store(trail, instruction)
            case ir.Alloca():
                self._alloca(trail, instruction, items)
            case ir.Call():
                self._called(trail, instruction, items)
            case _:
                self._unclear(trail, instruction, items)

    def _load(self, trail: Trail, i: ir.Load, items: Cursor) -> None:
        assert i.result is not None
        value = items.next()
        pointer = self._value(trail, i.pointer)
        address = _known(pointer)
        size = self._machine.layout.size(i.result.type)
        mask = self._object(trail, address)
        loaded = trail.memory.load(address, size, pointer, mask, trail.step, self._prefix, value)
        loaded.type = i.result.type
        if loaded.arguments and not _same(loaded.arguments[0], value):
            loaded = self._opaque(value)  # stored as another type
        elif isinstance(i.result.type, IntType) and self._is_address(trail, value):
            loaded = self._opaque(value)  # perhaps a pointer that was stored
        trail.activation.registers[i.result.name] = loaded

    def _store(self, trail: Trail, i: ir.Store) -> None:
        pointer = self._value(trail, i.pointer)
        mask = self._effects.written_by(trail.activation.function, i)
        size = self._machine.layout.size(i.value.type)
        if isinstance(i.value, ConstUndef):
            trail.memory.clobber(mask, trail.step)
            return
        trail.memory.store(_known(pointer), size, self._value(trail, i.value), pointer, mask, trail.step)

    def _alloca(self, trail: Trail, i: ir.Alloca, items: Cursor) -> None:
        assert i.result is not None
        address = items.next()
        trail.activation.registers[i.result.name] = Definition(value=address)
        mask = self._effects.bit((trail.activation.function, i.result.name))
        count = _known(self._value(trail, i.count))
        if type(count) is int:
            self._own_pages(trail, address, count * self._machine.layout.size(i.allocated), mask)
        else:
            self._own_pages(trail, address, MOST_SYMBOLIC, ANYTHING)

    def _own_pages(self, trail: Trail, address: int, size: int, mask: int) -> None:
        """Note what lies at some pages. Where nothing is noted may be anything: so it is in huge objects."""
        pages = range(address >> self._page_bits, ((address + size) >> self._page_bits) + 1)
        if len(pages) > MOST_PAGES:
            pages, mask = pages[:1], ANYTHING
        with trail.memory.objects.mutate() as changed:
            for page in pages:
                changed[page] = mask
            trail.memory.objects = changed.finish()

    def _called(self, trail: Trail, i: ir.Call, items: Cursor) -> None:
        """A model or an intrinsic; calls into C functions are edges."""
        callee = self._machine.callees.resolve(i)
        name = callee.name
        registers = trail.activation.registers
        effect = callee.effect
        if effect.assumes:
            self._assumed(trail, i)
            return
        trail.memory.clobber(self._effects.written_by(trail.activation.function, i), trail.step)
        if i.result is None:
            return
        value = items.next()
        if callee.kind is CalleeKind.INTRINSIC:
            operation = self._operations(trail.activation.function).operation(i)
            if operation is not None:
                names, apply = operation
                arguments = tuple(registers[n] for n in names)
                registers[i.result.name] = Definition(arguments, apply, value=value, instruction=i, type=i.result.type)
                return
        if effect.fresh or callee.kind is CalleeKind.UNDEFINED:
            registers[i.result.name] = Definition(value=value)
        elif name in ALLOCATORS:
            registers[i.result.name] = self._allocated(trail, i, value)
        elif effect.pure:
            also = tuple(self._value(trail, argument.value) for argument in i.arguments)
            registers[i.result.name] = Definition(also=also, value=value)
        else:
            registers[i.result.name] = self._opaque(value)

    def _allocated(self, trail: Trail, i: ir.Call, address: Any) -> Definition:
        """A new object of the heap, or null: that depends on the size."""
        sizes = tuple(self._value(trail, argument.value) for argument in i.arguments)
        numbers = [_known(size) for size in sizes]
        if type(address) is not int or not all(type(number) is int for number in numbers):
            return self._opaque(address)
        if address:
            self._own_pages(trail, address, math.prod(numbers), self._anonymous)
        return Definition(also=sizes, value=address)

    def _assumed(self, trail: Trail, i: ir.Call) -> None:
        constraint = self.assumption(trail, i)
        try:
            expression = constraint.says(value_of(constraint.definition))
        except Lost:
            return
        if isinstance(expression, Expr):
            trail.constrain(expression, constraint)

    def assumption(self, trail: Trail, i: ir.Call) -> Constraint:
        """``__VERIFIER_assume``: a constraint of everything that comes through this node."""
        width = self._machine.layout.bits(i.arguments[0].value.type)
        says = itself if width == 1 else (lambda v: build.ne(v, 0, width))
        return Constraint(trail.node.var, self._value(trail, i.arguments[0].value), says)

    def _unclear(self, trail: Trail, instruction: ir.Instruction, items: Cursor) -> None:
        trail.memory.clobber(self._effects.written_by(trail.activation.function, instruction), trail.step)
        if instruction.result is not None:
            trail.activation.registers[instruction.result.name] = self._opaque(items.next())

    def _object(self, trail: Trail, address: Any) -> int:
        """The mask of the object at an address."""
        if type(address) is not int:
            return ANYTHING
        page = address >> self._page_bits
        known = trail.memory.objects.get(page)
        if known is None:
            known = self._globals.get(page)
        return ANYTHING if known is None else known

    def _pages_of_globals(self) -> dict[int, int]:
        machine, found = self._machine, {}
        for name, variable in machine.program.globals.items():
            address = machine.globals.addresses.get(name)
            if address is None:
                continue
            size = machine.layout.size(variable.type) if variable.initializer is not None else 4096
            for page in range(address >> self._page_bits, ((address + size) >> self._page_bits) + 1):
                found[page] = self._effects.bit(name)
        return found

    # From node to node

    def _enter(self, trail: Trail, edge: Edge, items: Cursor) -> None:
        """Walk over an edge."""
        source, target = edge.source, edge.target
        last = last_instruction(source)
        if edge.key == RETURN:
            assert isinstance(last, ir.Return)
            self._return(trail, edge, last)
        elif target.scope.caller is source and target.scope is target.scope.activation:
            assert isinstance(last, ir.Call)
            self._call(trail, edge, last, items)
        elif isinstance(last, ir.Call):
            self._skip(trail, last, items)
        else:
            self._phis(trail, edge, items)
            if source.scope is not target.scope:
                self._leave_loops(trail, edge)
        trail.node, trail.index = target, target.first
        trail.step = Step(target, edge, trail.step)
        trail.memory.steps = trail.memory.steps.set(target, trail.step)

    @staticmethod
    def _leave_loops(trail: Trail, edge: Edge) -> None:
        """What was set in a loop and is used behind it depends on the iteration that was the last."""
        shape, scope, registers = edge.source.scope.shape, edge.source.scope, trail.activation.registers
        while scope.loop != NONE and edge.target.block not in shape.members[scope.loop]:
            for name in shape.outliving[scope.loop]:
                if name in registers:
                    registers[name] = _through(registers[name], (edge.var,), shape.types[name])
            assert scope.parent is not None
            scope = scope.parent

    def _phis(self, trail: Trail, edge: Edge, items: Cursor) -> None:
        registers = trail.activation.registers
        literals = (edge.var,) if guarded(edge) else ()
        scope = edge.target.scope
        first = scope.loop != NONE and scope.index == 0 and edge.target.block == scope.shape.header[scope.loop]
        entered = (scope,) if first else ()
        source = edge.source.block
        gate = self._gate(scope.shape, edge.target.block) if literals else None
        untaken: dict[str, Any] = {}
        found: dict[str, Any] = {}
        for instruction in scope.shape.blocks[edge.target.block].phis:
            assert instruction.result is not None
            incoming = next(value for value, block in instruction.incoming if block == source)
            undefined = isinstance(incoming, ConstUndef)
            value = Definition(value=items.next()) if undefined else self._value(trail, incoming)
            defined = _through(value, literals, instruction.result.type, entered)
            if gate is not None and isinstance(defined, Definition):
                defined.gate = self._gated(trail, instruction, gate, source, value, untaken)
            found[instruction.result.name] = defined
        registers.update(found)

    @remembered
    def _gate(self, shape: Shape, block: str) -> Gate | None:
        return gate_of(shape, block)

    def _gated(
        self, trail: Trail, phi: ir.Phi, gate: Gate, source: str, value: Any, untaken: dict[str, Any]
    ) -> tuple[Any, Any, Any]:
        """The phi as a function of the branch's condition; ``untaken``: what the other arm computes, once known."""
        (other,) = (block for block in gate.sides if block != source)
        arithmetic = self._operations(trail.activation.function)
        registers = trail.activation.registers
        for instruction in gate.arms[other]:
            assert instruction.result is not None
            name = instruction.result.name
            if name in untaken:
                break
            operation = arithmetic.operation(instruction)
            if operation is None:
                untaken[name] = self._opaque()
            else:
                names, apply = operation
                arguments = tuple(untaken[n] if n in untaken else registers[n] for n in names)
                untaken[name] = Definition(arguments, apply, instruction=instruction, type=instruction.result.type)
        incoming = next(given for given, block in phi.incoming if block == other)
        if isinstance(incoming, Register) and incoming.name in untaken:
            alternative = untaken[incoming.name]
        else:
            alternative = self._value(trail, incoming)
        condition = self._value(trail, gate.condition)
        return (condition, value, alternative) if gate.sides[source] else (condition, alternative, value)

    def _call(self, trail: Trail, edge: Edge, i: ir.Call, items: Cursor) -> None:
        function = edge.target.scope.shape.function
        registers: dict[str, Any] = {}
        for position, parameter in enumerate(function.parameters):
            assert isinstance(parameter.value, Register)
            if position >= len(i.arguments):
                given: Any = self._opaque()
            elif (kind := i.arguments[position].byval) is not None:
                # A private copy: its address is logged, its contents count as unknown.
                copied = items.next()
                given = Definition(value=copied)
                size = self._machine.layout.size(kind)
                self._own_pages(trail, copied, size, self._anonymous)
                trail.memory.clobber(self._anonymous, trail.step)
            else:
                given = self._value(trail, i.arguments[position].value)
            registers[parameter.value.name] = given
        trail.activation = TrailFrame(function.name, registers, trail.activation)

    def _skip(self, trail: Trail, i: ir.Call, items: Cursor) -> None:
        """A call through a pointer to something that is no C function."""
        trail.memory.clobber(ANYTHING, trail.step)
        value = items.next()
        if i.result is not None:
            trail.activation.registers[i.result.name] = self._opaque(value)

    def _return(self, trail: Trail, edge: Edge, i: ir.Return) -> None:
        value = None if i.value is None else self._value(trail, i.value)
        activation = trail.activation.parent
        assert activation is not None
        trail.activation = activation = activation.copy()
        caller = edge.source.scope.activation.caller
        if caller is None:
            return
        call = caller.scope.shape.blocks[caller.block].instructions[caller.end - 1]
        if call.result is not None:
            literals = (edge.var,) if guarded(edge) else ()
            activation.registers[call.result.name] = _through(value, literals, call.result.type)


def _through(value: Any, literals: tuple[int, ...], type: Type, entered: tuple[Scope, ...] = ()) -> Any:
    """A value that comes over an edge."""
    if not literals and not entered:
        return value
    return Definition((value,), None, literals, type=type, entered=entered)


def _known(item: Any) -> Any:
    try:
        return value_of(item)
    except Lost:
        return None


def _same(item: Any, value: Any) -> bool:
    known = _known(item)
    return known is value or (type(known) is type(value) and not isinstance(value, Expr) and known == value)


def last_instruction(node: UnrolledNode) -> ir.Instruction:
    """What ends a node: a terminator, or a call."""
    return node.scope.shape.blocks[node.block].instructions[node.end - 1]


def itself(value: Any) -> Any:
    """What a condition says of itself."""
    return value


_EFFECTS = (
    ir.Load, ir.Store, ir.Alloca, ir.Call, ir.AtomicUpdate, ir.CompareExchange, ir.VaArg, ir.Fence,
    ir.UnsupportedInstruction,
)  # fmt: skip
