"""What is known about a loop after any number of iterations: the words that this package and its users share.

The state of a loop is taken at its header, with the phis done. A ``LoopVariable`` is a part of it that iterations
change. Constraints (``clew.analysis.absint.linear``) are about mathematical integers; their variables are

- ``Before(v)`` and ``After(v)``: the value of a loop variable at the header at first, and at the header in the end;
- ``Fixed``: what the loop does not change, a register that is defined where the header is reached, or memory;
- ``Unknown``: an integer that exists, such as a number of rounds or an input; every constraint system bounds it.

Values of the first two kinds are bits that are read as a number, signed or not, as they say themselves: that they lie
in the range of their width goes without saying.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from clew.analysis.absint.linear import Constraint, Variable
from clew.analysis.escape import Object
from clew.base.dataclass import dataclass
from clew.program.values import Register


@dataclass(frozen=True, slots=True)
class Memory:
    """Some bytes of a global (by name) or of an ``alloca`` (function and register)."""

    object: Object
    offset: int
    size: int


Place = Register | Memory
"""Where a value is."""


@dataclass(frozen=True, slots=True)
class _Scalar:
    """Bits at a place, read as a number."""

    place: Place
    width: int
    signed: bool

    @property
    def least(self) -> int:
        return -(1 << (self.width - 1)) if self.signed else 0

    @property
    def greatest(self) -> int:
        return self.least + (1 << self.width) - 1


@dataclass(frozen=True, slots=True)
class LoopVariable(_Scalar):
    """What an iteration changes: a phi of the header, or a scalar in memory."""


@dataclass(frozen=True, slots=True)
class Fixed(_Scalar):
    """A value that is the same before, in and after all iterations."""


@dataclass(frozen=True, slots=True)
class Before:
    """The value of a loop variable at the header, before the iterations."""

    of: LoopVariable


@dataclass(frozen=True, slots=True)
class After:
    """The value of a loop variable at the header, after the iterations."""

    of: LoopVariable


@dataclass(frozen=True, slots=True)
class Unknown:
    """An integer that exists. Numbers are told apart within one disjunct only."""

    number: int


@dataclass(frozen=True, slots=True)
class Congruence:
    """That a sum of products is zero modulo a power of two: ``factor * variable * variable ...``.

    Variables are the integers that they are in constraints; what wraps around makes no difference here.
    """

    terms: tuple[tuple[int, tuple[Variable, ...]], ...]
    bits: int

    def holds(self, valuation: Mapping[Variable, int]) -> bool:
        total = sum(factor * prod(valuation[v] for v in variables) for factor, variables in self.terms)
        return total % (1 << self.bits) == 0


Disjunct = tuple[Constraint, ...]
"""A conjunction, over ``Before``, ``After``, ``Fixed`` and ``Unknown``."""


@dataclass(frozen=True, slots=True)
class Closure:
    """The states at a header after one or more complete iterations, header to header, given the state before.

    A pair of states is in the relation if one of the ``disjuncts`` has integers for its unknowns, and loop variables
    that are not among ``changed`` and ``havocked`` are as before. If ``exact``, those pairs are all there are, and each
    of them is real: there are inputs with which the iterations are complete. An iteration in which a path ends (by a
    failing check, a trap, a call that does not come back) is not complete. Otherwise every real pair is among them.
    """

    exact: bool
    reason: str
    """Why it is not exact; empty if it is."""
    disjuncts: tuple[Disjunct, ...]
    """None at all: there is no complete iteration."""
    reads_inputs: bool
    """Iterations read inputs: those of the skipped ones are not known."""
    changed: tuple[LoopVariable, ...]
    havocked: tuple[LoopVariable, ...] = ()
    """What changes in ways that the disjuncts say nothing about, whole objects among it: then it is not exact."""
    congruences: tuple[tuple[Congruence, ...], ...] = ()
    """For each disjunct, what holds beside its constraints; empty if there is nothing of that kind."""
    exact_with_congruences: bool = False
    """Disjuncts and congruences together are exact. (``exact`` is about the disjuncts alone.)"""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Nothing can be said about a loop, not even what it changes."""

    reason: str
