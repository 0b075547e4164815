#!/usr/bin/env python3
"""Compare verdicts on functions with replaced loops with enumeration of all states, on random functions.

    python scripts/acceleration_oracle.py --programs 1000 [--batch 20] [--jumps]

With ``--jumps``, functions without inputs are run with and without jumps over iterations: both must show the same.
The exit code is 1 if there was any disagreement, else 0.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from clew.execute import engine  # noqa: E402
from clew.techniques.acceleration import jumping, loop_jumps  # noqa: E402
from oracle.acceleration_compare import compare, compare_jumps  # noqa: E402
from oracle.acceleration_programs import draw  # noqa: E402
from oracle.harness import Found, main, options_of  # noqa: E402


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """The functions of a batch of seeds, in one file."""
    drawn = (draw(number, inputs=not options.jumps) for number in range(seed, seed + options.batch))
    functions = [function for function in drawn if function is not None]
    if not options.jumps:
        return Found.of(compare(functions, folder))
    engine.SLICE, jumping.PATIENCE, loop_jumps.AHEAD = 120, 0, 3
    jumps, wrong = compare_jumps(functions, folder)
    return Found(Counter(jumps=jumps), wrong)


def run() -> int:
    parser = options_of(__doc__, 200, jobs=1)
    parser.add_argument("--batch", type=int, default=20, metavar="N", help="functions in one file")
    parser.add_argument("--jumps", action="store_true", help="compare runs with jumps and without")
    options = parser.parse_args()
    return main(examine, options, options.batch, fresh=20)


if __name__ == "__main__":
    sys.exit(run())
