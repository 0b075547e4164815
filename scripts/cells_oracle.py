#!/usr/bin/env python3
"""Compare what is proved of arrays by one of their cells with running programs natively on all inputs.

    python scripts/cells_oracle.py --programs 200 [--seed 0] [--time 20]

Needs a C compiler. The exit code is 1 if something was proved that does not hold, else 0.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.cells_compare import failing, proved  # noqa: E402
from oracle.cells_programs import generate  # noqa: E402


def main() -> int:
    """Compare; print what is wrong, and counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first program; the others follow")
    parser.add_argument("--time", type=float, default=20.0, metavar="SECONDS", help="limit for one program")
    options = parser.parse_args()
    holding = found = wrong = 0
    for seed in range(options.seed, options.seed + options.programs):
        head, body = generate(Random(seed))
        with tempfile.TemporaryDirectory() as folder:
            fails = failing(head, body, Path(folder))
            shown = proved(head, body, Path(folder), options.time)
        holding += sum("assert(" in line for number, line in enumerate(body.splitlines(), 1) if number not in fails)
        found += len(shown)
        for line in sorted(shown & fails):
            wrong += 1
            print(f"line {line} was proved, and fails\n{head}{body}")
        print(f"{seed}: {found} of {holding} assertions that hold are proved; {wrong} wrong", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
