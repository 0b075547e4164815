#!/usr/bin/env python3
"""Check lemmas at the heads of loops against executions, on random programs.

    python scripts/lemmas_oracle.py --programs 300 [--seed 0] [--jobs 2] [--minutes 30] [--hostile] [--keep DIR]

Every program is run with all short sequences of a few inputs, and with random ones; whenever control is at the head of
a loop, what is said to hold there must hold; and no assertion may fail that is proved by that. ``--hostile`` takes the
programs of ``invariants_oracle.py``. The exit code is 1 if something was wrong, else 0.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.harness import Found, main, options_of  # noqa: E402
from oracle.invariants_programs import generate as generate_hostile  # noqa: E402
from oracle.lemmas_compare import compare, proofs  # noqa: E402
from oracle.lemmas_programs import generate  # noqa: E402


def inputs(seed: int) -> Iterator[tuple[int, ...]]:
    """All sequences of three small inputs, cyclically; and random ones."""
    for few in product((0, 1, 255), repeat=3):
        yield few * 20
    random = Random(seed)
    for _ in range(20):
        yield tuple(random.choice((0, 1, random.randrange(256))) for _ in range(80))


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """One program."""
    drawn = generate_hostile(seed, 40) if options.hostile else None
    file, runs = folder / "program.c", drawn.runs if drawn else tuple(inputs(seed))
    file.write_text(drawn.source if drawn else generate(seed), encoding="utf-8")
    found = compare(file, runs)
    proved, violated = (0, ()) if options.hostile else proofs(file, runs[::3])
    counts = {"with lemmas": found.lemmas > 0, "lemmas": found.lemmas, "visits of heads": found.visits}
    return Found(Counter(counts | {"assertions proved": proved}), [*found.wrong, *violated])


def run() -> int:
    parser = options_of(__doc__)
    parser.add_argument("--hostile", action="store_true", help="programs full of casts, pointers and odd loops")
    return main(examine, parser.parse_args())


if __name__ == "__main__":
    sys.exit(run())
