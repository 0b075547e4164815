"""Traces of native runs against the interpreter, and flips of their conditions, on programs of our generator.

    python scripts/trace_oracle.py [--first N] [--count N]

Branches in the same order, conditions that are true of the input, flips that take the other way; every other program
with the checks that Clang compiles in.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from clew.checks.check import chosen_kinds, sanitizers  # noqa: E402
from oracle.generator import generate  # noqa: E402
from oracle.native_runs import with_wide_inputs  # noqa: E402
from oracle.traces import check  # noqa: E402


def main() -> int:
    """Exit code 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    chosen = parser.parse_args()
    wrong = records = flips = 0
    for seed in range(chosen.first, chosen.first + chosen.count):
        drawn = generate(seed)
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / f"seed{seed}.c"
            source.write_text(with_wide_inputs(drawn.source), encoding="utf-8")
            checked = check(source, drawn.inputs, sanitizers(chosen_kinds(None)) if seed % 2 else ())
        records, flips = records + checked.records, flips + checked.flips
        if checked.problems:
            wrong += 1
            print(f"seed {seed}: {'; '.join(checked.problems)}", flush=True)
    print(f"{chosen.count} programs, {records} records, {flips} flips, {wrong} programs wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
