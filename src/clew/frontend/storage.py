"""A program as bytes and back, for the compile cache and for linking.

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
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from clew.base import location
from clew.base.dataclass import dataclass
from clew.base.garbage import no_collection
from clew.frontend import symbols
from clew.frontend.symbols import ObjectFile
from clew.program import ctypes, instructions, layout, module, types, values
from clew.program.module import Program

_Reducer = Callable[[Any], tuple[type, tuple[Any, ...]]]


@dataclass(frozen=True, slots=True)
class Changes:
    """What is different about a program from the one that was stored, since others come with it."""

    renamed: Mapping[str, str]
    """New names of functions and variables."""
    shift: int
    """How much higher the numbers of C types are."""


def dump(stored: Program | ObjectFile) -> bytes | None:
    """A program, or an object file, as bytes; None if it is nested too deeply for that."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, protocol=5)
    reducers = {kind: _reducer(kind) for kind in _classes().values() if dataclasses.is_dataclass(kind)}
    pickler.dispatch_table = {**copyreg.dispatch_table, **reducers}
    try:
        pickler.dump(stored)
    except RecursionError:
        return None
    return buffer.getvalue()


def restore(data: bytes, changes: Changes | None = None) -> Program | None:
    """The program that was dumped, with changes; None if the bytes are not a program in the classes of this version."""
    program = _restored(data, changes)
    return program if isinstance(program, Program) else None


def restore_file(data: bytes) -> ObjectFile | None:
    """The object file that was dumped; None if the bytes are something else."""
    file = _restored(data, None)
    return file if isinstance(file, ObjectFile) else None


def _restored(data: bytes, changes: Changes | None) -> object:
    try:
        with no_collection():
            return _Restorer(io.BytesIO(data), changes).load()
    except Exception:  # Bytes that nobody dumped can make the classes raise anything.
        return None


class _Restorer(pickle.Unpickler):
    """Knows the classes of programs, and no other function or class."""

    def __init__(self, file: io.BytesIO, changes: Changes | None = None) -> None:
        super().__init__(file)
        self._changed = {} if changes is None else _changed_classes(changes)

    def find_class(self, module: str, name: str) -> Callable[..., object]:
        try:
            kind = _classes()[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a program") from None
        return self._changed.get(kind, kind)


def _changed_classes(changes: Changes) -> dict[type, Callable[..., object]]:
    """What takes the place of the classes whose objects have names, or numbers of C types."""

    def name(old: str) -> str:
        return changes.renamed.get(old, old)

    def ctype(old: int) -> int:
        return old + changes.shift if old >= 0 else old

    same: Callable[[Any], Any] = lambda old: old  # noqa: E731
    parts: dict[type, dict[str, Callable[[Any], Any]]] = {
        module.Function: {"name": name, "ctype": ctype},
        module.GlobalVariable: {"name": name, "ctype": ctype},
        module.Alias: {"name": name},
        module.Program: {key: lambda old: tuple(map(name, old)) for key in ("constructors", "destructors")},
        module.Variable: {"ctype": ctype},
        values.GlobalRef: {"name": name},
        values.BlockAddress: {"function": name},
        ctypes.CPointer: {"to": ctype},
        ctypes.CArray: {"element": ctype},
        ctypes.CMember: {"ctype": ctype},
        ctypes.CNamed: {"to": ctype},
        ctypes.CFunction: {"result": ctype, "params": lambda old: tuple(map(ctype, old))},
    }

    def changed(kind: type, how: dict[str, Callable[[Any], Any]]) -> Callable[..., object]:
        order = [how.get(field.name, same) for field in dataclasses.fields(kind)]
        return lambda *fields: kind(*[change(field) for change, field in zip(order, fields, strict=True)])

    return {kind: changed(kind, how) for kind, how in parts.items()}


@cache
def _classes() -> dict[tuple[str, str], type]:
    """The classes of programs by module and name."""
    return {
        (source.__name__, name): item
        for source in (location, ctypes, instructions, layout, module, symbols, types, values)
        for name, item in vars(source).items()
        if isinstance(item, type) and item.__module__ == source.__name__ and _holds_data(item)
    }


def _holds_data(kind: type) -> bool:
    return dataclasses.is_dataclass(kind) or issubclass(kind, enum.Enum)


def _reducer(kind: type) -> _Reducer:
    names = [field.name for field in dataclasses.fields(kind) if field.init]
    if not names:
        return lambda value: (kind, ())
    if len(names) == 1:
        only = operator.attrgetter(names[0])
        return lambda value: (kind, (only(value),))
    several = operator.attrgetter(*names)
    return lambda value: (kind, several(value))
