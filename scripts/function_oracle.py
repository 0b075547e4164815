#!/usr/bin/env python3
"""Compare ``clew verify --function`` with trying all small heaps, on random functions over pointers.

    python scripts/function_oracle.py --programs 100 [--seed 0] [--functions 8] [--size 7] [--jobs 2] [--time 10]
                                      [--no-replay] [--keep DIR]

A program is a file of several functions. An assertion that fails on some small heap natively must not be TRUE, and
every test of a violation must end natively as it does in Clew. Needs a C compiler. The exit code is 1 if there was any
disagreement or failure, else 0.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.harness import Found, add_time, main, options_of  # noqa: E402
from oracle.heaps import generate  # noqa: E402
from oracle.heaps_compare import compare  # noqa: E402


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """One file of functions."""
    return Found.of(compare(generate(seed, options.functions, options.size), folder, options.time, options.replay))


def run() -> int:
    parser = options_of(__doc__, jobs=1)
    parser.add_argument("--functions", type=int, default=8, metavar="N", help="in one file")
    parser.add_argument("--size", type=int, default=7)
    parser.add_argument("--no-replay", action="store_false", dest="replay")
    add_time(parser, 10.0)
    return main(examine, parser.parse_args())


if __name__ == "__main__":
    sys.exit(run())
