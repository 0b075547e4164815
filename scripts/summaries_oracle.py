#!/usr/bin/env python3
"""Compare ``clew test`` with trying every input, on random programs with loops that summaries generalize.

    python scripts/summaries_oracle.py --programs 300 [--seed 0] [--hostile] [--ways summaries,alone,dynamic,plain]
                                       [--starts 2] [--jobs 2] [--time 20] [--minutes 30] [--combinations 256]
                                       [--shrink] [--strict] [--keep DIR]

Branches, errors and every single test are compared with native runs. The loops of the programs meet the conditions
under which a summary is exact; with ``--hostile`` most of them do not. ``--starts`` adds runs that begin with drawn
inputs. Programs with a wrong answer are saved to the folder given with ``--keep``, with ``--shrink`` also made as small
as possible; ``--strict`` does the same with runs that do not end by themselves. The exit code is 1 if any answer was
wrong, else 0.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.harness import add_time, options_of, results  # noqa: E402
from oracle.summaries_compare import WAYS, Answer, compare  # noqa: E402
from oracle.summaries_native import Native  # noqa: E402
from oracle.summaries_programs import COMBINATIONS, generate  # noqa: E402
from oracle.verify_native import NotEnumerable  # noqa: E402
from oracle.verify_shrink import shrink  # noqa: E402

INPUT = re.compile(r"\bIN\(\w+, [\w ]+, \w+, (.*?), (.*)\);")


@dataclass(frozen=True)
class Result:
    """The answers for one program; ``bad`` if there is no program."""

    seed: int
    answers: tuple[Answer, ...] = ()
    runs: int = 0
    bad: str = ""


def examine(options: argparse.Namespace, seed: int) -> Result:
    """One program in all ways."""
    try:
        drawn = generate(seed, options.hostile, options.combinations)
    except NotEnumerable as problem:
        return Result(seed, bad=f"the generator made a bad program: {problem}"[:1500])
    answers = []
    with tempfile.TemporaryDirectory(prefix="summaries-") as name:
        program = Path(name) / f"seed{seed}.c"
        program.write_text(drawn.source, encoding="utf-8")
        runner = Native(drawn.source, program.parent)
        for way in options.ways:
            for start in starts(drawn.source, seed, options.starts):
                answer = compare(program, drawn.truth, runner, way, options.time, start)
                answers.append(answer)
                if answer.wrong or (options.strict and answer.stopped):
                    _save(options, seed, drawn.source, answer)
                    if options.shrink:
                        _shrink(options, seed, program, answer)
                        program.write_text(drawn.source, encoding="utf-8")
    return Result(seed, tuple(answers), drawn.truth.runs)


def starts(source: str, seed: int, count: int) -> Iterator[tuple[int, ...]]:
    """What the first run begins with: what the engine likes, and drawn values."""
    yield ()
    random = Random(f"{seed}")
    main = source[source.index("int main(void)") :]
    spans = [[_value(text) for text in found] for found in INPUT.findall(main)]
    for _ in range(count if spans else 0):
        yield tuple(
            random.choice((low, high, random.randint(low, high), random.randint(low, high))) for low, high in spans
        )


def _value(text: str) -> int:
    """``-5``, ``5L`` or ``(-5L - 1)``."""
    return sum(int(part) for part in re.findall(r"-?\d+", text.replace(" - ", " -")))


def _save(options: argparse.Namespace, seed: int, source: str, answer: Answer, suffix: str = "") -> None:
    options.keep.mkdir(parents=True, exist_ok=True)
    name = f"{'hostile' if options.hostile else 'theory'}{seed}-{answer.way}{suffix}.c"
    note = f"// clew test {answer.options}: {answer}\n"
    (options.keep / name).write_text(source + note, encoding="utf-8")


def _kind(answer: Answer) -> str:
    """What is wrong, but for the names, numbers and inputs it is wrong with."""
    return re.sub(r"\[.*?\]|\(.*?\)|\d+", "", answer.wrong.split(";")[0] or str(answer))


def _shrink(options: argparse.Namespace, seed: int, program: Path, answer: Answer) -> None:
    """Save smaller and smaller programs with the same kind of wrong answer."""
    kind = _kind(answer)

    def still(source: str) -> bool:
        try:
            runner = Native(source, program.parent)
            truth = runner.every_input(2.0)
        except NotEnumerable:
            return False
        program.write_text(source, encoding="utf-8")
        found = compare(program, truth, runner, answer.way, options.time, answer.start)
        if _kind(found) != kind:
            return False
        _save(options, seed, source, found, ".small")
        return True

    shrink(program.read_text(encoding="utf-8"), still)


def report(results: Sequence[Result]) -> None:
    answers = [answer for result in results for answer in result.answers]
    print(f"\n{len(results)} programs with {sum(result.runs for result in results)} native runs")
    heads = ("way", "runs", "ended", "wrong", "paths", "summaries", "divergences", "sound", "best effort", "none")
    print(f"| {' | '.join(heads)} | seconds | longest |")
    print("|---" * (len(heads) + 2) + "|")
    for way in dict.fromkeys(answer.way for answer in answers):
        mine = [answer for answer in answers if answer.way == way]
        loops = Counter(status for answer in mine for status, _ in answer.loops)
        sums = {name: sum(answer.stats.get(name, 0) for answer in mine) for name in
                ("paths_completed", "summaries", "divergences")}  # fmt: skip
        seconds = [answer.seconds for answer in mine]
        texts = [len(mine), sum(not answer.stopped for answer in mine), sum(bool(answer.wrong) for answer in mine),
                 *sums.values(), loops["sound"], loops["best-effort"], loops["none"],
                 f"{sum(seconds):.1f}", f"{max(seconds):.1f}"]  # fmt: skip
        print(f"| {way} | {' | '.join(map(str, texts))} |")
    reasons = Counter(
        f"{status}: {re.sub(r'[0-9]+', 'N', reason)}" for answer in answers for status, reason in answer.loops if reason
    )
    for text, count in reasons.most_common(25):
        print(f"{count:6} {text}")


def main() -> int:
    parser = options_of(__doc__)
    parser.add_argument("--hostile", action="store_true", help="loops outside of the theory")
    parser.add_argument("--ways", default="summaries,alone,dynamic,plain", metavar="LIST", help=", ".join(WAYS))
    parser.add_argument("--starts", type=int, default=1, metavar="N", help="runs that begin with drawn inputs")
    parser.add_argument("--combinations", type=int, default=COMBINATIONS, metavar="N", help="of inputs, at most")
    parser.add_argument("--strict", action="store_true", help="keep programs whose runs do not end, too")
    parser.add_argument("--shrink", action="store_true", help="make programs with a wrong answer smaller")
    add_time(parser, 20.0, "one run of test")
    options = parser.parse_args()
    options.ways = tuple(WAYS[name] for name in options.ways.split(","))
    found: list[Result] = []
    for result in results(partial(examine, options), options):
        found.append(result)
        if result.bad:
            print(f"seed {result.seed}: {result.bad}", flush=True)
        for answer in result.answers:
            if answer.wrong or (options.strict and answer.stopped):
                print(f"seed {result.seed} {answer.options} ({answer.seconds:.1f} s): {answer}", flush=True)
    report(found)
    return 1 if any(result.bad or any(a.wrong for a in result.answers) for result in found) else 0


if __name__ == "__main__":
    sys.exit(main())
