"""A program as bytes and back, for the compile cache.

Pickle, with two additions. Python restores a frozen slotted dataclass field by field through reflection, so ours are
stored as a call of their class instead, which is several times faster. And the classes that programs are made of are
all that bytes can name: whatever is in them, restoring calls nothing else.
"""

from __future__ import annotations

import copyreg
import dataclasses
import enum
import io
import operator
import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

from clew.base import location
from clew.base.garbage import no_collection
from clew.program import ctypes, instructions, layout, module, types, values
from clew.program.module import Program

_Reducer = Callable[[Any], tuple[type, tuple[Any, ...]]]


def dump(program: Program) -> bytes | None:
    """The program as bytes; None if it is nested too deeply for that."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, protocol=5)
    reducers = {kind: _reducer(kind) for kind in _classes().values() if dataclasses.is_dataclass(kind)}
    pickler.dispatch_table = {**copyreg.dispatch_table, **reducers}
    try:
        pickler.dump(program)
    except RecursionError:
        return None
    return buffer.getvalue()


def restore(data: bytes) -> Program | None:
    """The inverse of ``dump``; None if the bytes are not a program in the classes of this version."""
    try:
        with no_collection():
            program = _Restorer(io.BytesIO(data)).load()
    except Exception:  # Bytes that nobody dumped can make the classes raise anything.
        return None
    return program if isinstance(program, Program) else None


class _Restorer(pickle.Unpickler):
    """Knows the classes of programs, and no other function or class."""

    def find_class(self, module: str, name: str) -> type:
        try:
            return _classes()[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a program") from None


@cache
def _classes() -> dict[tuple[str, str], type]:
    """The classes of programs by module and name."""
    return {
        (source.__name__, name): item
        for source in (location, ctypes, instructions, layout, module, types, values)
        for name, item in vars(source).items()
        if isinstance(item, type) and item.__module__ == source.__name__ and _holds_data(item)
    }


def _holds_data(kind: type) -> bool:
    return dataclasses.is_dataclass(kind) or issubclass(kind, enum.Enum)


def _reducer(kind: type) -> _Reducer:
    names = [field.name for field in dataclasses.fields(kind)]
    if not names:
        return lambda value: (kind, ())
    if len(names) == 1:
        only = operator.attrgetter(names[0])
        return lambda value: (kind, (only(value),))
    several = operator.attrgetter(*names)
    return lambda value: (kind, several(value))
