"""What callers of a function promise, as far as its declaration lets us guess; each guess is named in the report.

``char *`` and ``const unsigned char *`` are strings, with a terminating zero. A pointer that is followed by a number
called ``n``, ``len``, ``size`` or the like is an array of at least so many elements, but for a handle: a pointer to a
struct whose type has a name of its own (``XML_Parser parser, int len``). A pointer that the function follows without
having asked whether it is null is not meant to be null; functions that it is given do what it expects of them; and
numbers in memory that it is given are not so large that sums overflow. A failure that needs one of these is a possible
bug. Where many functions are run, pointers lead to objects of their own, unless the function asks whether two are the
same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.base.pattern import pattern
from clew.execute.ends import Failed
from clew.execute.heap.facts import Heap, LazyPointer
from clew.execute.heap.shapes import Shapes
from clew.execute.inputs import reads
from clew.execute.state import State
from clew.program import instructions as ir
from clew.program.ctypes import CBase, CNamed, CPointer
from clew.program.module import Function
from clew.program.operands import operands
from clew.program.values import ConstInt, ConstNull, Value

ELEMENTS = 8
"""Of an array."""
_OF_NULL = frozenset(("null-dereference", "out-of-bounds"))
"""Kinds of failures that a null pointer shows, or one close to it."""
_OF_LARGE_NUMBERS = frozenset(("signed-overflow",))
"""Kinds of failures that any sum of numbers shows, if only they are large enough."""
_COUNT = pattern(r"(?:.*_)?(?:n|num|cnt)|\w*(?:len|length|size|sz|count|max|bytes|capacity|cap)", re.IGNORECASE)


def is_string(shapes: Shapes, target: int) -> bool:
    """Whether a pointer to this type is taken for one to a string."""
    kind = shapes.strip(target)
    is_char = isinstance(kind, CBase) and kind.name == "char"
    return shapes.is_byte(target) and not shapes.is_void(target) and (is_char or shapes.is_constant(target))


def is_octet(shapes: Shapes, target: int) -> bool:
    """Whether C's own names for bytes say that numbers are meant, and no characters."""
    kind = shapes.bare(target)
    entry = shapes.ctypes.entries[kind] if 0 <= kind < len(shapes.ctypes.entries) else None
    return isinstance(entry, CNamed) and entry.name in ("uint8_t", "int8_t")


def is_single(function: Function, pointer: Value) -> bool:
    """Whether a function uses a parameter for the members of one struct alone: it neither steps along nor passes it."""
    for one in function.instructions():
        if pointer in operands(one):
            match one:
                case ir.GetElementPtr(base=base, indices=(ConstInt(value=0), _, *_)) if base == pointer:
                    continue
                case ir.Load() | ir.Cast(op="ptrtoint"):
                    continue
                case ir.Store(value=value) if value != pointer:
                    continue
                case ir.Compare() if any(isinstance(side, ConstNull) for side in (one.left, one.right)):
                    continue
            return False
    return True


def counted(shapes: Shapes, types: Sequence[int], names: Sequence[str]) -> dict[int, int]:
    """Positions of parameters that say how many elements another one has, with the positions of those."""
    found = {}
    for at in range(1, len(types)):
        pointer, number = shapes.strip(types[at - 1]), shapes.strip(types[at])
        is_number = isinstance(number, CBase) and number.encoding in ("signed", "unsigned") and number.bits >= 16
        is_array = isinstance(pointer, CPointer) and shapes.size(pointer.to) and not shapes.is_handle(types[at - 1])
        if is_array and is_number and _COUNT.fullmatch(names[at]):
            found[at] = at - 1
    return found


def unlikely(s: State, end: Failed) -> str:
    """What a failure rests on if it needs a caller that does something unlikely; empty if it does not, or if nothing is
    guessed."""
    around, heap = s.run.surroundings, s.heap
    if around is None or not around.options.guesses:
        return ""
    null = heap.guessed_null if end.kind in _OF_NULL else _asserted(s) if end.kind == "assert" else ""
    if null:
        return f"depends on whether callers pass null for {null}"
    if end.kind == "overlap" and _share_objects(heap):
        return "depends on whether callers pass several pointers to the same memory"
    if heap.calls:
        return "depends on what the functions do that callers pass"
    if end.kind in _OF_LARGE_NUMBERS and (name := _given_number(s)):
        return f"depends on how large the number is that callers keep in {name}"
    return ""


def _share_objects(heap: Heap) -> bool:
    """Whether two pointers that the function is given lead to one object."""
    values = [value for value in heap.bound.values() if value != 0]
    led_to = [obj.base for value in values if value for obj in heap.objects if 0 <= value - obj.base < obj.size]
    return None in values or len(led_to) > len(set(led_to))


def _asserted(s: State) -> str:
    """A pointer that the function is given and that is null, where an assertion that has just failed is about it."""
    last = s.path.last
    for symbol in last.symbols if last is not None else ():
        pointer = s.run.lazy.get(symbol)
        if isinstance(pointer, LazyPointer) and s.model.eval(pointer.term) == 0:
            return pointer.name
    return ""


def _given_number(s: State) -> str:
    """A member of what the function is given that the failure was decided by; not characters, which any text has."""
    deciding = s.path.last.symbols if s.path.last is not None else frozenset()
    for read in reads(s.inputs):
        is_number = read.heap is not None and read.heap.at is not None and not read.ctype.startswith("char[")
        if is_number and any(value in deciding for value in read.values):
            return read.name
    return ""
