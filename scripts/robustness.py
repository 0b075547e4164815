"""Hostile programs, too large or too slow for the test suite, run from the command line against a few rules.

    python scripts/robustness.py                  every program, then 20 runs ended by a signal
    python scripts/robustness.py hash switch      these programs only
    python scripts/robustness.py --signals 100    more signals; --seconds 30 for a longer budget

The rules: exit code 0, 1 or 3 with a complete output folder, or 2 with one line; no traceback, no internal
error; the end comes within the time budget plus ``GRACE``; after a signal, within ``GRACE``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src"
GRACE = 5.0
DECLARATIONS = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern double __VERIFIER_nondet_double(void);
#define INT __VERIFIER_nondet_int()
#define UINT __VERIFIER_nondet_uint()
#define DOUBLE __VERIFIER_nondet_double()
"""


def main_of(lines: Iterable[str], first: str = "unsigned x = 1;", last: str = "return x == 7;") -> str:
    """A ``main`` with these lines in the middle."""
    return f"int main(void) {{ {first}\n" + "\n".join(lines) + f"\n{last} }}\n"


def seeded(*lines: str) -> str:
    """A ``main`` whose ``x`` is an input."""
    return main_of(lines, "unsigned x = UINT;")


def repeat(count: int, line: Callable[[int], str]) -> list[str]:
    return [line(number) for number in range(count)]


PROGRAMS: dict[str, Callable[[], str]] = {
    # Without an end.
    "loop": lambda: main_of(["for (;;) ;"]),
    "counter": lambda: main_of(["for (;;) x = x * 31 + 1;"]),
    "input-loop": lambda: main_of(["while (INT) x++;"]),
    "bound-loop": lambda: main_of(["for (unsigned i = 0; i < x; i++) ;"], "unsigned x = UINT;"),
    "fork-loop": lambda: main_of(["for (int i = 0; i < 10000; i++) if (INT > i) x++;"]),
    "list": lambda: main_of(["for (;;) { void **p = malloc(16); p[0] = h; h = p; }"], "void *h = 0;", "return 0;"),
    "print": lambda: main_of(['for (;;) printf("a line of some length %u\\n", x++);']),
    "recursion": lambda: "unsigned f(unsigned x) { return f(x + 1) + 1; }\n" + main_of(["x = f(x);"]),
    "deep-stack": lambda: (
        "int f(int x) { volatile char b[100000]; b[x & 99] = x; return f(x ^ 1) + b[3]; }\n" + main_of(["f(1);"])
    ),
    "ackermann": lambda: (
        "unsigned a(unsigned m, unsigned n) { return m ? a(m - 1, n ? a(m, n - 1) : 1) : n + 1; }\n"
        + main_of(["x = a(UINT, UINT);"])
    ),
    # Memory.
    "allocate": lambda: main_of(["for (;;) { char *p = malloc(10000000); if (!p) break; memset(p, 1, 10000000); }"]),
    "reserve": lambda: main_of(["for (;;) { char *p = malloc(10000000); if (!p) break; p[5] = 1; }"]),
    "double": lambda: main_of(
        ["for (size_t n = 1;; n *= 2) { p = realloc(p, n); if (!p) return 1; p[n - 1] = 1; }"], "char *p = 0;", ""
    ),
    "huge": lambda: main_of(["char *p = malloc(100000000000ul); if (p) p[0] = 1;"]),
    "any-size": lambda: main_of(["char *p = malloc(x); if (p && x > 5) p[5] = 1;"], "unsigned x = UINT;"),
    "huge-global": lambda: "char big[3000000000u];\n" + main_of(["big[5] = 1;"]),
    "any-index": lambda: "int a[1000000];\n" + seeded("if (x < 1000000) { a[x] = 5; if (a[UINT % 1000000]) x = 7; }"),
    # Expressions and queries.
    "linear": lambda: main_of(["for (int i = 0; i < 100000; i++) x = x * 3 + 1;"], "unsigned x = UINT;"),
    "hash": lambda: main_of(["for (int i = 0; i < 100000; i++) x = (x ^ x >> 3) * x + 1;"], "unsigned x = UINT;"),
    "hash-branch": lambda: seeded("for (;;) { x = (x ^ x >> 3) * x + 1; if (x == 99) break; }"),
    "division": lambda: main_of(
        ["if (a && b && c && a % b % c == a / c * b + 17 && b * c / a == a * a % c) return 1;"],
        "unsigned a = UINT, b = UINT, c = UINT;",
        "return 0;",
    ),
    "floats": lambda: main_of(
        ["if (a * a * b + b / a == a * b * 3.7 + 1e-3 && a > b && b > 1.5) return 1;"],
        "double a = DOUBLE, b = DOUBLE;",
        "return 0;",
    ),
    # Size.
    "straight": lambda: main_of(repeat(100_000, lambda n: f"x = x * 3u + {n}u;")),
    "straight-input": lambda: main_of(repeat(100_000, lambda n: f"x = x * 3u + {n}u;"), "unsigned x = UINT;"),
    "conditions": lambda: main_of(repeat(50_000, lambda n: f"if (UINT == {n}) x ^= {n};")),
    "calls": lambda: (
        "unsigned f(unsigned x) { return x * 2 + 1; }\n" + main_of(repeat(100_000, lambda n: f"x = f(x ^ {n}u);"))
    ),
    "functions": lambda: (
        "\n".join(repeat(5000, lambda n: f"unsigned f{n}(unsigned x) {{ return x == {n} ? 1 : x + {n}; }}"))
        + seeded(*repeat(5000, lambda n: f"x = f{n}(x);"))
    ),
    "switch": lambda: main_of(
        ["switch (x) {", *repeat(5000, lambda n: f"case {n * 7}: return {n % 200};"), "}"], "unsigned x = UINT;"
    ),
    "nested": lambda: main_of(repeat(500, lambda n: f"if (x != {n})"), "unsigned x = UINT;", "x = 7; return x == 7;"),
    "long-line": lambda: main_of(["x += 1; " * 30_000]),
    "long-sum": lambda: seeded("x = x" + "".join(repeat(20_000, lambda n: f" + x * {n}u")) + ";"),
    "globals": lambda: "\n".join(repeat(20_000, lambda n: f"int g{n} = {n};")) + main_of(["x = g5;"]),
    "table": lambda: f"int t[] = {{{','.join(repeat(300_000, str))}}};\n" + main_of(["x = t[7];"]),
    "labels": lambda: main_of(
        repeat(3000, lambda n: f"L{n}: x++; if (x == {n}) goto L{n * 37 % 3000};"), "unsigned x = UINT;"
    ),
}

