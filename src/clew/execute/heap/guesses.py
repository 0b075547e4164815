"""What callers of a function promise, as far as its declaration lets us guess; each guess is named in the report.

``const char *`` is a string, with a terminating zero. A pointer that is followed by a number called ``n``, ``len``,
``size`` or the like is an array of at least so many elements. A pointer that the function follows without having asked
whether it is null is not meant to be null: a failure that needs that is a possible bug.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.execute.ends import Failed
from clew.execute.heap.shapes import Shapes
from clew.execute.state import State
from clew.program.ctypes import CBase, CPointer

ELEMENTS = 8
"""Of an array, and characters of a string."""
_COUNT = re.compile(r"(?:.*_|[a-z]*)?(?:n|num|len|length|size|sz|count|cnt|max|bytes|capacity|cap)", re.IGNORECASE)


def is_string(shapes: Shapes, target: int) -> bool:
    """Whether a pointer to this type is taken for one to a string."""
    return shapes.is_byte(target) and not shapes.is_void(target) and shapes.is_constant(target)


def counted(shapes: Shapes, types: Sequence[int], names: Sequence[str]) -> dict[int, int]:
    """Positions of parameters that say how many elements another one has, with the positions of those."""
    found = {}
    for at in range(1, len(types)):
        pointer, number = shapes.strip(types[at - 1]), shapes.strip(types[at])
        is_number = isinstance(number, CBase) and number.encoding in ("signed", "unsigned") and number.bits >= 16
        if isinstance(pointer, CPointer) and shapes.size(pointer.to) and is_number and _COUNT.fullmatch(names[at]):
            found[at] = at - 1
    return found


def needs_null(s: State, end: Failed) -> str:
    """What a failure rests on if it needs a pointer to be null that the program never compares with null."""
    name = s.heap.guessed_null
    if not name or end.kind != "null-dereference":
        return ""
    return f"depends on whether callers pass null for {name}"
