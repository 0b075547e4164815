#!/usr/bin/env python3
"""Check lemmas at the heads of loops against executions, on random programs.

    python scripts/lemmas_oracle.py --programs 300 [--seed 0] [--jobs 2] [--minutes 30] [--hostile] [--keep DIR]

Every program is run with all short sequences of a few inputs, and with random ones; whenever control is at the head of
a loop, what is said to hold there must hold; and no assertion may fail that is proved by that. ``--hostile`` takes the
programs of ``invariants_oracle.py``. A program for which something is wrong is saved. The exit code is 1 if there was
one, else 0.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from itertools import product
from multiprocessing import Pool
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.invariants_programs import generate as generate_hostile  # noqa: E402
from oracle.lemmas_compare import Compared, compare, proofs  # noqa: E402
from oracle.lemmas_programs import generate  # noqa: E402

Answer = tuple[int, Compared | None, int, str, float]


def inputs(seed: int) -> Iterator[tuple[int, ...]]:
    """All sequences of three small inputs, cyclically; and random ones."""
    for few in product((0, 1, 255), repeat=3):
        yield few * 20
    random = Random(seed)
    for _ in range(20):
        yield tuple(random.choice((0, 1, random.randrange(256))) for _ in range(80))


def examine(job: tuple[int, bool, Path]) -> Answer:
    seed, hostile, keep = job
    begun = time.process_time()
    drawn = generate_hostile(seed, 40) if hostile else None
    source = drawn.source if drawn else generate(seed)
    with tempfile.TemporaryDirectory(prefix="lemmas-") as folder:
        file = Path(folder) / f"seed{seed}.c"
        file.write_text(source, encoding="utf-8")
        try:
            runs = drawn.runs if drawn else tuple(inputs(seed))
            found: Compared | None = compare(file, runs)
            proved, violated = (0, ()) if hostile else proofs(file, runs[::3])
            problem = next(iter((*(found.wrong if found is not None else ()), *violated)), "")
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            found, proved, problem = (
                None,
                0,
                f"{type(error).__name__} in {Path(where.filename).name}:{where.lineno}: {error}",
            )
        if problem:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"lemmas-{'hostile' if hostile else 'seed'}{seed}.c").write_text(f"{source}// {problem}\n")
    return seed, found, proved, problem, time.process_time() - begun


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first program; the others follow")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), metavar="N")
    parser.add_argument("--minutes", type=float, default=float("inf"), metavar="M", help="begin nothing after so long")
    parser.add_argument("--hostile", action="store_true", help="programs full of casts, pointers and odd loops")
    parser.add_argument("--keep", type=Path, default=Path("disagreements"), metavar="DIR")
    options = parser.parse_args()
    jobs = [(options.seed + number, options.hostile, options.keep) for number in range(options.programs)]
    programs = with_lemmas = lemmas = visits = proved = wrong = 0
    slowest = 0.0
    deadline = time.monotonic() + options.minutes * 60
    with Pool(options.jobs, maxtasksperchild=50) as pool:
        for seed, found, count, problem, seconds in pool.imap(examine, jobs):
            programs += 1
            proved += count
            slowest = max(slowest, seconds)
            if found is not None:
                with_lemmas += found.lemmas > 0
                lemmas, visits = lemmas + found.lemmas, visits + found.visits
            if problem:
                wrong += 1
                print(f"seed {seed}: {problem}", flush=True)
            if time.monotonic() > deadline:
                break
    print(f"{programs} programs, {with_lemmas} with lemmas, {lemmas} lemmas, {visits} visits of heads, {wrong} wrong,")
    print(f"{proved} assertions proved; at most {slowest:.1f} seconds of processor time for one")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
