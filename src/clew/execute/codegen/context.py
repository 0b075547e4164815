"""What the emitters know about the function and the program they write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from clew.analysis.callees import Callees
from clew.analysis.graph import control_flow, loop_forest
from clew.analysis.nonescaping import Contained
from clew.execute.codegen.deferred import deferred
from clew.execute.codegen.exits import exit_codes
from clew.execute.codegen.lifetimes import telling_marks
from clew.execute.codegen.plan import PiecePlan
from clew.program import instructions as ir
from clew.program.layout import DataLayout
from clew.program.module import Block, Function
from clew.program.values import BlockAddress, Constant, Value

_SOURCES = (ir.Load, ir.Call, ir.Alloca, ir.AtomicUpdate, ir.CompareExchange, ir.VaArg)


class Watch:
    """Whether calls of a watched model are made: those that pass the name that the watch was asked for by.

    It may be turned off and on at any time. Code that is made while it is postponed may not have the calls at all.
    """

    __slots__ = ("_is_needless", "_without", "on")

    def __init__(self) -> None:
        self.on = True
        self._is_needless: Callable[[], bool] | None = None
        self._without: list[Callable[[], None]] = []

    def postpone(self, is_needless: Callable[[], bool]) -> None:
        """Have no calls made until ``begin``; code that is made while they are needless does not have them at all."""
        self.on, self._is_needless = False, is_needless

    @property
    def is_needless(self) -> bool:
        """Whether code is to be made without the calls."""
        return self._is_needless is not None and self._is_needless()

    def left_out(self, renew: Callable[[], None]) -> None:
        """Code was made without the calls; ``renew`` has it made anew."""
        self._without.append(renew)

    def begin(self) -> None:
        """Have the calls made from now on."""
        self.on, self._is_needless = True, None
        for renew in self._without:
            renew()
        self._without.clear()


class Surroundings(Protocol):
    """What a context needs to know of the program around its function."""

    layout: DataLayout
    page_bits: int
    callees: Callees
    constant: Callable[[Constant], Any]
    """The run-time value of a constant operand."""
    contained: Contained
    traced: bool
    """Whether code tells its state of the choices it makes and of the values it reads."""

    def function(self, name: str) -> Any:
        """The compiled form of a function, by name."""
        ...

    def watch(self, name: str) -> Watch:
        """What says whether calls of a watched model with this name are made."""
        ...


class Context:
    """Facts about one function: its plan, numbering, loops, and the values of constants."""

    def __init__(self, function: Function, plan: PiecePlan, program: Surroundings) -> None:
        self.function = function
        self.plan = plan
        self.layout = program.layout
        self.page_bits = program.page_bits
        self.constant = program.constant
        self.callees = program.callees
        self.compiled = program.function
        self.watch = program.watch
        self.traced = program.traced
        self.deferred = deferred(function, plan.ends_tree)
        self.numbers = plan.liveness.numbers
        self.exit_codes = exit_codes(function)
        self._order = {block.name: position for position, block in enumerate(function.blocks)}
        self._phis: dict[str, list[tuple[ir.Phi, dict[str, Value]]]] = {}
        graph = control_flow(function)
        forest = loop_forest(graph)
        self._depth = {
            name: forest.loops[loop].depth if loop >= 0 else 0
            for name, loop in zip(graph.names, forest.innermost, strict=True)
        }
        self.telling_marks = telling_marks(
            function,
            lambda block: self._depth[block] > 0,
            lambda variable: program.contained.registers(function.name, variable),
            program.layout,
        )
        """Where lifetime marks are that need code: block and position."""

    def phis(self, block: Block) -> list[tuple[ir.Phi, dict[str, Value]]]:
        """The phis of a block, each with its values by predecessor."""
        known = self._phis.get(block.name)
        if known is None:
            known = self._phis[block.name] = [
                (phi, {source: value for value, source in phi.incoming}) for phi in block.phis
            ]
        return known

    def logged(self, instruction: ir.Instruction) -> bool:
        """Whether the result does not follow from other registers: read from memory, or given by a model."""
        return isinstance(instruction, _SOURCES) and not self.plan.ends_tree(instruction)

    def weight(self, block: str) -> int:
        """How often a block is likely to run, relative to others."""
        return int(8 ** min(self._depth[block], 6))

    def is_back_edge(self, source: str, target: str) -> bool:
        """Whether an edge may close a loop: every cycle has at least one such edge."""
        return self._order[target] <= self._order[source]

    def block_address(self, block: str) -> int:
        """What ``&&label`` yields for a block of this function."""
        address = self.constant(BlockAddress(self.function.name, block))
        assert isinstance(address, int)
        return address
