"""From a draft to a program: each place to look at becomes an error, or a branch, that few runs meet, or none.

The draft runs natively, with random inputs; what it shows at each ``LOOK(value)`` decides the claim. The runs only help
to find claims that are worth making: nothing is compared with them.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter, defaultdict
from pathlib import Path
from random import Random

from oracle import native

LOOK = re.compile(r"^(?P<pad> *)LOOK\((?P<value>.*)\);$")
RUNS = 120
MOST_MET = 0.2
"""Share of the runs that may end at one place."""

HEAD = """\
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
#define IN(name, type, tag, low, high) type name = __VERIFIER_nondet_##tag(); __VERIFIER_assume((name >= (low)) & (name <= (high)))
#define WIDE(name, type, tag) type name = __VERIFIER_nondet_##tag()
#define UNSET(declaration) declaration
"""  # noqa: E501 -- one macro is one line

_DRIVER = """\
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static unsigned long long drawn;
static unsigned draw(unsigned below) {
  drawn = drawn * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(drawn >> 33) % below;
}
static long wide(void) {
  static const long some[] = {0, 1, 2, 3, 97, 98, 49, -1, 5, 1000};
  return some[draw(10)];
}
static void observe(int line, long value) { dprintf(1, "%d %ld\\n", line, value); }
static void reading(void) {
  char bytes[8];
  int ends[2], count = draw(6);
  for (int i = 0; i < count; i++) bytes[i] = "ab1029-\\n"[draw(8)];
  if (pipe(ends) || write(ends[1], bytes, count) != count) _exit(1);
  close(ends[1]);
  dup2(ends[0], 0);
}
#define IN(name, type, tag, low, high) type name = (low) + (int)draw((high) - (low) + 1)
#define WIDE(name, type, tag) type name = (type)wide()
#define UNSET(declaration) declaration = 0
#define LOOK(value) observe(__LINE__, (long)(value))
#define assert(condition) ((condition) ? (void)0 : _exit(0))
#define reach_error() _exit(0)
#define abort() _exit(0)
#define __VERIFIER_assume(condition) ((condition) ? (void)0 : _exit(0))
#define rand() ((int)draw(8))
#define free(p) ((void)(p))
#define malloc(size) calloc(1, size)
#define fopen(name, mode) tmpfile()
#line 1
"""

_MAIN = """
int main(void) {
  for (int run = 0; run < RUNS; run++) {
    fflush(0);
    int child = fork();
    if (child == 0) {
      drawn = run * 7919 + 1;
      draw(2);
      reading();
      alarm(1);
      exit(program());
    }
    waitpid(child, 0, 0);
  }
  return 0;
}
"""


class BadDraft(Exception):
    """The native compiler does not accept it: a mistake of the generator."""


def observed(draft: str, folder: Path) -> dict[int, Counter[int]]:
    """Which values came to the places to look at, by line, and how often."""
    lines = ["" if line.startswith(("#include", "#define", "extern ")) else line for line in draft.splitlines()]
    text = "\n".join(lines).replace("int main(void)", "static int program(void)")
    path, executable = folder / "draft.c", folder / "draft.exe"
    path.write_text(f"#define RUNS {RUNS}\n{_DRIVER}{text}\n{_MAIN}", encoding="utf-8")
    command = [*native.compiler(), "-std=gnu11", "-w", "-O0", "-fno-strict-aliasing", str(path), "-o", str(executable)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        raise BadDraft(done.stderr)
    seen: dict[int, Counter[int]] = defaultdict(Counter)
    for line in native.run(executable, 20.0).stdout.decode().splitlines():
        where, value = line.split()
        seen[int(where)][int(value)] += 1
    return seen


def with_claims(draft: str, seen: dict[int, Counter[int]], random: Random) -> str:
    """The program of a draft."""
    lines = draft.splitlines()
    for at, line in enumerate(lines):
        if found := LOOK.match(line):
            lines[at] = found["pad"] + _claim(found["value"], seen.get(at + 1, Counter()), random)
    return "\n".join(lines) + "\n"


def _claim(value: str, count: Counter[int], random: Random) -> str:
    """A statement that fails, or branches, for few of the values; or for none of those that were seen."""
    low, high = (min(count), max(count)) if count else (0, 1)
    if not -(10**6) < low <= high < 10**6:
        low, high = 0, 3
    few = sum(count.values()) * MOST_MET
    rare = [number for number in sorted(count, key=lambda v: (count[v], v))[:4] if count[number] <= few]
    beyond = random.random() < (0.3 if rare else 0.9)
    number = random.choice((high + 1, low - 1) if beyond or not rare else (*rare[:1] * 3, *rare))
    edge = high if high in rare and not beyond else high + 1
    """The least value that is too much."""
    test = random.choice((f"({value}) == {number}", f"({value}) == {number}", f"({value}) >= {edge}"))
    then = random.choice(
        ("reach_error();", "abort();", "sink++;", "gcount = 1;", "exit(1);", "sink = gtable[sink & 7];")
    )
    return random.choice(
        (f"if ({test}) {then}",) * 5
        + (f"assert(!({test}));",) * 3
        + (f"sink = gtable[({value}) - {edge - 8}];",) * 3
        + (f"gcells[({value}) - {edge - 4}] = {random.randint(0, 3)};",) * 2
        + (f"sink = 100 / (({value}) - {number});", f"sink = 100 % (({value}) - {number});",
           f"sink = (({value}) + {2147483648 - max(edge, 1)}) > 0;", f"sink = 1u << (({value}) + {32 - edge});",
           f"*(({test}) ? (int *)0 : &sink) = 1;", f"sink = ({test}) ? gfunctions[2](1, 2) : 0;",
           f"switch ({value}) {{ case {number}: sink++; break; case {number + 1}: gcount++; default: ; }}",
           f"while ({test}) {{ sink++; break; }}", f"__VERIFIER_assume(!({test}));")
    )  # fmt: skip
