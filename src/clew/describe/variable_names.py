"""What the variables of abstract values are called: C variables, ``x@entry``, ``#loop1``.

| name | is |
|---|---|
| ``x``, ``a[2]``, ``s.n`` | the C variable, or a part of it, at the point that is spoken of |
| ``x:12`` | the one that is declared in line 12, where several of the name are around |
| ``x@entry`` | the value that a parameter had at the start, or that an input had when it was read |
| ``x@last`` | the same, of an input that is read in a loop: the value that was read last |
| ``main.x@entry`` | an input of another function, which called this one |
| ``#loop1`` | how often the body of the function's first loop was entered since control came to the loop |
| ``#loop2@loop1`` | the same of a loop in a loop, since control came to the outermost one |
| ``(signed)x``, ``(unsigned)x`` | the bits of ``x``, read in the other way |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import field

from clew.analysis.absint.analyse import Invariants
from clew.analysis.absint.domain import Abstract
from clew.analysis.absint.frames import CallString, FunctionOutline
from clew.analysis.absint.linear import Linear, Variable
from clew.analysis.absint.numbers import in_view, limits
from clew.analysis.absint.variables import GLOBAL, Cell, Count, Held, Initial, Total
from clew.analysis.callgraph import referenced
from clew.analysis.graph import Loop
from clew.analysis.scopes import Scope
from clew.base.dataclass import dataclass
from clew.base.location import Location, source_order
from clew.describe.c_names import CNames
from clew.program import instructions as ir
from clew.program import module
from clew.program.ctypes import CBase, CEnum
from clew.program.module import Function, Program
from clew.program.operands import operands
from clew.program.types import IntType
from clew.program.values import ConstInt, Register
from clew.report.facts import FactKind, Term


@dataclass(slots=True)
class Words:
    """The names at a point."""

    terms: dict[Variable, Term] = field(default_factory=dict)
    constants: list[tuple[Term, int]] = field(default_factory=list)
    """C variables that are known to be numbers."""
    equal: list[tuple[Term, Term]] = field(default_factory=list)
    """C variables that share a value; the second of the two has another name already."""

    @property
    def names(self) -> set[str]:
        """Names that are taken."""
        others = [term for term, _ in (*self.constants, *self.equal)]
        return {term.text for term in (*self.terms.values(), *others)}

    def counters(self) -> list[tuple[Variable, Term]]:
        return [(variable, term) for variable, term in self.terms.items() if term.kind is FactKind.COUNTER]


def located(block: module.Block) -> Location | None:
    """Where the code of a block begins in the source."""
    places = [i.location for i in block.instructions if i.location is not None and i.location.line]
    return min(places, key=source_order, default=None)


class LoopNumbers:
    """The loops of a function in the order of the source, counted from 1."""

    def __init__(self, outline: FunctionOutline) -> None:
        self._outline = outline
        loops = outline.forest.loops
        self.ordered = sorted(loops, key=lambda loop: (source_order(self.place(loop)), loop.depth, loop.index))
        self.numbers = {loop.index: number for number, loop in enumerate(self.ordered, 1)}

    def place(self, loop: Loop) -> Location | None:
        """Where a loop is: at its head, or at the first of its lines if nothing of the source is in there."""
        names, blocks = self._outline.graph.names, self._outline.blocks
        known = located(blocks[names[loop.header]])
        if known is not None:
            return known
        others = [place for b in loop.blocks if (place := located(blocks[names[b]])) is not None]
        return min(others, key=source_order, default=None)

    def name(self, loop: Loop) -> str:
        return f"loop{self.numbers[loop.index]}"

    def headed_by(self, header: str) -> Loop | None:
        number = self._outline.graph.numbers[header]
        return next((loop for loop in self.ordered if loop.header == number), None)

    def outermost(self, loop: Loop) -> Loop:
        while loop.parent >= 0:
            loop = self._outline.forest.loops[loop.parent]
        return loop


class Vocabulary:
    """Finds words for one program's invariants."""

    def __init__(self, program: Program, invariants: Invariants) -> None:
        self._program = program
        self._invariants = invariants
        self._source = CNames(program)
        self._loops: dict[str, LoopNumbers] = {}
        self._globals: dict[str, frozenset[str]] = {}
        self._declarations: dict[str, dict[module.Variable, int]] = {}

    def loops(self, frame: CallString) -> LoopNumbers:
        """The numbers of the loops of a frame's function."""
        known = self._loops.get(frame.function.name)
        if known is None:
            known = self._loops[frame.function.name] = LoopNumbers(self._invariants.outline(frame.number))
        return known

    def words(self, frame: CallString, scope: Scope, state: Abstract) -> Words:
        """Names for what a state knows of, in a frame."""
        words = Words()
        variables = state.variables()
        self._add_scope(words, frame, scope, state, variables)
        for variable in variables:
            if variable not in words.terms:
                term = self._memory(frame, variable, state, words) or self._counter(frame, variable)
                if term is not None:
                    words.terms[variable] = term
        self._add_inputs(words, frame, variables)
        return words

    # Variables in registers

    def _add_scope(
        self, words: Words, frame: CallString, scope: Scope, state: Abstract, known: Collection[Variable]
    ) -> None:
        shared = Counter(content.value.name for content in scope.values() if isinstance(content.value, Register))
        told = {
            variable.register for variable in known if isinstance(variable, Held) and variable.frame == frame.number
        }
        shown = [
            (variable, content)
            for variable, content in scope.items()
            if not content.in_memory
            and isinstance(content.value.type, IntType)
            and (
                content.value.name in told or shared[content.value.name] > 1
                if isinstance(content.value, Register)
                else isinstance(content.value, ConstInt)
            )
        ]
        order = self._declared(frame.function)
        shown.sort(key=lambda item: order[item[0]])
        often = Counter(variable.name for variable in scope)
        for variable, content in shown:
            name, place = variable.name, order[variable]
            if often[name] > 1 and variable.location is not None:
                name = f"{name}:{variable.location.line}"
            assert isinstance(content.value.type, IntType)
            width, signed = content.value.type.width, self._is_signed(variable.ctype)
            if isinstance(content.value, ConstInt):
                value = in_view(content.value.value, width, signed is not False)
                words.constants.append((_term(name, width, signed is not False, (place,)), value))
            elif isinstance(content.value, Register):
                held = Held(frame.number, content.value.name)
                term = self._viewed(held, name, signed, state, (place,))
                if held in words.terms:
                    words.equal.append((term, words.terms[held]))
                else:
                    words.terms[held] = term

    def _declared(self, function: Function) -> dict[module.Variable, int]:
        """The variables of a function in the order in which it declares them."""
        known = self._declarations.get(function.name)
        if known is None:
            updates = dict.fromkeys(update.variable for block in function.blocks for update in block.updates)
            ordered = sorted(
                updates, key=lambda variable: (variable.parameter or 1 << 20, source_order(variable.location))
            )
            known = self._declarations[function.name] = {variable: place for place, variable in enumerate(ordered)}
        return known

    def _is_signed(self, ctype: int) -> bool | None:
        """What a C type says about the sign; None if nothing."""
        match self._program.ctypes.strip(ctype):
            case CBase(encoding=encoding):
                return encoding in ("signed", "signed_char")
            case CEnum(signed=signed):
                return signed
        return None

    def _viewed(
        self, variable: Held | Cell, name: str, signed: bool | None, state: Abstract, order: tuple[int, ...]
    ) -> Term:
        """A variable under its name; with a cast where its number is another than that of the C variable."""
        own, width = self._invariants.signed(variable), self._invariants.width(variable)
        if signed is not None and own != signed and width > 1:
            low, high = state.bounds(Linear.of(variable))
            same = low is not None and low >= 0 if own else high is not None and high < 1 << (width - 1)
            if not same:
                name = f"({'signed' if own else 'unsigned'}){name}"
        return _term(name, width, own, order)

    # Variables in memory

    def _mentioned(self, function: Function) -> frozenset[str]:
        """The globals that a function itself speaks of."""
        known = self._globals.get(function.name)
        if known is None:
            values = (value for block in function.blocks for i in block.instructions for value in operands(i))
            names = (name for value in values for name in referenced(value, self._program))
            known = self._globals[function.name] = frozenset(names)
        return known

    def _memory(self, frame: CallString, variable: Variable, state: Abstract, words: Words) -> Term | None:
        if not isinstance(variable, Cell):
            return None
        ctype, name = -1, ""
        if variable.frame == GLOBAL and variable.object in self._mentioned(frame.function):
            assert isinstance(variable.object, str)
            known = self._program.globals.get(variable.object)
            if known is not None:
                ctype, name = known.ctype, known.source_name or known.name
                name = f"::{name}" if name in words.names else name
        elif variable.frame == frame.number and isinstance(variable.object, tuple):
            declared = self._source.names.declared(frame.function, variable.object[1])
            if declared is not None:
                ctype, name = declared.ctype, declared.name
                if name in words.names and declared.location is not None:
                    name = f"{name}:{declared.location.line}"
        part, leaf = self._source.part(ctype, variable.offset) if name else ("", -1)
        match self._program.ctypes.strip(leaf):
            case CBase(encoding="float"):
                return None
            case CBase(bits=bits) | CEnum(bits=bits) if bits == 8 * variable.size:
                return self._viewed(variable, name + part, self._is_signed(leaf), state, (1 << 20,))
        return None

    # Counters

    def _counter(self, frame: CallString, variable: Variable) -> Term | None:
        if not isinstance(variable, Count | Total) or variable.frame != frame.number:
            return None
        loops = self.loops(frame)
        loop = loops.headed_by(variable.header)
        if loop is None:
            return None
        around = f"@{loops.name(loops.outermost(loop))}" if isinstance(variable, Total) else ""
        order = (loops.numbers[loop.index], isinstance(variable, Total))
        return Term(f"#{loops.name(loop)}{around}", FactKind.COUNTER, 0, None, order)

    # Inputs

    def _add_inputs(self, words: Words, frame: CallString, variables: Iterable[Variable]) -> None:
        around = set(self._around(frame))
        ghosts = set(self._invariants.ghosts)
        parameters = {p.value.name for p in frame.function.parameters if isinstance(p.value, Register)}
        found: list[tuple[str, Location | None, Held | Initial]] = []
        for variable in variables:
            if variable in words.terms or not isinstance(variable, Held | Initial) or variable.frame not in around:
                continue
            if variable in ghosts or (
                isinstance(variable, Held) and variable.frame == frame.number and variable.register in parameters
            ):
                name, place = self._input(frame, variable)
                if name:
                    found.append((name, place, variable))
        often = Counter(name for name, _, _ in found)
        for order, (name, place, variable) in enumerate(sorted(found, key=lambda item: source_order(item[1]))):
            text = f"{name}:{place.line}" if often[name] > 1 and place is not None else name
            width, signed = self._invariants.width(variable), self._invariants.signed(variable)
            words.terms[variable] = _term(text, width, signed, (order,), FactKind.INPUT)

    def _around(self, frame: CallString) -> Iterator[int]:
        """A frame, and those that wait for it to return."""
        number: int | None = frame.number
        while number is not None:
            yield number
            number = self._invariants.frames[number].parent

    def _input(self, frame: CallString, variable: Held | Initial) -> tuple[str, Location | None]:
        """What an input is called, and where it is read."""
        owner = self._invariants.frames[variable.frame]
        outline = self._invariants.outline(variable.frame)
        prefix = "" if owner.number == frame.number else f"{owner.function.source_name}."
        if isinstance(variable, Initial):
            call = outline.blocks[variable.block].instructions[variable.index]
            block, name = variable.block, self._filled(owner.function, call)
        else:
            definition = outline.definitions.get(variable.register)
            if definition is None:
                return f"{prefix}{self._parameter(owner.function, variable.register)}@entry", owner.function.location
            call, block = definition, _block_of(outline, definition)
            name = self._source.names.result_variable(owner.function, call) or "" if isinstance(call, ir.Call) else ""
        in_loop = bool(outline.forest.around(outline.graph.numbers[block]))
        return (f"{prefix}{name}@{'last' if in_loop else 'entry'}" if name else ""), call.location

    def _parameter(self, function: Function, register: str) -> str:
        return self._source.names.variable(function, register) or register

    def _filled(self, function: Function, call: ir.Instruction) -> str:
        """The variable that a call fills with an input."""
        if not isinstance(call, ir.Call) or not call.arguments:
            return ""
        return self._source.value(function, call.arguments[0].value).removeprefix("&")


def _block_of(outline: FunctionOutline, instruction: ir.Instruction) -> str:
    return next(name for name, block in outline.blocks.items() if any(i is instruction for i in block.instructions))


def _term(name: str, width: int, signed: bool, order: tuple[int, ...], kind: FactKind = FactKind.VARIABLE) -> Term:
    return Term(name, kind, *limits(width, signed), order)
