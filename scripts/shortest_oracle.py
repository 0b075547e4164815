"""The shortest ways to bugs that ``clew explain`` tells, against all runs of small programs that fail.

    python scripts/shortest_oracle.py [PROGRAMS] [FIRST]

``tests/oracle/test_shortest_failures.py`` asks the same of a few programs.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from clew.cli.app import run
from clew.jobs.minimizing import minimized
from oracle.shortest_failures import shortest, source


def ratio(seed: int, folder: Path) -> float | None:
    """The length of the path that is told, in terms of the shortest; None for a program that does not fail."""
    file, out = folder / "p.c", folder / "o"
    file.write_text(source(seed), encoding="utf-8")
    run(["test", str(file), "--out", str(out), "--quiet"])
    least = shortest(file)
    summary = json.loads((out / "summary.json").read_bytes())
    if least is None or not summary["bugs"]:
        if (least is None) != (not summary["bugs"]):
            print(f"seed {seed}: shortest {least}, bugs {len(summary['bugs'])}")
        return None
    return minimized(out, summary, summary["bugs"][0], 60.0, lambda step: "").instructions / least


def main() -> int:
    """Exit code 1 if a path is more than 1.2 times as long as the shortest."""
    programs, first = (int(word) for word in [*sys.argv[1:3], *["100", "1000"][len(sys.argv) - 1 :]])
    found = []
    for seed in range(first, first + programs):
        with tempfile.TemporaryDirectory() as folder:
            one = ratio(seed, Path(folder))
        if one is not None:
            found.append(one)
            if one > 1.2:
                print(f"seed {seed}: {one:.2f}", flush=True)
    print(f"{programs} programs, {len(found)} that fail; longest {max(found, default=0):.3f} of the shortest")
    return int(max(found, default=0) > 1.2)


if __name__ == "__main__":
    sys.exit(main())
