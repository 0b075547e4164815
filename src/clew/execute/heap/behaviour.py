"""What a function did with what a test gave it: what it returned, and which of the given memory it changed or freed.

This is read off the end of a re-execution, in which all is concrete. What is not plain there (a value that the program
never set, a struct that is returned) is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from clew.execute.heap.facts import GivenHeap
from clew.execute.heap.surroundings import Region
from clew.execute.state import State
from clew.program.ctypes import CFunction, CPointer, CRecord, CType
from clew.report.values import MADE, Behaviour, InputValue, Pointee

_SCALARS = (8, 16, 32, 64)
_LONGEST = 1000
"""Characters of a string that is told."""


def observed(s: State, given: GivenHeap, returned: Any, function_type: int) -> Behaviour:
    """The behaviour of a path that has returned; ``function_type`` is the C type of its function."""
    around = s.run.surroundings
    assert around is not None
    kind = around.shapes.strip(function_type)
    result = _result(s, kind.result, returned) if isinstance(kind, CFunction) else None
    freed = tuple(sorted(obj.number for obj in s.heap.objects if obj.number >= 0 and s.memory.find(obj.base) is None))
    return Behaviour(result, tuple(_changed(s, given, frozenset(freed))), freed, _text(s, kind, returned))


def in_common(one: Behaviour, other: Behaviour) -> Behaviour:
    """What two runs with the same inputs have shown, of which memory lies elsewhere in the second."""
    both = tuple(cell for cell in one.changed if cell in other.changed)
    result = one.result if one.result == other.result else None
    return Behaviour(result, both, one.freed, one.text if one.text == other.text else None)


def _text(s: State, kind: CType | None, returned: Any) -> bytes | None:
    """The string that a function returns, if that is one."""
    around = s.run.surroundings
    assert around is not None
    result = around.shapes.strip(kind.result) if isinstance(kind, CFunction) else None
    if not isinstance(result, CPointer) or not isinstance(returned, int) or s.memory.find(returned) is None:
        return None
    is_text = around.shapes.is_byte(result.to) and not around.shapes.is_void(result.to)
    return s.memory.read_cstring(returned, _LONGEST) if is_text else None


def _result(s: State, ctype: int, returned: Any) -> InputValue | None:
    around = s.run.surroundings
    assert around is not None
    kind, size = around.shapes.strip(ctype), around.shapes.size(ctype)
    spelling = around.shapes.ctypes.spell(ctype)
    if 8 * size not in _SCALARS or returned is None or isinstance(kind, CRecord):
        return None
    if isinstance(kind, CPointer):
        if not isinstance(returned, int):
            return None
        return InputValue("result", spelling, 8 * size, 0, "returned", points=_pointee(s, returned))
    if isinstance(returned, float):
        return InputValue("result", spelling, 8 * size, returned, "returned")
    if not isinstance(returned, int):
        return None
    return InputValue.from_raw("result", spelling, 8 * size, returned, "returned", around.shapes.is_signed(ctype))


def _changed(s: State, given: GivenHeap, freed: frozenset[int]) -> Iterator[InputValue]:
    """The cells that hold something else than at the start."""
    base = {obj.number: obj.base for obj in s.heap.objects}
    for cell in given.of_call(0, "cell"):
        if cell.at is None or cell.at.object in freed or cell.at.object not in base:
            continue
        now = _bytes(s, base[cell.at.object] + cell.at.offset, max(1, cell.bits // 8))
        if now is None:
            continue
        if cell.points is not None:
            points = _pointee(s, int.from_bytes(now, "little"))
            if points != cell.points:
                yield replace(cell, points=points)
        elif now != cell.to_bytes():
            yield _with(cell, now)


def _with(cell: InputValue, data: bytes) -> InputValue:
    """The cell with other bytes."""
    if isinstance(cell.value, bytes):
        return replace(cell, value=data)
    number = int.from_bytes(data, "little")
    return replace(InputValue.from_raw(cell.name, cell.type, cell.bits, number, cell.kind), at=cell.at)


def _bytes(s: State, address: int, count: int) -> bytes | None:
    """Bytes of memory; None where they are not plain."""
    found = s.memory.find(address)
    if found is None or address + count > found[0].base + found[0].size:
        return None
    values = s.memory.read_bytes(address, count)
    if isinstance(values, bytes):
        return values
    plain = [value for value in values if isinstance(value, int)]
    return bytes(plain) if len(plain) == len(values) else None


def _pointee(s: State, address: int) -> Pointee:
    """What a pointer points to at the end: what the test gives, what the program has, or something made meanwhile."""
    around = s.run.surroundings
    assert around is not None
    region = around.region
    if address == 0:
        return Pointee("null")
    if region.functions <= address < region.high:
        return Pointee("callback", region.function_number(address))
    for obj in s.heap.objects:
        if obj.number >= 0 and (obj.base <= address <= obj.base + obj.size or _is_beside(region, obj.base, address)):
            return Pointee("object", obj.number, address - obj.base)
    name = around.function_at(address)
    if name is not None:
        return Pointee("function", name)
    found = s.memory.find(address)
    variable = around.variable_from(found[0].base) if found is not None else None
    if found is not None and variable is not None:
        return Pointee("global", variable, address - found[0].base)
    was_there = found is not None or s.memory.freed(address) is not None or s.memory.was_used(address)
    return MADE if was_there else Pointee("number", address)


def _is_beside(region: Region, base: int, address: int) -> bool:
    """Whether an address can only come from that of a given object: code may compute the end of more memory than the
    test gives."""
    return region.holds(base) and region.page(base) == region.page(address)
