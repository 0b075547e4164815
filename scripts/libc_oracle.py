"""Compares models of the C library with the real one, on random data: dates, regular expressions, numerals,
``long double``, ``scanf``.

    python scripts/libc_oracle.py --seeds 50

The suite does the same with one seed each. Prints what differs, and exits with 1 if something does.
"""

from __future__ import annotations

import argparse
import ctypes
import sys
from pathlib import Path
from random import Random

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("src", "tests")]

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


def main() -> int:
    """Run all seeds."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seeds", type=int, default=10, help="how many (default 10)")
    options.add_argument("--count", type=int, default=200, help="of each family, for a seed (default 200)")
    given = options.parse_args()
    found = 0
    for seed in range(given.seeds):
        for name, family in (
            ("dates", date_differences),
            ("long double", long_double_differences),
            ("expressions", pattern_differences),
            ("scanf", scan_differences),
            ("strtod", lambda random, count: numeral_differences(random, count, "strtod", ctypes.c_double)),
            ("strtof", lambda random, count: numeral_differences(random, count, "strtof", ctypes.c_float)),
        ):
            for difference in family(Random(seed), given.count):
                found += 1
                print(f"seed {seed}, {name}: {difference}")
    print(f"{given.seeds} seeds, {found} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
