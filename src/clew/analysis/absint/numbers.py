"""Machine integers as numbers: reading operands in a view, and writing results that may have wrapped.

The only place that knows how bits and numbers go together. A linear expression that is read is exactly the number that
the operand's bits stand for in the view that was asked for; where that cannot be said, there is none. A result is
written exactly if it is shown to fit, or to have wrapped a fixed number of times; otherwise its variable is forgotten.
"""

from __future__ import annotations

from clew.analysis.absint.domain import Abstract, Bounds
from clew.analysis.absint.frames import Supergraph
from clew.analysis.absint.known_pointers import Places
from clew.analysis.absint.linear import Constraint, Linear, Variable, within
from clew.analysis.absint.variables import Cell, Held, Initial
from clew.analysis.absint.views import Views, is_number
from clew.analysis.escape import Object
from clew.base.bits import as_number, range_of_width
from clew.program.module import Program
from clew.program.types import IntType
from clew.program.values import ConstInt, ConstZero, Register, Value


def limits(width: int, signed: bool) -> tuple[int, int]:
    """The least and greatest number of a view. A single bit is 0 or 1 in both."""
    return range_of_width(width, signed and width > 1)


def in_view(value: int, width: int, signed: bool) -> int:
    """The number that bits stand for."""
    return as_number(value & ((1 << width) - 1), width, signed and width > 1)


class Numbers:
    """Variables, views and ranges of one graph."""

    def __init__(self, program: Program, graph: Supergraph, places: Places) -> None:
        self._graph = graph
        self._places = places
        self._views = {name: Views(outline.function, program.ctypes) for name, outline in graph.outlines.items()}
        self._types: dict[str, dict[str, int]] = {}
        self._cells: dict[tuple[Object, int, int], bool] = {}
        self._initials: dict[Initial, Cell] = {}
        self._ranges: dict[Variable, Bounds] = {}
        for name, outline in graph.outlines.items():
            widths = self._types[name] = {}
            registers = [parameter.value for parameter in outline.function.parameters]
            registers += [i.result for i in outline.definitions.values() if i.result is not None]
            for register in registers:
                if isinstance(register, Register) and isinstance(register.type, IntType) and is_number(register.type):
                    widths[register.name] = register.type.width

    # Variables

    def held(self, frame: int, register: Register) -> Held | None:
        """The variable of a register; None if it is no integer that is looked at."""
        return Held(frame, register.name) if is_number(register.type) else None

    def is_held(self, frame: int, register: str) -> bool:
        """Whether a register has a variable."""
        return register in self._types[self._graph.frames[frame].function.name]

    def is_signed(self, variable: Held | Cell | Initial) -> bool:
        """The view of a variable."""
        if isinstance(variable, Held):
            return self._views[self._graph.frames[variable.frame].function.name].is_signed(variable.register)
        if isinstance(variable, Initial):
            return self.is_signed(self._initials[variable])
        return self._cells.get((variable.object, variable.offset, variable.size), True)

    def initial(self, variable: Initial, cell: Cell) -> None:
        """Say that a variable is what a cell got as an input."""
        self._initials[variable] = cell

    def cell_view(self, thing: Object, offset: int, size: int, signed: bool) -> None:
        """Say how a cell is read, in all frames: what is known of one may be said of another."""
        self._cells[thing, offset, size] = signed

    def width(self, variable: Held | Cell | Initial) -> int:
        if isinstance(variable, Held):
            return self._types[self._graph.frames[variable.frame].function.name][variable.register]
        return 8 * (self._initials[variable] if isinstance(variable, Initial) else variable).size

    def range(self, variable: Variable) -> Bounds:
        """What a variable can be at all: the ``Ranges`` of domains."""
        known = self._ranges.get(variable)
        if known is None:
            if isinstance(variable, Held | Cell | Initial):
                known = limits(self.width(variable), self.is_signed(variable))
            else:
                known = (None, None)  # a counter: that it is not negative comes out by itself, and so in relations
            self._ranges[variable] = known
        return known

    # Reading

    def own(self, frame: int, value: Value, signed: bool = True) -> Linear | None:
        """An operand in its own view; a constant in the one that is given."""
        if isinstance(value, Register):
            held = self.held(frame, value)
            return None if held is None else Linear.of(held)
        if isinstance(value, ConstInt) and isinstance(value.type, IntType):
            return Linear.number(in_view(value.value, value.type.width, signed))
        return Linear.number(0) if isinstance(value, ConstZero) and is_number(value.type) else None

    def view_of(self, frame: int, value: Value) -> bool | None:
        """Whether an operand is read as signed; None for what has no view of its own."""
        if isinstance(value, Register):
            held = self.held(frame, value)
            return None if held is None else self.is_signed(held)
        return None

    def read(self, state: Abstract, frame: int, value: Value, signed: bool) -> Linear | None:
        """An operand as a number of a view; None if the state does not say enough about its sign."""
        linear = self.own(frame, value, signed)
        if linear is None or not isinstance(value, Register):
            return linear
        return self.converted(state, linear, Held(frame, value.name), signed)

    def converted(
        self, state: Abstract, linear: Linear, variable: Held | Cell | Initial, signed: bool
    ) -> Linear | None:
        """A variable in another view than its own."""
        width = self.width(variable)
        if self.is_signed(variable) == signed or width == 1:
            return linear
        half = 1 << (width - 1)
        low, high = state.bounds(linear)
        if self.is_signed(variable):
            if low is not None and low >= 0:
                return linear
            return linear + 2 * half if high is not None and high < 0 else None
        if high is not None and high < half:
            return linear
        return linear - 2 * half if low is not None and low >= half else None

    # Writing

    def write(self, state: Abstract, variable: Held | Cell, value: Linear | None) -> Abstract:
        """After a variable got a number modulo its width; None for one that is not known."""
        fitting = None if value is None else self.fitting(state, variable, value)
        return state.forget((variable,)) if fitting is None else state.assign({variable: fitting})

    def fitting(self, state: Abstract, variable: Held | Cell, value: Linear) -> Linear | None:
        """A number brought into a variable's range by whole wraps, if their count is the same in all of the state."""
        width = self.width(variable)
        least, greatest = limits(width, self.is_signed(variable))
        for bounds in (state.roughly, state.bounds):
            low, high = bounds(value)
            if low is None or high is None:
                continue
            wraps = (low - least) >> width
            if wraps == (high - least) >> width and greatest - least + 1 == 1 << width:
                return value - (wraps << width) if wraps else value
        return None

    def within(self, state: Abstract, variable: Held | Cell, low: int | None, high: int | None) -> Abstract:
        """After a variable got something between two numbers of its view (limits that lie outside do not count)."""
        return self.related(state, variable, self.between(variable, low, high))

    def between(self, variable: Held | Cell, low: int | None, high: int | None) -> list[Constraint]:
        """That a variable is between two numbers; nothing where these are not in its range."""
        least, greatest = limits(self.width(variable), self.is_signed(variable))
        if low is None or high is None or low < least or high > greatest:
            return []
        return within(variable, low, high)

    @staticmethod
    def related(state: Abstract, variable: Variable, constraints: list[Constraint]) -> Abstract:
        """After a variable got something of which constraints are known (which do not speak of what it was before)."""
        state = state.forget((variable,))
        return state.assume(constraints) if constraints else state
