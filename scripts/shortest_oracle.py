#!/usr/bin/env python3
"""The shortest ways to bugs that ``clew explain`` tells, against all runs of small programs that fail.

    python scripts/shortest_oracle.py [--programs 100] [--seed 0]

A path must not be more than 1.2 times as long as the shortest. ``tests/oracle/test_shortest_failures.py`` asks the same
of a few programs. The exit code is 1 if one is, else 0.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from clew.cli import app  # noqa: E402
from clew.jobs.minimizing import minimized  # noqa: E402
from oracle.harness import Found, main, options_of  # noqa: E402
from oracle.shortest_failures import shortest, source  # noqa: E402


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """One program: the length of the path that is told, in terms of the shortest."""
    file, out = folder / "p.c", folder / "o"
    file.write_text(source(seed), encoding="utf-8")
    app.run(["test", str(file), "--out", str(out), "--quiet"])
    least = shortest(file)
    summary = json.loads((out / "summary.json").read_bytes())
    if least is None or not summary["bugs"]:
        same = (least is None) == (not summary["bugs"])
        return Found(wrong=[] if same else [f"shortest {least}, bugs {len(summary['bugs'])}"])
    ratio = minimized(out, summary, summary["bugs"][0], 60.0, lambda step: "").instructions / least
    return Found(Counter({"that fail": 1}), [f"{ratio:.2f} times the shortest"] if ratio > 1.2 else [])


def run() -> int:
    return main(examine, options_of(__doc__, jobs=1).parse_args())


if __name__ == "__main__":
    sys.exit(run())
