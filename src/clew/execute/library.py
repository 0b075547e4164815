"""Models of C functions: the record of one, and the decorator that registers it.

The models of libc are in ``clew.models``, which loads them all; those of calls that instrumentation adds are in
``clew.execute.instrument``, next to the rewrite that adds them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class LibraryModel:
    """The model of one C function."""

    name: str
    run: Callable[..., Any]
    overrides: bool = False
    """Used even where the program defines the function itself."""
    watched: bool = False
    """Generated code makes the call only while the ``Watch`` that its first argument names is on."""


MODELS: dict[str, LibraryModel] = {}

Function = Callable[..., Any]


def model(*names: str, overrides: bool = False, watched: bool = False) -> Callable[[Function], Function]:
    """Register a function ``(invocation, *arguments) -> result`` as the model of C functions."""

    def register(function: Function) -> Function:
        for name in names:
            MODELS[name] = LibraryModel(name, function, overrides, watched)
        return function

    return register
