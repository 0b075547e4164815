"""The truth about a small program: every input tried natively, in one process.

A program reads its inputs as ``__VERIFIER_nondet_uchar() & 7`` or ``__VERIFIER_nondet_bool()``, anywhere. The driver
counts through all sequences of answers like an odometer, so inputs that are read only on some paths cost nothing on
the others. A run ends where an assertion fails, where an assumption does not hold, or where the program ends.
"""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from oracle import native

WARNINGS = ("-Wall", "-Werror", "-Wno-unused", "-Wno-tautological-compare", "-Wno-bool-compare",
            "-Wno-int-in-bool-context", "-Wno-bool-operation", "-Wno-maybe-uninitialized",
            "-Wno-switch-bool", "-Wno-memset-elt-size")  # fmt: skip
"""A drawn comparison may be silly; anything else that the compiler dislikes is a mistake of the generator."""

SANITIZERS = ("-O1", "-fsanitize=undefined,address", "-fno-sanitize-recover=all")
MOST_RUNS = 1 << 16
SECONDS = 10.0

HEAD = """\
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define LINES 4000
static jmp_buf out;
static int answers[64], domains[64], asked, planned;
static long runs, reached[LINES], failed[LINES];
const char *__asan_default_options(void) { return "detect_leaks=0"; } // a run that ends early frees nothing
static _Noreturn void leave(void) { longjmp(out, 1); }
static int choose(int domain) {
  if (asked == 64) {
    printf("inputs\\n");
    exit(0);
  }
  if (asked == planned) {
    domains[planned] = domain;
    answers[planned++] = 0;
  }
  return answers[asked++];
}
static _Noreturn void violated(int line) {
  failed[line]++;
  leave();
}
static void record(int line, long value) { printf("value %ld %d %ld\\n", runs, line, value); }
#define observe(guard, value) ((guard) ? record(__LINE__, (value)) : (void)0)
#define assert(condition) (reached[__LINE__]++, (condition) ? (void)0 : violated(__LINE__))
#define reach_error() violated(__LINE__)
#define __VERIFIER_assume(condition) ((condition) ? (void)0 : leave())
#define exit(code) leave()
static int program(void);
#line 1
"""

TAIL = """
#undef exit
int main(void) {
  save();
  do {
    restore();
    asked = 0;
    if (!setjmp(out)) (void)program();
    planned = asked;
    while (planned > 0 && ++answers[planned - 1] == domains[planned - 1]) planned--;
  } while (++runs < RUNS && planned > 0);
  printf("runs %ld %d\\n", runs, planned > 0);
  for (int line = 0; line < LINES; line++)
    if (reached[line] || failed[line]) printf("line %d %ld %ld\\n", line, reached[line], failed[line]);
  return 0;
}
"""

INPUT = re.compile(r"__VERIFIER_nondet_(?:uchar|uint)\(\)(?: & (\d+))?")
GLOBAL = re.compile(r"^static (?!const )[\w ]*[ *](\w+)(?:\[\d+\])* = ")
"""A line that defines a variable; every one has an initializer and starts in the first column."""


class NotEnumerable(Exception):
    """The native program cannot be tried on all inputs: it does not compile, hangs, crashes or reads too much."""


@dataclass(frozen=True)
class Truth:
    """What happens over all inputs: for each line with an assertion, how many runs fail there."""

    runs: int
    reached: dict[int, int] = field(default_factory=dict)
    failed: dict[int, int] = field(default_factory=dict)
    events: tuple[list[tuple[int, int]], ...] = ()
    """For each run of a draft, the lines where a value was observed, in order, with the values."""

    @property
    def violated(self) -> frozenset[int]:
        return frozenset(line for line, count in self.failed.items() if count)


def instrumented(source: str) -> str:
    """The program as the driver runs it, every statement on the line it has in ``source``."""
    lines = ["" if line.startswith(("extern ", "#include <assert.h>")) else line for line in source.splitlines()]
    text = "\n".join(lines)
    text = INPUT.sub(lambda match: f"choose({int(match[1]) + 1 if match[1] else 256})", text)
    text = text.replace("__VERIFIER_nondet_bool()", "choose(2)").replace("int main(void)", "static int program(void)")
    names = [match[1] for line in lines if (match := GLOBAL.match(line))]
    saved = "".join(f"static char saved_{name}[sizeof {name}];\n" for name in names)
    save = "".join(f"  memcpy(saved_{name}, &{name}, sizeof {name});\n" for name in names)
    restore = "".join(f"  memcpy(&{name}, saved_{name}, sizeof {name});\n" for name in names)
    around = f"{saved}static void save(void) {{\n{save}}}\nstatic void restore(void) {{\n{restore}}}\n"
    limits = f"#define RUNS {MOST_RUNS}\n"
    return f"{limits}{HEAD}{text}\n{around}{TAIL}"


def enumerate_inputs(source: str, folder: Path, flags: Sequence[str] = (), seconds: float = SECONDS) -> Truth:
    """Compile ``source`` with the driver and try every input."""
    path = folder / "native.c"
    path.write_text(instrumented(source), encoding="utf-8")
    target = folder / "native.exe"
    command = [
        *native.compiler(),
        "-std=gnu11",
        "-fno-strict-aliasing",
        *WARNINGS,
        *flags,
        str(path),
        "-o",
        str(target),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        raise NotEnumerable(done.stderr)
    outcome = native.run(target, seconds)
    if outcome.exit_code != 0:
        raise NotEnumerable(f"the native program ended with {outcome.exit_code}: {outcome.stderr.decode()[-2000:]}")
    return _read(outcome.stdout.decode())


def _read(text: str) -> Truth:
    runs, reached, failed, events = 0, {}, {}, defaultdict(list)
    for words in map(str.split, text.splitlines()):
        match words:
            case ["runs", count, "0"]:
                runs = int(count)
            case ["line", line, seen, bad]:
                reached[int(line)], failed[int(line)] = int(seen), int(bad)
            case ["value", run, line, value]:
                events[int(run)].append((int(line), int(value)))
            case _:
                raise NotEnumerable(f"too many inputs: {words}")
    return Truth(runs, reached, failed, tuple(events[run] for run in range(runs)))
