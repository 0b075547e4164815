"""Values that the program's own comparisons suggest for its inputs.

A sibling that the search has picked needs some inputs, and those that a solver finds are as good as any: it makes ``c``
1 where ``c != 0``. What the program compares with (``c == '['``, the cases of a switch) tells which values make a
difference. So the path goes on with some of these, where its condition allows that, and often does something new then.
That is for bytes alone: a wider number may well be how often a loop goes round, and small ones are best there.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from clew.base.bits import signed
from clew.execute.state import State
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.program import instructions as ir
from clew.program.module import Program
from clew.program.types import IntType
from clew.program.values import ConstInt

_BYTE = bv(8)
_MOST = 8
"""Symbols of one constraint that are tried."""


class Suggestions:
    """The constants in comparisons and switches of a program, without those of the runtime."""

    def __init__(self, program: Program, random: Random) -> None:
        self._random = random
        own = (function for name, function in program.functions.items() if name not in program.runtime)
        found = {
            constant % 256
            for function in own
            for block in function.blocks
            for instruction in block.instructions
            if type(instruction) is ir.Compare or type(instruction) is ir.Switch
            for constant in _constants(instruction)
            if -128 <= constant < 256
        }
        self._bytes = sorted(found | {0}) if found else []

    def model(self, state: State) -> Model:
        """A model of the path of a state, which ends with a constraint that was just added to it."""
        model, constraint = state.model, state.path.last
        if not self._bytes or constraint is None or state.model_is_fixed:
            return model
        rest: frozenset[Expr] | None = None
        values = self._bytes
        for symbol in self._some(constraint.symbols):
            value = values[int(self._random.random() * len(values))]
            left = state.path.values_left(symbol)
            if left is not None:
                model = model.updated({symbol: value}) if left >> value & 1 else model
                continue
            candidate = model.updated({symbol: value})
            if not candidate.eval(constraint):
                continue
            rest = rest if rest is not None else state.path.related(constraint)
            if all(candidate.eval(other) for other in rest if symbol in other.symbols):
                model = candidate
        return model

    def _some(self, symbols: frozenset[Expr]) -> list[Expr]:
        """A few of them, in an order that is the same in every process."""
        if len(symbols) == 1:
            (symbol,) = symbols
            return [symbol] if symbol.sort is _BYTE else []
        found = sorted((symbol for symbol in symbols if symbol.sort is _BYTE), key=lambda symbol: symbol.key)
        return found if len(found) <= _MOST else self._random.sample(found, _MOST)


def _constants(instruction: ir.Instruction) -> Iterator[int]:
    """The integers, as signed numbers, that an instruction compares something with."""
    if isinstance(instruction, ir.Compare):
        for side in (instruction.left, instruction.right):
            if isinstance(side, ConstInt) and isinstance(side.type, IntType):
                yield signed(side.value, side.type.width)
    elif isinstance(instruction, ir.Switch) and isinstance(instruction.value.type, IntType):
        for case, _ in instruction.cases:
            yield signed(case, instruction.value.type.width)
