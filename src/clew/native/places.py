"""Where everything of a program lies in a native run: variables, constants, functions, each at an address known from
the start, so that the code has them as numbers.

The arena has the writable variables first, then the constants, then addresses that stand for functions and blocks, at
which there is nothing; the stack and the heap are the runtime's. ``c/native.h`` has the same addresses.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from clew.base.dataclass import dataclass
from clew.base.errors import Unsupported
from clew.memory.constants import ConstantEvaluator
from clew.native.library import PREFIX
from clew.program.module import Function, GlobalVariable, Program
from clew.program.types import OpaqueType
from clew.program.values import Constant

SHARED, SHARED_SIZE = 0x0E_0000_0000, 0x80_0000
SHADOW = 0x0F_0000_0000
ARENA, ARENA_SIZE = 0x10_0000_0000, 0x2800_0000
STACK = ARENA + 0x1000_0000
HEAP = ARENA + 0x1800_0000
COUNTERS, COUNTERS_SIZE = SHARED + 0x10_0000, 0x10_0000
INPUT, INPUT_SIZE = SHARED + 0x20_0000, 0x10_0000
OUTPUT, OUTPUT_SIZE = SHARED + 0x30_0000, 0x10_0000
FOUND, FOUND_SIZE = SHARED + 0x40_0000, 0x40_0000
FUEL = SHARED

PAGE = 0x1_0000
"""Of any processor we know."""
_REDZONE = 32
_STREAMS = ("stdin", "stdout", "stderr")
STREAM_DISTANCE = 64
_FILES = 4 * PAGE
"""Bytes that the runtime has for open files, streams first: see ``c/files.h``."""
_PROGRAM_NAME = b"program"


@dataclass(frozen=True, slots=True)
class Place:
    """An object that is there from the start."""

    address: int
    size: int
    constant: bool = False


class TooLarge(Unsupported):
    """The variables of a program need more room than there is."""

    def __init__(self) -> None:
        super().__init__("native runs of a program with so many variables or branches")


class Places:
    """Addresses of all that a program names, and what is there before it starts."""

    def __init__(self, program: Program, arguments: tuple[bytes | int, ...] = ()) -> None:
        self.objects: list[Place] = []
        self.chunks: list[tuple[int, bytes]] = []
        self.addresses: dict[str, int] = {}
        self.by_name: dict[str, Place] = {}
        self.functions: list[Function] = []
        self._program = program
        self._blocks: dict[tuple[str, str], int] = {}
        self._next = ARENA + _REDZONE
        aliases = {name: alias.target for name, alias in program.aliases.items()}
        self.constants = ConstantEvaluator(program.layout, self.addresses, aliases, self._block_address)
        self.errno = self._place(4, 4).address
        variables = [one for name, one in program.globals.items() if not name.startswith("llvm.")]
        self.tables = {one.name for one in variables if one.name.startswith(PREFIX) and one.initializer is None}
        """Variables of the runtime, in a traced program, that are made with its code: they are not in the arena."""
        self._place_all(one for one in variables if not one.constant)
        self.argument_count = 1 + len(arguments)
        self.argv, self.symbolic_arguments = self._place_arguments(arguments)
        self.writable_end = self._next
        self.constants_start = self._next = _up(self._next, PAGE)
        self._place_all(one for one in variables if one.constant)
        self.constants_end = self._next = _up(self._next, PAGE)
        self.streams = self._next
        self.function_base = self._next = self.streams + _FILES
        for function in program.functions.values():
            self.addresses[function.name] = self._next
            self.functions.append(function)
            self._next += 16
        if self._next > STACK - PAGE:
            raise TooLarge
        self._fill(variables)

    def value(self, constant: Constant) -> int:
        """The run-time value of a constant that is a number or an address; Unsupported for others."""
        found = self.constants.evaluate(constant)
        if not isinstance(found, int):
            raise TypeError(f"{constant} is no number")
        return int(found)

    def is_inside(self, address: int, size: int) -> bool:
        """Whether so many bytes lie in a variable that is there from the start."""
        return any(one.address <= address and address + size <= one.address + one.size for one in self._near(address))

    def _near(self, address: int) -> Iterable[Place]:
        place = bisect_right(self.objects, address, key=lambda one: one.address)
        return self.objects[max(place - 1, 0) : place]

    def _block_address(self, function: str, block: str) -> int:
        """Past everything else: nothing is read or called there."""
        return self._blocks.setdefault((function, block), STACK - PAGE + 1 + len(self._blocks))

    def _place(self, size: int, align: int, constant: bool = False) -> Place:
        address = _up(self._next, max(align, 16))
        place = Place(address, size, constant)
        self.objects.append(place)
        self._next = address + size + _REDZONE
        if self._next > STACK - 2 * PAGE:
            raise TooLarge
        return place

    def _place_all(self, variables: Iterable[GlobalVariable]) -> None:
        for variable in variables:
            size = 0 if isinstance(variable.type, OpaqueType) else self._program.layout.size(variable.type)
            if variable.initializer is None and variable.name not in _STREAMS:
                size = 0  # nobody knows what is in it
            place = self._place(size, max(variable.align, 1), variable.constant)
            self.addresses[variable.name] = place.address
            self.by_name[variable.name] = place

    def _place_arguments(self, arguments: tuple[bytes | int, ...]) -> tuple[int, list[tuple[int, int]]]:
        """The address of ``argv``, and of each argument that is an input, with its size."""
        words: list[int] = []
        symbolic: list[tuple[int, int]] = []
        for word in (_PROGRAM_NAME, *arguments):
            place = self._place((len(word) if isinstance(word, bytes) else word) + 1, 1)
            words.append(place.address)
            if isinstance(word, bytes):
                self.chunks.append((place.address, word))
            elif word:
                symbolic.append((place.address, word))
        argv = self._place(8 * (len(words) + 1), 8)
        self.chunks.append((argv.address, b"".join(word.to_bytes(8, "little") for word in words)))
        return argv.address, symbolic

    def _fill(self, variables: list[GlobalVariable]) -> None:
        for variable in variables:
            address = self.addresses[variable.name]
            if variable.initializer is not None:
                self.chunks += [(address + at, data) for at, data in self.constants.encode(variable.initializer)]
            elif variable.name in _STREAMS:
                stream = self.streams + STREAM_DISTANCE * _STREAMS.index(variable.name)
                self.chunks.append((address, stream.to_bytes(8, "little")))


def _up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
