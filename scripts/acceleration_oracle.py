#!/usr/bin/env python3
"""Compare verdicts on functions with replaced loops with enumeration of all states, on random functions.

    python scripts/acceleration_oracle.py --functions 1000 [--seed 0] [--batch 20] [--jobs 1] [--keep DIR] [--jumps]

With ``--jumps``, functions without inputs are run with and without jumps over iterations: both must show the same.
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

from clew.execute import engine  # noqa: E402
from clew.techniques.acceleration import jumping, loop_jumps  # noqa: E402
from oracle.acceleration_compare import Compared, compare, compare_jumps  # noqa: E402
from oracle.acceleration_programs import LoopFunction, draw  # noqa: E402


def _jumps(functions: list[LoopFunction], folder: Path) -> Compared:
    engine.SLICE, jumping.PATIENCE, loop_jumps.AHEAD = 120, 0, 3
    count, wrong = compare_jumps(functions, folder)
    return Compared(exact=count, wrong=wrong)


def examine(batch: int, keep: Path, jumps: bool, seed: int) -> Compared:
    """The functions of a batch of seeds."""
    drawn = (draw(number, inputs=not jumps) for number in range(seed, seed + batch))
    functions = [function for function in drawn if function is not None]
    with tempfile.TemporaryDirectory(prefix="acceleration-") as name:
        folder = Path(name)
        try:
            result = _jumps(functions, folder) if jumps else compare(functions, folder)
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
    parser.add_argument("--jumps", action="store_true", help="compare runs with jumps and without")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    total = Compared()
    seeds = range(options.seed, options.seed + options.functions, options.batch)
    with Pool(options.jobs, maxtasksperchild=20) as pool:
        for result in pool.imap_unordered(partial(examine, options.batch, options.keep, options.jumps), seeds):
            for text in result.wrong:
                print(text, flush=True)
            total.proved += result.proved
            total.violated += result.violated
            total.open += result.open
            total.exact += result.exact
            total.wrong += result.wrong
    if options.jumps:
        print(f"{options.functions} functions, {total.exact} jumps; wrong {len(total.wrong)}")
        return 1 if total.wrong else 0
    print(
        f"{options.functions} functions, {total.exact} with all loops exact: assertions proved {total.proved},"
        f" violated {total.violated}, open {total.open}; wrong {len(total.wrong)}"
    )
    return 1 if total.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
