"""Variable arguments of modelled functions: passed directly, or behind a ``va_list``.

``execute.invoke.start_arguments`` puts the arguments of a ``va_list`` into one area of memory, each in as many
slots of the size of a pointer as it needs; the list holds the address of the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from clew.base.errors import Unsupported
from clew.execute.access import load_typed
from clew.expr import build
from clew.program.types import FloatKind, FloatType, IntType, PointerType, Type

if TYPE_CHECKING:
    from clew.execute.invocation import Invocation

DOUBLE = FloatType(FloatKind.DOUBLE)
_AREA_FIELD = {"x86_64": 8, "aarch64": 0}
"""Where the list of an ABI holds the address of the next argument in memory; elsewhere the list is that address."""


class MissingArgument(Exception):
    """The format asks for an argument that was not passed, or was passed as another kind of value."""


class Arguments(Protocol):
    """Hands out arguments one after the other."""

    def integer(self, bits: int) -> Any:
        """The next argument as an integer of at most ``bits`` bits: an int, or an Expr."""
        ...

    def double(self) -> Any:
        """The next argument as a double."""
        ...


class PassedArguments:
    """The arguments of the call itself, with the types they were passed as."""

    def __init__(self, values: tuple[Any, ...], types: tuple[Type, ...], pointer_bits: int) -> None:
        self._rest = iter(list(zip(values, types, strict=True)))
        self._pointer_bits = pointer_bits

    def integer(self, bits: int) -> Any:
        value, type = self._next()
        width = self._pointer_bits if isinstance(type, PointerType) else getattr(type, "width", 0)
        if not isinstance(type, IntType | PointerType) or width < 8:
            raise MissingArgument
        return build.trunc(value, bits) if width > bits else value

    def double(self) -> Any:
        value, type = self._next()
        if not isinstance(type, FloatType):
            raise MissingArgument
        if type != DOUBLE:
            raise Unsupported(f"printing a value of type {type}")
        return value

    def _next(self) -> tuple[Any, Type]:
        for value, type in self._rest:
            return value, type
        raise MissingArgument


class ListedArguments:
    """The arguments behind a ``va_list``."""

    def __init__(self, call: Invocation, address: Any) -> None:
        self._call = call
        self._slot = call.state.run.layout.pointer_bytes
        field = _AREA_FIELD.get(call.state.run.architecture)
        where = call.pointer(address)
        self._next = where if field is None else call.pointer(call.load(where + field, self._slot))

    def integer(self, bits: int) -> Any:
        return self._call.load(self._advance(bits // 8), bits // 8)

    def double(self) -> Any:
        call = self._call
        return load_typed(call.state, call.frame, call.point, call.live, self._advance(8), DOUBLE)

    def _advance(self, size: int) -> int:
        here = self._next
        self._next += -(-size // self._slot) * self._slot
        return here


def passed(call: Invocation, values: tuple[Any, ...]) -> PassedArguments:
    """The variable arguments of a call: its last ones."""
    first = len(call.call.arguments) - len(values)
    types = tuple(call.argument(first + place).type for place in range(len(values)))
    return PassedArguments(values, types, call.pointer_bits)


def forms(handler: Callable[..., Any], leading: int, ignored: int = 0) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """A function with a format as two models: one whose arguments are passed, one that gets them as a ``va_list``.

    ``handler`` takes the call, the ``leading`` arguments before the format, the format, and the ``Arguments``.
    Between the leading ones and the format are ``ignored`` more: what checked variants are told by the compiler.
    """
    place = leading + ignored

    def direct(call: Invocation, *given: Any) -> Any:
        return handler(call, *given[:leading], given[place], passed(call, given[place + 1 :]))

    def listed(call: Invocation, *given: Any) -> Any:
        return handler(call, *given[:leading], given[place], ListedArguments(call, given[place + 1]))

    return direct, listed
