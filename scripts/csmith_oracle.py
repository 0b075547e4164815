#!/usr/bin/env python3
"""Compare the engine with the native program on csmith's random C programs.

    python scripts/csmith_oracle.py --seeds 300 [--first 1] [--jobs 2] [--time 60] [--keep DIR]

Needs csmith (Debian: ``apt-get install csmith libcsmith-dev``) and a C compiler. Each seed runs in a process of its
own with a time limit. Programs on which the two disagree, and those the engine could not run, stay in the folder given
with ``--keep``. The exit code is 1 if the engine disagreed or failed anywhere, else 0.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle import native  # noqa: E402

HEADERS = ("/usr/include/csmith", "/usr/local/include/csmith", "/usr/include/csmith-2.3.0")
OPTIONS = ("--no-argc", "--max-block-size", "3", "--max-block-depth", "3", "--max-funcs", "5")
NATIVE_SECONDS = 5.0
KINDS = ("agreed", "disagreed", "failed", "timeout", "unsupported", "native timeout", "native failure")


@dataclass(frozen=True)
class Verdict:
    """What became of one seed: one of KINDS, the seconds the engine took, and a word of explanation."""

    seed: int
    kind: str
    seconds: float
    note: str = ""


def include_folder() -> str:
    for folder in HEADERS:
        if (Path(folder) / "csmith.h").exists():
            return folder
    raise SystemExit("csmith's headers were not found: install csmith (Debian: apt-get install csmith libcsmith-dev)")


def engine_side(source: str, include: str) -> None:
    """In the child: run one program in the engine and print the outcome as JSON."""
    from oracle import engine

    outcome = engine.run(Path(source), [], (f"-I{include}",))
    facts = {"exit": outcome.exit_code, "out": outcome.stdout.decode("latin-1"), "end": outcome.end}
    print(json.dumps({**facts, "note": f"{outcome.kind} {outcome.detail} {outcome.location or ''}".strip()}))


def examine(seed: int, folder: Path, include: str, seconds: float, extra: list[str]) -> Verdict:
    source = folder / f"seed{seed}.c"
    made = subprocess.run(
        ["csmith", "--seed", str(seed), *OPTIONS, *extra, "--output", str(source)],
        capture_output=True,
        check=False,
        timeout=120,
        cwd=folder,  # csmith leaves a file `platform.info` where it runs
    )
    if made.returncode != 0 or not source.exists():
        return Verdict(seed, "native failure", 0.0, "csmith gave no program")
    try:
        expected = native.run(native.build(source, [], folder, (f"-I{include}", "-O1")), NATIVE_SECONDS)
    except native.CompileFailed as failed:
        return Verdict(seed, "native failure", 0.0, str(failed)[:200])
    if expected.exit_code is None:
        return Verdict(seed, "native timeout", 0.0)
    return compare(seed, source, include, expected, seconds)


def compare(seed: int, source: Path, include: str, expected: native.NativeOutcome, seconds: float) -> Verdict:
    begun = time.monotonic()
    command = [sys.executable, __file__, "--one", str(source), "--include", include]
    try:
        child = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return Verdict(seed, "timeout", seconds)
    took = time.monotonic() - begun
    if child.returncode != 0:
        last = (child.stderr.strip().splitlines() or [f"exit code {child.returncode}"])[-1]
        return Verdict(seed, "unsupported" if "Unsupported" in last else "failed", took, last[:200])
    found = json.loads(child.stdout.splitlines()[-1])
    if found["end"] == "lost":
        return Verdict(seed, "unsupported", took, found["note"][:200])
    actual = (found["end"], found["exit"], found["out"].encode("latin-1"))
    if actual == ("exit", expected.exit_code, expected.stdout):
        return Verdict(seed, "agreed", took)
    engine = f"{found['end']} {found['exit']} {found['out']!r} {found['note']}"
    note = f"engine: {engine}; native: {expected.exit_code} {expected.stdout!r}"
    return Verdict(seed, "disagreed", took, note[:300])


def keep(verdict: Verdict, folder: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    source = folder / f"seed{verdict.seed}.c"
    if source.exists():
        shutil.copy(source, target / source.name)


def report(verdicts: list[Verdict]) -> None:
    counts = Counter(verdict.kind for verdict in verdicts)
    took = sorted(verdict.seconds for verdict in verdicts if verdict.kind == "agreed")
    print("\n| outcome | programs |\n|---|---|")
    for kind in KINDS:
        print(f"| {kind} | {counts[kind]} |")
    if took:
        print(f"\nengine, compilation included: median {took[len(took) // 2]:.2f} s, longest {took[-1]:.2f} s")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=50, metavar="N", help="how many programs")
    parser.add_argument("--first", type=int, default=1, metavar="SEED", help="the first seed")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), metavar="N")
    parser.add_argument("--time", type=float, default=60.0, metavar="SECONDS", help="limit for the engine, per program")
    parser.add_argument("--keep", type=Path, default=Path("disagreements"), metavar="DIR")
    parser.add_argument("--quiet", action="store_true", help="only the table")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--include", help=argparse.SUPPRESS)
    parser.add_argument("csmith", nargs="*", metavar="CSMITH-OPTION", help="after --: handed to csmith")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    if options.one:
        engine_side(options.one, options.include)
        return 0
    if shutil.which("csmith") is None:
        raise SystemExit("csmith is not on PATH (Debian: apt-get install csmith libcsmith-dev)")
    include = include_folder()
    verdicts: list[Verdict] = []
    with tempfile.TemporaryDirectory(prefix="csmith-") as name, ThreadPoolExecutor(options.jobs) as pool:
        folder = Path(name)
        seeds = range(options.first, options.first + options.seeds)
        for verdict in pool.map(lambda s: examine(s, folder, include, options.time, options.csmith), seeds):
            verdicts.append(verdict)
            if verdict.kind in ("disagreed", "failed", "unsupported", "timeout"):
                keep(verdict, folder, options.keep)
            if not options.quiet:
                print(f"{verdict.seed}: {verdict.kind} ({verdict.seconds:.2f} s) {verdict.note}".rstrip(), flush=True)
    report(verdicts)
    return 1 if any(verdict.kind in ("disagreed", "failed") for verdict in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
