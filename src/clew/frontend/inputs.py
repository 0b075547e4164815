"""The input files: what kind each one is, or one clear line why it cannot be used."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from enum import Enum
from pathlib import Path

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.recipe import Recipe


class InputKind(Enum):
    """What a file holds, told by its extension."""

    C = "c"
    PREPROCESSED = "i"
    TEXT = "ll"
    BITCODE = "bc"


_KINDS = {f".{kind.value}": kind for kind in InputKind}
_ADVICE = "give C source (.c, .i), LLVM code (.ll, .bc), or what was built with CC=clew-cc"
_CPLUSPLUS = {".cc", ".cpp", ".cxx", ".c++", ".hpp", ".ii"}


@dataclass(frozen=True, slots=True)
class Input:
    """One file: as the user named it (reports repeat that name), and its bytes."""

    path: Path
    kind: InputKind
    content: bytes
    recipe: Recipe | None = None
    """How its build compiles it."""

    @property
    def is_source(self) -> bool:
        return self.kind in (InputKind.C, InputKind.PREPROCESSED)


@dataclass(frozen=True, slots=True)
class LlvmCode:
    """The LLVM code of one input file, in a file of this run."""

    path: Path
    name: str
    """What it is called in messages."""
    bitcode: bool
    digest: str | None = None
    """Of the code; None if it differs from run to run."""
    plain: bool = False
    """It is text fresh from the Clang of our own LLVM version: nothing to verify or upgrade."""


def read_inputs(files: Sequence[Path], recipes: Sequence[Recipe | None] = ()) -> list[Input]:
    """Read every input file; ``UserError`` for the first that is missing, unreadable or of no known kind.

    ``recipes`` are how builds compile the files, if there are any. A file of which code was kept may be gone.
    """
    if not files:
        raise UserError(f"no input file: {_ADVICE}")
    seen: set[object] = set()
    result = []
    for path, recipe in zip(files, recipes or (None,) * len(files), strict=True):
        result.append(_read(path, recipe))
        known = (path.resolve(), recipe and (recipe.directory, recipe.flags))
        if known in seen:
            raise UserError(f"{path} is given twice; name each file once")
        seen.add(known)
    return result


def _read(path: Path, recipe: Recipe | None) -> Input:
    if recipe is not None and recipe.kept is not None and not path.exists():
        return Input(path, InputKind.C, b"", recipe)
    if "\n" in str(path):
        raise UserError(f"{str(path)!r} has a newline in its name, which compilers do not take; rename it")
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise UserError(f"{path} is not a regular file; {_ADVICE}")
        content = path.read_bytes()
    except OSError as error:
        raise UserError(_explain(path, error)) from None
    except ValueError:
        raise UserError(f"{str(path)!r} is not a usable file name") from None
    kind = _KINDS.get(path.suffix.lower())
    if kind is None:
        if path.suffix.lower() in _CPLUSPLUS:
            raise UserError(f"{path} is C++, which Clew does not analyse; {_ADVICE}")
        raise UserError(f"cannot tell what {path} is from its extension; {_ADVICE}")
    return Input(path, kind, content, recipe)


def _explain(path: Path, error: OSError) -> str:
    match error.errno:
        case errno.ENOENT | errno.ENOTDIR:
            return f"{path}: no such file; check the name and the current directory"
        case errno.EISDIR:
            return f"{path} is a directory; name the files in it, such as {path / '*.c'}"
        case errno.EACCES | errno.EPERM:
            return f"{path} cannot be read: permission denied; change its permissions (chmod +r)"
        case _:
            return f"{path} cannot be read: {error.strerror or error}"
