"""The tasks about loops natively: the inputs that a file names violate its unsafe task, nothing violates the safe one.

The driver gives the inputs of a list, and zeros behind it; or makes many runs: sequences of special numbers first, one
after the other, and then random ones of all sizes. A run that takes too long, or asks for too many inputs, counts as
one without a violation.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.loop_tasks import LoopTask

VIOLATED, HELD, SLOW = 42, 0, 3

DRIVER = r"""
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const int64_t special[] = {0, 1, 2, 3, 5, -1, 7, 100, INT32_MIN, INT32_MAX, -2, 10, 255, 65536, 128, 4};
enum { SPECIAL = sizeof special / sizeof *special, ENUMERATED = 2000, MOST_INPUTS = 100000 };
static char **given;
static int left, asked;
static uint64_t run, state;

static void violated(void) { _exit(42); }
static void held(void) { _exit(0); }
void reach_error(void) { violated(); }
void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { violated(); }
void __VERIFIER_assume(int condition) { if (!condition) held(); }
static void on_signal(int number) { number == SIGVTALRM ? _exit(3) : violated(); }

static uint64_t draw(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  uint64_t x = state ^ state >> 29;
  return x * 0xbf58476d1ce4e5b9u >> 16;
}

static int64_t next(void) {
  if (++asked > MOST_INPUTS) held();
  if (given) return left > 0 ? (left--, strtoll(*given++, 0, 10)) : 0;
  if (run < ENUMERATED) {
    int64_t value = special[run % SPECIAL];
    run /= SPECIAL;
    return value;
  }
  uint64_t how = draw() % 8, value = draw();
  if (how == 0) return special[value % SPECIAL];
  if (how == 1) return (int64_t)value;
  if (how == 2) return -(int64_t)(value % 16);
  return (int64_t)(value & ((1ull << (1 + draw() % (how < 5 ? 4 : 20))) - 1));
}

#define INPUT(name, type) type __VERIFIER_nondet_##name(void) { return (type)next(); }
INPUT(char, char) INPUT(schar, signed char) INPUT(uchar, unsigned char) INPUT(short, short)
INPUT(ushort, unsigned short) INPUT(int, int) INPUT(uint, unsigned) INPUT(long, long) INPUT(ulong, unsigned long)
INPUT(longlong, long long) INPUT(ulonglong, unsigned long long)
_Bool __VERIFIER_nondet_bool(void) { return next() & 1; }

int task_main(void);

static int one(int milliseconds) {
  pid_t child = fork();
  if (child == 0) {
    struct itimerval limit = {{0, 0}, {milliseconds / 1000, milliseconds % 1000 * 1000}};
    signal(SIGVTALRM, on_signal);
    signal(SIGILL, on_signal);
    signal(SIGTRAP, on_signal);
    setitimer(ITIMER_VIRTUAL, &limit, 0);
    task_main();
    held();
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int argc, char **argv) {
  if (strcmp(argv[1], "given") == 0) {
    given = argv + 3;
    left = argc - 3;
    return one(atoi(argv[2]));
  }
  uint64_t runs = strtoull(argv[2], 0, 10), seed = strtoull(argv[3], 0, 10), slow = 0;
  for (uint64_t i = 0; i < runs; i++) {
    run = i;
    state = seed * 1000003 + i;
    asked = 0;
    int code = one(slow > 20 ? 3 : 50);
    slow += code == 3;
    if (code != 0 && code != 3) {
      printf("run %llu of seed %llu\n", (unsigned long long)i, (unsigned long long)seed);
      return code;
    }
  }
  return 0;
}
"""

TRAPS = {
    "overflow": ("-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error", "-fno-wrapv"),
    "memory": ("-fsanitize=bounds-strict", "-fsanitize-undefined-trap-on-error"),
}


def build(task: LoopTask, folder: Path) -> Path:
    """The task with the driver; CalledProcessError if it does not compile."""
    driver, out = folder / "driver.c", folder / "task"
    driver.write_text(DRIVER, encoding="utf-8")
    checks = [flag for word in task.check.split(",") for flag in TRAPS.get(word, ())]
    twin = [word for word in task.options if word.startswith("-D")]
    how = ["-w", "-fwrapv", *(["-O0", *checks] if checks else ["-O1"])]
    subprocess.run(
        ["cc", *how, *twin, "-Dmain=task_main", "-c", str(task.files[0]), "-o", str(folder / "t.o")],
        check=True,
    )
    subprocess.run(["cc", "-O1", "-w", str(driver), str(folder / "t.o"), "-o", str(out)], check=True)
    return out


def run(program: Path, *words: object) -> tuple[int, str]:
    done = subprocess.run([str(program), *map(str, words)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.strip()


def problem_of(task: LoopTask, inputs: Sequence[int], runs: int, seed: int) -> str:
    """What is not as the task says; empty if all is."""
    with tempfile.TemporaryDirectory(prefix="loop-task-") as name:
        try:
            program = build(task, Path(name))
        except subprocess.CalledProcessError:
            return "does not compile"
        code, _ = run(program, "given", 1000 if task.is_safe else 60000, *inputs)
        if not task.is_safe:
            return "" if code == VIOLATED else f"exit code {code}: its inputs do not violate it"
        if code not in (HELD, SLOW):
            return f"exit code {code} with the inputs of the unsafe one"
        code, where = run(program, "search", runs, seed)
        return "" if code == HELD else f"exit code {code}, {where}"
