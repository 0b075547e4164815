"""What is known, at a place within a tree, about values that were defined on the way there.

Much of what Clang's checks compute is computed again by what they check: an index is extended for the comparison with
its bound and once more for the address, an address is tested for alignment and then used. So a value that is known
already gets no variable, and one that may never be needed is not computed until it is:

    v5 = sext v3            put off; the comparison v5 < 16 is one of v3
    v7 = sext v3            the same as v5
    v8 = table + v7 * 4     put off; known to be aligned, so that the test of it is gone
    v9 = load v8            r4[257][v3]

Whoever leaves the tree with such a value alive gives it a variable first (``Emitter.settle``). Values of registers do
not change within a tree, but where phis are assigned, and where a loop is closed on the way through a short block that
is written once more: there, everything here is forgotten.
"""

from __future__ import annotations

from dataclasses import field, fields
from typing import Any, NamedTuple

from clew.base.dataclass import dataclass
from clew.execute.codegen.arithmetic import OperationText


class Extension(NamedTuple):
    """An integer of ``width`` bits that was made wider; ``text`` is the narrow one."""

    signed: bool
    text: str
    width: int


class Masked(NamedTuple):
    """The low bits of a register: those below ``alignment``."""

    number: int
    alignment: int


@dataclass(slots=True)
class Facts:
    """By register number, unless said otherwise."""

    same: dict[int, int] = field(default_factory=dict)
    """Registers that have the value of another one, which is in no such relation itself."""
    texts: dict[int, str] = field(default_factory=dict)
    """Registers without a variable: what to write in their place."""
    lazy: dict[int, OperationText] = field(default_factory=dict)
    """Registers that are not computed yet."""
    known: dict[str, int] = field(default_factory=dict)
    """Which register was computed by a (general) text."""
    aligned: dict[int, int] = field(default_factory=dict)
    """Powers of two that registers are multiples of."""
    pairs: dict[int, tuple[str, str]] = field(default_factory=dict)
    """The two parts of results of arithmetic with overflow."""
    inverse: dict[str, str] = field(default_factory=dict)
    """Conditions by the text of their negation."""
    extended: dict[int, Extension] = field(default_factory=dict)
    addresses: dict[int, Any] = field(default_factory=dict)
    """Addresses within objects whose place is fixed, taken apart (``addresses.Address``)."""
    masked: dict[int, Masked] = field(default_factory=dict)
    zero_tests: dict[int, Masked] = field(default_factory=dict)
    """Comparisons of masked registers with 0."""

    def copy(self) -> Facts:
        """The same facts, to go on with in another arm."""
        return Facts(*[getattr(self, name).copy() for name in _PARTS])

    def of(self, number: int) -> int:
        """The register that stands for this one."""
        return self.same.get(number, number)


_PARTS = tuple(part.name for part in fields(Facts))
