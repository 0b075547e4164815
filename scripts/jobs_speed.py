#!/usr/bin/env python3
"""What ``clew test --jobs N`` is worth on real libraries, beside one process.

    python scripts/jobs_speed.py LIBRARIES [--jobs 2] [--time 30] [--gain 1.8] [--seed 0] [--only jsmn-10]
    python scripts/jobs_speed.py LIBRARIES --to-end [--jobs 2] [--gain 1.8]

The first form: the branches that N processes cover in ``--time`` seconds, and those that one covers in ``--gain`` times
as many. The second: the seconds that each takes for all paths of jsmn with 6 bytes, with all techniques and with none,
and of the programs of 65,536 paths of the table ``engine``, with none (with all of them they end at once), and the
processor time of all processes together. LIBRARIES has a folder for each library, as ``clew bench --targets``
takes it. The figures are wall time, so nothing else should run. The exit code is 1 if N processes cover less, or gain
less.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from benchmarks.case import Case  # noqa: E402
from benchmarks.engine import SYMBOLIC  # noqa: E402
from benchmarks.subject import PROGRAMS  # noqa: E402
from benchmarks.targets import TARGETS  # noqa: E402

COVERED = ("cjson-6", "cjson-10", "inih-6", "inih-16", "jsmn-10")
OFF = ("--no-merge", "--no-summarize", "--no-invariants", "--no-navigate", "--engine", "interpreter")


class Outcome(NamedTuple):
    """Of one run."""

    seconds: float
    cpu: float
    branches: int
    paths: int


def target(name: str, libraries: Path) -> Case:
    """A harness of a library."""
    return next(one.case(libraries) for one in TARGETS if one.name == f"targets/{name}")


def run(case: Case, jobs: int, seconds: float, seed: int, more: tuple[str, ...] = ()) -> Outcome:
    """One run of the command, in processes of its own."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        words = ["--jobs", jobs, "--time", seconds, "--seed", seed, "--out", f"{folder}/out", "--quiet"]
        command = [sys.executable, "-m", "clew", "test", *case.files, *case.options, *more, *words]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        subprocess.run([str(word) for word in command], env=environment, check=False)
        summary = json.loads(Path(folder, "out", "summary.json").read_text(encoding="utf-8"))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    stats, branches = summary["stats"], summary["coverage"]["branches"]["covered"]
    return Outcome(time.monotonic() - began, cpu, branches, stats["paths_completed"])


def compare_coverage(options: argparse.Namespace) -> bool:
    """A line for each library; whether N processes cover as much as one that has more time."""
    good = True
    for name in options.only.split(",") if options.only else COVERED:
        case = target(name, options.libraries)
        one = run(case, 1, options.gain * options.time, options.seed)
        several = run(case, options.jobs, options.time, options.seed)
        good &= several.branches >= one.branches
        print(
            f"{name}: {options.jobs} processes, {several.seconds:.0f} s: {several.branches} branches,"
            f" {several.paths:,} paths; one, {one.seconds:.0f} s: {one.branches} branches, {one.paths:,} paths",
            flush=True,
        )
    return good


def compare_ends(options: argparse.Namespace) -> bool:
    """A line for each program and way; whether N processes gain enough."""
    good = True
    library = target("jsmn-6", options.libraries)
    programs = [Case(name, (PROGRAMS / f"{name}.c",)) for name in SYMBOLIC]
    ways = [(library, "all techniques", ()), *((case, "none", OFF) for case in (library, *programs))]
    for case, way, more in ways:
        one, several = (run(case, jobs, 600, options.seed, more) for jobs in (1, options.jobs))
        gain, cost = one.seconds / several.seconds, several.cpu / one.cpu
        good &= gain >= options.gain
        print(
            f"{case.name}, {way}: one {one.seconds:.1f} s, {options.jobs} processes {several.seconds:.1f} s:"
            f" {gain:.2f}x; processor time {one.cpu:.1f} and {several.cpu:.1f} s ({cost:.2f}x); {one.paths:,} and"
            f" {several.paths:,} paths",
            flush=True,
        )
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", type=Path)
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--time", type=float, default=30.0, metavar="SECONDS")
    parser.add_argument("--gain", type=float, default=1.8, metavar="X")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("--only", default="", metavar="NAMES")
    parser.add_argument("--to-end", action="store_true")
    options = parser.parse_args()
    return 0 if (compare_ends if options.to_end else compare_coverage)(options) else 1


if __name__ == "__main__":
    sys.exit(main())
