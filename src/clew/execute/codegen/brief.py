"""Functions that are so brief that a call of one runs in place: most often without a frame of its own.

Nothing in them goes on for long or enters other C functions, so nothing but an instruction that meets something
symbolic, or fails, ever needs to know where the path is.
"""

from __future__ import annotations

from collections.abc import Callable

from clew.program import instructions as ir
from clew.program.module import Function

MOST = 120
"""Instructions of such a function."""
_KEPT = (ir.Alloca, ir.VaArg, ir.IndirectBranch)
"""What needs a frame, or is rare."""


def is_brief(function: Function, ends_tree: Callable[[ir.Instruction], bool]) -> bool:
    """Whether a function is brief; ``ends_tree``: whether an instruction may enter another C function."""
    blocks = function.blocks
    if function.type.varargs or sum(len(block.instructions) for block in blocks) > MOST:
        return False
    order = {block.name: position for position, block in enumerate(blocks)}
    for position, block in enumerate(blocks):
        if any(isinstance(each, _KEPT) or ends_tree(each) for each in block.instructions):
            return False
        if any(order[target] <= position for target in ir.successors(block.terminator)):
            return False
    return True
