#!/usr/bin/env python3
"""Check k-induction against enumerations of all states, on random programs of a few bytes with endless loops.

    python scripts/induction_oracle.py --programs 1000 [--seed 0] [--time 60] [--instructions 5000] [--rounds 1,2,3]
                                       [--strategy induction] [--lemmas] [--keep DIR]

What is proved must hold in every reachable state, and what is refuted must not. The exit code is 1 if something was
wrong, else 0.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from clew.jobs.phases import induction_proof, loop_facts  # noqa: E402
from clew.techniques.invariants.candidates.lemmas import NO_LEMMAS  # noqa: E402
from oracle.harness import Found, add_time, main, options_of  # noqa: E402
from oracle.induction_compare import Compared, Comparing, Effort, draw_all  # noqa: E402
from oracle.induction_programs import written  # noqa: E402

BATCH = 100
"""Programs that are compiled and enumerated together."""


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """A batch of programs."""
    found = Found()
    known = draw_all(range(seed, min(seed + BATCH, options.seed + options.programs)), folder)
    effort = Effort(options.time, options.strategy, options.instructions)
    comparing = Comparing([drawn for drawn, _ in known], folder, effort)
    for drawn, truth in known:
        try:
            one = comparing.compare(drawn, truth)
        except Exception:
            one = Compared((traceback.format_exc()[-2000:],))
        found.counts += Found.of(one).counts
        if " by " in one.reason:
            found.counts["by " + one.reason.rpartition(" by ")[2]] += 1
        found.wrong += [f"program {drawn.seed}: {text}\n{written([drawn])[0]}" for text in one.wrong]
    return found


def run() -> int:
    parser = options_of(__doc__, 200, jobs=1)
    parser.add_argument("--instructions", type=int, default=5_000, metavar="N", help="of each attempt")
    parser.add_argument("--rounds", default="1,2,3", metavar="K,...", help="of supposed rounds: what is attempted")
    parser.add_argument("--lemmas", action="store_true", help="look for lemmas as well, which takes most of the time")
    parser.add_argument("--strategy", default="induction", metavar="NAME")
    add_time(parser, 60.0)
    options = parser.parse_args()
    induction_proof.ROUNDS = tuple(int(number) for number in options.rounds.split(","))
    if not options.lemmas:
        loop_facts.find_lemmas = lambda *_, **__: NO_LEMMAS
    return main(examine, options, BATCH)


if __name__ == "__main__":
    sys.exit(run())
