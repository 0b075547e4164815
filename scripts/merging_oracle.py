#!/usr/bin/env python3
"""Compare ``clew test`` that merges paths with ``clew test --goal path``, on random programs whose paths meet again.

    python scripts/merging_oracle.py --programs 1000 [--seed 0] [--ways 3] [--goals branch,error,context] [--jobs 2]
                                     [--time 10] [--minutes 30] [--combinations 4096] [--shrink] [--keep DIR]

Each program is run once along every path, then depth first with the goal ``error`` and nothing but merging, then in
some drawn ways: goals, search orders, with and without summaries, invariants and bounds of loops, from ``main`` or from
another function. Branches must be the same, errors too unless the goal is ``branch``, and the tests must cover what is
said to be covered. Programs with a wrong answer are saved to the folder given with ``--keep``, with ``--shrink`` also
made as small as possible. The exit code is 1 if any answer was wrong, else 0.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.harness import add_time, options_of, results  # noqa: E402
from oracle.merging_claims import BadDraft  # noqa: E402
from oracle.merging_compare import GOALS, SEARCHES, Run, Way, alone, contradictions, every_path, explore  # noqa: E402
from oracle.merging_programs import COMBINATIONS, generate  # noqa: E402
from oracle.verify_shrink import shrink  # noqa: E402

FUNCTION = re.compile(r"^static int (work\d+)\(", re.MULTILINE)
SHRINKING = 60.0
"""Seconds for one program."""


@dataclass(frozen=True)
class Answer:
    """A run in one way, and what is wrong with it."""

    run: Run
    every: Run
    wrong: tuple[str, ...]

    @property
    def more(self) -> int:
        """Paths that merging adds: what it replaces by symbols may be decided once more.

        Where a program gives paths up these are not counted, unless they were merged before that.
        """
        return self.run.paths - self.every.paths if self.run.ended and not self.run.drops else 0


@dataclass(frozen=True)
class Result:
    """The answers for one program; ``bad`` or ``skipped`` if there are none."""

    seed: int
    answers: tuple[Answer, ...] = ()
    bad: str = ""
    skipped: bool = False


def ways(seed: int, options: argparse.Namespace, source: str) -> list[Way]:
    """Merging alone, depth first; then whatever is drawn."""
    random = Random(f"ways {seed}")
    drawn = [alone("error" if "error" in options.goals else options.goals[0], "dfs")]
    for _ in range(options.ways):
        way = alone(random.choice(options.goals), random.choice(SEARCHES))
        if random.random() < 0.4:
            on = [random.random() < 0.5 for _ in range(3)]
            way = Way(way.goal, way.search, *on, validate=random.random() < 0.3, seed=random.choice((0, 1, 2)))
        elif random.random() < 0.1:
            way = Way(way.goal, way.search, False, False, False, loop_bound=random.choice((1, 2)))
        elif random.random() < 0.2 and (functions := FUNCTION.findall(source)):
            way = replace(way, function=random.choice(functions))
        if way not in drawn:
            drawn.append(way)
    return drawn


def examine(options: argparse.Namespace, seed: int) -> Result:
    """One program in all ways."""
    try:
        source = generate(seed, options.combinations).source
    except BadDraft as problem:
        return Result(seed, bad=f"the generator made a bad program: {problem}"[:1500])
    answers: list[Answer] = []
    with tempfile.TemporaryDirectory(prefix="merging-") as name:
        program = Path(name) / f"seed{seed}.c"
        program.write_text(source, encoding="utf-8")
        references: dict[Way, Run] = {}
        for way in ways(seed, options, source):
            plain = every_path(way)
            every = references.get(plain) or explore(program, plain, options.time)
            references[plain] = every
            if every.failure or not every.ended:
                return Result(seed, tuple(answers), every.failure, skipped=not every.failure)
            run = explore(program, way, options.time)
            answers.append(Answer(run, every, tuple(contradictions(every, run))))
            if answers[-1].wrong:
                _save(options, seed, source, answers[-1])
                if options.shrink:
                    _shrink(options, seed, program, answers[-1])
                    program.write_text(source, encoding="utf-8")
    return Result(seed, tuple(answers))


def _save(options: argparse.Namespace, seed: int, source: str, answer: Answer, suffix: str = "") -> None:
    options.keep.mkdir(parents=True, exist_ok=True)
    way = str(answer.run.way).replace("--", "").replace(" ", "_")
    note = f"// clew test {answer.run.way}: {'; '.join(answer.wrong)}\n"
    (options.keep / f"seed{seed}-{way}{suffix}.c").write_text(source + note, encoding="utf-8")


def _kinds(answer: Answer) -> set[str]:
    """What is wrong, but for names and places."""
    return {text.split(":")[0] for text in answer.wrong}


def _shrink(options: argparse.Namespace, seed: int, program: Path, answer: Answer) -> None:
    """Save smaller and smaller programs with the same kind of wrong answer."""
    kinds, way, deadline = _kinds(answer), answer.run.way, time.monotonic() + SHRINKING

    def still(source: str) -> bool:
        if time.monotonic() > deadline:
            return False
        program.write_text(source, encoding="utf-8")
        every = explore(program, every_path(way), options.time)
        if every.failure or not every.ended:
            return False
        found = Answer(run := explore(program, way, options.time), every, tuple(contradictions(every, run)))
        if not kinds & _kinds(found):
            return False
        _save(options, seed, source, found, ".small")
        return True

    shrink(program.read_text(encoding="utf-8"), still)


def report(results: Sequence[Result]) -> None:
    answers = [answer for result in results for answer in result.answers]
    print(f"\n{len(results)} programs, {sum(result.skipped for result in results)} with too many paths")
    heads = ("goal", "search", "runs", "ended", "wrong", "all paths", "completed", "merged", "runs that merge",
             "more paths", "formulas", "checks", "hits", "seconds", "all paths")  # fmt: skip
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|")
    for goal, search in sorted({(a.run.way.goal, a.run.way.search or "") for a in answers}):
        mine = [a for a in answers if (a.run.way.goal, a.run.way.search or "") == (goal, search)]
        texts = [goal, search, len(mine), sum(a.run.ended for a in mine), sum(bool(a.wrong) for a in mine)]
        texts += [sum(a.every.paths for a in mine)]
        texts += [sum(a.run.stats.get(name, 0) for a in mine) for name in ("paths_completed", "paths_merged")]
        texts += [sum(a.run.stats.get("paths_merged", 0) > 0 for a in mine)]
        texts += [sum(a.more > 0 for a in mine)]
        texts += [sum(a.run.stats.get(f"merge_{name}", 0) for a in mine) for name in ("formulas", "checks", "hits")]
        texts += [f"{sum(a.run.seconds for a in mine):.1f}", f"{sum(a.every.seconds for a in mine):.1f}"]
        print(f"| {' | '.join(map(str, texts))} |")
    more = [(answer, result.seed) for result in results for answer in result.answers if answer.more > 0]
    for answer, seed in sorted(more, key=lambda item: -item[0].more)[:5]:
        print(f"seed {seed} {answer.run.way}: {answer.more} paths more than {answer.every.paths}")


def main() -> int:
    parser = options_of(__doc__, 200)
    parser.add_argument("--ways", type=int, default=3, metavar="N", help="drawn for each program")
    parser.add_argument("--goals", default=",".join(GOALS), metavar="LIST")
    parser.add_argument("--combinations", type=int, default=COMBINATIONS, metavar="N", help="of inputs, about")
    parser.add_argument("--shrink", action="store_true", help="make programs with a wrong answer smaller")
    add_time(parser, 10.0, "one run of test")
    options = parser.parse_args()
    options.goals = tuple(options.goals.split(","))
    found: list[Result] = []
    for result in results(partial(examine, options), options):
        found.append(result)
        if result.bad:
            print(f"seed {result.seed}: {result.bad}", flush=True)
        for answer in result.answers:
            for text in answer.wrong:
                print(f"seed {result.seed} {answer.run.way} ({answer.run.seconds:.1f} s): {text}", flush=True)
    report(found)
    return 1 if any(result.bad or any(a.wrong for a in result.answers) for result in found) else 0


if __name__ == "__main__":
    sys.exit(main())