INTERRUPTED = ["fork-loop", "hash-branch", "print", "allocate", "straight", "functions", "conditions", "floats"]


@dataclass(frozen=True)
class End:
    """How a run ended, and which rule it broke, if any."""

    code: int | None
    seconds: float
    broken: str
    told: str


def start(file: Path, out: Path, seconds: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "clew", "test", str(file), "--out", str(out), "--time", str(seconds), "--quiet"]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def finish(process: subprocess.Popen[str], out: Path, seconds: float) -> End:
    """Wait for the end, and judge it."""
    began = time.monotonic()
    try:
        said, complaint = process.communicate(timeout=seconds + 20 * GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return End(None, time.monotonic() - began, "does not end", "")
    took = time.monotonic() - began
    broken, told = judge(process.returncode, said, complaint, out)
    return End(process.returncode, took, broken or (took > seconds + GRACE) * "late", told)


def judge(code: int, said: str, complaint: str, out: Path) -> tuple[str, str]:
    """(the rule that is broken, what the run says of itself)."""
    if "Traceback" in complaint or "internal error" in complaint or said:
        return "says what it must not", complaint.strip()[-300:]
    if code == 2:
        return ("" if complaint.startswith("clew: error: ") else "no explanation"), complaint.strip()
    if code not in (0, 1, 3) or not (out / "summary.json").exists():
        return "no summary", complaint.strip()
    summary = json.loads((out / "summary.json").read_text())
    told = f"{summary['reason']}; {summary['tests']} tests, {summary['stats']['peak_memory_mb']:.0f} MB"
    if summary["tests"] != len(list((out / "tests").glob("*.json"))) or list(out.rglob("*.part")):
        return "incomplete folder", told
    return "", told


def run_program(name: str, folder: Path, seconds: float) -> bool:
    file, out = folder / f"{name}.c", folder / f"out-{name}"
    file.write_text(DECLARATIONS + PROGRAMS[name]())
    end = finish(start(file, out, seconds), out, seconds)
    print(f"{end.broken or 'ok':22} {name:16} exit {end.code}, {end.seconds:5.1f} s: {end.told}", flush=True)
    return not end.broken


def run_signal(number: int, chance: random.Random, folder: Path) -> bool:
    """Interrupt a run at a random moment after it has claimed its folder."""
    name = chance.choice(INTERRUPTED)
    file, out = folder / f"{name}.c", folder / f"out-signal-{number}"
    file.write_text(DECLARATIONS + PROGRAMS[name]())
    kind, delay = chance.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP]), chance.choice([0, 0.1, 0.5, 1, 3])
    process = start(file, out, 60)
    while not (out / "bugs").exists() and process.poll() is None:
        time.sleep(0.01)
    time.sleep(delay * chance.random())
    process.send_signal(kind)
    end = finish(process, out, 0)
    broken = end.broken or (end.code == 2) * "an interrupt is no error"
    print(f"{broken or 'ok':22} {name:16} {kind.name}: exit {end.code}, {end.seconds:5.1f} s: {end.told}", flush=True)
    return not broken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[*PROGRAMS, []], metavar="NAME")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--signals", type=int)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    signals = options.signals if options.signals is not None else 0 if options.names else 20
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="clew-robustness-") as name:
        folder = Path(name)
        good = [run_program(program, folder, options.seconds) for program in options.names or PROGRAMS]
        good += [run_signal(number, chance, folder) for number in range(signals)]
    print(f"{sum(good)} of {len(good)} as they should be")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
