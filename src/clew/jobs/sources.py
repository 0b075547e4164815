"""From what a user names to the files of a request: see ``frontend.builds``."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TypeVar

from clew.base.options import Request
from clew.base.recipe import PLAIN
from clew.frontend.builds.resolving import resolve, resolve_folder

R = TypeVar("R", bound=Request)


def resolved(request: R) -> R:
    """The request with the files that stand behind those it names, and how they are compiled.

    ``UserError`` where nothing stands behind a name, or a build cannot be read.
    """
    apart = len(request.files) == 1 and os.path.isdir(request.files[0])  # noqa: PTH112  # of any length, too
    found = resolve_folder(request.files[0], request.build) if apart else resolve(request.files, request.build)
    recipes = tuple(found.recipes) if any(found.recipes) else ()
    notes = (*request.notes, *found.notes)
    first = request.files[0].absolute()
    program = (first.stem if first.suffix in PLAIN else first.name) or request.program
    build = ("-p", str(request.build)) if request.build is not None else ()
    named = request.named or (*build, *map(str, request.files))
    return replace(
        request, files=tuple(found.files), recipes=recipes, named=named, notes=notes, apart=apart, program=program
    )
