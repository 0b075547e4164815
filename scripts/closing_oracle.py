#!/usr/bin/env python3
"""Compare ``clew verify`` with all states that a program can get into, on random machines in endless loops.

    python scripts/closing_oracle.py --programs 1000 [--seed 0] [--strategy merging] [--jobs 2] [--time 10] [--keep DIR]

Each program reads inputs for ever. Whether an assertion can fail is found out by enumeration of its states. Programs
with a wrong verdict are saved to the folder given with ``--keep``. The exit code is 1 if any verdict was wrong, else 0.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pool
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.machines import TooLarge, generate  # noqa: E402
from oracle.machines_compare import Comparison, compare  # noqa: E402


@dataclass(frozen=True)
class Result:
    """What became of one program; None where it is too large to enumerate, a text where Clew failed."""

    seed: int
    comparison: Comparison | str | None
    seconds: float


def judge(seed: int, strategy: str, seconds: float, keep: Path | None) -> Result:
    """One program."""
    machine = generate(seed)
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        try:
            found: Comparison | str = compare(machine, Path(folder), seconds, strategy)
        except TooLarge:
            return Result(seed, None, 0.0)
        except Exception:
            found = traceback.format_exc()
    if keep is not None and (isinstance(found, str) or found.wrong):
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"machine{seed}.c").write_text(machine.source, encoding="utf-8")
    return Result(seed, found, time.process_time() - began)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--strategy", default="merging")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--time", type=float, default=10.0)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    seconds = 0.0
    task = partial(judge, strategy=options.strategy, seconds=options.time, keep=options.keep)
    with Pool(options.jobs, maxtasksperchild=50) as pool:
        for result in pool.imap_unordered(task, range(options.seed, options.seed + options.programs)):
            found = result.comparison
            if found is None:
                counts["too large"] += 1
                continue
            counts["programs"] += 1
            if isinstance(found, str):
                counts["failed"] += 1
                print(f"seed {result.seed}: {found}", flush=True)
                continue
            counts["wrong"] += bool(found.wrong)
            counts["undecided programs"] += bool(found.open)
            counts["TRUE"] += found.true
            counts["FALSE"] += found.false
            counts["UNKNOWN"] += found.open
            seconds += result.seconds
            for text in found.wrong:
                print(f"seed {result.seed}: {text}", flush=True)
            if found.open:
                print(f"seed {result.seed}: {found.open} open", flush=True)
    print(", ".join(f"{name}: {count}" for name, count in sorted(counts.items())), f"{seconds:.0f} s")
    return 1 if counts["wrong"] or counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
