"""Programs that make it hard to keep a budget, under every command: is ``--time`` kept, and ``--memory``?

    python scripts/budgets.py                     every program under every command, then the memory limits
    python scripts/budgets.py terms parser        these programs only
    python scripts/budgets.py --seconds 30        another time limit; --memory 200,300 for other memory limits

The rules: the end comes within the time limit plus 2 seconds plus 5 %; no process takes more than the memory limit plus
10 %, and a run that gives paths up for that goes on until its time is over; there is a summary, which says what was
left out if the run was stopped. Prints how late and how big each run was; exits with 1 if a rule is broken. A machine
that is busy with other things makes runs late: what is measured is wall time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src"
DECLARATIONS = """\
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern double __VERIFIER_nondet_double(void);
"""


def terms(term: Callable[[int], str], between: str, count: int = 4000) -> str:
    """One long expression in two inputs."""
    text = f" {between} ".join(term(number) for number in range(count))
    return (
        "int main(void) { unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();\n"
        f"unsigned s = {text};\nif (s == 12345u)\n{{ target: return 1; }}\nassert(s != 54321u); return 0; }}\n"
    )


PARSER = """\
static unsigned char text[12];
static int at, depth, sum;
static int value(void) {
  if (++depth > 8) return 0;
  while (text[at] == ' ' || text[at] == 9) at++;
  int ok = 1;
  switch (text[at]) {
    case '[': at++; while (text[at] != ']') { ok = value(); if (!ok) return 0; if (text[at] == ',') at++; } at++; break;
    case '{': at++; while (text[at] != '}') { ok = value() && text[at++] == ':' && value(); if (!ok) return 0;
              if (text[at] == ',') at++; } at++; break;
    case 't': at++; sum += 1; break;
    case 'f': at++; sum += 2; break;
    case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9': {
      int number = 0, digits = 0;
      if (text[at] == '-') at++;
      while (text[at] >= '0' && text[at] <= '9' && digits < 9) { number = number * 10 + (text[at++] - '0'); digits++; }
      if (number * number % 97 == 13 && digits > 2) { target: sum += number; }
      break; }
    default: return 0;
  }
  depth--;
  return ok;
}
int main(void) {
  for (int i = 0; i < 11; i++) text[i] = __VERIFIER_nondet_uchar();
  text[11] = 0;
  int ok = value();
  assert(!ok || sum != 7919);
  return ok; }
"""

FORKS = """\
static unsigned char heap[4096];
int main(void) {
  unsigned h = 1;
  for (int i = 0; i < 40; i++) {
    unsigned char c = __VERIFIER_nondet_uchar();
    heap[(h * 31 + i * 97) % 4096] = c;
    if (c > 100) h += 3; else if (c == 7) h ^= 9;
    if ((c & 15) == 3) h = h * 5 + 1;
  }
  if (h == 7) { target: return 1; }
  assert(h != 99991);
  return 0; }
"""

ENDLESS = """\
int main(void) {
  unsigned x = 1;
  for (int i = 0; i < 10000; i++) if (__VERIFIER_nondet_int() > i) x++;
  if (x == 7777) { target: return 1; }
  assert(x != 8888);
  return 0; }
