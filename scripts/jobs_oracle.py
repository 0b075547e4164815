#!/usr/bin/env python3
"""Compare ``clew test`` by several processes, some of which are killed, with ``clew test --goal path`` by one.

    python scripts/jobs_oracle.py --programs 1000 [--seed 0] [--kills 0.3] [--time 60] [--minutes 30] [--keep DIR]

Each program is run along every path by one process, then by 2 and by 4: each of them along every path, or with all
techniques, or with merging alone, as is drawn (``--all``: in all these ways). Workers are forked at once, talk as often
as is drawn, and up to ten of them are killed at any moment. The same paths must be explored, once each, where no
technique takes part; branches, errors and tests must be those of all paths in any case. Runs that are not over in time
are counted. The exit code is 1 if any answer was wrong, else 0.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.harness import Found, add_time, main, options_of  # noqa: E402
from oracle.jobs_compare import WAYS, differences, soon  # noqa: E402
from oracle.merging_compare import Way, explore, loaded  # noqa: E402
from oracle.merging_programs import generate  # noqa: E402


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """One program in all its runs; in none if there are too many paths."""
    found, random, paths, program = Found(), Random(f"jobs {seed}"), Way("path"), folder / "program.c"
    program.write_text(generate(seed, options.combinations).source, encoding="utf-8")
    known = loaded(program, paths)
    every = explore(program, paths, options.time, known)
    if every.failure or not every.ended:
        return found
    drawn = [random.choice([way for way in WAYS if way.jobs == jobs]) for jobs in (2, 4)]
    for way in WAYS if options.all else drawn:
        with soon(random, options.kills) as killed:
            shared = explore(program, way, options.time, known)
        found.counts.update({"runs": 1, "not over in time": not shared.ended} | killed)
        found.wrong += [f"{way} ({shared.seconds:.1f} s): {text}" for text in differences(every, shared)]
    return found


def run() -> int:
    parser = options_of(__doc__, jobs=1)
    parser.add_argument("--kills", type=float, default=0.3, metavar="P", help="probability, at each look for messages")
    parser.add_argument("--all", action="store_true", help="run each program in all ways")
    parser.add_argument("--combinations", type=int, default=64, metavar="N", help="of inputs, about")
    add_time(parser, 60.0, "one run of test")
    return main(examine, parser.parse_args(), fresh=10)  # small processes are forked faster


if __name__ == "__main__":
    sys.exit(run())
