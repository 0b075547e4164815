#!/usr/bin/env python3
"""Compare ``clew verify`` with all states that a program can get into, on random machines in endless loops.

    python scripts/closing_oracle.py --programs 1000 [--seed 0] [--strategy merging] [--jobs 2] [--time 10] [--keep DIR]

Each program reads inputs for ever. Whether an assertion can fail is found out by enumeration of its states. The exit
code is 1 if any verdict was wrong, else 0.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.harness import Found, add_time, main, options_of  # noqa: E402
from oracle.machines import TooLarge, generate  # noqa: E402
from oracle.machines_compare import compare  # noqa: E402


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """One program."""
    try:
        found = compare(generate(seed), folder, options.time, options.strategy)
    except TooLarge:
        return Found(Counter({"too large": 1}))
    counts = Counter({"TRUE": found.true, "FALSE": found.false, "UNKNOWN": found.open, "undecided": bool(found.open)})
    return Found(counts, list(found.wrong), [f"{found.open} open"] if found.open else [])


def run() -> int:
    parser = options_of(__doc__, 300)
    parser.add_argument("--strategy", default="merging")
    add_time(parser, 10.0)
    return main(examine, parser.parse_args())


if __name__ == "__main__":
    sys.exit(run())
