"""Counters of one run: the engine's, and those of each technique that takes part.

A run object owns one ``RunStatistics`` and hands it down; there are no globals. A technique declares its own counters
in its folder, and counts in ``run.statistics.of(ItsClass)``; ``clew.techniques.statistics`` lists these classes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, fields, replace
from typing import Any, ClassVar, Self, TypeVar

from clew.base.dataclass import dataclass
from clew.report.lines import Line


@dataclass(slots=True)
class Statistics:
    """Counters of one component, as fields of a data class: they stand among the ``stats`` of ``summary.json``."""

    LARGEST: ClassVar[frozenset[str]] = frozenset()
    """Counters of which the largest counts where several runs are taken together; others are added."""

    @classmethod
    def names(cls) -> list[str]:
        """The counters in order."""
        return [item.name for item in fields(cls) if item.name != "parts"]

    def add(self, other: Self) -> None:
        """Count what another run has done, too."""
        for name in self.names():
            mine, more = getattr(self, name), getattr(other, name)
            setattr(self, name, max(mine, more) if name in self.LARGEST else mine + more)

    def since(self, earlier: Self) -> Self:
        """What was counted since these were as they were earlier; the largest so far, where that counts."""
        changed = {
            name: getattr(self, name) - (0 if name in self.LARGEST else getattr(earlier, name)) for name in self.names()
        }
        return type(self)(**changed)

    def to_json(self) -> dict[str, object]:
        """The counters in order; seconds and megabytes rounded to what is meant by them."""
        values = {name: getattr(self, name) for name in self.names()}
        places = {name: 1 if name.endswith("_mb") else 4 for name, value in values.items() if isinstance(value, float)}
        return values | {name: round(values[name], digits) for name, digits in places.items()}

    def lines(self, command: str) -> Iterator[Line]:
        """What a person reads of them in the report of a command; nothing, mostly."""
        yield from ()


S = TypeVar("S", bound=Statistics)


@dataclass(slots=True)
class RunStatistics(Statistics):
    """The ``stats`` of ``summary.json``; the engine counts straight into the fields."""

    LARGEST: ClassVar[frozenset[str]] = frozenset(("peak_memory_mb", "wall_seconds", "generations"))

    paths_completed: int = 0
    paths_merged: int = 0
    """Paths that were cut, since an earlier visit of the same place has shown all they could show. With
    ``paths_completed``, all that were explored."""
    paths_pruned: int = 0
    paths_cut_short: int = 0
    paths_failed: int = 0
    """Paths that ended in an error, whether it was known by then or not."""
    instructions: int = 0
    solver_queries: int = 0
    solver_cache_hits: int = 0
    solver_seconds: float = 0.0
    wall_seconds: float = 0.0
    peak_memory_mb: float = 0.0
    forks: int = 0
    states_evicted: int = 0
    solver_unknowns: int = 0
    paths_explored: int = 0
    """Assignments to the program's decisions that were tried."""
    states_pruned: int = 0
    """Waiting states that were given up, since nothing leads from them to the target."""
    generations: int = 0
    """Number of the latest generation of paths that ran; the first run is generation 0."""
    native_runs: int = 0
    """Runs of the compiled program, for inputs to start from."""
    paths_repeated: int = 0
    """Paths that were explored before exploration started over, and so once more than needed."""
    parts: list[Statistics] = field(default_factory=list)
    """Those of techniques; their counters stand beside these in ``summary.json``."""

    @property
    def paths_ended(self) -> int:
        """Paths that were explored, and not merged: a measure of work."""
        return self.paths_completed + self.paths_pruned + self.paths_cut_short + self.paths_repeated

    def repeat_paths(self) -> None:
        """Exploration starts over: the paths so far do not count, since all of them come again."""
        self.paths_repeated = self.paths_ended
        self.paths_completed = self.paths_pruned = self.paths_cut_short = self.paths_failed = 0

    def of(self, kind: type[S]) -> S:
        """The counters of a technique, to count in."""
        for part in self.parts:
            if type(part) is kind:
                return part
        part = kind()
        self.parts.append(part)
        return part

    def value(self, name: str) -> Any:
        """A counter by its name in ``summary.json``; 0 where nobody counts that."""
        return self.to_json().get(name, 0)

    def add(self, other: RunStatistics) -> None:
        """Count what another run has done, too, with its techniques."""
        Statistics.add(self, other)
        for part in other.parts:
            self.of(type(part)).add(part)

    def since(self, earlier: RunStatistics) -> RunStatistics:
        """What a run has counted since then, with its techniques."""
        found = Statistics.since(self, earlier)
        found.parts = [part.since(earlier.of(type(part))) for part in self.parts]
        return found

    def work(self) -> RunStatistics:
        """The same without paths: of a run whose paths are not the program's own."""
        names = [name for name in self.names() if name.startswith(("paths_", "states_"))]
        none: dict[str, Any] = dict.fromkeys((*names, "generations"), 0)
        return replace(self, **none)

    def to_json(self) -> dict[str, object]:
        """All counters, those of techniques last."""
        return Statistics.to_json(self) | {name: value for part in self.parts for name, value in part.to_json().items()}
