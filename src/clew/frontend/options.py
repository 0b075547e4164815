"""What the caller may choose about compiling: pure data, imported by everything in the front end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Literal

from clew.base.dataclass import dataclass
from clew.base.recipe import Recipe

DataModel = Literal["ILP32", "LP64"]


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """How to turn source files into a program."""

    flags: tuple[str, ...] = ()
    """Handed to the compiler as they are, after our own, so that they win."""
    target: str | None = None
    """A target triple; None means the host's processor with Linux."""
    data_model: DataModel | None = None
    """``ILP32`` or ``LP64``: x86 or x86_64 Linux, as SV-COMP tasks expect."""
    clang: str | None = None
    """Path or name of a Clang to use instead of the one that ``ziglang`` brings."""
    sanitize: tuple[str, ...] = ()
    """Clang's undefined behaviour checks (``signed-integer-overflow``, ...), compiled to traps."""
    recipes: tuple[Recipe | None, ...] = ()
    """For each file, how its build compiles it; empty if none has one."""
    apart: bool = False
    """The files need not be one program: what does not compile is left out, and where several define the same name,
    each one uses its own."""
    going_on: Callable[[int, int], bool] = field(default=lambda done, total: True, compare=False)
    """Told how many files of how many are compiled; says whether to compile more, or to leave out the rest."""
