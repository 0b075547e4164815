"""A path through the body of a loop: where control is, what values are, and what must hold to get there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from clew.analysis.absint.frames import FunctionOutline
from clew.analysis.absint.linear import Constraint, Linear, within
from clew.analysis.escape import Object
from clew.analysis.loops.box import Box, Interval
from clew.analysis.loops.closure import Unknown
from clew.base.bits import range_of_width
from clew.base.dataclass import dataclass
from clew.program.module import Block
from clew.program.values import Register


class Refused(Exception):
    """Nothing can be said about the loop; the text says why."""


@dataclass(frozen=True, slots=True)
class Number:
    """A machine integer: the bits of ``linear`` modulo two to the power of its width."""

    linear: Linear
    width: int

    @staticmethod
    def constant(value: int, width: int) -> Number:
        """Read as signed: so that small numbers are small on both sides of zero."""
        value &= (1 << width) - 1
        return Number(Linear.number(value - (1 << width) if value >> (width - 1) and width > 1 else value), width)


@dataclass(frozen=True, slots=True)
class Test:
    """A comparison of two machine integers, by LLVM's predicate."""

    predicate: str
    left: Number
    right: Number


@dataclass(frozen=True, slots=True)
class Outside:
    """That an expression is not between two numbers."""

    linear: Linear
    least: int
    greatest: int


@dataclass(frozen=True, slots=True)
class Junction:
    """Both of two conditions, or (``either``) one of them at least."""

    left: Truth
    right: Truth
    either: bool


@dataclass(frozen=True, slots=True)
class Opposite:
    """That a condition does not hold."""

    of: Truth


@dataclass(frozen=True, slots=True)
class Open:
    """A condition that nothing is known about, and why."""

    reason: str


Truth = Test | Outside | Junction | Opposite | Open


@dataclass(frozen=True, slots=True)
class Pair:
    """What an operation gives that tells of overflow."""

    number: Number
    overflow: Truth


@dataclass(frozen=True, slots=True)
class Address:
    """A place in an object; ``offset`` None: somewhere in it."""

    frame: int
    object: Object
    offset: int | None


Content = Number | Truth | Pair | Address
Slot = tuple[int, Object, int, int]
"""Frame (0 for the loop's own function and for globals), object, offset, size."""


@dataclass(slots=True)
class Activation:
    """A function that is running: the loop's own, or one that is called from the body."""

    number: int
    outline: FunctionOutline
    block: Block
    index: int = 0
    registers: dict[str, Content | None] = field(default_factory=dict)
    """None: a value that nothing is known about."""

    def copy(self) -> Activation:
        return Activation(self.number, self.outline, self.block, self.index, dict(self.registers))


@dataclass(slots=True)
class Path:
    """One path, as far as it has come."""

    frames: list[Activation]
    guards: list[Constraint] = field(default_factory=list)
    box: Box = field(default_factory=Box)
    memory: dict[Slot, Number] = field(default_factory=dict)
    blurred: dict[tuple[int, Object], None] = field(default_factory=dict)
    """Objects with contents that nothing is known about, but for what was written since."""
    dead: dict[tuple[int, Object], None] = field(default_factory=dict)
    """Local variables that have begun or ended: if nothing was written to them since, they have no contents."""
    parts: dict[tuple[Linear, int, int], Linear] = field(default_factory=dict)
    """Quotients that are known, by what is divided, what it is moved by before, and the divisor."""
    unknowns: int = 0
    reads_inputs: bool = False
    reason: str = ""
    """Why there may be less than the constraints say; empty if there is not."""

    @property
    def top(self) -> Activation:
        return self.frames[-1]

    def copy(self) -> Path:
        frames = [frame.copy() for frame in self.frames]
        return Path(
            frames, [*self.guards], self.box.copy(), dict(self.memory), dict(self.blurred),
            dict(self.dead), dict(self.parts), self.unknowns, self.reads_inputs, self.reason,
        )  # fmt: skip

    def give(self, register: Register | None, value: Content | None) -> None:
        """Set a register of the function that is running."""
        if register is not None:
            self.top.registers[register.name] = value

    def range_of(self, linear: Linear) -> Interval:
        """Between what an expression lies, as far as its variables and constraints on the same terms show."""
        least, greatest = self.box.bounds(linear)
        if len(linear.terms) > 1:
            opposite = {v: -c for v, c in linear.terms.items()}
            for guard in self.guards:
                known, offset = guard.linear, guard.linear.constant
                if known.terms == linear.terms:
                    least = max(least, linear.constant - offset)
                    greatest = min(greatest, linear.constant - offset) if guard.equality else greatest
                elif known.terms == opposite:
                    greatest = min(greatest, linear.constant + offset)
                    least = max(least, linear.constant + offset) if guard.equality else least
        return least, greatest

    def unknown(self, least: int, greatest: int) -> Linear:
        """A new number that exists, in some range."""
        variable = Unknown(self.unknowns)
        self.unknowns += 1
        self.box.table[variable] = (least, greatest)
        self.guards += within(variable, least, greatest)
        return Linear.of(variable)

    def opaque(self, width: int, reason: str, signed: bool = False) -> Number:
        """A machine integer that is not followed."""
        self.doubt(reason)
        return self.any_number(width, signed)

    def any_number(self, width: int, signed: bool = False) -> Number:
        """Any machine integer of a width."""
        return Number(self.unknown(*range_of_width(width, signed)), width)

    def doubt(self, reason: str) -> None:
        self.reason = self.reason or reason

    def assume(self, constraints: Iterable[Constraint]) -> bool:
        """Add constraints; False if the path is then impossible, as far as that shows."""
        new = [each for each in constraints if not self._holds(each)]
        if not new:
            return True
        self.guards += new
        return not any(each.is_false for each in new) and self.box.narrow(self.guards)

    def _holds(self, constraint: Constraint) -> bool:
        least, greatest = self.range_of(constraint.linear)
        return (least == greatest == 0) if constraint.equality else least >= 0
