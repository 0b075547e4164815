#!/usr/bin/env python3
"""Compare models of the C library with the real one, on random data: dates, regular expressions, numerals,
``long double``, ``scanf``.

    python scripts/libc_oracle.py --programs 50

The suite does the same with one seed each. Prints what differs, and exits with 1 if something does.
"""

from __future__ import annotations

import argparse
import ctypes
import sys
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.harness import Found, main, options_of  # noqa: E402
from unit.models.libc_dates import differences as date_differences  # noqa: E402
from unit.models.libc_long_doubles import differences as long_double_differences  # noqa: E402
from unit.models.libc_numerals import differences as numeral_differences  # noqa: E402
from unit.models.libc_scans import differences as scan_differences  # noqa: E402
from unit.runtime.libc_patterns import native_outcome, outcomes, random_case  # noqa: E402


def pattern_differences(random: Random, count: int) -> list[str]:
    """Of so many random expressions and texts."""
    cases = [random_case(random) for _ in range(count)]
    pairs = zip(cases, outcomes(cases), strict=True)
    return [f"{case}: {mine}, not {native_outcome(case)}" for case, mine in pairs if mine != native_outcome(case)]


FAMILIES = {
    "dates": date_differences,
    "long double": long_double_differences,
    "expressions": pattern_differences,
    "scanf": scan_differences,
    "strtod": lambda random, count: numeral_differences(random, count, "strtod", ctypes.c_double),
    "strtof": lambda random, count: numeral_differences(random, count, "strtof", ctypes.c_float),
}


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """All families."""
    found = ((name, family(Random(seed), options.count)) for name, family in FAMILIES.items())
    return Found(wrong=[f"{name}: {difference}" for name, differences in found for difference in differences])


def run() -> int:
    parser = options_of(__doc__, 10, jobs=1)
    parser.add_argument("--count", type=int, default=200, metavar="N", help="of each family, for a seed")
    return main(examine, parser.parse_args())


if __name__ == "__main__":
    sys.exit(run())
