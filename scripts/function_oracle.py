#!/usr/bin/env python3
"""Compare ``clew verify --function`` with trying all small heaps, on random functions over pointers.

    python scripts/function_oracle.py --batches 100 [--seed 0] [--functions 8] [--size 7] [--jobs 2] [--time 10]
                                      [--no-replay] [--keep DIR]

A batch is a file of several functions. An assertion that fails on some small heap natively must not be TRUE, and every
test of a violation must end natively as it does in Clew. Needs a C compiler. Batches on which the two disagree are
saved to the folder given with ``--keep``. The exit code is 1 if there was any disagreement or failure, else 0.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import traceback
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pool
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.heaps import generate  # noqa: E402
from oracle.heaps_compare import Comparison, compare  # noqa: E402


@dataclass(frozen=True)
class Plan:
    """What to do with each seed."""

    functions: int
    size: int
    seconds: float
    replay: bool
    keep: Path | None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--batches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--functions", type=int, default=8)
    parser.add_argument("--size", type=int, default=7)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--time", type=float, default=10.0)
    parser.add_argument("--no-replay", action="store_true")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    plan = Plan(given.functions, given.size, given.time, not given.no_replay, given.keep)
    total = Comparison()
    seeds = range(given.seed, given.seed + given.batches)
    with Pool(given.jobs) as pool:
        for seed, found in pool.imap_unordered(partial(_one, plan), seeds):
            for name in ("true", "false", "unknown", "missed", "heaps", "replayed"):
                setattr(total, name, getattr(total, name) + getattr(found, name))
            for text in found.wrong:
                total.wrong.append(text)
                print(f"seed {seed}: {text}", flush=True)
    print(
        f"{given.batches * given.functions} functions, {total.heaps:,} heaps: {total.true} TRUE, {total.false} FALSE, "
        f"{total.unknown} UNKNOWN ({total.missed} of them violated); {total.replayed} tests replayed; "
        f"{len(total.wrong)} wrong"
    )
    return 1 if total.wrong else 0


def _one(plan: Plan, seed: int) -> tuple[int, Comparison]:
    batch = generate(seed, plan.functions, plan.size)
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = compare(batch, Path(folder), plan.seconds, plan.replay)
        except Exception:
            found = Comparison([traceback.format_exc()])
    if found.wrong and plan.keep is not None:
        plan.keep.mkdir(parents=True, exist_ok=True)
        (plan.keep / f"{seed}.c").write_text(batch.source)
    return seed, found


if __name__ == "__main__":
    sys.exit(main())
