"""The truth about a program with loops: every input tried natively, and single tests run natively, line by line.

The programs say themselves what is to be observed, with macros that mean nothing to ``clew`` (``HEAD``) and something
to the driver here: ``COND(c)`` is a condition that decides a branch on its line, ``SWITCH(v)`` the subject of a switch,
``IN(...)`` an input of a few values. Two conditions on one line are two branches of that line, and compared together.
No condition is negated with ``!``: compilers exchange the branch's ways instead.

    int main(void) {
      IN(n, int, int, -2, 9);
      for (int i = 0; COND(i < n); i++) ...

Undefined behaviour is an error with a kind and a line, too: the compiler's checks call handlers that the driver
defines. A run ends there, where an assertion fails, where an assumption does not hold, or where the program ends.
"""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from oracle import native
from oracle.verify_native import GLOBAL, NotEnumerable

Bug = tuple[str, int]
"""Kind and line."""
Outcome = tuple[int, str]
"""Line, and ``true``, ``false`` or the value of a switch's subject."""

MOST_RUNS = 4096
MOST_STEPS = 4_000
"""Conditions that are met in one run; a program with longer ones is not for this comparison."""
MOST_TOTAL = 150_000
"""In all runs."""

HEAD = """\
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
#define COND(c) (c)
#define SWITCH(v) (v)
#define IN(name, type, tag, low, high) type name = __VERIFIER_nondet_##tag(); __VERIFIER_assume(name >= (low) && name <= (high))
"""  # noqa: E501 -- one macro is one line

_DRIVER = """\
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define LINES 2000
static jmp_buf out;
static long long answers[64], highs[64];
static int asked, planned, replaying;
static long runs, steps, total;
static unsigned char seen[LINES][2], bugs[LINES][16];
static struct { int line; long long value; } subjects[512];
static int met;
static const char *const kinds[] = {"assert", "error-call", "signed-overflow", "division-by-zero",
                                    "out-of-bounds", "shift", "other"};
static _Noreturn void leave(void) { longjmp(out, 1); }
static _Noreturn void giving_up(const char *why) {
  printf("%s\\n", why);
  fflush(stdout);
  exit(0);
}
static long long choose(long long low, long long high) {
  if (asked == 64) giving_up("inputs");
  if (replaying) {
    if (asked >= planned) giving_up("starved");
    if (answers[asked] < low || answers[asked] > high) leave();
    return answers[asked++];
  }
  if (asked == planned) {
    answers[planned] = low;
    highs[planned++] = high;
  }
  return answers[asked++];
}
static void step(void) {
  if (++steps > STEPS || ++total > TOTAL) giving_up("long");
}
static int note(int line, int holds) {
  step();
  seen[line][holds] = 1;
  return holds;
}
static long long subject(int line, long long value) {
  step();
  int at = 0;
  while (at < met && (subjects[at].line != line || subjects[at].value != value)) at++;
  if (at == 512) giving_up("subjects");
  subjects[at].line = line;
  subjects[at].value = value;
  if (at == met) met++;
  return value;
}
static _Noreturn void violated(const char *kind, int line) {
  int at = 0;
  while (strcmp(kinds[at], kind)) at++;
  bugs[line][at] = 1;
  leave();
}
struct place { const char *file; unsigned line, column; };
#define NOTED(kind) { violated(kind, ((struct place *)data)->line); }
#define UNARY(name, kind) void __ubsan_handle_##name##_abort(void *data, void *a) NOTED(kind)
#define BINARY(name, kind) void __ubsan_handle_##name##_abort(void *data, void *a, void *b) NOTED(kind)
BINARY(add_overflow, "signed-overflow")
BINARY(sub_overflow, "signed-overflow")
BINARY(mul_overflow, "signed-overflow")
UNARY(negate_overflow, "signed-overflow")
BINARY(divrem_overflow, b ? "signed-overflow" : "division-by-zero")
UNARY(out_of_bounds, "out-of-bounds")
BINARY(shift_out_of_bounds, "shift")
static void show(void) {
  for (int line = 0; line < LINES; line++)
    for (int way = 0; way < 16; way++) {
      if (way < 2 && seen[line][way]) printf("note %d %s\\n", line, way ? "true" : "false");
      if (bugs[line][way]) printf("bug %d %s\\n", line, kinds[way]);
    }
  for (int at = 0; at < met; at++) printf("note %d %lld\\n", subjects[at].line, subjects[at].value);
}
static void forget(void) {
  memset(seen, 0, sizeof seen);
  memset(bugs, 0, sizeof bugs);
  met = 0;
}
#define COND(c) note(__LINE__, !!(c))
#define SWITCH(v) subject(__LINE__, (v))
#define IN(name, type, tag, low, high) \
  if (replaying && asked < planned) answers[asked] = (type)answers[asked]; /* plain char differs between machines */ \
  type name = (type)choose((low), (high))
#define observe(value) (step(), (void)printf("value %d %lld\\n", __LINE__, (long long)(value)))
#define assert(condition) (note(__LINE__, !!(condition)) ? (void)0 : violated("assert", __LINE__))
#define abort() leave()
#define reach_error() violated("error-call", __LINE__)
#define __VERIFIER_assume(condition) ((condition) ? (void)0 : leave())
#define exit(code) leave()
static int program(void);
#line 1
"""

