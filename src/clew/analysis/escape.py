"""Which objects a pointer may point to, as far as its own function shows; which objects others can get at.

Objects are abstract: a global, an ``alloca`` (one for all activations of its function), all of the heap together, and
everything else together. Sets of them are bit masks. A pointer of unknown origin (a parameter, a loaded value, the
result of a call) points to any *escaped* object: one whose address was stored, passed on, returned, or is part of an
initializer. As long as an address only flows through the registers of a function, the object is not escaped, and only
the pointers in those registers lead to it. Integers count as carriers of the addresses they were computed from.

Assumed, as C has it: a pointer made from nothing (an input, an uninitialized value, an integer constant) does not
happen to be the address of an object that has not escaped, and an index does not lead from one object into another.

Objects that cannot be written (constants, functions) have no bit: they are in no set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum

from clew.analysis.callees import Callee, CalleeKind, Callees
from clew.analysis.callgraph import is_special, referenced
from clew.analysis.graph import control_flow, reverse_postorder
from clew.analysis.model_effect import Writes
from clew.base.dataclass import dataclass
from clew.base.pattern import pattern
from clew.program import instructions as ir
from clew.program.module import Function, Program
from clew.program.operands import operands
from clew.program.types import PointerType
from clew.program.values import ConstAggregate, ConstBytes, ConstExpr, ConstNull, ConstZero, GlobalRef, Register, Value


class Area(Enum):
    """Objects that are not told apart."""

    HEAP = "heap"
    OTHER = "other"
    """Copies of arguments, variable arguments, what libc and the system own, inputs of the harness."""


Object = str | tuple[str, str] | Area
"""A global by its name, an ``alloca`` by its function and register, or an area."""

UNKNOWN = 1
"""In a raw mask: any escaped object. Masks that leave this package do not have it."""
HEAP = 2
OTHER = 4

_PASSING_CASTS = frozenset({"bitcast", "addrspacecast", "ptrtoint", "ptrtoaddr", "inttoptr"})
_FIRST_ARGUMENT = pattern(
    r"llvm\.(expect|ssa\.copy|launder\.invariant|strip\.invariant|ptr\.annotation|annotation|threadlocal\.address"
    r"|preserve\.array\.access|arithmetic\.fence|freeze)\b"
)
"""Intrinsics whose result is their first argument."""
WRITING = ("llvm.memcpy", "llvm.memmove", "llvm.memset", "llvm.va_start", "llvm.va_copy")
"""Intrinsics that write where their first argument points to (they do not read there). The engine knows no others."""
_DIRECTIVE = pattern(rb"%[-+ #0'I]*(?:\*|\d+)?(?:\.(?:\*|\d*))?(?:hh|h|ll|l|j|z|t|L|q)?(.|\Z)", re.DOTALL)
_LETTERS = frozenset(bytes([letter]) for letter in b"diouxXcspfFeEgGaAnm%")

_ENDS = (ir.Load, ir.VaArg, ir.AtomicUpdate, ir.CompareExchange, ir.Compare)
"""Instructions whose result has nothing to do with the addresses among their operands."""
_ACTING = (ir.Store, ir.Call, ir.AtomicUpdate, ir.CompareExchange, ir.VaArg, ir.Alloca)
"""Instructions that may write memory."""


@dataclass(slots=True)
class KnownObjects:
    """What is found out about one function."""

    origins: dict[str, int]
    """Raw masks of registers; those not in it are just UNKNOWN."""
    acting: dict[str, list[ir.Instruction]]
    """Per block that can be reached, the instructions that may write memory."""


class Origins:
    """Objects and pointers of a whole program."""

    def __init__(self, program: Program, callees: Callees) -> None:
        self.program = program
        self.callees = callees
        self._bits: dict[Object, int] = {Area.HEAP: HEAP, Area.OTHER: OTHER}
        self._objects: list[Object] = [Area.HEAP, Area.OTHER]
        self._globals: dict[str, int] = {}
        for variable in program.globals.values():
            if not variable.constant and not is_special(variable.name):
                self._globals[variable.name] = self._number(variable.name)
        self.escaped = HEAP | OTHER
        """The objects that a pointer of unknown origin may lead to."""
        for variable in program.globals.values():
            if variable.initializer is not None and not is_special(variable.name):
                self.escaped |= self.constant(variable.initializer)
        self.functions = {
            function.name: self._study(function)
            for function in program.functions.values()
            if not function.is_declaration
        }
        self.escaped &= ~UNKNOWN

    # Objects

    def _number(self, thing: Object) -> int:
        bit = self._bits[thing] = 1 << (len(self._objects) + 1)
        self._objects.append(thing)
        return bit

    def bit(self, thing: Object) -> int:
        """The mask of one object: of a global (by name), an ``alloca`` (function, register), or an ``Area``.

        0 for what cannot be written: constants, functions, and what the program does not have.
        """
        return self._bits.get(thing, 0)

    def objects(self, mask: int) -> list[Object]:
        """The objects of a mask."""
        return [thing for number, thing in enumerate(self._objects, 1) if mask >> number & 1]

    def expand(self, raw: int) -> int:
        """A raw mask with the unknown replaced by what it may be."""
        return (raw & ~UNKNOWN) | self.escaped if raw & UNKNOWN else raw

    # Values

    def constant(self, value: Value) -> int:
        """All objects whose address a constant is made of."""
        mask = 0
        for name in referenced(value, self.program):
            mask |= self._globals.get(name, 0)
        return mask

    def of(self, value: Value, known: dict[str, int], default: int = UNKNOWN) -> int:
        """The raw mask of a value, given those of registers."""
        kind = type(value)
        if kind is Register:
            return known.get(value.name, default)  # type: ignore[attr-defined]  # a type test, which mypy does not follow
        if isinstance(value, GlobalRef):
            bit = self._globals.get(value.name)
            return self.constant(value) if bit is None else bit
        if kind is ConstNull or kind is ConstZero:
            return 0
        if isinstance(value, ConstExpr):
            through = value.op == "getelementptr" or value.op in _PASSING_CASTS
            base = self.of(value.operands[0], known) if through else UNKNOWN
            if value.op == "getelementptr" and isinstance(value.operands[0], ConstNull):
                base = UNKNOWN
            return base | self.constant(value)
        if kind is ConstAggregate:
            return UNKNOWN | self.constant(value)
        return UNKNOWN

    def _through(self, instruction: ir.Instruction, known: dict[str, int]) -> int:
        """The raw mask of a result that is computed from operands alone."""
        mask = 0
        match instruction:
            case ir.GetElementPtr(base=base, indices=indices):
                mask = UNKNOWN if type(base) is ConstNull else self.of(base, known, 0)
                for index in indices:
                    mask |= self.of(index, known, 0) & ~UNKNOWN
                return mask
            case ir.Phi(incoming=incoming):
                for value, _ in incoming:
                    mask |= self.of(value, known, 0)
                return mask
            case ir.Select(if_true=yes, if_false=no):
                return self.of(yes, known, 0) | self.of(no, known, 0)
            case ir.Freeze(operand=operand):
                return self.of(operand, known, 0)
            case ir.Cast(op=op, operand=operand) if op in _PASSING_CASTS:
                return self.of(operand, known, 0)
            case ir.Binary(op="sub", left=left, right=right):
                mask = self.of(left, known, 0)
                if mask > OTHER and mask & (mask - 1) == 0 and mask == self.of(right, known, 0):
                    return UNKNOWN  # two places in one object: their distance is no address
            case ir.Call(arguments=arguments):
                target = self.callees.resolve(instruction)
                if target.kind is not CalleeKind.INTRINSIC:
                    return UNKNOWN
                if _FIRST_ARGUMENT.match(target.name):
                    return self.of(arguments[0].value, known, 0)
        for value in operands(instruction):
            mask |= self.of(value, known, 0)
        return UNKNOWN | mask

    # Functions

    def _study(self, function: Function) -> KnownObjects:
        graph = control_flow(function)
        known: dict[str, int] = {}
        flow: list[ir.Instruction] = []
        phis: list[ir.Instruction] = []
        acting: dict[str, list[ir.Instruction]] = {}
        leaving: list[ir.Instruction] = []
        for parameter in function.parameters:
            assert isinstance(parameter.value, Register)
            known[parameter.value.name] = UNKNOWN
        for number in reverse_postorder(graph):
            block = function.blocks[number]
            here: list[ir.Instruction] = []
            for instruction in block.instructions:
                if isinstance(instruction, _ACTING):
                    here.append(instruction)
                elif type(instruction) is ir.Return:
                    leaving.append(instruction)
                result = instruction.result
                if result is None:
                    continue
                if isinstance(instruction, ir.Alloca):
                    known[result.name] = self._number((function.name, result.name))
                elif isinstance(instruction, _ENDS):
                    known[result.name] = UNKNOWN
                else:
                    flow.append(instruction)
                    known[result.name] = self._through(instruction, known)
                    if type(instruction) is ir.Phi:
                        phis.append(instruction)
            if here:
                acting[block.name] = here
        # Definitions come before uses but for phis: as long as these change, once more.
        while self._again(phis, known):
            self._again(flow, known)
        for instruction in leaving:
            self.escaped |= self._released(instruction, known)
        for instructions in acting.values():
            for instruction in instructions:
                self.escaped |= self._released(instruction, known)
        return KnownObjects({name: mask for name, mask in known.items() if mask != UNKNOWN}, acting)

    def _again(self, instructions: Iterable[ir.Instruction], known: dict[str, int]) -> bool:
        changed = False
        for instruction in instructions:
            assert instruction.result is not None
            name = instruction.result.name
            mask = known[name] | self._through(instruction, known)
            if mask != known[name]:
                known[name] = mask
                changed = True
        return changed

    # Escapes and writes

    def _released(self, instruction: ir.Instruction, known: dict[str, int]) -> int:
        """The objects whose addresses an instruction gives to others."""
        mask = 0
        match instruction:
            case ir.Store(value=value) | ir.AtomicUpdate(value=value) | ir.Return(value=value) if value is not None:
                mask = self.of(value, known)
            case ir.CompareExchange(replacement=replacement):
                mask = self.of(replacement, known)
            case ir.Call():
                for argument in self._kept(instruction):
                    mask |= self.of(argument, known)
        return mask

    def _kept(self, call: ir.Call) -> list[Value]:
        """The arguments whose addresses a call may keep."""
        target = self.callees.resolve(call)
        arguments = [argument.value for argument in call.arguments]
        if target.kind is CalleeKind.INTRINSIC:
            return []
        if target.kind is CalleeKind.FUNCTION:
            return [argument.value for argument in call.arguments if argument.byval is None]
        effect = target.effect
        if effect.keeps:
            return arguments
        if effect.format is None:
            return [value for value in arguments if not isinstance(value.type, PointerType)]
        # Text can carry addresses: the pointers behind the format must be strings to be printed.
        rest = arguments[effect.format + 1 :]
        letters = self._directives(arguments, effect.format)
        pointers = sum(isinstance(value.type, PointerType) for value in rest)
        if letters is None or b"p" in letters or letters.count(b"s") < pointers:
            return rest
        return [value for value in rest if not isinstance(value.type, PointerType)]

    def written(self, call: ir.Call, target: Callee, known: dict[str, int]) -> int:
        """The raw mask of what a call writes that does not go to a function of the program."""
        arguments = [argument.value for argument in call.arguments]
        if target.kind is CalleeKind.INTRINSIC:
            if not arguments or not target.name.startswith(WRITING):
                return 0
            return self.of(arguments[0], known) | (OTHER if target.name.startswith("llvm.va_") else 0)
        if target.kind is not CalleeKind.MODEL:
            return 0  # assembly ends the path; what an unknown function would write, the engine does not explore
        effect = target.effect
        writes = effect.writes
        if effect.format is not None:
            letters = self._directives(arguments, effect.format)
            if letters is None or b"n" in letters:
                writes = Writes.ANYTHING
            else:
                arguments = arguments[: effect.format]
        if writes is Writes.NOTHING:
            return 0
        mask = HEAP | OTHER
        if writes is Writes.OWN:
            return mask
        for place, value in enumerate(arguments):
            if isinstance(value.type, PointerType) or place >= len(call.type.params):
                mask |= self.of(value, known)
        return mask | UNKNOWN if writes is Writes.ANYTHING else mask

    def _directives(self, arguments: list[Value], place: int) -> list[bytes] | None:
        """The letters of the conversions of a format; None where it is no constant text."""
        if place >= len(arguments):
            return None
        form = arguments[place]
        variable = self.program.globals.get(form.name) if isinstance(form, GlobalRef) else None
        if variable is None or not variable.constant:
            return None
        if isinstance(variable.initializer, ConstZero):
            return []
        if not isinstance(variable.initializer, ConstBytes):
            return None
        found = [match[1] for match in _DIRECTIVE.finditer(variable.initializer.data.partition(b"\0")[0])]
        return found if all(letter in _LETTERS for letter in found) else None
