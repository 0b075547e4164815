#!/usr/bin/env python3
"""Compare ``clew reach`` with trying every input, on random programs with loops.

    python scripts/reach_oracle.py --programs 300 [--seed 0] [--strategy plain,chains,chains/kept,auto]
                                   [--jobs 2] [--time 20] [--minutes 30] [--bits 8] [--shrink] [--strict]
                                   [--processes 2] [--kills 0.1] [--keep DIR]

Each program has several targets, and each verdict is compared with what happens natively over all inputs; the tests
for targets that are reached are run natively. Needs a C compiler. Programs with a wrong answer are saved to the folder
given with ``--keep``, with ``--shrink`` also made as small as possible; ``--strict`` does the same with targets that
have no answer. With ``--processes``, arms are side by side from the beginning, and up to ten of their processes are
killed at any moment. The exit code is 1 if any answer was wrong, else 0.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.harness import add_time, options_of, results  # noqa: E402
from oracle.reach_compare import WAYS, Answer, compare  # noqa: E402
from oracle.reach_native import CHECKED, WRAPPING, reached_targets  # noqa: E402
from oracle.reach_programs import INPUT_BITS, generate  # noqa: E402
from oracle.verify_native import NotEnumerable  # noqa: E402
from oracle.verify_shrink import shrink  # noqa: E402


@dataclass(frozen=True)
class Result:
    """The answers for one program; ``bad`` if there is no program."""

    seed: int
    answers: tuple[Answer, ...] = ()
    reachable: int = 0
    bad: str = ""


def examine(options: argparse.Namespace, seed: int) -> Result:
    """One program in all ways."""
    try:
        drawn = generate(seed, options.bits)
    except NotEnumerable as problem:
        return Result(seed, bad=f"the generator made a bad program: {problem}"[:1500])
    with tempfile.TemporaryDirectory(prefix="reach-") as name:
        program = Path(name) / f"seed{seed}.c"
        program.write_text(drawn.source, encoding="utf-8")
        answers = compare(program, drawn.reached, options.ways, options.time)
        for answer in answers:
            if answer.wrong or (options.strict and answer.verdict == "UNKNOWN"):
                _save(options, seed, drawn.source, answer)
                if options.shrink:
                    _shrink(options, seed, program, answer)
    return Result(seed, tuple(answers), len(drawn.reached))


def _save(options: argparse.Namespace, seed: int, source: str, answer: Answer, suffix: str = "") -> None:
    options.keep.mkdir(parents=True, exist_ok=True)
    name = f"seed{seed}-T{answer.target.number}-{str(answer.way).replace('/', '-')}{suffix}.c"
    note = f"// clew reach {answer.way.options}: {answer}\n"
    (options.keep / name).write_text(source + note, encoding="utf-8")


def _kind(answer: Answer) -> str:
    """What is wrong, but for the names, numbers and inputs it is wrong with."""
    text = answer.wrong or (f"{answer.verdict} ({answer.reason})" if answer.verdict == "UNKNOWN" else "")
    return re.sub(r"[\w.]*\d[\w.]*|\[.*\]|\(no path.*|\(.* is reached.*", "", text)


def _shrink(options: argparse.Namespace, seed: int, program: Path, answer: Answer) -> None:
    """Save smaller and smaller programs with the same kind of wrong answer, still without undefined behaviour."""
    kind, number = _kind(answer), answer.target.number
    candidate = program.with_name("candidate.c")

    def still(source: str) -> bool:
        try:
            now = reached_targets(source, program.parent, (*WRAPPING, "-ftrivial-auto-var-init=zero"), 2.0)
            candidate.write_text(source, encoding="utf-8")
            found = compare(candidate, now, (answer.way,), options.time, number)
            if not found or _kind(found[0]) != kind or not _defined(source, program.parent, now):
                return False
        except NotEnumerable:
            return False
        _save(options, seed, source, found[0], ".small")
        return True

    shrink(program.read_text(encoding="utf-8"), still)


def _defined(source: str, folder: Path, reached: frozenset[int]) -> bool:
    """No error of a sanitizer, and nothing that depends on what variables hold before they are set."""
    return all(
        reached_targets(source, folder, flags, 5.0) == reached
        for flags in (CHECKED, (*WRAPPING, "-ftrivial-auto-var-init=pattern"))
    )


def report(results: Sequence[Result]) -> None:
    seeds = {id(answer): result.seed for result in results for answer in result.answers}
    answers = [answer for result in results for answer in result.answers]
    print(f"\n{len(results)} programs, {sum(result.reachable for result in results)} targets that can be reached")
    print("| way | targets | REACHED | UNREACHABLE | UNKNOWN | wrong | by chains | seconds | longest |")
    print("|---|---|---|---|---|---|---|---|---|")
    for way in dict.fromkeys(answer.way for answer in answers):
        mine = [answer for answer in answers if answer.way == way]
        counts = Counter(answer.verdict for answer in mine)
        kinds = " | ".join(str(counts[verdict]) for verdict in ("REACHED", "UNREACHABLE", "UNKNOWN"))
        wrong, chains = sum(bool(a.wrong) for a in mine), sum(a.technique == "chains" for a in mine)
        slow = max(mine, key=lambda answer: answer.seconds)
        longest = f"{slow.seconds:.1f} (seed {seeds[id(slow)]} T{slow.target.number})"
        print(
            f"| {way} | {len(mine)} | {kinds} | {wrong} | {chains} | {sum(a.seconds for a in mine):.1f} | {longest} |"
        )
    reasons = Counter(
        f"{answer.way}: {re.sub(r'[0-9]+', 'N', answer.reason)}" for answer in answers if answer.verdict == "UNKNOWN"
    )
    for text, count in reasons.most_common(20):
        print(f"UNKNOWN {count:5} {text}")


def main() -> int:
    parser = options_of(__doc__)
    parser.add_argument("--strategy", default="chains/kept,chains,auto,plain", metavar="LIST", help=", ".join(WAYS))
    parser.add_argument("--bits", type=int, default=INPUT_BITS, metavar="N", help="bits of input")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="that each run of reach has")
    parser.add_argument("--kills", type=float, default=0.0, metavar="P", help="probability, at each look for messages")
    parser.add_argument("--strict", action="store_true", help="keep programs with unanswered targets, too")
    parser.add_argument("--shrink", action="store_true", help="make programs with a wrong answer smaller")
    add_time(parser, 20.0, "one run of reach")
    options = parser.parse_args()
    chosen = (WAYS[name] for name in options.strategy.split(","))
    options.ways = tuple(replace(way, jobs=options.processes, kills=options.kills) for way in chosen)
    found: list[Result] = []
    for result in results(partial(examine, options), options):
        found.append(result)
        if result.bad:
            print(f"seed {result.seed}: {result.bad}", flush=True)
        for answer in result.answers:
            if answer.wrong or (options.strict and answer.verdict == "UNKNOWN"):
                print(f"seed {result.seed} {answer.way} ({answer.seconds:.1f} s): {answer}", flush=True)
    report(found)
    return 1 if any(result.bad or any(a.wrong for a in result.answers) for result in found) else 0


if __name__ == "__main__":
    sys.exit(main())
