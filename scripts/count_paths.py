#!/usr/bin/env python3
"""Count a small program's paths natively: the number that ``// paths: N`` in tests/programs states.

    python scripts/count_paths.py tests/programs/tutorial/*.c

Runs the program on every combination of the characters that a comment ``// symbolic: NAME COUNT CHARACTERS`` lists
for its symbolic bytes (plus the zero byte), and counts the different sequences of basic blocks. The characters must
hold one of each kind that the program tells apart; then the count is that of all inputs. The program must not change
global variables. Uses the Clang of ``ziglang`` and its coverage instrumentation.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "src" / "clew" / "frontend" / "include"
SYMBOLIC = re.compile(r"^// symbolic: (?P<name>\w+) (?P<count>\d+) (?P<characters>\S+)$", re.MULTILINE)

DRIVER = r"""
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char kinds[] = KINDS;            /* with the terminator, which is one more kind */
enum { COUNT = BYTES, BASE = sizeof kinds };
static char input[COUNT + 1];
static uint64_t trace;
static jmp_buf over;
static uint64_t *seen;
static size_t used, room = 1 << 16;
extern int program_main(void);

void __sanitizer_cov_trace_pc_guard_init(uint32_t *from, uint32_t *to) {
  static uint32_t next;
  for (; from < to; from++)
    if (!*from)
      *from = ++next;
}
void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  trace = (trace ^ *guard) * 0x9e3779b97f4a7c15u;
  trace ^= trace >> 29;
}
void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { longjmp(over, 2); }
void klee_make_symbolic(void *at, size_t size, const char *name) {
  memset(at, 0, size);
  memcpy(at, input, size < COUNT ? size : COUNT);
}
void klee_assume(uintptr_t holds) {
  if (!holds)
    longjmp(over, 1);
}
static void insert(uint64_t value) {
  if (2 * used >= room || !seen) {
    uint64_t *old = seen;
    size_t before = old ? room : 0;
    if (old)
      room *= 2;
    seen = calloc(room, sizeof *seen);
    used = 0;
    for (size_t i = 0; i < before; i++)
      if (old[i])
        insert(old[i]);
    free(old);
  }
  size_t at = value % room;
  while (seen[at] && seen[at] != value)
    at = (at + 1) % room;
  used += seen[at] == 0;
  seen[at] = value;
}
int main(void) {
  unsigned digits[COUNT] = {0};
  unsigned long failures = 0;
  for (;;) {
    for (int i = 0; i < COUNT; i++)
      input[i] = kinds[digits[i]];
    trace = 1;
    int why = setjmp(over);
    if (why == 0)
      program_main();
    if (why != 1)
      insert(trace | 1);
    failures += why == 2;
    int i = 0;
    while (i < COUNT && ++digits[i] == BASE)
      digits[i++] = 0;
    if (i == COUNT)
      break;
  }
  printf("%zu paths, %lu of the inputs tried fail an assertion\n", used, failures);
}
"""


def count(source: Path) -> str:
    text = source.read_text(encoding="utf-8")
    match = SYMBOLIC.search(text)
    if match is None:
        return "no comment '// symbolic: NAME COUNT CHARACTERS'"
    driver = DRIVER.replace("KINDS", '"' + match["characters"] + '"').replace("BYTES", match["count"])
    compiler = [sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=all", "-w", "-UNDEBUG"]
    with tempfile.TemporaryDirectory(prefix="count-") as name:
        folder = Path(name)
        (folder / "driver.c").write_text(driver, encoding="utf-8")
        program = [*compiler, "-O0", "-fsanitize-coverage=trace-pc-guard,no-prune", f"-I{INCLUDE}"]
        program += ["-Dmain=program_main", "-c", str(source), "-o", f"{name}/program.o"]
        subprocess.run(program, check=True)
        whole = [*compiler, "-O1", f"{name}/driver.c", f"{name}/program.o", "-o", f"{name}/count"]
        subprocess.run(whole, check=True)
        return subprocess.run([f"{name}/count"], check=True, capture_output=True, text=True).stdout.strip()


def main() -> int:
    for argument in sys.argv[1:]:
        print(f"{argument}: {count(Path(argument))}")
    return 0 if len(sys.argv) > 1 else 2


if __name__ == "__main__":
    sys.exit(main())
