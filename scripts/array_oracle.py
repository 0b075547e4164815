#!/usr/bin/env python3
"""Compare what is proved about loops over arrays with running them natively on all inputs.

    python scripts/array_oracle.py --programs 200 [--functions 5]

Each file has some functions, whose loops over arrays are replaced (``clew.techniques.acceleration.array_cutting``);
everything that they leave in memory is compared with the same without loops. Needs a C compiler. The exit code is 1 if
something was proved that does not hold, else 0.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.array_compare import compare  # noqa: E402
from oracle.array_programs import array_function, declarations  # noqa: E402
from oracle.harness import Found, main, options_of  # noqa: E402


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """One file."""
    random = Random(seed)
    head = declarations(random)
    functions = [array_function(random, number) for number in range(options.functions)]
    return Found.of(compare(head, functions, folder))


def run() -> int:
    parser = options_of(__doc__, 50, jobs=1)
    parser.add_argument("--functions", type=int, default=5, metavar="N", help="in one file")
    return main(examine, parser.parse_args())


if __name__ == "__main__":
    sys.exit(run())
