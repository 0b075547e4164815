"""Places where paths meet, made visible to the engine by changing the IR: code without them pays nothing.

    join:                              join:
      %i = phi ...                       %i = phi ...
      ...                                call void @clew.meeting()

Who listens to meetings (``Events.meeting``) says where they are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from clew.program import instructions as ir
from clew.program.editing import inserted
from clew.program.module import Function, Program
from clew.program.types import VOID, FunctionType
from clew.program.values import GlobalRef

MEETING = "clew.meeting"


Places = tuple[tuple[str, int], ...]
"""Of one function: blocks, and the instructions before which something goes."""


def announce_meetings(program: Program, places: Mapping[str, Places]) -> Program:
    """The program with a call of ``clew.meeting`` at each place, by function."""
    functions = {
        name: _announced(function, places[name]) if places.get(name) else function
        for name, function in program.functions.items()
    }
    return dataclasses.replace(program, functions=functions)


def _announced(function: Function, places: Places) -> Function:
    by_block: dict[str, dict[int, tuple[ir.Instruction, ...]]] = {}
    for block, index in places:
        by_block.setdefault(block, {})[index] = (_CALL,)
    blocks = (inserted(block, by_block[block.name]) if block.name in by_block else block for block in function.blocks)
    return dataclasses.replace(function, blocks=tuple(blocks))


_CALL = ir.Call(None, None, GlobalRef(MEETING), FunctionType(VOID, ()), ())
