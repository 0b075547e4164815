"""Memory that a function nobody defines is shown: what its arguments, and variables with external linkage, lead to.

It may write there, and call functions that do. Exploration takes it to change nothing that has a value (a loss, which
is listed), but what was never set is set afterwards, to anything: otherwise filling a buffer would be an error of
whoever reads it. Whether a failure rests on memory that did not change is found out by a run in which all of it
does: see ``jobs.robust_failure``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from clew.execute.inputs import InputKind, read_object
from clew.execute.state import State
from clew.expr.node import Expr
from clew.memory import bulk
from clew.memory.object import MemoryObject
from clew.memory.resolve import named
from clew.memory.storage import PLAIN_BYTE
from clew.program import instructions as ir
from clew.program.module import FINISH, Function
from clew.program.types import FloatType, VectorType, VoidType

MOST_BYTES = 1024
"""Of one object."""
MOST_OBJECTS = 256
UNDEFINED_CALL = "undefined call"
"""Environment: the last function that nobody defines and that the path has called."""
MAY_END = "undefined call that may not return"
"""Environment: the last of those functions that may be there to end the program."""
KEPT = "kept by undefined calls"
"""Environment: addresses of objects that such functions may still have."""
_HIDDEN = ("function", "stream")


def show(s: State, call: ir.Call, arguments: Sequence[Any], function: str) -> None:
    """A function that nobody defines gets these arguments: what it may have done to memory."""
    s.environment = s.environment.set(UNDEFINED_CALL, function)
    text = changes(function)
    if s.run.anything_made_up:
        kept = s.environment.get(KEPT, ())
        found = _reachable(s, (*arguments, *kept))
        s.environment = s.environment.set(KEPT, tuple(sorted({*kept, *(obj.base for obj in found)})))
        for obj in found:
            if _may_change(obj):
                _change(s, obj, function, text)
        return
    for place, value in enumerate(_passed(call, arguments)):
        at = s.memory.find(value) if isinstance(value, int) else None
        if at is not None and _may_change(at[0]):
            _set(s, *at, f"*{place}{{:+d}} of {function}()", text)


def changes(function: str) -> str:
    """What a failure rests on that shows only if a function leaves memory alone."""
    return f"depends on what {function}() does to memory, which is not defined here"


def returns(function: str) -> str:
    """The same where it shows only if a function returns."""
    return f"depends on whether {function}() returns, which is not defined here"


def may_be_the_end(function: Function, call: ir.Call) -> bool:
    """Whether a call of a function that nobody defines looks like one that ends the program: ``if (c) die();``.

    It gives no result, and is the last thing to do under a condition. Others are taken to return.
    """
    if not isinstance(call.type.result, VoidType):
        return False
    for block in function.blocks:
        if block.instructions[-2:-1] and block.instructions[-2] is call and isinstance(block.terminator, ir.Jump):
            sides = {block.name, block.terminator.target}
            return any(set(ir.successors(other.terminator)) == sides for other in function.blocks)
    return False


def _passed(call: ir.Call, arguments: Sequence[Any]) -> Iterator[Any]:
    """The arguments that are numbers or addresses: native code finds them in this order, whatever is between."""
    for argument, value in zip(call.arguments, arguments, strict=False):
        if argument.sret is None and not isinstance(argument.value.type, FloatType | VectorType):
            yield value


def _may_change(obj: MemoryObject) -> bool:
    return not obj.constant and obj.kind not in _HIDDEN


def _room(s: State, obj: MemoryObject) -> int:
    """The bytes of an object that are looked at; of one with a symbolic size the last is never set."""
    return min(obj.size - (obj.base in s.memory.extents), MOST_BYTES)


def _set(s: State, obj: MemoryObject, offset: int, name: str, text: str) -> None:
    """Give values to what was never set; their places are told from the address that was passed."""
    for start, stop in bulk.unset_runs(obj, 0, _room(s, obj)):
        label = name.format(start - offset)
        values = read_object(s, label, f"unsigned char[{stop - start}]", stop - start, InputKind.MADE_UP, text)
        s.memory.write_bytes(obj.base + start, values)


def _reachable(s: State, shown: Sequence[Any]) -> list[MemoryObject]:
    """The objects that a function may get at, as far as addresses are known: from what it is shown, from what it can
    name, and from what functions change that it can call."""
    addresses, functions = s.run.globals.addresses, s.run.globals.functions
    pending = [*_addresses(s, shown), *(addresses[name] for name in s.run.machine.changed_outside(_entry(s)))]
    found: dict[int, MemoryObject] = {}
    while pending:
        at = s.memory.find(pending.pop())
        if at is None or at[0].base in found:
            continue
        if len(found) == MOST_OBJECTS:
            s.run.note_loss("bounded", "more objects than are looked at may change in an undefined function", s)
            break
        found[at[0].base] = at[0]
        if at[0].base in functions:
            pending += [addresses[name] for name in s.run.machine.changed_by(functions[at[0].base])]
        else:
            pending += [value for _, value in _pointers(s, at[0])]
    return list(found.values())


def _addresses(s: State, values: Sequence[Any]) -> Iterator[int]:
    """The numbers in values, which may be addresses: also those in parts of structs, and in choices between some."""
    for value in values:
        if isinstance(value, tuple | list):
            yield from _addresses(s, value)
        elif isinstance(value, int):
            yield value
        elif isinstance(value, Expr):
            yield from (obj.base for obj in named(s.memory, value))


def _entry(s: State) -> str:
    """The function that the program starts with."""
    frame, name = s.frame, ""
    while frame is not None:
        name = frame.function.name if frame.function.name != FINISH else name
        frame = frame.parent
    return name


def _pointers(s: State, obj: MemoryObject) -> Iterator[tuple[int, int]]:
    """Addresses of objects in an object, and where they are."""
    size = s.run.layout.pointer_bytes
    for offset in range(0, _room(s, obj) - size + 1, size):
        plain = obj.shadow is None or bytes(obj.shadow[offset : offset + size]) == PLAIN_BYTE * size
        value = int.from_bytes(obj.data[offset : offset + size], "little") if plain else 0
        if value and s.memory.find(value) is not None:
            yield offset, value


def _change(s: State, obj: MemoryObject, function: str, text: str) -> None:
    """Give an object other contents, but leave it the addresses that it holds."""
    size, kept = s.run.layout.pointer_bytes, {offset for offset, _ in _pointers(s, obj)}
    end = _room(s, obj)
    values = read_object(s, f"{obj.name} after {function}()", f"unsigned char[{end}]", end, InputKind.MADE_UP, text)
    start = 0
    for offset in (*sorted(kept), end):
        if start < offset:
            s.memory.write_bytes(obj.base + start, values[start:offset])
        start = offset + size
