"""The models, by the name of the C function they stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True, slots=True)
class LibraryModel:
    """The model of one C function."""

    name: str
    run: Callable[..., Any]
    overrides: bool = False
    """Used even where the program defines the function itself."""


MODELS: dict[str, LibraryModel] = {}

Function = Callable[..., Any]


def model(*names: str, overrides: bool = False) -> Callable[[Function], Function]:
    """Register a function as the model of C functions."""

    def register(function: Function) -> Function:
        for name in names:
            MODELS[name] = LibraryModel(name, function, overrides)
        return function

    return register


MODULES = (
    "alloc", "anything", "assertions", "conversion", "ctype", "errno", "files", "identity", "klee",
    "loops", "marks", "math", "meetings", "process", "scanning", "signal", "stdio", "stdio_input", "stdlib",
    "string", "string_compare", "string_copy", "string_search", "string_tokens", "strings", "svcomp", "time",
    "unistd", "unsupported",
)  # fmt: skip
"""The modules of this package that hold models."""


def all_models() -> Mapping[str, LibraryModel]:
    """Every model there is."""
    for name in MODULES:
        import_module(f"clew.models.{name}")  # which registers its models
    return MODELS
