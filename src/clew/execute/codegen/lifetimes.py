"""Which marks of Clang's say something about the life of a local variable that its function does not say by itself.

Clang marks where the block of a local variable begins and ends. A variable is new when its function is called, and gone
when that returns, so a block that begins once for each call, or ends where the function does, needs no code.

Where ``setjmp`` is called, control may come back into a block that has ended, behind its beginning: no variable ends
there before its function does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from clew.program import instructions as ir
from clew.program.jumps import marks_a_place
from clew.program.module import Block, Function
from clew.program.values import Register

Place = tuple[str, int]
"""A block, and the position of an instruction in it."""


def telling_marks(function: Function, is_repeated: Callable[[str], bool]) -> frozenset[Place]:
    """The lifetime marks that matter, given which blocks may be run more than once in a call."""
    marks = _marks_of_variables(function)
    starts = Counter(variable for variable, what in marks.values() if what == "start")
    blocks = {block.name: block for block in function.blocks}
    comes_back = any(map(marks_a_place, function.instructions()))

    def tells(place: Place) -> bool:
        variable, what = marks[place]
        if what == "start":
            return comes_back or is_repeated(place[0]) or starts[variable] > 1
        return not comes_back and not _only_returns(blocks[place[0]], place[1])

    return frozenset(place for place in marks if tells(place))


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
