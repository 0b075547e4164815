"""Where pointers lead, across functions: which objects each register may point to, and each object's contents.

Finer than ``clew.analysis.escape``, whose objects it shares: a parameter points to what the calls pass, a loaded
pointer to what was stored there, instead of to all that ever escaped. The order of instructions and the fields of an
object make no difference. Whatever an address is computed into or copied to carries it: integers of its size and single
bytes too. Assumed as there: a pointer that is made from nothing (an input) does not lead to an object by luck.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from clew.analysis.callees import Callee, CalleeKind
from clew.analysis.callgraph import CallGraph, is_special, referenced
from clew.analysis.escape import HEAP, OTHER, WRITING
from clew.analysis.mod_ref import ModRef
from clew.analysis.model_effect import Writes
from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.operands import operands
from clew.program.types import FloatType, IntType, PointerType, Type
from clew.program.values import ConstInt, Register, Value

Use = tuple[int, ir.Instruction]
"""An instruction, and the number of its block."""

_ALLOCATING = frozenset("malloc calloc aligned_alloc memalign strdup __strdup strndup __strndup realloc".split())
_COPYING = ("llvm.memcpy", "llvm.memmove", "llvm.va_copy")


class Uses:
    """Who reads the registers of a function."""

    def __init__(self, function: Function, calls: CallGraph) -> None:
        self.function = function
        self.users: dict[str, list[Use]] = {}
        self.others: list[tuple[int, ir.Instruction, Value]] = []
        """Operands that are neither registers nor numbers."""
        self.calls: list[tuple[int, ir.Call]] = []
        """Calls of all that is more than an instruction: not of intrinsics that just compute."""
        self.targets: dict[int, tuple[Callee, ...]] = {}
        """What each call, by its identity, may go to: kinds and names."""
        self.home: dict[str, int] = {}
        """The block that sets each register; the first for parameters."""
        for parameter in function.parameters:
            assert isinstance(parameter.value, Register)
            self.home[parameter.value.name] = 0
        for number, block in enumerate(function.blocks):
            for instruction in block.instructions:
                if instruction.result is not None:
                    self.home[instruction.result.name] = number
                if type(instruction) is ir.Call:
                    possible = self.targets[id(instruction)] = calls.possible_targets(instruction)
                    if possible and (
                        possible[0].kind is not CalleeKind.INTRINSIC or possible[0].name.startswith(WRITING)
                    ):
                        self.calls.append((number, instruction))
                for value in operands(instruction):
                    if type(value) is Register:
                        self.users.setdefault(value.name, []).append((number, instruction))
                    elif type(value) is not ConstInt:
                        self.others.append((number, instruction, value))


class Targets:
    """Pointers of the functions that may run, given who uses what in them."""

    def __init__(self, effects: ModRef, functions: dict[str, Uses], entry: str) -> None:
        self._program = effects.program
        self._effects = effects
        self._functions = functions
        self._points: dict[str, dict[str, int]] = {name: {} for name in functions}
        self._stored: dict[int, int] = {}
        """What may have been put into each of some objects, by these."""
        self._loaded: dict[int, int] = {}
        """What may be in any one of some objects, by these: there are far fewer such sets than objects."""
        self._returned: dict[str, int] = dict.fromkeys(functions, 0)
        self._callers: dict[str, list[tuple[str, ir.Call]]] = {name: [] for name in functions}
        self._readers: dict[int, dict[int, tuple[str, ir.Instruction]]] = {}
        """Who loads from these, by identity."""
        self._constants: dict[int, int] = {}
        self._work: deque[tuple[str, ir.Instruction]] = deque()
        self._waiting: set[int] = set()
        self._anywhere = 0
        """What pointers in constants lead to: constants are no objects."""
        self._start(entry)
        while self._work:
            function, instruction = self._work.popleft()
            self._waiting.discard(id(instruction))
            self._visit(function, instruction)

    def pointed(self, function: str, value: Value) -> int:
        """The objects that an operand may point to, as a mask."""
        if type(value) is Register:
            return self._points[function].get(value.name, 0)
        if type(value) is ConstInt:
            return 0
        known = self._constants.get(id(value))
        if known is None:
            known = 0
            for name in referenced(value, self._program):
                known |= self._effects.bit(name)
            self._constants[id(value)] = known
        return known

    # Start

    def _start(self, entry: str) -> None:
        holders: dict[int, int] = {}
        for variable in self._program.globals.values():
            if variable.initializer is not None and not is_special(variable.name):
                mask = self.pointed("", variable.initializer)
                if variable.constant:
                    self._anywhere |= mask
                elif mask:
                    holders[mask] = holders.get(mask, 0) | self._effects.bit(variable.name)
        for mask, where in holders.items():
            self._store(where, mask)
        for name, uses in self._functions.items():
            for instruction in uses.function.instructions():
                if type(instruction) is ir.Alloca and instruction.result is not None:
                    self._point(name, instruction.result, self._effects.bit((name, instruction.result.name)))
            self._again(name, (call for _, call in uses.calls))
            for _, call in uses.calls:
                for target in uses.targets[id(call)]:
                    if target.kind is CalleeKind.FUNCTION:
                        self._callers[target.name].append((name, call))
            self._again(name, (each for _, each, value in uses.others if self.pointed(name, value)))
            if self._anywhere:
                self._again(name, (each for each in uses.function.instructions() if type(each) is ir.Load))
        if entry in self._functions and self._functions[entry].function.parameters:
            self._store(OTHER, OTHER)
            for parameter in self._functions[entry].function.parameters:
                self._point(entry, parameter.value, OTHER)

    # Growing

    def _carries(self, kind: Type) -> bool:
        """Whether a value may hold an address: whole, or one byte of it."""
        if isinstance(kind, IntType):
            return kind.width == 8 or kind.width >= self._program.layout.pointer_bits
        return not isinstance(kind, FloatType)

    def _again(self, function: str, instructions: Iterable[ir.Instruction]) -> None:
        for instruction in instructions:
            if id(instruction) not in self._waiting:
                self._waiting.add(id(instruction))
                self._work.append((function, instruction))

    def _point(self, function: str, register: Value | None, mask: int) -> None:
        if not mask or type(register) is not Register or not self._carries(register.type):
            return
        known = self._points[function]
        before = known.get(register.name, 0)
        if mask & ~before:
            known[register.name] = before | mask
            self._again(function, (user for _, user in self._functions[function].users.get(register.name, ())))

    def _store(self, where: int, mask: int) -> None:
        if not mask & ~self._stored.get(where, 0) or not where:
            return
        self._stored[where] = self._stored.get(where, 0) | mask
        for objects, known in self._loaded.items():
            if objects & where and mask & ~known:
                self._loaded[objects] = known | mask
                for function, reader in self._readers[objects].values():
                    self._again(function, (reader,))

    def _load(self, function: str, instruction: ir.Instruction, where: int) -> int:
        """What is in some objects; the instruction is visited again when that grows."""
        known = self._loaded.get(where)
        if known is None:
            known = self._anywhere
            for objects, mask in self._stored.items():
                if objects & where:
                    known |= mask
            self._loaded[where] = known
            self._readers[where] = {}
        self._readers[where][id(instruction)] = (function, instruction)
        return known

    # Instructions

    def _visit(self, function: str, instruction: ir.Instruction) -> None:
        match instruction:
            case ir.Load(pointer=pointer):
                mask = self._load(function, instruction, self.pointed(function, pointer))
            case ir.Store(value=value, pointer=pointer):
                return self._store(self.pointed(function, pointer), self.pointed(function, value))
            case ir.AtomicUpdate(pointer=pointer, value=value) | ir.CompareExchange(pointer=pointer, replacement=value):
                where = self.pointed(function, pointer)
                mask = self._load(function, instruction, where)
                self._store(where, self.pointed(function, value))
            case ir.VaArg(list=pointer):
                mask = self._load(function, instruction, self.pointed(function, pointer) | OTHER)
            case ir.Call():
                mask = self._call(function, instruction)
            case ir.Return(value=value):
                mask = 0 if value is None else self.pointed(function, value)
                if mask & ~self._returned[function]:
                    self._returned[function] |= mask
                    for caller, call in self._callers[function]:
                        self._again(caller, (call,))
                return None
            case ir.Compare() | ir.Alloca():
                return None
            case _:
                mask = self._union(function, operands(instruction))
        return self._point(function, instruction.result, mask)

    def _union(self, function: str, values: Iterable[Value]) -> int:
        mask = 0
        for value in values:
            mask |= self.pointed(function, value)
        return mask

    def _call(self, function: str, call: ir.Call) -> int:
        mask = 0
        for target in self._functions[function].targets[id(call)]:
            match target.kind:
                case CalleeKind.FUNCTION:
                    mask |= self._enter(function, call, target.name)
                case CalleeKind.INTRINSIC:
                    mask |= self._intrinsic(function, call, target.name)
                case CalleeKind.MODEL:
                    mask |= self._model(function, call, target)
        return mask

    def _enter(self, function: str, call: ir.Call, name: str) -> int:
        parameters = self._functions[name].function.parameters
        for place, argument in enumerate(call.arguments):
            given = self.pointed(function, argument.value)
            if argument.byval is not None:
                self._store(OTHER, self._load(function, call, given))
                given = OTHER
            if place < len(parameters):
                self._point(name, parameters[place].value, given)
            else:
                self._store(OTHER, given)
        return self._returned[name]

    def _intrinsic(self, function: str, call: ir.Call, target: str) -> int:
        given = [self.pointed(function, argument.value) for argument in call.arguments]
        if target.startswith(_COPYING):
            self._store(given[0], self._load(function, call, given[1]))
        elif target.startswith("llvm.va_start"):
            self._store(given[0] | OTHER, OTHER)
        return self._union(function, (argument.value for argument in call.arguments))

    def _model(self, function: str, call: ir.Call, target: Callee) -> int:
        """What a model may do with the pointers it is given and what they lead to, as far as its effect tells."""
        given = self._union(function, (argument.value for argument in call.arguments))
        numbers = (argument.value for argument in call.arguments if not isinstance(argument.value.type, PointerType))
        gives_pointer = isinstance(call.type.result, PointerType)
        back = given if gives_pointer else self._union(function, numbers)
        if target.name in _ALLOCATING:
            self._store(HEAP, self._load(function, call, given))
            return given | HEAP
        match written_by_model(self._effects, function, call, target):
            case Writes.NOTHING:
                return back
            case Writes.OWN:
                return back | HEAP | OTHER if gives_pointer else back
            case Writes.ARGUMENTS:
                kept = given if target.effect.keeps and not target.effect.gives_back else 0
                self._store(given, self._load(function, call, given) | kept)
                return back
        self._store(self._effects.escaped, self._effects.escaped)
        return self._effects.escaped


def written_by_model(effects: ModRef, function: str, call: ir.Call, target: Callee) -> Writes:
    """What a call of a model may write; with ``%n`` in its format that is more than the model says."""
    if not effects.written(call, target, effects.functions[function].origins):
        return Writes.NOTHING
    writes = target.effect.writes
    return Writes.ANYTHING if writes is Writes.NOTHING else writes
