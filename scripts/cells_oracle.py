#!/usr/bin/env python3
"""Compare what is proved of arrays by one of their cells with running programs natively on all inputs.

    python scripts/cells_oracle.py --programs 200 [--seed 0] [--time 20]

Needs a C compiler. The exit code is 1 if something was proved that does not hold, else 0.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.cells_compare import failing, proved  # noqa: E402
from oracle.cells_programs import generate  # noqa: E402
from oracle.harness import Found, add_time, main, options_of  # noqa: E402


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """One program."""
    head, body = generate(Random(seed))
    fails, shown = failing(head, body, folder), proved(head, body, folder, options.time)
    holding = sum("assert(" in line for number, line in enumerate(body.splitlines(), 1) if number not in fails)
    wrong = [f"line {line} was proved, and fails\n{head}{body}" for line in sorted(shown & fails)]
    return Found(Counter(holding=holding, proved=len(shown)), wrong)


def run() -> int:
    parser = options_of(__doc__, jobs=1)
    add_time(parser, 20.0)
    return main(examine, parser.parse_args())


if __name__ == "__main__":
    sys.exit(run())
