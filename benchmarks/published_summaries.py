"""Published figures for ``clew bench summaries``.

Source: Patrice Godefroid and Daniel Luchaup, *Automatic Partial Loop Summarization in Dynamic Test Generation* (2011):
SAGE on the parser of animated icons of Windows 7, figures 12 and 13 and section 6; of the programs of figures 1 and 2,
sections 1 and 4. The parser is not public: Clew's reads files of that shape, and is much smaller.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

REGULAR, SUMMARIES = "paper, plain", "paper, summaries"
"""SAGE as it was, and with loop summaries."""

COVERAGE_GAIN = 33
"""Percent by which the siblings of the first run cover more instructions that are new, with summaries."""
OVERHEAD = 50
"""Percent of time and memory that summaries cost; "about"."""


@dataclass(frozen=True, slots=True)
class Paper:
    """One run of SAGE; None for what the paper does not say."""

    bugs: int | None = None
    tests: int | None = None
    """All of them on ``fig1``; on the parser, the inputs that the first run leads to."""
    generations: int | None = None
    loops: int | None = None
    summaries: int | None = None
    constraints_removed: int | None = None
    symbolic_updates: int | None = None
    solver_queries: int | None = None
    seconds: float | None = None
    memory_mb: float | None = None

    def to_json(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__slots__ if getattr(self, name) is not None}


@dataclass(frozen=True, slots=True)
class IconFile:
    """A column of figure 13: one input file of the parser, and its first run."""

    input_bytes: int
    seconds: int
    branches: int
    symbolic_branches: int
    loops: int
    symbolic_loops: int
    loops_summarized: int
    summaries: int


_ICON_FILES = """
 2504 11326  7908  3272  4592 11346  1700   800 15902  6362  4100   818
  391   649   958   465   205   746   362    10    22  1611   555   249
 5459  5446  5479  5461  5460  5440  5451  3008  3146  5454  5474  5447
  272   269   263   271   275   272   254     7   105   288   272   282
  231   228   232   230   229   228   229   125   133   229   232   230
   17    19    16    17    19    20    16     0     4    18    17    17
    2     5     5     5     1     5     0     0     0     5     5     2
   22    23    30    36     2    17     0     0     0    48    23     5
"""


def published() -> Mapping[str, Mapping[str, Paper]]:
    """By the names of Clew's programs and the kind of run."""
    return {
        "fig1": {SUMMARIES: Paper(bugs=2, tests=4, generations=1)},
        "fig2": {SUMMARIES: Paper(bugs=1, generations=1)},
        "parser": {
            REGULAR: Paper(tests=384, solver_queries=9155, seconds=1658, memory_mb=366),
            SUMMARIES: Paper(
                tests=383,
                loops=6,
                summaries=25,
                constraints_removed=78,
                symbolic_updates=56,
                solver_queries=9163,
                seconds=2600,
                memory_mb=512,
            ),
        },
    }


def icon_files() -> tuple[IconFile, ...]:
    """The other input files, of figure 13: of 16 to 20 loops with symbolic conditions, mostly 2 to 5 are summarized."""
    lines = [map(int, line.split()) for line in _ICON_FILES.strip().splitlines()]
    return tuple(IconFile(*column) for column in zip(*lines, strict=True))
