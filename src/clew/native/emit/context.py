"""What the functions of a program share while they are written: names, types, numbers of branches and of reasons."""

from __future__ import annotations

from clew.base.errors import Unsupported
from clew.native.emit.spelling import type_text
from clew.native.library import OVERRIDES, PREFIX, NativeFunction, native_functions
from clew.native.places import Places
from clew.program.module import Function, Program
from clew.program.types import FunctionType, Type

Site = tuple[str, str, str]
"""A place that traces tell of: function, block, what happens there."""


class Context:
    """Of one program."""

    def __init__(
        self,
        program: Program,
        places: Places,
        needed: dict[str, None],
        counted: bool,
        library: frozenset[str] | None = None,
    ) -> None:
        self.counted = counted
        """Whether branches are counted, not only marked."""
        self.traced = library is not None
        """Whether values have shadows."""
        self.library = library or frozenset()
        """Functions of a traced program that are the runtime's."""
        self.sites: list[Site] = []
        self.needed = needed
        """Functions that there is code for."""
        self.program = program
        self.places = places
        self.layout = program.layout
        self.branches: list[tuple[str, str, int]] = []
        self.reasons: list[str] = []
        self.declarations: dict[str, str] = {}
        self.frames: list[str] = []
        self._numbers = {name: number for number, name in enumerate(program.functions)}
        self._signatures: dict[str, int] = {}
        self._failures = 0

    def type(self, type: Type) -> str:
        """A type in LLVM's words."""
        return type_text(type)

    def symbol(self, name: str) -> str:
        """The name of a function of the program."""
        return f"@f{self._numbers[name]}"

    def branch(self, function: str, block: str, position: int) -> int:
        """The number of a new counter."""
        self.branches.append((function, block, position))
        return len(self.branches) - 1

    def site(self, function: str, block: str, kind: str) -> int:
        """The number of a new place that traces tell of."""
        self.sites.append((function, block, kind))
        return len(self.sites) - 1

    def reason(self, text: str) -> int:
        """The number of a reason why a run cannot go on."""
        self.reasons.append(text)
        return len(self.reasons) - 1

    def failure(self) -> int:
        """The number of a place at which the program may fail."""
        self._failures += 1
        return self._failures

    def declare(self, function: NativeFunction) -> None:
        """Say that there is such a function of the runtime, or of libm."""
        parameters = ", ".join(function.parameters)
        self.declarations[function.symbol] = f"declare {function.result} @{function.symbol}({parameters})"

    def frame(self, size: int, objects: list[tuple[int, int]]) -> str:
        """The name of the description of a stack frame."""
        name = f"@clew.frame{len(self.frames)}"
        numbers = [size, len(objects), *(number for one in objects for number in one)]
        texts = ", ".join(f"i32 {number}" for number in numbers)
        self.frames.append(f"{name} = internal constant [{len(numbers)} x i32] [{texts}]")
        return name

    @property
    def input_function(self) -> str:
        """What gives an input."""
        return "clew_traced_input" if self.traced else "clew_input"

    def library_function(self, native: NativeFunction) -> Function | None:
        """The function of the runtime that keeps shadows, if there is one."""
        name = PREFIX + native.symbol
        return self.program.functions[name] if name in self.library else None

    def native(self, name: str) -> NativeFunction | None:
        """The function of the runtime that a call of this name goes to, if it does."""
        function = self.program.functions.get(name)
        if function is not None and function.blocks and name not in OVERRIDES:
            return None
        return native_functions().get(name)

    def signature(self, type: FunctionType) -> int:
        """A number for what a function takes and gives; Unsupported for types that have no words."""
        text = self.signature_text(type)
        return self._signatures.setdefault(text, len(self._signatures) + 1)

    def signature_text(self, type: FunctionType) -> str:
        """The types, with the address of variable arguments as one more."""
        parameters = [type_text(one) for one in type.params] + (["i64"] if type.varargs else [])
        return f"{type_text(type.result)} ({', '.join(parameters)})"

    def signature_of(self, function: Function) -> int:
        """The same for a function of the program; 0 for one that no pointer can call."""
        try:
            return self.signature(function.type)
        except Unsupported:
            return 0

    def code_pointer(self, function: Function) -> str:
        """What a pointer to a function leads to; null for one that is not there."""
        native = self.native(function.name)
        if native is None:
            return self.symbol(function.name) if function.name in self.needed else "null"
        try:
            wanted = self.signature_text(function.type)
        except Unsupported:
            return "null"
        if wanted != f"{native.result} ({', '.join(native.parameters)})":
            return "null"
        traced = self.library_function(native)
        if traced is not None:
            return self.symbol(traced.name) if traced.name in self.needed else "null"
        self.declare(native)
        return f"@{native.symbol}"
