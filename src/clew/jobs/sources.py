"""From what a user names to the files of a request: see ``frontend.builds``."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TypeVar

from clew.base.options import Request
from clew.frontend.builds.resolving import folder_files, resolve

R = TypeVar("R", bound=Request)


def resolved(request: R) -> R:
    """The request with the files that stand behind those it names, and how they are compiled.

    ``UserError`` where nothing stands behind a name, or a build cannot be read.
    """
    request = _unfolded(request)
    found = resolve(request.files, request.build)
    recipes = tuple(found.recipes) if any(found.recipes) else ()
    return replace(request, files=tuple(found.files), recipes=recipes, notes=(*request.notes, *found.notes))


def _unfolded(request: R) -> R:
    """The request with the files of a project where it names the project's folder."""
    if len(request.files) != 1 or not os.path.isdir(request.files[0]):  # noqa: PTH112  # of any length, too
        return request
    build, files = folder_files(request.files[0])
    return replace(request, files=tuple(files), build=request.build or build)
