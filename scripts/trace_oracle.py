#!/usr/bin/env python3
"""Traces of native runs against the interpreter, and flips of their conditions, on programs of our generator.

    python scripts/trace_oracle.py [--seed 0] [--programs 1000]

Branches in the same order, conditions that are true of the input, flips that take the other way; every other program
with the checks that Clang compiles in. The exit code is 1 if anything is wrong, else 0.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from clew.checks.check import chosen_kinds, sanitizers  # noqa: E402
from oracle.generator import generate  # noqa: E402
from oracle.harness import Found, main, options_of  # noqa: E402
from oracle.native_runs import with_wide_inputs  # noqa: E402
from oracle.traces import check  # noqa: E402


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """One program."""
    drawn, source = generate(seed), folder / "program.c"
    source.write_text(with_wide_inputs(drawn.source), encoding="utf-8")
    checked = check(source, drawn.inputs, sanitizers(chosen_kinds(None)) if seed % 2 else ())
    return Found(Counter(records=checked.records, flips=checked.flips), list(checked.problems))


def run() -> int:
    return main(examine, options_of(__doc__, 1000, jobs=1).parse_args())


if __name__ == "__main__":
    sys.exit(run())
