"""The sources of an emitted test, as seen from its folder: which one it includes, which are linked, and the flags."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from clew.base.command_line import relocated
from clew.base.dataclass import dataclass
from clew.base.options import Request
from clew.report.callplan import Signature


@dataclass(frozen=True, slots=True)
class Sources:
    """All names are seen from the folder of the test, where its compiler is called."""

    included: str
    """The file that has the tested function."""
    others: tuple[str, ...]
    """To be linked with it."""
    flags: tuple[str, ...]
    """Of the compiler."""


def sources_of(signature: Signature, request: Request, folder: Path) -> Sources:
    """For tests of a function in ``folder``, by a run with this request."""
    tested = _unit(signature.source, request.files)
    needed = {os.path.realpath(file) for file in signature.needs}
    others = [file for file in request.files if os.path.realpath(file) in needed and file != tested]
    recipes = dict(zip(request.files, request.recipes, strict=False))
    recipe = recipes.get(tested)
    own = () if recipe is None else _seen(recipe.flags, recipe.directory, folder)
    flags = (*own, *_seen(request.compiler_flags, Path.cwd(), folder))
    return Sources(_path(tested, folder), tuple(_path(file, folder) for file in others), flags)


def _unit(source: str, files: Sequence[Path]) -> Path:
    """The file that is compiled: the one with the function, or the one that includes it."""
    real = os.path.realpath(source)
    found = next((file for file in files if os.path.realpath(file) == real), None)
    if found is not None:
        return found
    included = re.compile(rf'#\s*include\s*["<](?:[^">]*/)?{re.escape(Path(source).name)}[">]')
    return next((file for file in files if included.search(_text(file))), Path(source))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _seen(flags: Sequence[str], base: Path, folder: Path) -> Iterator[str]:
    """Flags with the paths of folders as seen from another one."""
    return relocated(flags, lambda path: _path(base / path, folder))


def _path(file: str | Path, folder: Path) -> str:
    """A file as it is called from a folder."""
    try:
        return Path(os.path.relpath(file, folder)).as_posix()
    except ValueError:
        return str(file)  # on another drive
