#!/usr/bin/env python3
"""Check what conflict-driven search learns against random paths of random programs.

    python scripts/clause_oracle.py --programs 60 [--seed 0] [--paths 200] [--time 20] [--keep DIR]

Each program is verified with ``--strategy conflicts``, every other one with decisions taken at random; then random
paths are executed, and no clause that was learned may rule out one of them. Needs a C compiler. Programs with a wrong
clause are saved to the folder given with ``--keep``. The exit code is 1 if there was any, or a failure, else 0.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.clauses import Findings, check_clauses  # noqa: E402
from oracle.verify_compare import Way  # noqa: E402
from oracle.verify_programs import generate  # noqa: E402

DECIDES = ("learn:10", "guide", "blackbox")
MOST_SHOWN = 3


def examine(source: str, seed: int, options: argparse.Namespace) -> Findings:
    """One program, in a way that its seed decides on."""
    way = Way("conflicts", DECIDES[seed // 2 % 3], seed if seed % 2 else None, kept=seed // 6 % 2 == 0)
    with tempfile.TemporaryDirectory(prefix="clauses-") as name:
        program = Path(name) / f"seed{seed}.c"
        program.write_text(source, encoding="utf-8")
        return check_clauses(program, options.paths, seed, way, options.time)


def save(source: str, seed: int, found: Findings, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"seed{seed}.c"
    notes = "".join(f"// {violation}\n" for violation in found.violated)
    target.write_text(source + notes, encoding="utf-8")
    return target


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", type=int, default=60, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first program; the others follow")
    parser.add_argument("--paths", type=int, default=200, metavar="P", help="random paths of each program")
    parser.add_argument("--time", type=float, default=20.0, metavar="SECONDS", help="limit for one run of verify")
    parser.add_argument("--keep", type=Path, default=Path("wrong-clauses"), metavar="DIR")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    begun = time.monotonic()
    clauses = paths = violated = failed = 0
    for seed in range(options.seed, options.seed + options.programs):
        source = generate(seed).source
        try:
            found = examine(source, seed, options)
        except Exception:
            failed += 1
            print(f"seed {seed}: failed\n{traceback.format_exc()}", flush=True)
            continue
        clauses, paths, violated = clauses + found.clauses, paths + found.paths, violated + len(found.violated)
        if found.violated:
            print(f"seed {seed}: {len(found.violated)} clauses are wrong [{save(source, seed, found, options.keep)}]")
            for violation in found.violated[:MOST_SHOWN]:
                print(f"    {violation}", flush=True)
    seconds = time.monotonic() - begun
    print(
        f"{options.programs} programs, {clauses} clauses, {paths} paths: {violated} wrong clauses, {failed} failures"
        f" ({seconds:.0f} s)"
    )
    return 1 if violated or failed else 0


if __name__ == "__main__":
    sys.exit(main())
