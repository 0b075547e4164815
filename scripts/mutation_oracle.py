#!/usr/bin/env python3
"""``clew test`` with native mutation beside exploration, against ``clew test`` along every path.

    python scripts/mutation_oracle.py [--seed 0] [--programs 100]

Each program is run in one of several ways; branches, errors and tests must be those of all paths. The exit code is 1 if
any answer was wrong, else 0.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.harness import Found, main, options_of  # noqa: E402
from oracle.mutation_compare import WAYS, differences  # noqa: E402


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """One program."""
    way = WAYS[seed % len(WAYS)]
    found, runs = differences(seed, way, folder)
    return Found(Counter({"run natively": runs > 0}), [f"{way}: {text}" for text in found])


def run() -> int:
    return main(examine, options_of(__doc__, jobs=1).parse_args())


if __name__ == "__main__":
    sys.exit(run())
