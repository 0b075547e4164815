"""Variable arguments of modelled functions: passed directly, or behind a ``va_list``.

``execute.invoke.start_arguments`` puts the arguments of a ``va_list`` into an area of memory, each in as many
slots of the size of a pointer as it needs; the list holds the address of the next one. On x86-64 those that registers
pass may be in another area, and the list says how far it is read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from clew.execute.access import load_typed
from clew.execute.argument_registers import GENERAL_END, SAVED
from clew.execute.values import float_sort
from clew.expr import build
from clew.expr.sort import Sort
from clew.program.types import FloatKind, FloatType, IntType, PointerType, Type

if TYPE_CHECKING:
    from clew.execute.invocation import Invocation

_AREA_FIELD = {"x86_64": 8, "aarch64": 0}
"""Where the list of an ABI holds the address of the next argument in memory; elsewhere the list is that address."""


class MissingArgument(Exception):
    """The format asks for an argument that was not passed, or was passed as another kind of value."""


class Arguments(Protocol):
    """Hands out arguments one after the other."""

    def integer(self, bits: int) -> Any:
        """The next argument as an integer of at most ``bits`` bits: an int, or an Expr."""
        ...

    def real(self, long: bool) -> tuple[Any, Sort]:
        """The next argument as a ``double`` or ``long double``, and the sort it has."""
        ...


class PassedArguments:
    """The arguments of the call itself, with the types they were passed as."""

    def __init__(
        self,
        values: tuple[Any, ...],
        types: tuple[Type, ...],
        pointer_bits: int,
        long_double: FloatKind = FloatKind.FP128,
    ) -> None:
        self._long_double = long_double
        self._rest = iter(list(zip(values, types, strict=True)))
        self._pointer_bits = pointer_bits

    def integer(self, bits: int) -> Any:
        value, type = self._next()
        width = self._pointer_bits if isinstance(type, PointerType) else getattr(type, "width", 0)
        if not isinstance(type, IntType | PointerType) or width < 8:
            raise MissingArgument
        return build.trunc(value, bits) if width > bits else value

    def real(self, long: bool) -> tuple[Any, Sort]:
        value, type = self._next()
        if not isinstance(type, FloatType) or type.kind is not (self._long_double if long else FloatKind.DOUBLE):
            raise MissingArgument
        return value, float_sort(type)

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
        self._saved = call.pointer(call.load(where + 16, self._slot)) if field == 8 else 0
        self._general = call.concrete(call.load(where, 4), 32) if field == 8 else GENERAL_END
        self._vector = call.concrete(call.load(where + 4, 4), 32) if field == 8 else SAVED

    def integer(self, bits: int) -> Any:
        size = bits // 8
        if self._general < GENERAL_END:
            self._general += 8
            return self._call.load(self._saved + self._general - 8, size)
        return self._call.load(self._advance(size), size)

    def real(self, long: bool) -> tuple[Any, Sort]:
        call, layout = self._call, self._call.state.run.layout
        type = FloatType(call.state.run.target.long_double if long else FloatKind.DOUBLE)
        if self._vector < SAVED and type.kind is not FloatKind.X86_FP80:
            self._vector += 16
            where = self._saved + self._vector - 16
        else:
            where = self._advance(layout.size(type), layout.align(type))
        return load_typed(call.state, call.frame, call.point, call.live, where, type), float_sort(type)

    def _advance(self, size: int, align: int = 1) -> int:
        unit = max(self._slot, min(align, 16)) if self._slot == 8 else self._slot
        here = -(-self._next // unit) * unit
        self._next = here
        self._next += -(-size // self._slot) * self._slot
        return here


def passed(call: Invocation, values: tuple[Any, ...]) -> PassedArguments:
    """The variable arguments of a call: its last ones."""
    first = len(call.call.arguments) - len(values)
    types = tuple(call.argument(first + place).type for place in range(len(values)))
    return PassedArguments(values, types, call.pointer_bits, call.state.run.target.long_double)


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
