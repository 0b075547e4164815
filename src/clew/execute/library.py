"""The registry of models of C functions, and the decorator that adds to it.

The models of libc are in ``clew.models``, which loads them all; those of calls that instrumentation adds are in
``clew.execute.instrument``, next to the rewrite that adds them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clew.analysis.callees import LibraryModel
from clew.analysis.model_effect import UNDECLARED, ModelEffect
from clew.base.errors import InternalError

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
