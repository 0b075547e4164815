#!/usr/bin/env python3
"""Compare ``clew verify`` with trying every input, on random programs with recursive functions.

    python scripts/recursion_oracle.py --programs 300 [--seed 0] [--strategy contracts] [--time 20] [--keep DIR]

The exit code is 1 if any verdict on an assertion was wrong, else 0.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

import clew  # noqa: E402
from oracle.harness import Found, add_time, main, options_of  # noqa: E402
from oracle.recursion_programs import generate  # noqa: E402


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """One program: what Clew says of each line with an assertion."""
    drawn, program, found = generate(seed), folder / "program.c", Found()
    program.write_text(drawn.source, encoding="utf-8")
    verdicts = dict.fromkeys(drawn.fails, "UNKNOWN")
    for item in clew.verify(program, strategy=options.strategy, time=options.time).properties:
        if item.location is not None and item.location.line in verdicts:
            verdicts[item.location.line] = item.verdict
    for line, verdict in verdicts.items():
        fails = drawn.fails[line]
        found.counts[f"open ({not fails})" if verdict == "UNKNOWN" else verdict] += 1
        if verdict == ("TRUE" if fails else "FALSE"):
            found.wrong.append(f"line {line}: {verdict}")
    return found


def run() -> int:
    parser = options_of(__doc__, jobs=1)
    parser.add_argument("--strategy", default="contracts")
    add_time(parser, 20.0, "one run of verify")
    return main(examine, parser.parse_args())


if __name__ == "__main__":
    sys.exit(run())
