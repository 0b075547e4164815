"""The strategies of ``--search``, by name, and what they are made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from clew.base.randomness import Randomness
from clew.base.registry import Registry
from clew.execute.coverage import Coverage
from clew.execute.pending import Searcher
from clew.program.module import Program

DEFAULT = "default"
MODULES = ("breadth", "coverage", "depth", "generational", "interleave", "random_path")
"""The modules of this package that hold a strategy."""


@dataclass(frozen=True, slots=True)
class SearchContext:
    """What a strategy may look at."""

    program: Program
    coverage: Coverage
    randomness: Randomness


SEARCHERS: Registry[Callable[[SearchContext], Searcher]] = Registry("search strategy", "--search")


def make_searcher(name: str | None, context: SearchContext) -> Searcher:
    """The strategy called ``name``; None for the default."""
    for module in MODULES:
        import_module(f"clew.search.{module}")  # which registers its strategy
    return SEARCHERS.get(name or DEFAULT)(context)
