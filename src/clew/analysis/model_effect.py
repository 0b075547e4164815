"""What the model of a C function may do, for analyses of whole programs: mod/ref facts, and what its result depends on.

A model declares its effect where it is registered. What it keeps outside of the program's memory (open files, the
environment, output) is no part of it: only ``pure`` and the inputs say that a result does not depend on that.
"""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import Any

from clew.base.dataclass import dataclass


class Writes(Enum):
    """What a model may write of the program's memory."""

    NOTHING = "nothing"
    """No memory that the program can read, not even ``errno``."""
    OWN = "own"
    """The heap (what it allocates) and objects of libc such as ``errno``."""
    ARGUMENTS = "arguments"
    """These, and what its arguments point to."""
    ANYTHING = "anything"
    """These, and every escaped object."""


@dataclass(frozen=True, slots=True)
class ModelEffect:
    """What a model does to the program's memory and to the path."""

    writes: Writes = Writes.ANYTHING
    keeps: bool = True
    """Whether a pointer it is given may come back: as its result, in memory, or in what it remembers."""
    format: int | None = None
    """The argument that is a format of ``printf``. Without ``%n`` in it, arguments behind it are not written."""
    gives_back: bool = False
    """Pointers that it got may be its result, and it keeps them nowhere else."""
    exact: bool = False
    """It does with symbols what it does with numbers, if need be on several paths; others may know less then."""
    pure: bool = False
    """The result is a function of the (scalar) arguments alone; nothing else happens, no path forks or ends."""
    fresh: bool = False
    """Every call gives a new input that nothing constrains: any value of the result's type. (The name of its symbol
    depends on how many inputs were read before; its value does not.)"""
    bounded: bool = False
    """The same, but the path gets a constraint that keeps the value in a fixed range, or the value is a fixed function
    of the new input."""
    result: tuple[int, int] | None = None
    """Between what the result lies, if that is less than its type has."""
    reads_input: bool = False
    """What it gives, or writes, may come from an input of the program: a file, the clock, the environment."""
    named: int | None = None
    """It makes an input with a name of its own: the argument that is the name."""
    assumes: bool = False
    """It ends the path if its argument is zero."""
    ends: bool = False
    """It ends the path, one way or another."""
    diverts: bool = False
    """Control may go elsewhere after it than to the next instruction, which the program's text does not show."""
    jumps: bool = False
    """It diverts control, but only to behind a call of ``setjmp``, and paths follow it. The call that may come back
    twice does not end the path, the one that goes there does."""

    def but(self, **facts: Any) -> ModelEffect:
        """The same effect with some facts changed."""
        return dataclasses.replace(self, **facts)

    @property
    def is_input(self) -> bool:
        """Whether the result, or what it fills, is a new input."""
        return self.fresh or self.bounded or self.named is not None

    @property
    def makes_object(self) -> bool:
        """Whether it fills an object (pointer, size) with an input."""
        return self.named is not None and self.writes is Writes.ARGUMENTS

    @property
    def is_end(self) -> bool:
        """Whether a call ends the path, and nothing of the program runs after it."""
        return self.ends and not self.diverts

    @property
    def returns_twice(self) -> bool:
        """Whether control may come back to behind a call after it has returned."""
        return self.jumps and not self.ends

    @property
    def is_simple(self) -> bool:
        """Whether a call computes, makes an input, or ends the path: it does nothing which memory does not show."""
        return self.pure or self.is_input or self.assumes or self.ends


UNDECLARED = ModelEffect()
"""Of a model that says nothing: it may do anything to what it can get at."""
ANYTHING = ModelEffect()
"""The same, of a model that says so."""
NOTHING = ModelEffect(Writes.NOTHING, keeps=False)
"""It writes nothing and keeps no pointer."""
READS = NOTHING.but(exact=True)
"""It reads what its arguments point to, or changes files and streams, and gives no pointer."""
PURE = READS.but(pure=True)
FRESH = READS.but(fresh=True)
BOUNDED = READS.but(bounded=True)
ASSUMES = READS.but(assumes=True)
ENDS = READS.but(ends=True)
SEARCHES = READS.but(keeps=True, gives_back=True)
"""It reads, and gives a pointer into what it was given."""
WRITES_OWN = ModelEffect(Writes.OWN, keeps=False)
"""It writes what it allocates, or ``errno``, and does not keep what it is given."""
WRITES_ARGUMENTS = ModelEffect(Writes.ARGUMENTS, keeps=False)
"""It writes where its arguments point to, and does not keep them."""
COPIES = ModelEffect(Writes.ARGUMENTS, keeps=True, gives_back=True, exact=True)
"""It writes where its arguments point to, and gives these pointers back."""
PARSES = ModelEffect(Writes.ARGUMENTS, keeps=True, exact=True)
"""It reads a text, and writes where its number ends to where an argument points to."""


def prints(format: int) -> ModelEffect:
    """It prints; the number of the format."""
    return ModelEffect(Writes.NOTHING, keeps=False, format=format, exact=True)


def prints_into(format: int) -> ModelEffect:
    """It prints into its first argument; the number of the format."""
    return ModelEffect(Writes.ARGUMENTS, keeps=False, format=format)
