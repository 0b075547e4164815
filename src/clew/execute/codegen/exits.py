"""Where ``main`` gives its exit code: at its ``return`` statements.

Clang lets them all jump to one block, whose ``ret`` has the place of the closing brace. What they return is a phi:

    if.then: br return       if.end: br return       return: %code = phi [%x, if.then], [0, if.end]; ret %code

So the code is looked at where the jumps are, if those lead to the ``ret`` for certain.
"""

from __future__ import annotations

from clew.program import instructions as ir
from clew.program.module import Block, Function
from clew.program.values import Register, Value

MAIN = "main"
RESULT = "retval"
"""The variable of Clang's own that holds what a function with several ``return`` statements returns."""


def exit_codes(function: Function) -> dict[str, Value]:
    """Values that ``main`` is about to return, by the blocks at whose end they are to be looked at."""
    return _Exits(function).found if function.name == MAIN else {}


class _Exits:
    def __init__(self, function: Function) -> None:
        self._blocks = {block.name: block for block in function.blocks}
        self._variables = {update.variable.name for block in function.blocks for update in block.updates}
        self.found: dict[str, Value] = {}
        for block in function.blocks:
            if isinstance(block.terminator, ir.Return) and block.terminator.value is not None:
                self._follow(block, block.terminator.value)

    def _follow(self, block: Block, code: Value) -> None:
        """To where ``code`` comes from, which the end of ``block`` leads to the ``ret`` for certain."""
        made = self._phi(block, code)
        if made is None:
            self.found[block.name] = code
            return
        for value, name in made.incoming:
            source = self._blocks[name]
            if isinstance(source.terminator, ir.Jump) and source.terminator.location is not None:
                self._follow(source, value)
            else:
                self.found[block.name] = code  # where else it comes from, it was looked at before

    def _phi(self, block: Block, code: Value) -> ir.Phi | None:
        """The phi of Clang's own that makes a value, in the block or where a jump alone leads from to it."""
        if not isinstance(code, Register) or not code.name.startswith(f"{RESULT}.") or RESULT in self._variables:
            return None
        while True:
            for instruction in block.instructions:
                if instruction.result == code:
                    return instruction if isinstance(instruction, ir.Phi) else None
            before = [other for other in self._blocks.values() if block.name in ir.successors(other.terminator)]
            if len(before) != 1 or not isinstance(before[0].terminator, ir.Jump):
                return None
            block = before[0]
