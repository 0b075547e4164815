"""Values worth trying as input: the program's strings, and the constants that it compares with."""

from __future__ import annotations

from collections.abc import Iterator

from clew.analysis.callgraph import mentioned
from clew.program import instructions as ir
from clew.program.module import Program
from clew.program.types import ArrayType, IntType
from clew.program.values import ConstAggregate, Constant, ConstBytes, ConstInt

LONGEST = 32
MOST = 4000


def words_of(program: Program) -> list[bytes]:
    """All of them, each once, in the order of the program.

    Without the texts that no code mentions: the compiler's own, as names of types for checks, and the file's name,
    which would make runs of one program differ from folder to folder.
    """
    found: dict[bytes, None] = {}
    own = [function for name, function in program.functions.items() if name not in program.runtime]
    used = mentioned(program, [function.name for function in own])
    for name, variable in program.globals.items():
        if variable.initializer is not None and name in used and name not in program.runtime:
            found.update(dict.fromkeys(_strings(variable.initializer)))
    for function in own:
        for instruction in function.instructions():
            found.update(dict.fromkeys(_compared(instruction)))
    return [word for word in found if 0 < len(word) <= LONGEST][:MOST]


def _strings(value: Constant) -> Iterator[bytes]:
    match value:
        case ConstBytes(data=data):
            yield data.rstrip(b"\0")
        case ConstAggregate(type=type, elements=elements) if not (
            isinstance(type, ArrayType) and isinstance(type.element, IntType)
        ):
            for element in elements:
                yield from _strings(element)


def _compared(instruction: ir.Instruction) -> Iterator[bytes]:
    match instruction:
        case ir.Compare(left=left, right=right):
            for value in (left, right):
                if isinstance(value, ConstInt) and isinstance(value.type, IntType):
                    yield from _encodings(value.value, value.type.width)
        case ir.Switch(value=value, cases=cases) if isinstance(value.type, IntType):
            for number, _ in cases:
                yield from _encodings(number, value.type.width)


def _encodings(value: int, width: int) -> Iterator[bytes]:
    """A number in its own size and in as few bytes as hold it, in both orders."""
    least = max(1, (value.bit_length() + 7) // 8)
    for size in {least, -(-width // 8)}:
        if size <= 8:
            data = value.to_bytes(max(size, least), "little")
            yield data
            yield data[::-1]
