#!/usr/bin/env python3
"""Check relations and closures of random loops against all iterations there are.

    python scripts/loops_oracle.py --loops 2000 [--seed 0] [--batch 100] [--jobs 2] [--keep DIR]

Every loop is compiled and read as a relation, the relation is closed, and the closure is compared natively with what
iterations lead to from (many) states: an exact closure must be that set, any other must include it. Loops for which
that is not so are written to the folder given with ``--keep``, and printed. The exit code is 1 if there was one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from multiprocessing import Pool
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.loops_compare import Batch, examine  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--loops", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    firsts = range(given.seed, given.seed + given.loops, given.batch)
    last = given.seed + given.loops
    seeds = [tuple(range(first, min(first + given.batch, last))) for first in firsts]
    started, total, wrong = time.monotonic(), Counter[str](), 0
    with Pool(given.jobs) as pool:
        for batch in pool.imap(_examined, seeds):
            total += batch.counts
            for name, text in batch.wrong.items():
                wrong += 1
                print(f"WRONG {name}\n{text}", flush=True)
                if given.keep is not None:
                    given.keep.mkdir(parents=True, exist_ok=True)
                    (given.keep / f"{name}.txt").write_text(text, encoding="utf-8")
            counts = ", ".join(f"{count} {what}" for what, count in sorted(total.items()))
            print(f"{time.monotonic() - started:.0f} s: {wrong} wrong; {counts}", flush=True)
    return 1 if wrong else 0


def _examined(seeds: tuple[int, ...]) -> Batch:
    with tempfile.TemporaryDirectory() as folder:
        return examine(seeds, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
