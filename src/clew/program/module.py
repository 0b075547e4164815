"""Functions, global variables and the whole program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace

from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.program.ctypes import CTypes
from clew.program.instructions import Argument, Instruction, Phi, Terminator
from clew.program.layout import DataLayout
from clew.program.types import FunctionType, Type
from clew.program.values import Constant, Value

FINISH = "__clew_finish"
"""Of the runtime: what runs when ``main`` has returned, where a program has handlers of ``atexit`` or destructors."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A C variable of a function, from debug info. ``parameter`` is 1-based, 0 for locals."""

    name: str
    ctype: int
    """Index into the program's ``CTypes``; -1 when not known."""
    parameter: int
    location: Location | None


@dataclass(frozen=True, slots=True)
class VariableUpdate:
    """From instruction ``index`` of its block on, C variable ``variable`` has ``value``.

    ``declares`` is true for ``#dbg_declare``: then ``value`` is the variable's *address*.
    """

    index: int
    variable: Variable
    value: Value
    declares: bool = False


@dataclass(frozen=True, slots=True)
class Landmark:
    """Before instruction ``index`` of its block, control is at a place of the source without an instruction of its own.

    A C label, or (with an empty name) code that needs none any more, such as an assignment to a promoted variable.
    """

    index: int
    location: Location
    label: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A basic block: straight-line instructions, the last of which is a ``Terminator``."""

    name: str
    instructions: tuple[Instruction, ...]
    updates: tuple[VariableUpdate, ...] = ()
    landmarks: tuple[Landmark, ...] = ()
    """In the order of their indices."""

    @property
    def terminator(self) -> Terminator:
        last = self.instructions[-1]
        assert isinstance(last, Terminator)
        return last

    def inserted(self, added: Mapping[int, tuple[Instruction, ...]]) -> Block:
        """The block with instructions before those at the given indices; what is known by index moves along."""
        instructions: list[Instruction] = []
        for index, instruction in enumerate(self.instructions):
            instructions += (*added.get(index, ()), instruction)

        def moved(index: int) -> int:
            return index + sum(len(more) for place, more in added.items() if place < index)

        updates = tuple(replace(update, index=moved(update.index)) for update in self.updates)
        landmarks = tuple(replace(known, index=moved(known.index)) for known in self.landmarks)
        return Block(self.name, tuple(instructions), updates, landmarks)

    @property
    def phis(self) -> list[Phi]:
        """Those it begins with: there are no others."""
        found: list[Phi] = []
        for instruction in self.instructions:
            if not isinstance(instruction, Phi):
                break
            found.append(instruction)
        return found


@dataclass(frozen=True, slots=True)
class Function:
    """A function; without blocks it is a declaration. The first block is the entry."""

    name: str
    type: FunctionType
    parameters: tuple[Argument, ...]
    """``value`` of each is the parameter's ``Register``."""
    blocks: tuple[Block, ...]
    location: Location | None = None
    ctype: int = -1
    """Index of its C type (a ``CFunction``) in the program's ``CTypes``; -1 when not known."""
    internal: bool = False
    noreturn: bool = False

    @property
    def is_declaration(self) -> bool:
        return not self.blocks

    def instructions(self) -> Iterator[Instruction]:
        """All there are, block by block."""
        return (instruction for block in self.blocks for instruction in block.instructions)

    def definitions(self) -> dict[str, Instruction]:
        """What computes its registers, by their names."""
        return {i.result.name: i for i in self.instructions() if i.result is not None}

    @property
    def source_name(self) -> str:
        return self.location.function if self.location and self.location.function else self.name


@dataclass(frozen=True, slots=True)
class GlobalVariable:
    """A global variable; ``initializer`` None means it is defined elsewhere."""

    name: str
    type: Type
    initializer: Constant | None
    constant: bool
    align: int
    location: Location | None = None
    ctype: int = -1
    source_name: str = ""
    internal: bool = False
    """Whether other files of the program cannot name it."""


@dataclass(frozen=True, slots=True)
class Alias:
    """``@name = alias``: another name for what ``target`` evaluates to."""

    name: str
    target: Constant


@dataclass(frozen=True, slots=True)
class Program:
    """A whole linked program."""

    triple: str
    layout: DataLayout
    functions: dict[str, Function]
    globals: dict[str, GlobalVariable]
    aliases: dict[str, Alias] = field(default_factory=dict)
    ctypes: CTypes = field(default_factory=CTypes)
    constructors: tuple[str, ...] = ()
    """Functions that run before the entry, in order (``llvm.global_ctors``)."""
    source_files: tuple[str, ...] = ()
    destructors: tuple[str, ...] = ()
    """Functions that run after the entry returns or ``exit`` is called, in order (``llvm.global_dtors``)."""
    runtime: frozenset[str] = frozenset()
    """Functions that Clew linked in (``clew.runtime``): reports on coverage leave them out."""
    whole: Program | None = field(default=None, repr=False, compare=False)
    """What this is a part of, if it is one."""
    digest: str = field(default="", compare=False)
    """Of all that it depends on, from the code that the compiler wrote; empty where not known."""

    def size(self) -> int:
        """How many instructions it has."""
        return sum(len(block.instructions) for function in self.functions.values() for block in function.blocks)
