"""Which marks of Clang's say something about the life of a local variable that its function does not say by itself.

Clang marks where the block of a local variable begins and ends. A variable is new when its function is called, and gone
when that returns, so a block that begins once for each call, or ends where the function does, needs no code. Nor does
a variable that nobody can get at from elsewhere, and that is set first whenever its block begins: what it has in
between, nobody sees.

Where ``setjmp`` is called, control may come back into a block that has ended, behind its beginning: no variable ends
there before its function does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from enum import IntEnum

from clew.program import instructions as ir
from clew.program.jumps import marks_a_place
from clew.program.layout import DataLayout
from clew.program.module import Block, Function
from clew.program.operands import registers
from clew.program.types import PTR
from clew.program.values import ConstInt, Register

Place = tuple[str, int]
"""A block, and the position of an instruction in it."""
Leading = Callable[[str], frozenset[str] | None]
"""For the register of a variable, those that have its address, or one computed from it; None if others may, too."""
_MOVING = (ir.GetElementPtr, ir.Cast, ir.Phi, ir.Select, ir.Freeze, ir.Compare, ir.Binary)
"""Instructions that compute with an address, and do not follow it."""


class _Stage(IntEnum):
    """Of the life of a variable: it has a value that counts, or none yet, or none any more."""

    GOES_ON = 0
    BEGUN = 1
    ENDED = 2


def telling_marks(
    function: Function, is_repeated: Callable[[str], bool], leading: Leading, layout: DataLayout
) -> frozenset[Place]:
    """The lifetime marks that matter, given which blocks may be run more than once in a call."""
    found = _marks_needed(function, is_repeated)
    variables = {variable for variable, _ in found.values()}
    if not variables or any(map(marks_a_place, function.instructions())):
        return frozenset(found)
    kept = {variable for variable in variables if not _is_set_first(function, variable, leading(variable), layout)}
    return frozenset(place for place, (variable, _) in found.items() if variable in kept)


def _marks_needed(function: Function, is_repeated: Callable[[str], bool]) -> dict[Place, tuple[str, str]]:
    """The marks of lives that are not those of the function."""
    marks = _marks_of_variables(function)
    starts = Counter(variable for variable, what in marks.values() if what == "start")
    blocks = {block.name: block for block in function.blocks}
    comes_back = any(map(marks_a_place, function.instructions()))

    def tells(place: Place) -> bool:
        variable, what = marks[place]
        if what == "start":
            return comes_back or is_repeated(place[0]) or starts[variable] > 1
        return not comes_back and not _only_returns(blocks[place[0]], place[1])

    return {place: mark for place, mark in marks.items() if tells(place)}


def _is_set_first(function: Function, variable: str, leading: frozenset[str] | None, layout: DataLayout) -> bool:
    """Whether a variable is stored whole after each mark that it begins before anything else is done with it, and
    nothing is after one that it ends. ``leading``: the registers by which that may be."""
    size = _size(function, variable, layout)
    if leading is None or size is None:
        return False
    blocks = {block.name: block for block in function.blocks}
    first = function.blocks[0].name
    stages = {first: _Stage.GOES_ON}
    """For blocks that were come to: the latest stage that it may be in there."""
    work = [first]
    while work:
        block = blocks[work.pop()]
        stage = stages[block.name]
        for instruction in block.instructions:
            match instruction:
                case ir.Alloca(result=Register(name=name)) if name == variable:
                    stage = _Stage.GOES_ON
                case ir.Store(pointer=Register(name=name), value=value) if name == variable:
                    if stage is _Stage.BEGUN and layout.size(value.type) == size:
                        stage = _Stage.GOES_ON
                case ir.Call() if (what := ir.lifetime_mark(instruction)) is not None:
                    if Register(variable, PTR) == instruction.arguments[-1].value:
                        stage = _Stage.BEGUN if what == "start" else _Stage.ENDED
                    continue
            follows = stage is not _Stage.GOES_ON and not isinstance(instruction, _MOVING)
            if follows and any(register.name in leading for register in registers(instruction)):
                return False
        for successor in ir.successors(block.terminator):
            if stage > stages.get(successor, -1):
                stages[successor] = stage
                work.append(successor)
    return True


def _size(function: Function, variable: str, layout: DataLayout) -> int | None:
    """Bytes of a variable; None for an array whose length is not known."""
    made = next(
        each
        for each in function.instructions()
        if isinstance(each, ir.Alloca) and each.result is not None and each.result.name == variable
    )
    is_one = isinstance(made.count, ConstInt) and made.count.value == 1
    return layout.size(made.allocated) if is_one else None


def _marks_of_variables(function: Function) -> dict[Place, tuple[str, str]]:
    """The marks in a function, each with the register of the variable and what it marks."""
    made = {
        i.result.name for block in function.blocks for i in block.instructions if isinstance(i, ir.Alloca) and i.result
    }
    marks = {}
    for block in function.blocks:
        for position, instruction in enumerate(block.instructions):
            what = ir.lifetime_mark(instruction)
            if what is not None and isinstance(instruction, ir.Call):
                address = instruction.arguments[-1].value
                if isinstance(address, Register) and address.name in made:
                    marks[block.name, position] = (address.name, what)
    return marks


def _only_returns(block: Block, position: int) -> bool:
    """Whether nothing but marks and the return of the function comes behind an instruction."""
    *rest, last = block.instructions[position:]
    return isinstance(last, ir.Return) and all(ir.lifetime_mark(each) for each in rest)
