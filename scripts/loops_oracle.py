#!/usr/bin/env python3
"""Check relations and closures of random loops against all iterations there are.

    python scripts/loops_oracle.py --programs 10000 [--seed 0] [--batch 500] [--jobs 1] [--work 400000]
                                   [--operations 30000] [--keep DIR]

Every loop is compiled and read as a relation, the relation is closed, and both are compared natively with what one
iteration, or any number of them, lead to from (many) states: an exact one must be that set, any other must include it.
``--work`` is for how long that goes on, ``--operations`` how much the closing of one loop may take: with few of them,
more loops are looked at in the same time, and fewer closures are exact. The exit code is 1 if something was wrong.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from clew.analysis.loops.limits import USUAL  # noqa: E402
from oracle import loops_compare  # noqa: E402
from oracle.harness import Found, main, options_of  # noqa: E402
from oracle.loops_native import WORK  # noqa: E402


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """A batch of loops."""
    seeds = range(seed, min(seed + options.batch, options.seed + options.programs))
    more = USUAL.more_operations * options.operations // USUAL.operations
    limits = replace(USUAL, operations=options.operations, more_operations=more)
    batch = loops_compare.examine(seeds, folder, options.work, limits)
    return Found(batch.counts, [f"{name}\n{text}" for name, text in batch.wrong.items()])


def run() -> int:
    parser = options_of(__doc__, 200, jobs=1)
    parser.add_argument("--batch", type=int, default=500, metavar="N", help="loops that are compiled together")
    parser.add_argument("--work", type=int, default=WORK)
    parser.add_argument("--operations", type=int, default=USUAL.operations)
    options = parser.parse_args()
    return main(examine, options, options.batch, fresh=1)


if __name__ == "__main__":
    sys.exit(run())
