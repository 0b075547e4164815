"""What the variables of abstract values stand for.

Functions are analysed call by call: a *frame* is one chain of calls from the entry, and a number. Frame 0 is the
entry's own. A register is told apart by its frame, as its value is.
"""

from __future__ import annotations

from clew.analysis.escape import Object
from clew.base.dataclass import dataclass

GLOBAL = -1
"""Stands for a frame where there is none."""


@dataclass(frozen=True, slots=True)
class Held:
    """The value of an SSA register, as its last definition made it."""

    frame: int
    register: str


@dataclass(frozen=True, slots=True)
class Count:
    """How often control has gone from a loop's head into its body, since the loop was entered."""

    frame: int
    header: str


@dataclass(frozen=True, slots=True)
class Total:
    """The same, since the outermost loop around that loop was entered; an outermost loop has none."""

    frame: int
    header: str


@dataclass(frozen=True, slots=True)
class Cell:
    """The integer in some bytes of an object: a global by name, or an ``alloca`` of a frame."""

    frame: int
    """``GLOBAL`` for a global."""
    object: Object
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Initial:
    """The value that an input had when it was read (into memory: a register's is in the register itself)."""

    frame: int
    block: str
    index: int
