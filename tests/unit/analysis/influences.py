"""Influence of input on small programs, with the names of models that give input or fork for them."""

from __future__ import annotations

from clew.analysis.callees import Callees
from clew.analysis.divergence import Influence
from clew.analysis.mod_ref import ModRef
from clew.models.registry import all_models
from clew.program.module import Program

SOURCES = {name for name, model in all_models().items() if model.effect.is_input} | {
    "fgets",
    "getchar",
    "fopen",
    "fgetc",
}
FORKS = frozenset({"fgets", "atoi", "strlen", "strcmp"})


def influence_of(program: Program, entry: str = "main") -> Influence:
    effects = ModRef(program, Callees(program, all_models()))
    return Influence(effects, SOURCES.__contains__, FORKS.__contains__, entry)
