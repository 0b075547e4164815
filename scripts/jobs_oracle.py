#!/usr/bin/env python3
"""Compare ``clew test`` by several processes, some of which are killed, with ``clew test --goal path`` by one.

    python scripts/jobs_oracle.py --programs 1000 [--seed 0] [--kills 0.3] [--time 60] [--minutes 30] [--keep DIR]

Each program is run along every path by one process, then by 2 and by 4: each of them along every path, or with all
techniques, or with merging alone, as is drawn (``--all``: in all these ways). Workers are forked at once, talk as often
as is drawn, and up to ten of them are killed at any moment. The same paths must be explored, once each, where no
technique takes part; branches, errors and tests must be those of all paths in any case. Programs with a wrong answer
are saved to the folder given with ``--keep``; runs that are not over in time are counted. The exit code is 1 if any
answer was wrong, else 0.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.jobs_compare import WAYS, differences, soon  # noqa: E402
from oracle.merging_compare import Run, Way, explore, loaded  # noqa: E402
from oracle.merging_programs import generate  # noqa: E402

FRESH = 10
"""Programs after which a new process goes on."""


def runs(program: Path, seed: int, options: argparse.Namespace, count: Counter[str]) -> Iterator[tuple[Run, Run]]:
    """The run along every path, with each of those to compare with it; none if there are too many paths."""
    random, paths, seconds = Random(f"jobs {seed}"), Way("path"), options.time
    known = loaded(program, paths)
    every = explore(program, paths, seconds, known)
    if every.failure or not every.ended:
        return
    drawn = [random.choice([way for way in WAYS if way.jobs == jobs]) for jobs in (2, 4)]
    for way in WAYS if options.all else drawn:
        with soon(random, options.kills) as killed:
            yield every, explore(program, way, seconds, known)
        count.update(killed)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first program; the others follow")
    parser.add_argument("--kills", type=float, default=0.3, metavar="P", help="probability, at each look for messages")
    parser.add_argument("--all", action="store_true", help="run each program in all ways")
    parser.add_argument("--combinations", type=int, default=64, metavar="N", help="of inputs, about")
    parser.add_argument("--time", type=float, default=60.0, metavar="SECONDS", help="limit for one run of test")
    parser.add_argument("--minutes", type=float, default=float("inf"), metavar="M", help="begin nothing after so long")
    parser.add_argument("--keep", type=Path, default=Path("disagreements"), metavar="DIR")
    return parser.parse_args()


def check(seed: int, options: argparse.Namespace) -> Counter[str]:
    """One program in all its runs."""
    count: Counter[str] = Counter(programs=1)
    source = generate(seed, options.combinations).source
    with tempfile.TemporaryDirectory(prefix="jobs-") as folder:
        program = Path(folder) / f"seed{seed}.c"
        program.write_text(source, encoding="utf-8")
        for every, shared in runs(program, seed, options, count):
            wrong = list(differences(every, shared))
            count["runs"] += 1
            count["not over in time"] += not shared.ended
            count["wrong"] += bool(wrong)
            for text in wrong:
                print(f"seed {seed} {shared.way} ({shared.seconds:.1f} s): {text}", flush=True)
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"seed{seed}.c").write_text(source, encoding="utf-8")
    return count


def main() -> int:
    options = arguments()
    deadline = time.monotonic() + options.minutes * 60
    count: Counter[str] = Counter()
    with get_context("fork").Pool(1, maxtasksperchild=FRESH) as pool:  # small processes are forked faster
        for seed in range(options.seed, options.seed + options.programs):
            if time.monotonic() > deadline:
                break
            count += pool.apply(check, (seed, options))
            if count["programs"] % 50 == 0:
                print(", ".join(f"{number} {name}" for name, number in count.items()), flush=True)
    print(", ".join(f"{number} {name}" for name, number in count.items()), f"{count['wrong']} wrong", sep="; ")
    return 1 if count["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
