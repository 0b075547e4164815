"""What surrounds a function that is called by somebody unknown: where its memory lies, and which variables and
functions of the program others can get at.

The memory that a function is given lies in a part of the address space of its own: a pointer from outside is null,
lies there, or points to a variable whose address others may have. It cannot be the address of a local variable, nor
of anything that the function allocates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from clew.analysis.callees import Callees
from clew.analysis.callgraph import mentioned, named_by, referenced
from clew.analysis.mod_ref import ModRef
from clew.base.dataclass import dataclass
from clew.base.errors import Unsupported
from clew.base.specification import Promise
from clew.checks.properties import Site
from clew.execute.heap.facts import KnownObject
from clew.execute.heap.shapes import Shapes
from clew.execute.heap.text_length import FEWEST
from clew.memory.globals import Globals
from clew.program import instructions as ir
from clew.program.module import Function, Program
from clew.program.operands import operands
from clew.program.types import OpaqueType, PointerType
from clew.program.values import GlobalRef, Value

VOID_SIZE = 256
"""Bytes of an object whose type does not tell its size."""
_ELSEWHERE = 0x5A5
"""Places for objects by which memory is moved where it is to lie elsewhere."""
_BESIDE = 64 * 37
"""Bytes by which distances of objects differ there."""


@dataclass(frozen=True, slots=True)
class HeapOptions:
    """How far the memory that a function is given goes."""

    array_length: int = 1
    aliases: bool = True
    """Whether two pointers may point to the same object."""
    nulls: bool = True
    depth: int | None = None
    """Pointers behind more pointers than this are null."""
    guesses: bool = False
    """Whether callers are taken to do what most callers do: see ``execute.heap.guesses``."""
    characters: int = FEWEST
    """Of strings that they are taken to pass."""
    own_objects: bool = False
    """Whether they are taken to pass pointers to objects of their own, unless the function compares pointers."""
    promises: tuple[Promise, ...] = ()
    """What the user says of the parameters: see ``execute.heap.promises``."""
    of_tests: bool = True
    """Whether a test that is run again must keep the promises as well."""
    elsewhere: bool = False
    """Whether memory lies at other addresses than usual: what depends on that differs from run to run."""


class Region:
    """Addresses of what a function is given: places for objects, and behind them places for functions."""

    def __init__(self, pointer_bits: int, elsewhere: bool = False) -> None:
        wide = pointer_bits == 64
        self._shift = 38 if wide else 16
        moved = _ELSEWHERE << self._shift if elsewhere else 0
        self._step = (1 << self._shift) + (_BESIDE if elsewhere and wide else 0)
        self.low = (1 << 62 if wide else 0x80000000) + moved
        self.functions = self.low + (1 << 61 if wide else 0x60000000)
        self._last = (self.functions - self.low >> self._shift) - 2 if elsewhere else None
        """The place of the first object, where they are in another order."""
        self.high = self.functions + (1 << 61 if wide else 0x10000000) - moved

    def object(self, number: int, size: int = 0) -> int:
        """The address of an object."""
        address = self.low + (number if self._last is None else self._last - number) * self._step
        if address + size >= self.functions or size >= 1 << self._shift:
            raise Unsupported("so much memory behind the pointers of a function")
        return address

    def holds(self, address: int) -> bool:
        """Whether an object at an address was made for the function."""
        return self.low <= address < self.functions

    def function(self, number: int) -> int:
        """The address of a function that nobody defines."""
        return self.functions + (number << self._shift - 8)

    def function_number(self, address: int) -> int:
        """The inverse."""
        return (address - self.functions) >> self._shift - 8

    def page(self, address: int) -> int:
        """A number that two addresses share if one object may have both."""
        return address >> self._shift


class Surroundings:
    """Facts about the program that hold for every path."""

    def __init__(
        self,
        program: Program,
        addresses: Globals,
        callees: Callees,
        entry: Function,
        options: HeapOptions,
        probes_of: Callable[[Program], Iterable[Site]],
    ) -> None:
        self.program = program
        self.options = options
        self.shapes = Shapes(program.ctypes, program.layout)
        self.region = Region(program.layout.pointer_bits, options.elsewhere)
        self._addresses = addresses
        self._callees = callees
        self._probes_of = probes_of
        self.entry = entry
        self.pointees = self.shapes.pointees([entry.ctype])
        """Types of objects that the function may come to."""

    @cached_property
    def effects(self) -> ModRef:
        return ModRef(self.program, self._callees)

    @cached_property
    def variables(self) -> tuple[KnownObject, ...]:
        """Variables whose address others may have: with external linkage, or where the program gives it away."""
        found = []
        for variable in self.program.globals.values():
            if variable.name not in self._addresses.addresses or _is_nameless(variable.name):
                continue
            if variable.internal and not (variable.ctype >= 0 and self._escapes(variable.name)):
                continue
            size = 0 if isinstance(variable.type, OpaqueType) else self.program.layout.size(variable.type)
            known = self.shapes.size(variable.ctype) == size
            ctype, count = (variable.ctype, 1) if known else (-1, size)
            base = self._addresses.addresses[variable.name]
            if size:
                found.append(KnownObject(base, ctype, count, size, variable.name))
        return tuple(found)

    def _escapes(self, name: str) -> bool:
        if self.program.globals[name].constant:
            return True
        return self.effects.is_escaped(name) and (name in self._released or bool(self.program.constructors))

    @cached_property
    def _released(self) -> frozenset[str]:
        """Names whose addresses go elsewhere than into variables that the function alone makes use of.

        If the function gives away what is in these, the path sees that.
        """
        program, holders = self.program, self._holders
        variables = (variable for variable in program.globals.values() if variable.name not in holders)
        values: list[Value] = [variable.initializer for variable in variables if variable.initializer is not None]
        for function in program.functions.values():
            for instruction in function.instructions():
                match instruction:
                    case ir.Load() | ir.Compare():
                        pass
                    case ir.Store(value=value, pointer=pointer):
                        if not (isinstance(pointer, GlobalRef) and pointer.name in holders):
                            values.append(value)
                    case _:
                        values += operands(instruction)
        return frozenset(name for value in values for name in referenced(value, program))

    @cached_property
    def _holders(self) -> frozenset[str]:
        """Variables that no code but the function, with what it calls, can get at."""
        own = self.effects.calls.reachable(self.entry.name)
        others = [function for function in self.program.functions.values() if function.name not in own]
        used = {name for function in others for name in named_by(self.program, function.name)}
        internal = (variable.name for variable in self.program.globals.values() if variable.internal)
        return frozenset(name for name in internal if name not in used and not self.effects.is_escaped(name))

    @cached_property
    def changeable(self) -> tuple[KnownObject, ...]:
        """Variables that code elsewhere may change."""
        return tuple(known for known in self.variables if not self.is_constant(known))

    def variable_at(self, address: int) -> KnownObject | None:
        """The variable that an address is in."""
        return next((known for known in self.variables if known.base <= address <= known.base + known.size), None)

    def variable_from(self, base: int) -> str | None:
        """The name, as linkers have it, of the program's variable that begins at an address."""
        return self._names.get(base)

    @cached_property
    def _names(self) -> dict[int, str]:
        return {address: name for name, address in self._addresses.addresses.items() if name in self.program.globals}

    def is_constant(self, known: KnownObject) -> bool:
        """Whether this is a variable that cannot be written."""
        return known.number < 0 and self.program.globals[known.name].constant

    def functions(self, ctype: int) -> list[int]:
        """Addresses of the program's functions that a pointer to a function of this type may be."""
        key = self.shapes.key(ctype)
        return [
            self._addresses.addresses[function.name]
            for function in self.program.functions.values()
            if function.name not in self.program.runtime
            and self.shapes.key(function.ctype) == key
            and (not function.internal or function.name in self._given_away)
        ]

    @cached_property
    def _given_away(self) -> frozenset[str]:
        return self._given_away_by(frozenset((*self.program.functions, *self.program.globals)))

    def _given_away_by(self, code: frozenset[str]) -> frozenset[str]:
        """Names that these functions and variables use for more than to call them, and to compare addresses with."""
        program = self.program
        variables = (variable for variable in program.globals.values() if variable.name in code)
        values: list[Value] = [variable.initializer for variable in variables if variable.initializer is not None]
        for function in program.functions.values():
            for block in function.blocks if function.name in code else ():
                for instruction in block.instructions:
                    if isinstance(instruction, ir.Call):
                        values += [argument.value for argument in instruction.arguments]
                    elif not isinstance(instruction, ir.Compare):
                        values += operands(instruction)
        return frozenset(name for value in values for name in referenced(value, program))

    @cached_property
    def measures(self) -> bool:
        """Whether code that the function can get to asks for the order or the distance of two pointers."""
        reachable = self.effects.calls.reachable(self.entry.name)
        return any(_measures(self.program.functions[name]) for name in reachable)

    def function_at(self, address: int) -> str | None:
        """The program's function at an address."""
        return self._addresses.functions.get(address)

    # What callbacks do that call back

    @cached_property
    def calls_back(self) -> bool:
        """Whether it may matter that a callback calls functions of the program.

        It may call functions that it was given, in which anything may go wrong. It may call what other files can name
        at any time: that matters only if the function's own variables change by it, or decide what happens there.
        """
        return bool(self._handed_out) or self._leads_to_target() or self._is_entangled()

    @cached_property
    def _handed_out(self) -> list[str]:
        """The functions that callbacks are given by what the function gets at."""
        visible = [variable.name for variable in self.program.globals.values() if not variable.internal]
        return self._own(self._given_away_by(mentioned(self.program, [self.entry.name, *visible])))

    def _own(self, names: Iterable[str]) -> list[str]:
        """The functions among these names that the program defines."""
        functions = (self.program.functions.get(name) for name in names)
        return [f.name for f in functions if f and not f.is_declaration and f.name not in self.program.runtime]

    @cached_property
    def _visible(self) -> list[str]:
        """The functions that other files can name."""
        return self._own(function.name for function in self.program.functions.values() if not function.internal)

    def _leads_to_target(self) -> bool:
        """Whether a function that other files can name leads to a target of ``reach``."""
        targets = {site.function for site in self._probes_of(self.program)}
        others = (name for name in self._visible if name != self.entry.name)
        return bool(targets) and any(targets & self.effects.calls.reachable(name) for name in others)

    def _is_entangled(self) -> bool:
        """Whether some function changes variables that the entry uses, or uses what that changes, and only they see."""
        used = self._hidden(self.entry.name)
        if not used:
            return False
        written = self.effects.written_by_function(self.entry.name)
        for name in {*self._visible, *self._own(self._given_away)}:
            if self.effects.written_by_function(name) & used or written & self._hidden(name):
                return True
        return False

    def _hidden(self, entry: str) -> int:
        """Variables that only this file can name, and that a function, with all it calls, makes use of."""
        used: set[str] = set()
        for name in self.effects.calls.reachable(entry):
            used.update(named_by(self.program, name))
        variables = [self.program.globals[name] for name in used if name in self.program.globals]
        mask = 0
        for variable in variables:
            if variable.internal and not variable.constant:
                mask |= self.effects.bit(variable.name)
        return mask


def _measures(function: Function) -> bool:
    """Whether a function compares the order of pointers, or subtracts one from another."""
    instructions = [instruction for block in function.blocks for instruction in block.instructions]
    numbers = {i.result for i in instructions if isinstance(i, ir.Cast) and i.op == "ptrtoint"}
    for i in instructions:
        match i:
            case ir.Compare(predicate=predicate, left=left, right=right, floating=False):
                found = predicate not in ("eq", "ne")
            case ir.Binary(op="sub", left=left, right=right):
                found = True
            case _:
                continue
        if found and (isinstance(left.type, PointerType) or (left in numbers and right in numbers)):
            return True
    return False


def _is_nameless(name: str) -> bool:
    """Whether no C code can name a variable: literals, ``__func__``, what the compiler keeps, and what is Clew's."""
    return name.startswith((".", "llvm.", "__clew")) or (name.startswith("__") and "." in name)
