"""``clew test`` with native mutation and concolic runs beside exploration against ``clew test`` along every path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from clew.jobs import mutation
from clew.jobs.concolic import inputs as concolic
from oracle.merging_compare import Way, alone, contradictions, every_path, explore, loaded
from oracle.merging_programs import generate

WAYS = (
    Way(engine="auto"),
    Way(engine="native"),
    replace(alone("error", None), engine="auto"),
    Way("branch", "dfs", engine="auto"),
    Way(engine="auto", jobs=2),
)
HURRY = mutation.Pace(begin=300, compiling=1, stalled=50, slices=1, slice=200_000, capital=1 << 40, share=0.5)

CONCOLIC_HURRY = concolic.Pace(stalled=50, library=0, compiling=0, patience=1, capital=1 << 40, share=0.5)


@contextmanager
def soon() -> Iterator[None]:
    """Within the block, mutation and concolic runs begin almost at once, and have short turns."""
    with (
        patch.object(mutation, "AUTO", HURRY),
        patch.object(mutation, "LINKING", 0),
        patch.object(concolic, "AUTO", CONCOLIC_HURRY),
    ):
        yield


def differences(seed: int, way: Way, folder: Path, seconds: float = 60.0) -> tuple[Iterable[str], int]:
    """What a way claims or loses on one program, in comparison with all paths, and how often the program ran natively.

    Nothing where there are too many paths.
    """
    program = folder / f"p{seed}.c"
    program.write_text(generate(seed, 64).source, encoding="utf-8")
    every = explore(program, every_path(way), seconds, loaded(program, way))
    if every.failure or not every.ended:
        return (), 0
    with soon():
        run = explore(program, way, seconds)
    return list(contradictions(every, run)), run.stats.get("native_runs", 0)
