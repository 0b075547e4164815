"""Models of C functions: the record of one, and the decorator that registers it.

The models of libc are in ``clew.models``, which loads them all; those of calls that instrumentation adds are in
``clew.execute.instrument``, next to the rewrite that adds them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from clew.analysis.model_effect import UNDECLARED, ModelEffect
from clew.base.errors import InternalError


@dataclass(frozen=True, slots=True)
class LibraryModel:
    """The model of one C function."""

    name: str
    run: Callable[..., Any]
    overrides: bool = False
    """Used even where the program defines the function itself."""
    effect: ModelEffect = UNDECLARED
    watched: bool = False
    """Generated code makes the call only while the ``Watch`` that its first argument names is on."""


MODELS: dict[str, LibraryModel] = {}

Function = Callable[..., Any]


def model(
    *names: str, effect: ModelEffect = UNDECLARED, overrides: bool = False, watched: bool = False
) -> Callable[[Function], Function]:
    """Register a function ``(invocation, *arguments) -> result`` as the model of C functions.

    ``effect``: what it may do, which analyses believe. Without one they take it that the model may do anything.
    """

    def register(function: Function) -> Function:
        for name in names:
            if name in MODELS:
                raise InternalError(f"two models are called {name}")
            MODELS[name] = LibraryModel(name, function, overrides, effect, watched)
        return function

    return register
