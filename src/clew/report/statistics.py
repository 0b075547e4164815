"""Counters of one run. A run object owns one ``RunStatistics`` and hands it down; there are no globals."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

_LARGEST = frozenset(("peak_memory_mb", "wall_seconds", "learned_largest", "generations", "chains_root", "chains_all"))
"""Counters of which the largest counts where several runs are taken together; others are added."""
_PATHS = (
    "paths_completed", "paths_merged", "paths_pruned", "paths_cut_short", "paths_explored", "states_evicted",
    "states_pruned", "generations",
)  # fmt: skip


@dataclass(slots=True)
class RunStatistics:
    """The ``stats`` of ``summary.json``; engine and techniques count straight into the fields."""

    paths_completed: int = 0
    paths_merged: int = 0
    """Paths that were cut, since an earlier visit of the same place has shown all they could show. With
    ``paths_completed``, all that were explored."""
    paths_pruned: int = 0
    paths_cut_short: int = 0
    instructions: int = 0
    solver_queries: int = 0
    solver_cache_hits: int = 0
    solver_seconds: float = 0.0
    learned_clauses: int = 0
    loops_summarized: int = 0
    wall_seconds: float = 0.0
    peak_memory_mb: float = 0.0
    forks: int = 0
    states_evicted: int = 0
    solver_unknowns: int = 0
    conflicts: int = 0
    learned_literals: int = 0
    """Of all learned clauses together."""
    learned_largest: int = 0
    """Literals of the largest learned clause."""
    paths_explored: int = 0
    """Assignments to the program's decisions that were tried."""
    instructions_repeated: int = 0
    """Of ``instructions``, those that were run again to come back to a decision."""
    chains_root: int = 0
    """Chains of loops at the top level of a program's chain form."""
    chains_all: int = 0
    """Those, and the ones inside of them."""
    systems_solved: int = 0
    """Systems of constraints over loop counters that were given to a solver."""
    states_pruned: int = 0
    """Waiting states that were given up, since nothing leads from them to the target."""
    summaries: int = 0
    """Executions of loops that were generalized to all iteration counts; ``loops_summarized`` counts the loops."""
    constraints_removed: int = 0
    """Constraints of single iterations that summaries took the place of."""
    symbolic_updates: int = 0
    """Variables and memory cells that a summary gave a value for any number of iterations."""
    divergences: int = 0
    """Generated inputs whose run departed from the path that was predicted for them."""
    generations: int = 0
    """Number of the latest generation of paths that ran; the first run is generation 0."""
    invariant_seconds: float = 0.0
    """Spent on invariants: the analysis, and questions about what it found."""
    invariant_candidates: int = 0
    """Inputs that invariants gave for branches that were not covered."""
    invariant_tests: int = 0
    """Tests that were kept of those."""
    merge_formulas: int = 0
    """Formulas that tell which states have nothing new to show, at places where paths come together."""
    merge_checks: int = 0
    """Times that a state was compared with such a formula."""
    merge_hits: int = 0
    """Of these, how often the formula held."""
    counters: dict[str, int] = field(default_factory=dict)
    """What techniques count that have no fields here, by name; beside the fields in ``summary.json``."""

    def count(self, name: str, number: int = 1) -> None:
        """Add to a counter of a technique."""
        self.counters[name] = self.counters.get(name, 0) + number

    def add(self, other: RunStatistics) -> None:
        """Count what another run has done, too."""
        for name, number in other.counters.items():
            self.count(name, number)
        for name in (one.name for one in fields(self) if one.name != "counters"):
            mine, more = getattr(self, name), getattr(other, name)
            setattr(self, name, max(mine, more) if name in _LARGEST else mine + more)

    def work(self) -> RunStatistics:
        """The same without paths: of a run whose paths are not the program's own."""
        none: dict[str, Any] = dict.fromkeys(_PATHS, 0)
        return replace(self, **none)

    def to_json(self) -> dict[str, object]:
        """The fields in order; seconds and megabytes rounded to what is meant by them."""
        data: dict[str, object] = asdict(self)
        for name in ("solver_seconds", "wall_seconds", "invariant_seconds"):
            data[name] = round(getattr(self, name), 4)
        data["peak_memory_mb"] = round(self.peak_memory_mb, 1)
        del data["counters"]
        return {**data, **self.counters}
