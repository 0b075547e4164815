"""How a project's own build compiles a file: part of a request, where that is known."""

from __future__ import annotations

from pathlib import Path

from clew.base.dataclass import dataclass

PLAIN = (".c", ".i", ".ll", ".bc")
"""Extensions of files that are what they are; with any other, a file is looked into."""


@dataclass(frozen=True, slots=True)
class KeptCode:
    """LLVM code that was kept when a file was built, compressed: a part of another file."""

    container: Path
    offset: int
    size: int
    made: str
    """A digest of how it was made: it stands for the file if that would be made the same way now."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a build compiles one file."""

    directory: Path
    """Where its compiler is started."""
    flags: tuple[str, ...] = ()
    """Those that matter to what the code means."""
    kept: KeptCode | None = None
    named: bool = False
    """The user named the file, and not something that it is a part of: it must compile."""
