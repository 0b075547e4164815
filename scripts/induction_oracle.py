#!/usr/bin/env python3
"""Check k-induction against enumerations of all states, on random programs of a few bytes with endless loops.

    python scripts/induction_oracle.py --programs 1000 [--seed 0] [--time 60] [--instructions 5000] [--rounds 1,2,3]
                                       [--strategy induction] [--lemmas] [--keep DIR]

What is proved must hold in every reachable state, and what is refuted must not. A program with a wrong answer is saved
to the folder given with ``--keep``. The exit code is 1 if there was one, else 0.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from clew.jobs.phases import induction_proof, loop_facts  # noqa: E402
from clew.techniques.invariants.candidates.lemmas import NO_LEMMAS  # noqa: E402
from oracle.induction_compare import Compared, Comparing, Effort, draw_all  # noqa: E402
from oracle.induction_native import Truth  # noqa: E402
from oracle.induction_programs import Drawn, written  # noqa: E402

BATCH = 100
"""Programs that are compiled and enumerated together."""


def examine(drawn: Drawn, truth: Truth, comparing: Comparing) -> Compared:
    """A failure of the tool is a wrong answer, too."""
    try:
        return comparing.compare(drawn, truth)
    except Exception:
        return Compared((traceback.format_exc()[-2000:],))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", type=int, default=200, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first program; the others follow")
    parser.add_argument("--time", type=float, default=60.0, metavar="SECONDS", help="for each program")
    parser.add_argument("--instructions", type=int, default=5_000, metavar="N", help="of each attempt")
    parser.add_argument("--rounds", default="1,2,3", metavar="K,...", help="of supposed rounds: what is attempted")
    parser.add_argument("--lemmas", action="store_true", help="look for lemmas as well, which takes most of the time")
    parser.add_argument("--strategy", default="induction", metavar="NAME")
    parser.add_argument("--keep", type=Path, default=Path("disagreements"), metavar="DIR")
    options = parser.parse_args()
    induction_proof.ROUNDS = tuple(int(number) for number in options.rounds.split(","))
    if not options.lemmas:
        loop_facts.find_lemmas = lambda *_, **__: NO_LEMMAS
    total: Counter[str] = Counter()
    by: Counter[str] = Counter()
    for first in range(options.seed, options.seed + options.programs, BATCH):
        with tempfile.TemporaryDirectory(prefix="induction-") as name:
            known = draw_all(range(first, min(first + BATCH, options.seed + options.programs)), Path(name))
            effort = Effort(options.time, options.strategy, options.instructions)
            comparing = Comparing([drawn for drawn, _ in known], Path(name), effort)
            for drawn, truth in known:
                found = examine(drawn, truth, comparing)
                total["programs"] += 1
                for count in ("proved", "refuted", "open_true", "open_false"):
                    total[count] += getattr(found, count)
                if " by " in found.reason:
                    by[found.reason.rpartition(" by ")[2]] += 1
                if found.wrong:
                    total["wrong"] += 1
                    options.keep.mkdir(parents=True, exist_ok=True)
                    text = written([drawn])[0]
                    notes = "".join(f"// {line}\n" for wrong in found.wrong for line in wrong.splitlines())
                    (options.keep / f"seed{drawn.seed}.c").write_text(text + notes, encoding="utf-8")
                    print(f"seed {drawn.seed}: {found.wrong[0][-300:]}", flush=True)
        print(dict(total), flush=True)
    print(dict(by.most_common(12)))
    return int(total["wrong"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