_MAIN = """
#undef exit
static void one(void) {
  restore();
  asked = steps = 0;
  if (!setjmp(out)) (void)program();
}
static void every(void) {
  do {
    one();
    planned = asked;
    while (planned > 0 && ++answers[planned - 1] > highs[planned - 1]) planned--;
  } while (++runs < RUNS && planned > 0);
  printf("runs %ld %d %ld\\n", runs, planned > 0, total);
  show();
}
static void listed(void) {
  replaying = 1;
  while (scanf("%d", &planned) == 1) {
    for (int at = 0; at < planned; at++)
      if (scanf("%lld", &answers[at]) != 1) giving_up("unreadable");
    forget();
    one();
    printf("runs 1 0 %ld\\n", steps);
    show();
  }
}
int main(int count, char **words) {
  save();
  if (count > 1) listed();
  else every();
  return 0;
}
"""

_CHECKS = (
    "-fno-sanitize=all", "-fsanitize=signed-integer-overflow,integer-divide-by-zero,array-bounds,shift",
    "-fno-sanitize-recover=all",
)  # fmt: skip
_CLANG = (sys.executable, "-m", "ziglang", "cc")
"""GCC cuts arithmetic down to the type it is converted to before it adds its checks, and so misses overflow."""


@dataclass(frozen=True)
class Truth:
    """What some runs do: which branches they take, and which errors they end in."""

    runs: int = 0
    steps: int = 0
    """Conditions met."""
    taken: frozenset[Outcome] = frozenset()
    bugs: frozenset[Bug] = frozenset()
    values: dict[int, list[int]] = field(default_factory=dict)
    """What was observed on the lines of a draft."""


def instrumented(source: str) -> str:
    """The program as the driver runs it, every statement on the line it has in ``source``."""
    lines = ["" if line.startswith(("extern ", "#include", "#define")) else line for line in source.splitlines()]
    text = "\n".join(lines).replace("int main(void)", "static int program(void)")
    names = [match[1] for line in lines if (match := GLOBAL.match(line))]
    saved = "".join(f"static char saved_{name}[sizeof {name}];\n" for name in names)
    save = "".join(f"  memcpy(saved_{name}, &{name}, sizeof {name});\n" for name in names)
    restore = "".join(f"  memcpy(&{name}, saved_{name}, sizeof {name});\n" for name in names)
    around = f"{saved}static void save(void) {{\n{save}}}\nstatic void restore(void) {{\n{restore}}}\n"
    limits = f"#define RUNS {MOST_RUNS}\n#define STEPS {MOST_STEPS}\n#define TOTAL {MOST_TOTAL}\n"
    return f"{limits}{_DRIVER}{text}\n{around}{_MAIN}"


class Native:
    """A program, compiled with the driver."""

    def __init__(self, source: str, folder: Path) -> None:
        path, part, self._executable = (folder / name for name in ("native.c", "native.o", "native.exe"))
        path.write_text(instrumented(source), encoding="utf-8")
        for command in (
            [*_CLANG, "-std=gnu11", "-w", "-fno-strict-aliasing", *_CHECKS, "-c", str(path), "-o", str(part)],
            [*native.compiler(), str(part), "-o", str(self._executable)],  # without the compiler's own handlers
        ):
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
            if done.returncode != 0:
                raise NotEnumerable(done.stderr)

    def every_input(self, seconds: float = 10.0) -> Truth:
        """All runs together."""
        outcome = native.run(self._executable, seconds)
        if outcome.exit_code != 0:
            raise NotEnumerable(f"the native program ended with {outcome.exit_code}: {outcome.stderr.decode()[-2000:]}")
        found = _read(outcome.stdout.decode().splitlines())
        if len(found) != 1:
            raise NotEnumerable("too many inputs")
        return found[0]

    def tests(self, tests: Iterable[Sequence[int]], seconds: float = 10.0) -> list[Truth]:
        """A run for each list of inputs."""
        text = "".join(f"{len(inputs)} {' '.join(map(str, inputs))}\n" for inputs in tests)
        done = subprocess.run(
            [str(self._executable), "tests"], input=text, capture_output=True, text=True, timeout=seconds, check=False
        )
        return _read(done.stdout.splitlines())


def _read(lines: Iterable[str]) -> list[Truth]:
    """The runs, or all of them together, that the driver tells about."""
    values: dict[int, list[int]] = defaultdict(list)
    found: list[tuple[int, int, set[Outcome], set[Bug]]] = []
    for words in map(str.split, lines):
        match words:
            case ["runs", count, "0", steps]:
                found.append((int(count), int(steps), set(), set()))
            case ["note", line, outcome]:
                found[-1][2].add((int(line), outcome))
            case ["bug", line, kind]:
                found[-1][3].add((kind, int(line)))
            case ["value", line, value]:
                values[int(line)].append(int(value))
            case _:
                raise NotEnumerable(f"given up: {' '.join(words)}")
    return [Truth(runs, steps, frozenset(taken), frozenset(bugs), dict(values)) for runs, steps, taken, bugs in found]


def every_input(source: str, folder: Path) -> Truth:
    """Compile ``source`` with the driver and try every input."""
    return Native(source, folder).every_input()