"""


def relations(count: int) -> str:
    """A loop over many variables that depend on each other: costly for polyhedra."""
    names = [f"v{number}" for number in range(count)]
    steps = "\n".join(
        f"if (__VERIFIER_nondet_int()) {{ {name} += {names[number - 1]} + {number}; {names[(number * 7) % count]}--; }}"
        for number, name in enumerate(names)
    )
    declared = ", ".join(f"{name} = __VERIFIER_nondet_int() & 15" for name in names)
    return (
        f"int main(void) {{ int {declared};\nfor (int i = 0; i < 1000; i++) {{\n{steps}\n}}\n"
        "if (v0 == v1 + 12345) { target: return 1; }\nassert(v2 != 99999); return 0; }\n"
    )


PROGRAMS: dict[str, Callable[[], str]] = {
    "terms": lambda: terms(lambda n: f"(x ^ {n}u) * (y + {n}u)", "+"),
    "scaled": lambda: terms(lambda n: f"x * {2 * n + 1}u", "^"),
    "divided": lambda: terms(lambda n: f"(x / (y + {n + 1}u))", "+", 400),
    "floats": lambda: (
        "int main(void) { double a = __VERIFIER_nondet_double(), s = 1;\n"
        + "".join(f"s = s * a + {n}.25 / (a + {n}.0);\n" for n in range(60))
        + "if (s == 42.5) { target: return 1; } assert(s != 17.125); return 0; }\n"
    ),
    "parser": lambda: PARSER,
    "forks": lambda: FORKS,
    "endless": lambda: ENDLESS,
    "relations": lambda: relations(40),
}
COMMANDS: dict[str, tuple[str, ...]] = {
    "test": ("test",),
    "verify": ("verify",),
    "reach": ("reach", "--label", "target"),
    "invariants": ("invariants",),
    "loops": ("loops",),
}
ANSWERS = (0, 1, 3)


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    code: int
    seconds: float
    peak_mb: float
    said: str
    summary: dict[str, object] | None


def run(command: tuple[str, ...], file: Path, out: Path | None, limits: list[str]) -> Outcome:
    """One run, and what it took; its largest process counts."""
    words = [sys.executable, "-m", "clew", *command, str(file), *limits]
    words += ["--out", str(out), "--quiet"] if out is not None else ["--json"]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    began = time.monotonic()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=said, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        took = time.monotonic() - began
        said.seek(0)
        text = said.read().decode(errors="replace")
    path = out / "summary.json" if out is not None else None
    summary = json.loads(path.read_text()) if path is not None and path.exists() else None
    return Outcome(process.returncode, took, usage.ru_maxrss / 2**10, text, summary)


def broken(outcome: Outcome, folder: bool, seconds: float, memory_mb: float | None) -> str:
    """The rule that a run has broken, if any."""
    if "Traceback" in outcome.said or "internal error" in outcome.said or outcome.code not in ANSWERS:
        return f"exit {outcome.code}: {outcome.said.strip()[-200:]}"
    if outcome.seconds > seconds * 1.05 + 2:
        return "late"
    if memory_mb is not None and outcome.peak_mb > memory_mb * 1.1:
        return "too big"
    if folder and outcome.summary is None:
        return "no summary"
    if outcome.summary is not None and outcome.summary["stopped"] and not outcome.summary["losses"]:
        return "stopped, and no losses"
    if memory_mb is not None and outcome.summary is not None and outcome.summary["stopped"] == "memory":
        return "ended for lack of memory"
    return ""


def one(name: str, file: Path, folder: Path, command: str, seconds: float, memory_mb: float | None) -> bool:
    limits = ["--time", f"{seconds:g}"]
    if memory_mb is not None:
        limits += ["--memory", f"{memory_mb:g}", "--no-merge"]
    keeps = command in ("test", "verify", "reach")
    out = folder / f"out-{name}-{command}-{memory_mb}" if keeps else None
    outcome = run(COMMANDS[command], file, out, limits)
    wrong = broken(outcome, keeps, seconds, memory_mb)
    told = f"{outcome.seconds - seconds:+6.1f} s, {outcome.peak_mb:5.0f} MB"
    if outcome.summary is not None:
        stats = outcome.summary["stats"]
        assert isinstance(stats, dict)
        told += f", {stats['paths_completed']} paths, {stats['forks']} forks, {stats['states_evicted']} given up"
    limit = "" if memory_mb is None else f" --memory {memory_mb:g}"
    print(f"{wrong or 'ok':24} {command:10} {name}{limit}: {told}", flush=True)
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[*PROGRAMS, []], metavar="NAME")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--memory", default="200,300", help="limits for the programs that fork")
    parser.add_argument("--commands", default=",".join(COMMANDS))
    options = parser.parse_args()
    good: list[bool] = []
    with tempfile.TemporaryDirectory(prefix="clew-budgets-") as place:
        folder = Path(place)
        for name in options.names or PROGRAMS:
            file = folder / f"{name}.c"
            file.write_text(DECLARATIONS + PROGRAMS[name]())
            good += [one(name, file, folder, command, options.seconds, None) for command in options.commands.split(",")]
            if name in ("forks", "endless"):
                limits = [float(text) for text in options.memory.split(",") if text]
                good += [one(name, file, folder, "test", options.seconds, limit) for limit in limits]
    print(f"{sum(good)} of {len(good)} as they should be")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
