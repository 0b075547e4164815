#!/usr/bin/env python3
"""Compare verdicts on functions with replaced loops with enumeration of all states, on random functions.

    python scripts/acceleration_oracle.py --functions 1000 [--seed 0] [--batch 20] [--jobs 1] [--keep DIR]

The exit code is 1 if there was any disagreement, else 0. Batches with one are saved to the folder of ``--keep``.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import traceback
from functools import partial
from multiprocessing import Pool
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.acceleration_compare import Compared, compare  # noqa: E402
from oracle.acceleration_programs import draw  # noqa: E402


def examine(batch: int, keep: Path, seed: int) -> Compared:
    """The functions of a batch of seeds."""
    functions = [function for number in range(seed, seed + batch) if (function := draw(number)) is not None]
    with tempfile.TemporaryDirectory(prefix="acceleration-") as name:
        folder = Path(name)
        try:
            result = compare(functions, folder)
        except Exception:
            result = Compared(wrong=[f"seeds {seed}..{seed + batch - 1}: {traceback.format_exc()}"])
        if result.wrong:
            keep.mkdir(parents=True, exist_ok=True)
            shutil.copy(folder / "loops.c", keep / f"seeds{seed}.c")
    return result


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--functions", type=int, default=200, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first function; the others follow")
    parser.add_argument("--batch", type=int, default=20, metavar="N", help="functions in one file")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument("--keep", type=Path, default=Path("disagreements"), metavar="DIR")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    total = Compared()
    seeds = range(options.seed, options.seed + options.functions, options.batch)
    with Pool(options.jobs, maxtasksperchild=20) as pool:
        for result in pool.imap_unordered(partial(examine, options.batch, options.keep), seeds):
            for text in result.wrong:
                print(text, flush=True)
            total.proved += result.proved
            total.violated += result.violated
            total.open += result.open
            total.exact += result.exact
            total.wrong += result.wrong
    print(
        f"{options.functions} functions, {total.exact} with all loops exact: assertions proved {total.proved},"
        f" violated {total.violated}, open {total.open}; wrong {len(total.wrong)}"
    )
    return 1 if total.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
