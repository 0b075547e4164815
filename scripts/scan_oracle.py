"""Programs that read numbers in loops, made at random: what ``clew verify`` says against native runs with random texts.

    python scripts/scan_oracle.py --programs 100

A TRUE that some text violates is wrong. Prints such programs, and exits with 1 if there are any. A FALSE is as good as
its counterexample, which ``clew verify`` has run again; how many of them some text shows, too, is counted.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from oracle.harness import Found, add_time, main, options_of  # noqa: E402

TEXTS = 150
PIECES = [b" ", b"\n", b"-", b"+", b"0", b"7", b"12", b"x", b"5", b"100", b"-3", b",", b"99999999999", b"1"]
READS = [("%d", "&x", 1), ("%d %d", "&x, &y", 2), ("%d,%d", "&x, &y", 2), ("%hhd", "(signed char *)&x", 1),
         ("%u", "(unsigned *)&x", 1)]  # fmt: skip
VALUES = ["x", "y", "n", "m", "x + y", "n + 1", "m - 1", "0", "7", "x % 5", "100"]


class Writer:
    """Writes one program."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def program(self) -> str:
        """A loop over what is read, and an assertion after it. A loop that no text ends, ends after some rounds."""
        form, targets, count = self._random.choice(READS)
        goes_on = self._random.choice([f"== {count}", "> 0", "!= EOF", ">= 0 && rounds < 5"])
        body = " ".join(self._statement() for _ in range(self._random.randrange(1, 4)))
        return f"""#include <assert.h>
#include <stdio.h>
int main(void) {{
  int x = 0, y = 0, n = 0, m = 0, rounds = 0;
  while (scanf("{form}", {targets}) {goes_on}) {{ {body} if (rounds++ > 1000) return 0; }}
  assert({self._condition()});
  return 0;
}}
"""

    def _condition(self) -> str:
        left, right = self._random.choices(VALUES, k=2)
        return f"{left} {self._random.choice(['<', '>', '==', '!=', '<=', '>='])} {right}"

    def _statement(self) -> str:
        value = self._random.choice(VALUES)
        effect = self._random.choice([f"n = {value}", "n++", "m = n", f"m = {value}", "break"])
        return f"if ({self._random.choice([self._condition(), 'n < 50'])}) {effect};"


def verdict(source: Path, folder: Path, seconds: float) -> str:
    """What ``clew verify`` says."""
    out, words = folder / "out", [sys.executable, "-m", "clew", "verify"]
    command = [*words, str(source), "--time", f"{seconds:g}", "--out", str(out), "--quiet"]
    environment = {"PYTHONPATH": str(ROOT / "src"), "PATH": "/usr/bin:/bin"}
    subprocess.run(command, env=environment, check=False, capture_output=True)
    return str(json.loads((out / "summary.json").read_text())["verdict"])


def violating(source: Path, folder: Path, random: Random) -> bytes | None:
    """A text with which the assertion fails natively, if one of those that are tried is."""
    subprocess.run(["cc", "-w", "-fwrapv", "-o", str(folder / "p"), str(source)], check=True)
    for _ in range(TEXTS):
        text = b"".join(random.choices(PIECES, k=random.randrange(12)))
        done = subprocess.run([str(folder / "p")], input=text, stderr=subprocess.DEVNULL, check=False)
        if done.returncode == -6:
            return text
    return None


def examine(seed: int, options: argparse.Namespace, folder: Path) -> Found:
    """One program."""
    random, source = Random(seed), folder / "p.c"
    source.write_text(Writer(random).program())
    said, text = verdict(source, folder, options.time), violating(source, folder, random)
    counts = Counter({f"{said} that {'a' if text is not None else 'no'} text violates": 1})
    return Found(counts, [f"TRUE, but {text!r} violates"] if said == "TRUE" and text is not None else [])


def run() -> int:
    parser = options_of(__doc__, 30, jobs=1)
    add_time(parser, 15.0)
    return main(examine, parser.parse_args())


if __name__ == "__main__":
    sys.exit(run())
