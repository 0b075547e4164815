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
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from clew.base.errors import UserError  # noqa: E402
from oracle.harness import options_of, results  # noqa: E402
from oracle.invariants_compare import WAYS, Compared, Way, compare  # noqa: E402
from oracle.invariants_programs import generate  # noqa: E402
from oracle.verify_shrink import shrink  # noqa: E402

BY_NAME = {str(way): way for way in WAYS}


@dataclass(frozen=True)
class Answer:
    way: Way
    wrong: str
    inputs: tuple[int, ...]
    found: Compared
    seconds: float


def examine(options: argparse.Namespace, seed: int) -> tuple[int, list[Answer]]:
    """One program in all ways."""
    drawn = generate(seed, options.runs)
    answers = []
    with tempfile.TemporaryDirectory(prefix="invariants-") as name:
        file = Path(name) / f"seed{seed}.c"
        for way in options.ways:
            answer = ask(file, drawn.source, drawn.runs, way, options.steps)
            answers.append(answer)
            if answer.wrong:
                _save(options, seed, drawn.source, answer)
                if options.shrink:
                    _shrink(options, seed, file, drawn.source, drawn.runs, answer)
    return seed, answers


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


def _save(options: argparse.Namespace, seed: int, source: str, answer: Answer, suffix: str = "") -> None:
    options.keep.mkdir(parents=True, exist_ok=True)
    note = f"// {answer.way}: {answer.wrong}\n// inputs: {', '.join(map(str, answer.inputs[:20]))}\n"
    (options.keep / f"seed{seed}-{answer.way}{suffix}.c").write_text(source + note, encoding="utf-8")


def _kind(wrong: str) -> str:
    """Whether something does not hold, code is not dead, or the tool failed; and where it did."""
    if "unreachable" in wrong or ": not " in wrong:
        return "violation"
    return re.sub(r":.*", "", wrong)


def _shrink(
    options: argparse.Namespace, seed: int, file: Path, source: str, runs: Sequence[Sequence[int]], answer: Answer
) -> None:
    kind = _kind(answer.wrong)

    def still(text: str) -> bool:
        found = ask(file, text, runs, answer.way, options.steps)
        if not found.wrong or _kind(found.wrong) != kind:
            return False
        _save(options, seed, text, found, ".small")
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


def main() -> int:
    parser = options_of(__doc__)
    parser.add_argument("--runs", type=int, default=12, metavar="N", help="of each program")
    parser.add_argument("--steps", type=int, default=2000, metavar="N", help="instructions of a run that are looked at")
    parser.add_argument("--ways", default=",".join(BY_NAME), metavar="LIST", help=", ".join(BY_NAME))
    parser.add_argument("--shrink", action="store_true", help="make programs with a wrong answer smaller")
    options = parser.parse_args()
    options.ways = tuple(BY_NAME[name] for name in options.ways.split(","))
    answers: list[Answer] = []
    for seed, found in results(partial(examine, options), options):
        answers += found
        for answer in found:
            if answer.wrong:
                print(f"seed {seed} {answer.way} ({answer.seconds:.1f} s): {answer.wrong}", flush=True)
    report(answers)
    return 1 if any(answer.wrong for answer in answers) else 0


if __name__ == "__main__":
    sys.exit(main())
