#!/usr/bin/env python3
"""Check invariants against executions, on random programs full of loops, casts and wrap-around.

    python scripts/invariants_oracle.py --programs 300 [--seed 0] [--runs 12] [--ways polyhedra,octagons-named,...]
                                        [--steps 2000] [--jobs 2] [--minutes 30] [--shrink] [--keep DIR]

Every program is analysed in every way and run with random and extreme inputs; at every instruction of every run, what
is said to hold there must hold. A program for which it does not is saved to the folder given with ``--keep``, with
``--shrink`` also made as small as possible. The exit code is 1 if there was one, else 0.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from clew.base.errors import UserError  # noqa: E402
from oracle.invariants_compare import WAYS, Compared, Way, compare  # noqa: E402
from oracle.invariants_programs import generate  # noqa: E402
from oracle.verify_shrink import shrink  # noqa: E402

BY_NAME = {str(way): way for way in WAYS}


@dataclass(frozen=True)
class Job:
    seed: int
    ways: tuple[Way, ...]
    runs: int
    steps: int
    keep: Path
    shrink: bool


@dataclass(frozen=True)
class Answer:
    way: Way
    wrong: str
    inputs: tuple[int, ...]
    found: Compared
    seconds: float


def examine(job: Job) -> tuple[int, list[Answer]]:
    """One program in all ways."""
    drawn = generate(job.seed, job.runs)
    answers = []
    with tempfile.TemporaryDirectory(prefix="invariants-") as name:
        file = Path(name) / f"seed{job.seed}.c"
        for way in job.ways:
            answer = ask(file, drawn.source, drawn.runs, way, job.steps)
            answers.append(answer)
            if answer.wrong:
                _save(job, drawn.source, answer)
                if job.shrink:
                    _shrink(job, file, drawn.source, drawn.runs, answer)
    return job.seed, answers


def ask(file: Path, source: str, runs: Sequence[Sequence[int]], way: Way, steps: int) -> Answer:
    """A failure of the tool is a wrong answer, too."""
    file.write_text(source, encoding="utf-8")
    begun = time.monotonic()
    try:
        found = compare(file, runs, way, most=steps, seconds=20.0)
    except UserError as problem:
        return Answer(way, f"no program: {problem}"[:300], (), Compared(), time.monotonic() - begun)
    except Exception as problem:
        where = traceback.extract_tb(problem.__traceback__)[-1]
        text = f"{type(problem).__name__} in {Path(where.filename).name}:{where.lineno}: {problem}"
        return Answer(way, text[:300], (), Compared(), time.monotonic() - begun)
    first = found.violations[0] if found.violations else None
    wrong = f"{first} ({len(found.violations)} places)" if first else ""
    return Answer(way, wrong, first.inputs if first else (), found, time.monotonic() - begun)


def _save(job: Job, source: str, answer: Answer, suffix: str = "") -> None:
    job.keep.mkdir(parents=True, exist_ok=True)
    note = f"// {answer.way}: {answer.wrong}\n// inputs: {', '.join(map(str, answer.inputs[:20]))}\n"
    (job.keep / f"seed{job.seed}-{answer.way}{suffix}.c").write_text(source + note, encoding="utf-8")


def _kind(wrong: str) -> str:
    """Whether something does not hold, code is not dead, or the tool failed; and where it did."""
    if "unreachable" in wrong or ": not " in wrong:
        return "violation"
    return re.sub(r":.*", "", wrong)


def _shrink(job: Job, file: Path, source: str, runs: Sequence[Sequence[int]], answer: Answer) -> None:
    kind = _kind(answer.wrong)

    def still(text: str) -> bool:
        found = ask(file, text, runs, answer.way, job.steps)
        if not found.wrong or _kind(found.wrong) != kind:
            return False
        _save(job, text, found, ".small")
        return True

    shrink(source, still)


def report(answers: Sequence[Answer]) -> None:
    print("\n| way | programs | wrong | constraints | without value | fell back | unknown | seconds | longest |")
    print("|---" * 9 + "|")
    for way in dict.fromkeys(answer.way for answer in answers):
        mine = [answer for answer in answers if answer.way == way]
        texts = (
            len(mine), sum(bool(answer.wrong) for answer in mine), sum(answer.found.looked_at for answer in mine),
            sum(answer.found.left_out for answer in mine),
            sum(any("too expensive" in note for note in answer.found.notes) for answer in mine),
            sum("nothing is known" in answer.found.notes for answer in mine),
            f"{sum(answer.seconds for answer in mine):.0f}", f"{max(answer.seconds for answer in mine):.1f}",
        )  # fmt: skip
        print(f"| {way} | {' | '.join(map(str, texts))} |")
    ends: Counter[str] = Counter()
    for answer in answers:
        ends.update(answer.found.ends)
    print(f"runs: {', '.join(f'{count} {end}' for end, count in ends.most_common())}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first program; the others follow")
    parser.add_argument("--runs", type=int, default=12, metavar="N", help="of each program")
    parser.add_argument("--steps", type=int, default=2000, metavar="N", help="instructions of a run that are looked at")
    parser.add_argument("--ways", default=",".join(BY_NAME), metavar="LIST", help=", ".join(BY_NAME))
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), metavar="N")
    parser.add_argument("--minutes", type=float, default=float("inf"), metavar="M", help="begin nothing after so long")
    parser.add_argument("--shrink", action="store_true", help="make programs with a wrong answer smaller")
    parser.add_argument("--keep", type=Path, default=Path("disagreements"), metavar="DIR")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    ways = tuple(BY_NAME[name] for name in options.ways.split(","))
    jobs = [
        Job(options.seed + number, ways, options.runs, options.steps, options.keep, options.shrink)
        for number in range(options.programs)
    ]
    answers: list[Answer] = []
    deadline = time.monotonic() + options.minutes * 60
    with Pool(options.jobs, maxtasksperchild=50) as pool:
        for seed, found in pool.imap(examine, jobs):
            answers += found
            for answer in found:
                if answer.wrong:
                    print(f"seed {seed} {answer.way} ({answer.seconds:.1f} s): {answer.wrong}", flush=True)
            if time.monotonic() > deadline:
                break
    report(answers)
    return 1 if any(answer.wrong for answer in answers) else 0


if __name__ == "__main__":
    sys.exit(main())
