#!/usr/bin/env python3
"""Compare ``clew verify`` with trying every input, on random programs with recursive functions.

    python scripts/recursion_oracle.py --programs 300 [--seed 0] [--strategy contracts] [--time 20] [--keep DIR]

The exit code is 1 if any verdict on an assertion was wrong, else 0.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

import clew  # noqa: E402
from oracle.recursion_programs import Drawn, generate  # noqa: E402


def verdicts(drawn: Drawn, folder: Path, strategy: str, seconds: float) -> dict[int, str]:
    """What Clew says of each line with an assertion."""
    program = folder / "program.c"
    program.write_text(drawn.source, encoding="utf-8")
    result = clew.verify(program, strategy=strategy, time=seconds)
    found = dict.fromkeys(drawn.fails, "UNKNOWN")
    for item in result.properties:
        if item.location is not None and item.location.line in found:
            found[item.location.line] = item.verdict
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first program; the others follow")
    parser.add_argument("--strategy", default="contracts")
    parser.add_argument("--time", type=float, default=20.0, metavar="SECONDS", help="limit for one run of verify")
    parser.add_argument("--keep", type=Path, default=Path("disagreements"), metavar="DIR")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="recursion-") as name:
        for seed in range(options.seed, options.seed + options.programs):
            drawn = generate(seed)
            for line, verdict in verdicts(drawn, Path(name), options.strategy, options.time).items():
                wrong = verdict == ("TRUE" if drawn.fails[line] else "FALSE")
                counts[
                    "wrong" if wrong else verdict if verdict != "UNKNOWN" else f"open ({not drawn.fails[line]})"
                ] += 1
                if wrong:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    (options.keep / f"seed{seed}.c").write_text(drawn.source, encoding="utf-8")
                    print(f"seed {seed} line {line}: {verdict}", flush=True)
    print(f"{options.programs} programs: " + ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
