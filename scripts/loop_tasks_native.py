#!/usr/bin/env python3
"""Check the verdicts of the tasks about loops (``benchmarks/programs/loops``) natively.

    python scripts/loop_tasks_native.py [--only GLOB] [--runs 3000] [--seed 0]

The unsafe task of each file must be violated by the inputs that the file names. The safe one must not be, neither by
these nor by any of ``--runs`` lists of inputs. Needs a C compiler. The exit code is 1 if a task is not as it says.
"""

from __future__ import annotations

import argparse
import sys
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests"), str(ROOT)]

from benchmarks.loop_tasks import loop_tasks  # noqa: E402
from oracle.loop_tasks_native import problem_of  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="*", metavar="GLOB")
    parser.add_argument("--runs", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    bad, tasks = 0, [task for task in loop_tasks() if fnmatchcase(task.name, options.only)]
    inputs = {task.name: task.inputs for task in tasks if not task.is_safe}
    for task in tasks:
        problem = problem_of(task, inputs[task.name], options.runs, options.seed)
        if problem:
            bad += 1
            print(f"{task.title} ({task.expected}): {problem}")
    print(f"{len(tasks)} tasks, {bad} not as they say")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
