"""What changes from one visit of a loop's header to the next: the table of induction variables.

Sits on snapshots of the state at three visits in a row. A variable is a phi of the header, or a cell of memory. It is
an induction variable if it changed by the same amount twice, as expressions over the inputs; what else changed is
*odd*. Nothing here says that it will go on like this: ``generic`` shows that.
"""

from __future__ import annotations

from typing import Any

from clew.base.dataclass import dataclass
from clew.execute.codegen.context import Watch
from clew.execute.pending import Pending
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import BV, Expr
from clew.memory.changes import cell_at, changes, value_at
from clew.memory.space import AddressSpace
from clew.techniques.summaries.induction import flat


class Family:
    """Siblings that were queued between two visits, by whichever state shares the first of them."""

    __slots__ = ("closed", "siblings", "watch")

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        """Of the loop: when it is off, nobody asks for the siblings any more."""
        self.siblings: list[Pending] = []
        self.closed = False
        """Whether a summary covers everything that starts at the first of the two visits."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A visit of a header: the state as it was, suspended there, the values of the phis, and what was queued since."""

    state: State
    values: tuple[Any, ...]
    family: Family


@dataclass(frozen=True, slots=True)
class Variable:
    """A phi, by its place among the header's phis, or a cell of memory, by its address; with its first value."""

    place: int
    """-1 for a cell."""
    address: int
    """0 for a phi."""
    width: int
    start: BV
    """At the first of the visits."""
    second: BV
    """At the next one."""

    @property
    def size(self) -> int:
        return self.width >> 3


@dataclass(frozen=True, slots=True)
class Table:
    """Induction variables with what an iteration adds to each; odd variables; other problems, in words."""

    steady: tuple[tuple[Variable, BV], ...]
    odd: tuple[Variable, ...] = ()
    odd_places: tuple[int, ...] = ()
    """Phis that are no numbers, and yet change."""
    problem: str = ""


def same(a: Any, b: Any) -> bool:
    """Whether two values are one, as far as their looks tell."""
    if isinstance(a, Expr) or isinstance(b, Expr):
        return a is b
    return type(a) is type(b) and bool(a == b)


def tabulate(stops: tuple[Stop, ...], widths: tuple[int | None, ...], sizes: dict[int, int]) -> Table:
    """The table after three visits. ``widths``: of the phis that are numbers; ``sizes``: of cells that are known."""
    steady: list[tuple[Variable, BV]] = []
    odd: list[Variable] = []
    odd_places: list[int] = []
    for place, width in enumerate(widths):
        values = [stop.values[place] for stop in stops]
        if same(values[0], values[1]) and same(values[1], values[2]):
            continue
        if width is None:
            odd_places.append(place)
        else:
            _enter(Variable(place, 0, width, values[0], values[1]), values[2], steady, odd)
    problem = _cells(stops, sizes, steady, odd) or other_changes(stops[0].state, stops[2].state)
    return Table(tuple(steady), tuple(odd), tuple(odd_places), problem)


def _enter(variable: Variable, third: BV, steady: list[tuple[Variable, BV]], odd: list[Variable]) -> None:
    width = variable.width
    first, second, last = flat(variable.start), flat(variable.second), flat(third)
    step = build.sub(second, first, width)
    if same(step, build.sub(last, second, width)):
        steady.append((variable, step))
    else:
        odd.append(variable)


def _cells(
    stops: tuple[Stop, ...], sizes: dict[int, int], steady: list[tuple[Variable, BV]], odd: list[Variable]
) -> str:
    """Enter the cells that change; returns what is wrong, if anything is."""
    one, two, three = (stop.state.memory for stop in stops)
    first, second = changes(one, two), changes(two, three)
    if first.problem or second.problem:
        return first.problem or second.problem
    end, problem = 0, ""
    for address in sorted({*first.addresses, *second.addresses}):
        if address < end:
            continue
        cell, size = cell_at(address, three, sizes, end)
        end = cell + size
        before, then, now = (value_at(memory, cell, size) for memory in (one, two, three))
        if before is None or then is None or now is None:
            problem = problem or f"{name_of(three, cell)} gets its first value in it"
            continue
        _enter(Variable(-1, cell, 8 * size, before, then), now, steady, odd)
    return problem


def name_of(memory: AddressSpace, address: int) -> str:
    """The object at an address, for a reader."""
    found = memory.find(address)
    if found is None or not found[0].name:
        return "an object without a name"
    return found[0].name if found[0].size <= 8 else f"{found[0].name} (at byte {found[1]})"


def other_changes(before: State, after: State) -> str:
    """What differs between two states at one header that is neither memory nor a register."""
    if before.inputs is not after.inputs:
        return "it reads inputs"
    if before.symbols != after.symbols:
        return "it makes new unknown values (reads what was never set, calls what nobody defines)"
    if before.environment is not after.environment and before.environment != after.environment:
        return "it changes what the C library keeps (open files, errno and such)"
    assert before.frame is not None and after.frame is not None
    if before.frame.allocated != after.frame.allocated:
        return "memory is allocated or freed"
    return ""
