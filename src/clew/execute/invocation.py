"""What a model of a function sees: one call, and the means to act on the state that makes it.

A model that needs a concrete value or a condition asks for it *before* it changes anything: the
sibling that takes the other way executes the call again from its start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.execute import access, bulk, decide, outputs, pointers
from clew.execute.ends import Dropped, Failed, ending
from clew.execute.frame import Frame
from clew.execute.inputs import InputKind, read_input
from clew.execute.state import Output, State
from clew.expr import build
from clew.expr.node import Expr
from clew.memory.describe import fault
from clew.memory.errors import AccessError
from clew.memory.object import MemoryObject
from clew.memory.overlap import are_apart
from clew.program import instructions as ir
from clew.program.types import IntType, Type
from clew.program.values import Value


@dataclass(slots=True, eq=False, repr=False)
class Invocation:
    """A call of a modelled function by ``state``."""

    state: State
    frame: Frame
    point: int
    live: tuple[Any, ...]
    call: ir.Call
    name: str
    """The function called; the call itself may only know a pointer to it."""

    @property
    def location(self) -> Location | None:
        return self.call.location

    @property
    def pointer_bits(self) -> int:
        return self.state.run.pointer_bits

    def argument(self, index: int) -> Value:
        """The operand passed in a place, for its static type."""
        return self.call.arguments[index].value

    def argument_bits(self, index: int) -> int:
        """How wide an argument is, an integer or a pointer."""
        return self._bits(self.argument(index).type)

    @property
    def result_bits(self) -> int:
        """How wide the result is, an integer or a pointer, as the call declares it."""
        return self._bits(self.call.type.result)

    def _bits(self, type: Type) -> int:
        return type.width if isinstance(type, IntType) else self.pointer_bits

    # Values

    def concrete(self, value: Any, width: int) -> int:
        """A concrete value; other values become siblings."""
        return decide.concretize(self.state, self.frame, self.point, self.live, value, width)

    def pointer(self, value: Any) -> int:
        return pointers.settle(self.state, self.frame, self.point, self.live, value)

    def require(self, condition: Any, kind: str, message: str) -> None:
        """A check of the model's own."""
        decide.require(self.state, self.frame, self.point, self.live, condition, kind, message)

    def require_defined(self, value: Expr, message: str) -> None:
        """``value``, which decides something, must not depend on what the program never defined."""
        decide.require_defined(self.state, self.frame, self.point, self.live, value, message)

    def printed(self, value: Any, message: str) -> None:
        """A value leaves the program: it must not be one that was never defined."""
        outputs.printed(self.state, self.frame, self.point, self.live, value, message)

    def written(self, values: Sequence[Any]) -> None:
        """Bytes of memory leave the program."""
        outputs.written(self.state, self.frame, self.point, self.live, values)

    def read_text(self, values: Sequence[Any]) -> None:
        """A string is read, of which these are the bytes up to a NUL, or the first ones."""
        outputs.text(self.state, self.frame, self.point, self.live, values)

    def exits(self, code: Any) -> None:
        """The program ends with an exit code."""
        outputs.exit_code(self.state, self.frame, self.point, self.live, code)

    def assume(self, condition: Any) -> None:
        decide.assume(self.state, condition)

    def assume_nonzero(self, value: Any) -> None:
        """Only paths on which a value, as C has it, is true go on."""
        if isinstance(value, bool):
            if not value:
                raise Dropped
            return
        self.assume(build.ne(value, 0, value.width if isinstance(value, Expr) else 64))

    def fail(self, kind: str, message: str) -> NoReturn:
        raise ending(kind, message, self.location)

    def fail_unless_given(self, kind: str, message: str, promise: str) -> NoReturn:
        """An error; a possible one for functions whose callers may ``promise`` that it is none."""
        is_given = self.state.run.surroundings is not None
        raise Failed(kind, message, self.location, f"depends on whether callers pass {promise}" if is_given else "")

    def read_input(self, name: str, ctype: str, bits: int, kind: InputKind = InputKind.NONDET) -> Any:
        """A new input of the program, as an integer of ``bits`` bits."""
        return read_input(self.state, self.input_name(name), ctype, bits, kind, self.location)

    def input_name(self, default: str) -> str:
        """The C variable the result is assigned to, where debug info tells."""
        return self.state.run.names.result_variable(self.frame.function.function, self.call) or default

    # Memory

    def load(self, address: Any, size: int) -> Any:
        return access.load(self.state, self.frame, self.point, self.live, address, size)

    def touch(self, address: int, count: int) -> None:
        """Fails as a read of the first or the last of some bytes would."""
        if count:
            self.load(address, 1)
            self.load(address + count - 1, 1)

    def store(self, address: Any, value: Any, size: int) -> None:
        access.store(self.state, self.frame, self.point, self.live, address, value, size)

    def copy(self, target: Any, source: Any, count: Any, *, apart: bool = False) -> None:
        """Copies bytes; ``apart``: the two places must not overlap, unless they are the same."""
        bulk.copy_memory(self.state, self.frame, self.point, self.live, target, source, count, apart=apart)

    def require_apart(self, target: Any, written: Any, source: Any, read: Any, *, unless_same: bool = True) -> None:
        """None of ``written`` bytes at one address may be among ``read`` bytes at another, unless both addresses are
        the same. What is accessed was checked before."""
        bits, memory, model = self.pointer_bits, self.state.memory, self.state.model
        places = [memory.find(int(model.eval(address))) for address in (target, source)]
        if places[0] is None or places[1] is None or places[0][0] is not places[1][0]:
            return  # each of them stays inside of its object on this path
        safe = are_apart(target, written, source, read, bits)
        if unless_same:
            safe = build.lor(safe, build.eq(target, source, bits))
        self.require(safe, "overlap", bulk.overlapping(f"{self.name}()"))

    def fill(self, target: Any, value: Any, count: Any) -> None:
        bulk.fill_memory(self.state, self.frame, self.point, self.live, target, value, count)

    def room(self, address: int, write: bool = False) -> int:
        """Bytes from a valid address to the end of its object; fails as a read or write would where there is none."""
        memory = self.state.memory
        found = memory.find(address)
        if found is not None and found[0].base in memory.extents:
            size = self.size_of(found[0])
            if found[1] >= size:
                verb = "write" if write else "read"
                raise Failed("out-of-bounds", f"{verb} past the end of an object whose size depends on the input")
            return size - found[1]
        if found is None or found[1] >= found[0].size:
            raise pointers.failure(fault(memory, address, 1, write))
        return found[0].size - found[1]

    def size_of(self, obj: MemoryObject) -> int:
        """The size of an object; where it is symbolic, other sizes are siblings."""
        return pointers.concrete_extent(self.state, self.frame, self.point, self.live, obj)

    def allocate(self, size: Any, *, zeroed: bool = False) -> int:
        """A new heap object, of symbolic size if need be; null if that is more than any machine gives."""
        state, where = self.state, self.location
        return bulk.new_object(state, self.frame, self.point, self.live, size, "heap", "", where, zeroed=zeroed)

    def read_bytes(self, address: int, count: int, *, sized: bool = False) -> list[Any]:
        """``count`` bytes from a concrete address: ints, and ``Expr``s where they are symbolic.

        ``sized``: the caller itself sees to it that bytes past the end of an object of symbolic size do not count.
        """
        if not sized:
            self._check_extent(address, count)
        try:
            return list(self.state.memory.read_bytes(address, count))
        except AccessError as error:
            raise pointers.failure(error) from None

    def write_bytes(self, address: int, values: list[Any] | bytes, *, sized: bool = False) -> None:
        """Store bytes, concrete or symbolic, at a concrete address."""
        if not sized:
            self._check_extent(address, len(values), True)
        try:
            self.state.memory.write_bytes(address, values)
        except AccessError as error:
            raise pointers.failure(error) from None

    def _check_extent(self, address: int, count: int, write: bool = False) -> None:
        if count and self.state.memory.extents:
            pointers.check_extent(self.state, self.frame, self.point, self.live, address, count, write)

    def recall(self, name: str, default: Any = None) -> Any:
        """What a model kept for this path."""
        for listener in self.state.run.events.environment_read:
            listener(self.state, name)
        return self.state.environment.get(name, default)

    def kept(self, name: str, make: Callable[[], Any]) -> Any:
        """What a model keeps for this path, made when it is first asked for."""
        value = self.recall(name)
        if value is None:
            value = make()
            self.remember(name, value)
        return value

    def remember(self, name: str, value: Any) -> None:
        """Keep an immutable value for this path; siblings that fork later share it."""
        self.state.environment = self.state.environment.set(name, value)

    def text(self, address: Any, limit: int = 1 << 16) -> bytes | None:
        """The C string at an address; None where it is not concrete."""
        memory = self.state.memory
        if isinstance(address, Expr):
            return None
        found = memory.find(address) if memory.extents else None
        if found is not None and found[0].base in memory.extents:
            return None  # where it ends depends on the input
        try:
            return memory.read_cstring(address, limit)
        except AccessError as error:
            raise pointers.failure(error) from None

    # Output

    def write(self, data: bytes) -> None:
        """The program prints something."""
        if data:
            self.state.output = Output(self.state.output, data)
