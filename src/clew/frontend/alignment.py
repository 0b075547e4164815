"""Accesses that Clang's check of alignment leaves out -> the same check, put in here.

    char b[8];  *(int *)(b + 1)         %p = getelementptr i8, ptr %b, i64 1        %p = ...
                                        %x = load i32, ptr %p, align 1         ->   br (%p & 3) == 0, cont, trap
                                                                                    cont: %x = load i32, ptr %p, align 1

Clang checks an access against the alignment that it knows itself. Where a pointer comes from a variable, that is what
the variable and the offset give: 1 here, and nothing is checked, though the type asks for 4.

An access with less than its type's alignment may also be meant: of a packed struct, of a variable or element with an
``aligned`` type, or through a pointer to such a type. The first two are told by the address, which is computed in
units of the very type that is accessed, or as a struct's member; a cast is seen by units of another one. For the last,
debug info knows types that ask for less than usual: where a program has one, accesses of that size are not checked.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from clew.base.location import Location
from clew.frontend.substitute import Names
from clew.program import instructions as ir
from clew.program.layout import DataLayout
from clew.program.module import Block, Function, Program
from clew.program.traps import MISALIGNED, TRAP
from clew.program.types import I1, I8, VOID, ArrayType, FloatType, FunctionType, IntType, PointerType, StructType, Type
from clew.program.values import ConstExpr, ConstInt, GlobalRef, Register

_TYPEDEF = re.compile(r"!DIDerivedType\(tag: DW_TAG_typedef,[^\n]*baseType: (!\d+)[^\n]*\balign: (\d+)")
_SIZE = re.compile(r"\bsize: (\d+)")
_BASE = re.compile(r"\bbaseType: (!\d+)")
_SCALARS = (IntType, FloatType, PointerType)


def check_alignment(program: Program, text: str) -> Program:
    """The program with these checks; ``text`` is the LLVM code that it was read from."""
    if "!DICompileUnit(" not in text:
        return program
    exempt = _loose_sizes(text)
    functions = {name: _checked(function, program.layout, exempt) for name, function in program.functions.items()}
    return replace(program, functions=functions)


def _loose_sizes(text: str) -> frozenset[int]:
    """Sizes in bytes of types that the program has with less than their usual alignment."""
    found = set()
    for match in _TYPEDEF.finditer(text):
        bits = _size_of(text, match[1])
        if bits is not None and int(match[2]) < bits:
            found.add(bits // 8)
    return frozenset(found)


def _size_of(text: str, name: str) -> int | None:
    """The size of a type in bits, by its name among the metadata."""
    for _ in range(64):
        start = text.find(f"\n{name} = ")
        line = text[start + 1 : text.find("\n", start + 1)]
        size, base = _SIZE.search(line), _BASE.search(line)
        if start < 0 or size is not None or base is None:
            return int(size[1]) if start >= 0 and size is not None else None
        name = base[1]
    return None


def _checked(function: Function, layout: DataLayout, exempt: frozenset[int]) -> Function:
    loose = [
        [index for index, i in enumerate(block.instructions) if _is_loose(i, layout, exempt)]
        for block in function.blocks
    ]
    if not any(loose):
        return function
    made = function.definitions()
    places = [
        [index for index in indices if _is_cast(block.instructions[index], made)]
        for block, indices in zip(function.blocks, loose, strict=True)
    ]
    return _Checking(function, layout).run(places) if any(places) else function


def _is_loose(instruction: ir.Instruction, layout: DataLayout, exempt: frozenset[int]) -> bool:
    """Whether an access may be less aligned than its type usually asks for."""
    if type(instruction) is not ir.Load and type(instruction) is not ir.Store:
        return False
    accessed = _accessed(instruction)
    if not isinstance(accessed, _SCALARS) or instruction.align >= layout.align(accessed):
        return False
    return layout.size(accessed) not in exempt


def _accessed(instruction: ir.Instruction) -> Type | None:
    if isinstance(instruction, ir.Load) and instruction.result is not None:
        return instruction.result.type
    return instruction.value.type if isinstance(instruction, ir.Store) else None


def _is_cast(access: ir.Instruction, made: dict[str, ir.Instruction]) -> bool:
    """Whether an address is computed in units of scalars of another type, not as a member of a struct."""
    assert isinstance(access, ir.Load | ir.Store)
    pointer, type = access.pointer, _accessed(access)
    while True:
        step = made.get(pointer.name) if isinstance(pointer, Register) else pointer
        if isinstance(step, ir.GetElementPtr):
            source, pointer, count = step.source_type, step.base, len(step.indices)
        elif isinstance(step, ConstExpr) and step.op == "getelementptr" and step.source_type is not None:
            source, pointer, count = step.source_type, step.operands[0], len(step.operands) - 1
        else:
            return False
        for _ in range(count - 1):
            if not isinstance(source, ArrayType):
                return False
            source = source.element
        if isinstance(source, StructType):
            return False
        if isinstance(source, _SCALARS) and source != type:
            return True


class _Checking:
    """Puts the checks into one function."""

    def __init__(self, function: Function, layout: DataLayout) -> None:
        self._function = function
        self._layout = layout
        self._names = Names(function)

    def run(self, places: list[list[int]]) -> Function:
        """``places`` are the accesses of each block, in order."""
        blocks: list[Block] = []
        ends: dict[str, str] = {}
        for block, indices in zip(self._function.blocks, places, strict=True):
            parts = self._split(block, indices)
            ends[block.name] = parts[-1].name
            blocks += parts
        return replace(self._function, blocks=tuple(_arriving(block, ends) for block in blocks))

    def _split(self, block: Block, places: list[int]) -> list[Block]:
        """The block in pieces, each but the last with a check at its end and followed by its trap."""
        result: list[Block] = []
        name = block.name
        bounds = [0, *places, len(block.instructions)]
        for start, stop in pairwise(bounds):
            piece = _piece(block, name, start, stop)
            if stop == len(block.instructions):
                return [*result, piece]
            name, trap = self._names.fresh("cont"), self._names.fresh("trap")
            check = self._check(block.instructions[stop], name, trap)
            result.append(replace(piece, instructions=(*piece.instructions, *check)))
            result.append(_trap(trap, block.instructions[stop].location))
        raise AssertionError("a block ends with a terminator")

    def _check(self, access: ir.Instruction, cont: str, trap: str) -> tuple[ir.Instruction, ...]:
        assert isinstance(access, ir.Load | ir.Store)
        type = _accessed(access)
        assert type is not None
        word = IntType(self._layout.pointer_bits)
        address, low, fits = (
            Register(self._names.fresh(name), of) for name, of in (("addr", word), ("low", word), ("aligned", I1))
        )
        where = access.location
        return (
            ir.Cast(address, where, "ptrtoint", access.pointer, word),
            ir.Binary(low, where, "and", address, ConstInt(word, self._layout.align(type) - 1)),
            ir.Compare(fits, where, "eq", low, ConstInt(word, 0)),
            ir.Branch(None, where, fits, cont, trap, implicit=True),
        )


def _piece(block: Block, name: str, start: int, stop: int) -> Block:
    """Some instructions of a block, with what is said about them."""
    last = stop == len(block.instructions)
    updates = (u for u in block.updates if start <= u.index and (last or u.index < stop))
    landmarks = (mark for mark in block.landmarks if start <= mark.index and (last or mark.index < stop))
    return Block(
        name,
        block.instructions[start:stop],
        tuple(replace(update, index=update.index - start) for update in updates),
        tuple(replace(mark, index=mark.index - start) for mark in landmarks),
    )


def _trap(name: str, where: Location | None) -> Block:
    number = ir.Argument(ConstInt(I8, MISALIGNED))
    call = ir.Call(None, where, GlobalRef(TRAP), FunctionType(VOID, (I8,)), (number,), noreturn=True)
    return Block(name, (call, ir.Unreachable(None, where)))


def _arriving(block: Block, ends: dict[str, str]) -> Block:
    """The block with phis that know where its predecessors end now."""

    def arriving(i: ir.Instruction) -> ir.Instruction:
        if not isinstance(i, ir.Phi):
            return i
        return replace(i, incoming=tuple((value, ends[source]) for value, source in i.incoming))

    return replace(block, instructions=tuple(arriving(i) for i in block.instructions))
