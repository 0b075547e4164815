"""Traced runs for each second of processor time, of Clew and of the process that runs, and what shadows cost.

    python scripts/trace_speed.py FILE... [--flags=...] --input TEXT [--runs N]

Reading the trace is part of a run; making terms of it is not.
"""

from __future__ import annotations

import argparse
import resource
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src")]

from clew.base.cache import Cache  # noqa: E402
from clew.checks.check import chosen_kinds, sanitizers  # noqa: E402
from clew.frontend.loading import load  # noqa: E402
from clew.frontend.options import CompileOptions  # noqa: E402
from clew.native.trace import TracedProgram  # noqa: E402
from clew.runtime import link  # noqa: E402


def _seconds() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    """One line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--flags", default="")
    parser.add_argument("--input", default="")
    parser.add_argument("--runs", type=int, default=5000)
    chosen = parser.parse_args()
    options = CompileOptions(flags=tuple(chosen.flags.split()), sanitize=sanitizers(chosen_kinds(None)))
    program = link(load(chosen.files, options, Cache.default()), options, Cache.default())
    executor = TracedProgram(program, program.functions["main"], cache=Cache.default()).executor()
    data = chosen.input.encode()
    trace = executor.trace(data)
    before = _seconds()
    for _ in range(chosen.runs):
        executor.trace(data)
    executor.close()  # the process counts when it has ended: its start does, too
    print(
        f"{chosen.files[0].name}: {chosen.runs / (_seconds() - before):.0f} traced runs per second, "
        f"{trace.node_count} nodes and {len(trace.records)} records each"
    )


if __name__ == "__main__":
    main()
