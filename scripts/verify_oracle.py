#!/usr/bin/env python3
"""Compare ``clew verify`` with trying every input, on random programs.

    python scripts/verify_oracle.py --programs 300 [--seed 0] [--strategy plain,conflicts] [--decide learn:10,guide]
                                    [--jobs 2] [--time 20] [--size 4] [--bits 6] [--stir 5] [--keep-branches]
                                    [--processes 2] [--kills 0.1] [--shrink] [--keep DIR]

Each program has several assertions, and each verdict is compared with what happens natively over all inputs. Needs a C
compiler. With ``--processes``, arms are side by side from the beginning, and up to ten of their processes are killed at
any moment. Programs on which the two disagree are saved to the folder given with ``--keep``, with ``--shrink`` also
made as small as possible. The exit code is 1 if there was any disagreement or failure, else 0.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.harness import add_time, options_of, results  # noqa: E402
from oracle.verify_compare import Way, compare  # noqa: E402
from oracle.verify_native import SANITIZERS, NotEnumerable, Truth, enumerate_inputs  # noqa: E402
from oracle.verify_programs import INPUT_BITS, SIZE, generate  # noqa: E402
from oracle.verify_shrink import shrink  # noqa: E402

DECIDES = ("blackbox", "guide", "learn:10")


@dataclass
class Result:
    """What became of one program in one way: ``agreed``, ``open``, ``disagreed`` or ``failed``."""

    seed: int
    way: str
    kind: str
    seconds: float
    answered: int = 0
    open: int = 0
    note: str = ""


def examine(options: argparse.Namespace, seed: int) -> list[Result]:
    """One program in all ways."""
    try:
        drawn = generate(seed, options.size, options.bits, options.irreducible)
    except NotEnumerable as problem:
        return [Result(seed, "native", "failed", 0.0, note=f"the generator made a bad program: {problem}"[:1500])]
    with tempfile.TemporaryDirectory(prefix="verify-") as name:
        program = Path(name) / f"seed{seed}.c"
        program.write_text(drawn.source, encoding="utf-8")
        return [_one(options, seed, program, drawn.truth, way) for way in options.ways]


def _one(options: argparse.Namespace, seed: int, program: Path, truth: Truth, way: Way) -> Result:
    begun = time.monotonic()
    verdict, wrong, unanswered, answered = _verdict(program, truth, way, options)
    result = Result(seed, str(way), "agreed", time.monotonic() - begun, answered, len(unanswered))
    if wrong:
        result.kind, result.note = verdict, "; ".join(wrong)
        saved = _save(options, seed, program.read_text(encoding="utf-8"), way, wrong)
        if options.shrink:
            _shrink(options, seed, program, way, wrong)
        result.note += f" [{saved}]"
    elif unanswered:
        result.kind, result.note = "open", "; ".join(unanswered)
    return result


def _verdict(
    program: Path, truth: Truth, way: Way, options: argparse.Namespace
) -> tuple[str, list[str], list[str], int]:
    try:
        found = compare(program, truth, way, options.time)
    except Exception as problem:
        where = traceback.extract_tb(problem.__traceback__)[-1]
        text = f"{type(problem).__name__} in {Path(where.filename).name}:{where.lineno}: {problem}"
        return "failed", [text[:300]], [], 0
    wrong = [*found.wrong, *found.open] if options.strict else list(found.wrong)
    return "disagreed" if found.wrong else "open", wrong, list(found.open), found.answered


def _save(
    options: argparse.Namespace, seed: int, source: str, way: Way, wrong: Sequence[str], suffix: str = ""
) -> Path:
    options.keep.mkdir(parents=True, exist_ok=True)
    target = options.keep / f"seed{seed}-{str(way).replace('/', '-').replace(':', '')}{suffix}.c"
    notes = "".join(f"// {text}\n" for text in (f"clew verify {way.options}", *wrong))
    target.write_text(source + notes, encoding="utf-8")
    return target


def _kinds(wrong: Sequence[str]) -> set[str]:
    """What is wrong, but for the lines and names it is wrong with."""
    return {text.split(": ", 1)[1] if text.startswith(("line", "overall")) else text.split(": ")[0] for text in wrong}


def _shrink(options: argparse.Namespace, seed: int, program: Path, way: Way, wrong: Sequence[str]) -> None:
    """Save smaller and smaller programs with the same kind of disagreement, still without undefined behaviour."""
    kinds = _kinds(wrong)
    candidate = program.with_name("candidate.c")

    def still(source: str) -> bool:
        try:
            now = enumerate_inputs(source, program.parent, ("-ftrivial-auto-var-init=zero",), 2.0)
        except NotEnumerable:
            return False
        candidate.write_text(source, encoding="utf-8")
        if not kinds & _kinds(_verdict(candidate, now, way, options)[1]):
            return False
        if not _defined(source, program.parent, now):
            return False
        _save(options, seed, source, way, (), ".small")
        return True

    shrink(program.read_text(encoding="utf-8"), still)


def _defined(source: str, folder: Path, truth: Truth) -> bool:
    """No error of a sanitizer, and nothing that depends on what variables hold before they are set."""
    try:
        return all(
            enumerate_inputs(source, folder, flags, 5.0) == truth
            for flags in (SANITIZERS, ("-ftrivial-auto-var-init=pattern",))
        )
    except NotEnumerable:
        return False


def report(results: Sequence[Result]) -> None:
    print("\n| way | programs | agreed | open | disagreed | failed | assertions answered | not answered | seconds |")
    print("|---|---|---|---|---|---|---|---|---|")
    for way in dict.fromkeys(result.way for result in results):
        mine = [result for result in results if result.way == way]
        counts = Counter(result.kind for result in mine)
        kinds = " | ".join(str(counts[kind]) for kind in ("agreed", "open", "disagreed", "failed"))
        answered, left = sum(result.answered for result in mine), sum(result.open for result in mine)
        print(f"| {way} | {len(mine)} | {kinds} | {answered} | {left} | {sum(r.seconds for r in mine):.1f} |")


def main() -> int:
    parser = options_of(__doc__)
    parser.add_argument("--strategy", default="plain,conflicts", metavar="LIST")
    parser.add_argument("--decide", default=",".join(DECIDES), metavar="LIST", help="for the strategy conflicts")
    parser.add_argument("--size", type=int, default=SIZE, metavar="N", help="statements in main")
    parser.add_argument("--bits", type=int, default=INPUT_BITS, metavar="N", help="bits of input")
    parser.add_argument("--irreducible", action="store_true", help="also jump into loops")
    parser.add_argument("--stir", type=int, default=0, metavar="N", help="N more runs with random decisions")
    parser.add_argument("--keep-branches", action="store_true", help="without if-conversion")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="that each run of verify has")
    parser.add_argument("--kills", type=float, default=0.0, metavar="P", help="probability, at each look for messages")
    parser.add_argument("--strict", action="store_true", help="keep programs with unanswered assertions, too")
    parser.add_argument("--shrink", action="store_true", help="make programs that show a disagreement smaller")
    add_time(parser, 20.0, "one run of verify")
    options = parser.parse_args()
    ways: list[Way] = []
    for strategy in options.strategy.split(","):
        decides = options.decide.split(",") if strategy != "plain" else ("learn:10",)
        stirs = range(options.stir) if strategy != "plain" else ()
        ways += [Way(strategy, decide, kept=options.keep_branches) for decide in decides]
        ways += [Way(strategy, decides[0], stir, options.keep_branches) for stir in stirs]
    options.ways = [replace(way, jobs=options.processes, kills=options.kills) for way in ways]
    found: list[Result] = []
    for result in (one for several in results(partial(examine, options), options) for one in several):
        found.append(result)
        if result.kind != "agreed":
            text = f"seed {result.seed} {result.way}: {result.kind} ({result.seconds:.1f} s) {result.note}"
            print(text, flush=True)
    report(found)
    return 1 if any(result.kind in ("disagreed", "failed") for result in found) else 0


if __name__ == "__main__":
    sys.exit(main())
