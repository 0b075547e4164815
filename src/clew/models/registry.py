"""All models there are: those of this package, and those of calls that instrumentation adds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from clew.analysis.callees import LibraryModel
from clew.analysis.model_effect import UNDECLARED, ModelEffect
from clew.execute.library import MODELS

MODULES = (
    "execute.instrument.comprehension", "execute.instrument.havoc", "execute.instrument.loop_marks",
    "execute.instrument.merge_points", "execute.instrument.targets",
    "models.alloc", "models.conversion", "models.ctype", "models.descriptors", "models.errno", "models.file_states",
    "models.files", "models.intrinsics", "models.jumps", "models.math", "models.memory_streams", "models.network",
    "models.process", "models.regex", "models.scanning", "models.sockets", "models.stdio", "models.stdio_input",
    "models.stdlib", "models.string", "models.string_compare", "models.string_copy", "models.string_search",
    "models.string_tokens", "models.system", "models.time", "models.unistd",
)  # fmt: skip
"""The modules that hold models."""


@cache
def all_models() -> Mapping[str, LibraryModel]:
    """Every model there is."""
    for name in MODULES:
        import_module(f"clew.{name}")  # which registers its models
    return MODELS


def effect_of(name: str) -> ModelEffect:
    """What the model of a C function may do: to be handed to ``clew.analysis.mod_ref.ModRef``."""
    model = all_models().get(name)
    return UNDECLARED if model is None else model.effect
