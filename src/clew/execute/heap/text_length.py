"""How long the strings are that a function is taken to be given, where nobody says so.

What is copied into a buffer must be able to be longer than it, or the error that matters most would never be seen. So
the buffers that the function may come to say how many characters there are: the largest one that is not too large.
"""

from __future__ import annotations

from collections.abc import Iterator

from clew.analysis.callgraph import mentioned
from clew.program import instructions as ir
from clew.program.module import Function, Program
from clew.program.types import ArrayType, IntType, StructType, Type

FEWEST = 12
"""Characters of a string, where no buffer asks for more: enough for a number that is no ``int`` any more."""
LARGEST = 64
"""Bytes of a buffer that strings are made long enough for; more of them would be too many to be explored."""


def text_length(program: Program, entry: Function) -> int:
    """The number of characters of a string that ``entry`` is given."""
    size_of = program.layout.size
    sizes = (size_of(type) for type in set(_types(program, entry)) if _holds_text(type))
    return max(FEWEST, max((size for size in sizes if size <= LARGEST), default=0) + 1)


def _types(program: Program, entry: Function) -> Iterator[Type]:
    """Types of variables, and of what pointers lead to, wherever ``entry`` may come to."""
    for name in mentioned(program, [entry.name]):
        function, variable = program.functions.get(name), program.globals.get(name)
        if variable is not None and not variable.constant:
            yield variable.type
        for instruction in function.instructions() if function is not None else ():
            if isinstance(instruction, ir.Alloca):
                yield instruction.allocated
            elif isinstance(instruction, ir.GetElementPtr):
                yield instruction.source_type


def _holds_text(type: Type) -> bool:
    """Whether an array of characters is all of it, or a member."""
    if isinstance(type, StructType):
        return any(map(_holds_text, type.fields))
    return isinstance(type, ArrayType) and isinstance(type.element, IntType) and type.element.width == 8
