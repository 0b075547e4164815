#!/usr/bin/env python3
"""Check relations and closures of random loops against all iterations there are.

    python scripts/loops_oracle.py --loops 10000 [--seed 0] [--batch 500] [--jobs 1] [--work 400000]
                                   [--operations 30000] [--keep DIR]

Every loop is compiled and read as a relation, the relation is closed, and both are compared natively with what one
iteration, or any number of them, lead to from (many) states: an exact one must be that set, any other must include it.
``--work`` is for how long that goes on, ``--operations`` how much the closing of one loop may take: with few of them,
more loops are looked at in the same time, and fewer closures are exact. Loops for which something is wrong are written
to the folder given with ``--keep``, and printed. The exit code is 1 if there was one.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from functools import partial
from multiprocessing import Pool
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from clew.analysis.loops.limits import USUAL, Limits  # noqa: E402
from oracle.loops_compare import Batch, examine  # noqa: E402
from oracle.loops_native import WORK  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--loops", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--work", type=int, default=WORK)
    parser.add_argument("--operations", type=int, default=USUAL.operations)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    firsts = range(given.seed, given.seed + given.loops, given.batch)
    last = given.seed + given.loops
    seeds = [tuple(range(first, min(first + given.batch, last))) for first in firsts]
    started, total, wrong = _cpu(), Counter[str](), 0
    more = USUAL.more_operations * given.operations // USUAL.operations
    limits = replace(USUAL, operations=given.operations, more_operations=more)
    with Pool(given.jobs, maxtasksperchild=1) as pool:
        for batch in pool.imap(partial(_examined, given.work, limits), seeds):
            total += batch.counts
            for name, text in batch.wrong.items():
                wrong += 1
                print(f"WRONG {name}\n{text}", flush=True)
                if given.keep is not None:
                    given.keep.mkdir(parents=True, exist_ok=True)
                    (given.keep / f"{name}.txt").write_text(text, encoding="utf-8")
            counts = ", ".join(f"{count} {what}" for what, count in sorted(total.items()))
            print(f"{_cpu() - started:.0f} s: {wrong} wrong; {counts}", flush=True)
    return 1 if wrong else 0


def _cpu() -> float:
    """Seconds of processor time, those of processes that have ended included."""
    return sum(os.times()[:4])


def _examined(work: int, limits: Limits, seeds: tuple[int, ...]) -> Batch:
    with tempfile.TemporaryDirectory() as folder:
        return examine(seeds, Path(folder), work, limits)


if __name__ == "__main__":
    sys.exit(main())
