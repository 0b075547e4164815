"""A program as bytes and back, for the compile cache.

Pickle, with one addition: Python restores a frozen slotted dataclass field by field through
reflection, so ours are stored as a call of their class instead, which is several times faster.
"""

from __future__ import annotations

import copyreg
import dataclasses
import io
import operator
import pickle
from collections.abc import Callable
from typing import Any

from clew.base.garbage import no_collection
from clew.base.location import Location
from clew.program import ctypes, instructions, layout, module, types, values
from clew.program.module import Program

_Reducer = Callable[[Any], tuple[type, tuple[Any, ...]]]


def dump(program: Program, warnings: str) -> bytes:
    """Program and compiler warnings as bytes."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, protocol=5)
    pickler.dispatch_table = {**copyreg.dispatch_table, **_reducers()}
    pickler.dump((program, warnings))
    return buffer.getvalue()


def restore(data: bytes) -> tuple[Program, str] | None:
    """The inverse of ``dump``; None if the bytes do not fit the classes of this version."""
    try:
        with no_collection():
            program, warnings = pickle.loads(data)
    except (pickle.UnpicklingError, AttributeError, ImportError, TypeError, ValueError, EOFError, IndexError):
        return None
    return (program, warnings) if isinstance(program, Program) else None


def _reducers() -> dict[type, _Reducer]:
    table: dict[type, _Reducer] = {Location: _reducer(Location)}
    for source in (ctypes, instructions, layout, module, types, values):
        for item in vars(source).values():
            if isinstance(item, type) and dataclasses.is_dataclass(item):
                table[item] = _reducer(item)
    return table


def _reducer(kind: type) -> _Reducer:
    names = [field.name for field in dataclasses.fields(kind)]
    if not names:
        return lambda value: (kind, ())
    if len(names) == 1:
        only = operator.attrgetter(names[0])
        return lambda value: (kind, (only(value),))
    several = operator.attrgetter(*names)
    return lambda value: (kind, several(value))
