#!/usr/bin/env python3
"""Compare ``clew test`` that is killed and gone on with (``clew resume``) with ``clew test --goal path`` that is not.

    python scripts/resume_oracle.py --programs 1000 [--seed 0] [--time 60] [--minutes 30] [--all] [--keep DIR]

Each program is run along every path, then in a way that is drawn (``--all``: in all ways): by one process or by two,
along every path, or with all techniques, or with merging alone. That run is killed up to three times: at a frame of its
log, in the middle of one, after some time, or it is stopped in order; also while it goes on. In the end, the same paths
must be explored, once each, where no technique takes part; branches, errors and tests must be those of all paths in any
case, and each test be there once. The exit code is 1 if any answer was wrong, else 0.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.harness import Found, add_time, main, options_of  # noqa: E402
from oracle.merging_compare import Way, explore, loaded  # noqa: E402
from oracle.merging_programs import generate  # noqa: E402
from oracle.resume_compare import WAYS, contradictions, interrupted  # noqa: E402


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """One program in all its runs; in none if there are too many paths."""
    found, random, paths, program = Found(), Random(f"resume {seed}"), Way("path"), folder / "program.c"
    program.write_text(generate(seed, options.combinations).source, encoding="utf-8")
    known = loaded(program, paths)
    every = explore(program, paths, options.time, known)
    if every.failure or not every.ended:
        return found
    for way in WAYS if options.all else [random.choice(WAYS)]:
        again = interrupted(program, known, way, options.time, random, found.counts)
        found.wrong += [f"{way} ({again.seconds:.1f} s): {text}" for text in contradictions(every, again)]
    return found


def run() -> int:
    parser = options_of(__doc__, jobs=1)
    parser.add_argument("--all", action="store_true", help="run each program in all ways")
    parser.add_argument("--combinations", type=int, default=64, metavar="N", help="of inputs, about")
    add_time(parser, 60.0, "one run of test")
    return main(examine, parser.parse_args(), fresh=10)  # small processes are forked faster


if __name__ == "__main__":
    sys.exit(run())
