"""``clew test`` with native mutation beside exploration, against ``clew test`` along every path.

    python scripts/mutation_oracle.py [--first N] [--count N]

Each program is run in one of several ways; branches, errors and tests must be those of all paths. The exit code is 1 if
any answer was wrong, else 0.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.mutation_compare import WAYS, differences  # noqa: E402


def main() -> int:
    """A line for each wrong answer, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    chosen = parser.parse_args()
    wrong = native = 0
    for seed in range(chosen.first, chosen.first + chosen.count):
        way = WAYS[seed % len(WAYS)]
        with tempfile.TemporaryDirectory() as folder:
            found, runs = differences(seed, way, Path(folder))
        native += runs > 0
        for text in found:
            wrong += 1
            print(f"seed {seed}, {way}: {text}", flush=True)
    print(f"{chosen.count} programs, {native} of them run natively, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
