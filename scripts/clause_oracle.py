#!/usr/bin/env python3
"""Check what conflict-driven search learns against random paths of random programs.

    python scripts/clause_oracle.py --programs 60 [--seed 0] [--paths 200] [--time 20] [--keep DIR]

Each program is verified with ``--strategy conflicts``, every other one with decisions taken at random; then random
paths are executed, and no clause that was learned may rule out one of them. Needs a C compiler. The exit code is 1 if
a clause was wrong, or on a failure, else 0.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.clauses import check_clauses  # noqa: E402
from oracle.harness import Found, add_time, main, options_of  # noqa: E402
from oracle.verify_compare import Way  # noqa: E402
from oracle.verify_programs import generate  # noqa: E402

DECIDES = ("learn:10", "guide", "blackbox")


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """One program, in a way that its seed decides on."""
    way = Way("conflicts", DECIDES[seed // 2 % 3], seed if seed % 2 else None, kept=seed // 6 % 2 == 0)
    program = folder / "program.c"
    program.write_text(generate(seed).source, encoding="utf-8")
    found = check_clauses(program, options.paths, seed, way, options.time)
    return Found(Counter(clauses=found.clauses, paths=found.paths), [str(one) for one in found.violated])


def run() -> int:
    parser = options_of(__doc__, 60, jobs=1)
    parser.add_argument("--paths", type=int, default=200, metavar="P", help="random paths of each program")
    add_time(parser, 20.0, "one run of verify")
    return main(examine, parser.parse_args())


if __name__ == "__main__":
    sys.exit(run())
