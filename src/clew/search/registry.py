"""The strategies of ``--search``, by name, and what they are made from."""

from __future__ import annotations

from collections.abc import Callable

from clew.base.dataclass import dataclass
from clew.base.randomness import Randomness
from clew.base.registry import Registry
from clew.execute.coverage import Coverage
from clew.execute.pending import Searcher
from clew.program.module import Program

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class SearchContext:
    """What a strategy may look at."""

    program: Program
    coverage: Coverage
    randomness: Randomness


SEARCHERS: Registry[Callable[[SearchContext], Searcher]] = Registry(
    "search strategy",
    "--search",
    {
        "bfs": "clew.search.depth_breadth",
        "coverage": "clew.search.coverage",
        DEFAULT: "clew.search.interleave",
        "dfs": "clew.search.depth_breadth",
        "generational": "clew.search.generational",
        "random-path": "clew.search.random_path",
    },
)


def make_searcher(name: str | None, context: SearchContext) -> Searcher:
    """The strategy called ``name``; None for the default."""
    return SEARCHERS.get(name or DEFAULT)(context)
