"""What is known about the loops of a program, and what became of each while it ran."""

from __future__ import annotations

from dataclasses import field

from clew.analysis.graph import control_flow, loop_forest
from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.base.memo import remembered
from clew.execute.codegen.compiled import CompiledFunction, Compiler
from clew.execute.codegen.context import Watch
from clew.execute.instrument.loop_marks import is_own, loop_name, mark_of
from clew.execute.names import Names
from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.types import IntType, PointerType
from clew.report.records import BEST_EFFORT, NOT_SUMMARIZED, SOUND, LoopStatement
from clew.techniques.summaries.limits import USUAL, Limits


@dataclass(slots=True)
class LoopFacts:
    """A loop: where it is, and what was found out about it."""

    function: str
    block: str
    location: Location | None
    blocks: frozenset[str]
    watch: Watch
    widths: tuple[int | None, ...]
    """Of the header's phis; None for those that are no numbers."""
    registers: tuple[str, ...]
    """Of the header's phis."""
    names: tuple[str, ...]
    """The C variables that they are, or the best there is."""
    sound: int = 0
    guessed: int = 0
    visited: bool = False
    depends: bool = False
    """Whether something in it was decided by the input."""
    reason: str = ""
    failures: int = 0
    guesses: int = USUAL.guesses
    """That may still be made."""
    epoch: int = 0
    """Goes up when the watch is switched on again: what was seen before does not join what is seen from then on."""
    sizes: dict[int, int] = field(default_factory=dict)
    """Of cells of memory, by address, where they turned out to be other than usual."""

    lengthened: bool = False
    """Whether inputs were sought for which it runs longer."""
    turned: set[int] = field(default_factory=set)
    """Which conditions of its plans were turned round."""

    def switch_on(self) -> None:
        """Watch it again."""
        if not self.watch.on:
            self.watch.on = True
            self.epoch += 1

    def turns_round(self, condition: int) -> bool:
        """Note that the condition with a number was negated; returns whether that is the first time."""
        if condition in self.turned:
            return False
        self.turned.add(condition)
        return True

    def statement(self, unseen: str) -> LoopStatement:
        """For the summary of a run; ``unseen`` says why it was never visited."""
        done = self.sound + self.guessed
        if self.sound and not self.guessed:
            return LoopStatement(self.function, self.location, SOUND, "", done)
        if self.guessed:
            return LoopStatement(self.function, self.location, BEST_EFFORT, self.reason, done)
        if not self.visited:
            reason = unseen
        elif not self.depends:
            reason = "how often it runs does not depend on the input"
        else:
            reason = self.reason or "it never ran for three iterations"
        return LoopStatement(self.function, self.location, NOT_SUMMARIZED, reason, 0)


class Loops:
    """The loops of a program, found function by function."""

    def __init__(self, compiler: Compiler, limits: Limits = USUAL) -> None:
        self._compiler = compiler
        self._limits = limits
        self._names = Names()
        self._shown: dict[tuple[str, str], LoopFacts] = {}

    @remembered
    def of(self, function: str) -> dict[str, LoopFacts]:
        """The loops of a function, by header."""
        return self._find(self._compiler.function(function))

    def at(self, function: str, block: str) -> LoopFacts:
        """A loop whose header nothing but a run has shown."""
        known = self._shown.get((function, block))
        if known is None:
            known = self._shown[function, block] = self._facts(self._compiler.function(function).function, block)
        return known

    def around(self, function: str, block: str) -> list[LoopFacts]:
        """The loops that a block is in."""
        return [loop for loop in self.of(function).values() if block in loop.blocks]

    def statements(self, unseen: str) -> tuple[LoopStatement, ...]:
        """For all loops of the program's own functions, in the order of the source; ``unseen`` as for one of them."""
        program = self._compiler.program
        found = [
            loop.statement(unseen)
            for name, function in program.functions.items()
            if not function.is_declaration and name not in program.runtime
            for loop in ([] if self._shown else self.of(name).values())
        ]
        found += [loop.statement(unseen) for (name, _), loop in self._shown.items() if name not in program.runtime]
        return tuple(sorted(found, key=_source_order))

    def _find(self, compiled: CompiledFunction) -> dict[str, LoopFacts]:
        function = compiled.function
        graph = control_flow(function)
        found = {}
        for loop in loop_forest(graph).loops:
            inside = frozenset(graph.names[block] for block in loop.blocks)
            facts = self._facts(function, graph.names[loop.header], inside)
            if loop.irreducible:
                facts.reason, facts.depends, facts.visited = "control enters it at several places", True, True
            found[facts.block] = facts
        return found

    def _facts(self, function: Function, block: str, inside: frozenset[str] = frozenset()) -> LoopFacts:
        header = next(one for one in function.blocks if one.name == block)
        place = next((i.location for i in header.instructions if i.location and i.location.line), function.location)
        phis = [i for i in header.instructions if isinstance(i, ir.Phi) and i.result and not is_own(i.result.name)]
        return LoopFacts(
            function.source_name, block, place, inside,
            self._compiler.watch(mark_of(header) or loop_name(function, header)),
            tuple(self._width(phi) for phi in phis),
            tuple(phi.result.name for phi in phis if phi.result is not None),
            tuple(self._name(function, phi) for phi in phis),
            guesses=self._limits.guesses,
        )  # fmt: skip

    def _name(self, function: Function, phi: ir.Phi) -> str:
        assert phi.result is not None
        name = phi.result.name
        head, _, tail = name.rpartition(".")
        return self._names.variable(function, name) or (head if head and tail.isdecimal() else name)

    def _width(self, phi: ir.Phi) -> int | None:
        assert phi.result is not None
        match phi.result.type:
            case IntType(width=width):
                return None if width == 1 else width
            case PointerType():
                return self._compiler.layout.pointer_bits
        return None


def _source_order(statement: LoopStatement) -> tuple[str, int, int]:
    where = statement.location
    return ("", 0, 0) if where is None else (where.file, where.line, where.column)


def places_of(compiled: CompiledFunction, point: int, facts: LoopFacts) -> tuple[int, ...]:
    """Where the phis are among the values that live at a point."""
    live = compiled.plan.points[point].live
    numbers = compiled.context.numbers
    return tuple(live.index(numbers[name]) for name in facts.registers)
