#!/usr/bin/env python3
"""The realistic programs of tests/programs/real, with a full budget: seeded bugs found, false alarms, coverage.

    python scripts/real_programs.py [--time 60] [NAME...]

The buggy version runs until every seeded bug is found, the fixed one for the whole budget (or until all its paths are
explored). Exit code 1 if a bug is missed, a false alarm is raised, or less than 90 % of a fixed version's branches are
covered.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from programs.real.runs import Outcome, expected_bugs, find_bugs, names, run  # noqa: E402

WANTED_COVERAGE = 90.0


def row(name: str, budget: float) -> bool:
    """Run both versions, print a line of the table, and say whether all is well."""
    expected = expected_bugs(name)
    buggy = find_bugs(name, budget)
    fixed = run(name, False, budget)
    alarms = len(buggy.false_alarms) + len(fixed.false_alarms)
    found = len(expected) - len(buggy.missing)
    explored = fixed.summary.stats
    print(
        f"| {name} | {found}/{len(expected)} | {buggy.summary.stats.wall_seconds:.1f} | {alarms} "
        f"| {fixed.branch_coverage:.0f} % | {explored.wall_seconds:.1f} | {explored.paths_completed} |",
        flush=True,
    )
    explain(name, buggy, fixed)
    return not buggy.missing and not alarms and fixed.branch_coverage >= WANTED_COVERAGE


def explain(name: str, buggy: Outcome, fixed: Outcome) -> None:
    """Details of what is not as it should be, on standard error."""
    problems = [f"missed {kind}, line {line}" for kind, line in buggy.missing]
    problems += [f"false alarm (buggy version) {kind}, line {line}" for kind, line in buggy.false_alarms]
    problems += [f"false alarm {kind}, line {line}" for kind, line in fixed.false_alarms]
    if fixed.branch_coverage < WANTED_COVERAGE:
        problems += [
            f"not covered: {branch.function} {branch.location} {branch.outcome}"
            for branch in fixed.summary.coverage.branches
            if not branch.covered
        ]
    for problem in problems:
        print(f"{name}: {problem}", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=60.0, help="seconds for each version (default 60)")
    parser.add_argument("names", nargs="*", help="programs (default: all)")
    arguments = parser.parse_args()
    print("| program | bugs found | s | false alarms | branches, fixed | s, fixed | paths, fixed |")
    print("|---|---|---|---|---|---|---|")
    results = [row(name, arguments.time) for name in arguments.names or names()]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
