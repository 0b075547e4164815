#!/usr/bin/env python3
"""Compare what is proved about loops over arrays with running them natively on all inputs.

    python scripts/array_oracle.py --files 200 [--seed 0] [--functions 5]

Each file has some functions, whose loops over arrays are replaced (``clew.techniques.acceleration.array_cutting``);
everything that they leave in memory is compared with the same without loops. Needs a C compiler. The exit code is 1 if
something was proved that does not hold, else 0.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.array_compare import Compared, compare  # noqa: E402
from oracle.array_programs import array_function, declarations  # noqa: E402


def main() -> int:
    """Compare; print a line for each file, and all that is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--functions", type=int, default=5)
    options = parser.parse_args()
    total = Compared()
    for seed in range(options.seed, options.seed + options.files):
        random = Random(seed)
        head = declarations(random)
        functions = [array_function(random, number) for number in range(options.functions)]
        with tempfile.TemporaryDirectory() as folder:
            found = compare(head, functions, Path(folder))
        for name in ("replaced", "left", "holding", "proved", "violated", "witnessed"):
            setattr(total, name, getattr(total, name) + getattr(found, name))
        total.wrong += found.wrong
        print(
            f"{seed}: {total.replaced} loops replaced, {total.left} left; {total.proved} of {total.holding} proved;"
            f" {total.witnessed} of {total.violated} violated ones shown; {len(total.wrong)} wrong",
            flush=True,
        )
        for text in found.wrong:
            print(head, text, sep="")
    return 1 if total.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
