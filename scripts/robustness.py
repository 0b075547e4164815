"""Hostile programs, signals, streams, names, disks and inputs, too many for the test suite, against a few rules.

    python scripts/robustness.py                       everything
    python scripts/robustness.py hash switch           these programs only
    python scripts/robustness.py --only signals        programs, signals, streams, names, disk or malformed only
    python scripts/robustness.py --signals 100 --malformed 50000 --seconds 30     more of it

The rules: exit code 0, 1 or 3 with a complete output folder, or 2 with one line; no traceback, no internal error; the
end comes within the time budget plus ``GRACE``; after a signal, within ``GRACE``. What comes before Python runs our
first line is not judged. Malformed inputs are read without a process for each.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
sys.path[:0] = [str(SOURCE), str(ROOT / "tests")]

from oracle.malformed import Doors  # noqa: E402

PARTS = ("programs", "signals", "streams", "names", "disk", "malformed")
BATCH = 25
"""Malformed inputs for one process."""
PATIENCE = 120
"""Seconds for one of them."""
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
BUG = """\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 42); return undeclared(x); }
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
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # it is ignored in a shell's background
    )


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
        return "says what it must not", complaint.strip()
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
    """One to three signals from a random moment on, the first milliseconds included."""
    name = chance.choice(INTERRUPTED)
    file, out = folder / f"{name}.c", folder / f"out-signal-{number}"
    file.write_text(DECLARATIONS + PROGRAMS[name]())
    kind = chance.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    count, delay = chance.choice([1, 1, 2, 3]), chance.choice([0.1, 0.5, 1, 3]) * chance.random()
    process = start(file, out, 60)
    time.sleep(delay)
    for _ in range(count):
        process.send_signal(kind)
        time.sleep(chance.choice([0, 0, 0.01, 0.2]))
    end = finish(process, out, 0)
    broken = end.broken if not _too_early(end, kind, out) and not _aborted(end, count, out) else ""
    what = f"{count} {kind.name} after {delay:.3f} s"
    print(f"{broken or 'ok':22} {name:16} {what}: exit {end.code}, {end.seconds:5.1f} s: {end.told[-200:]}", flush=True)
    return not broken


def _too_early(end: End, kind: signal.Signals, out: Path) -> bool:
    """Before Python has come to our first line, a signal is answered as Python does: it may even show a traceback."""
    return end.code in (-kind, 128 + kind, 1) and not out.exists() and str(SOURCE) not in end.told


def _aborted(end: End, count: int, out: Path) -> bool:
    """A second signal before the run has begun."""
    return count > 1 and end.code == 3 and end.told == "clew: error: interrupted" and not out.exists()


STREAMS = (
    *((f"{words} {stream}", (2,))
      for words in ("--version", "--help", "test {} --quiet", "test {} --json", "replay nothing")
      for stream in (">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-")),
    *((f"{words} > /dev/full", (2,))
      for words in ("--version", "--help", "test {}", "test {} --json", "verify {}", "loops {}")),
    *((f"{words} 2> /dev/full", (2,)) for words in ("test", "test nothing.c", "test {} --verbose", "tset")),
    ("test {} <&-", (1,)), ("test {} --quiet > /dev/full", (1,)), ("test {} > /dev/full 2>&1", (2,)),
    ("--help | true; exit ${{PIPESTATUS[0]}}", (0, 2)), ("test {} | head -1; exit ${{PIPESTATUS[0]}}", (1, 2)),
)  # fmt: skip
"""Command lines with their streams, and the exit codes they may have."""


def run_stream(line: str, codes: tuple[int, ...], folder: Path) -> bool:
    (folder / "bug.c").write_text(BUG)
    shutil.rmtree(folder / "clew-out", ignore_errors=True)
    script = f'clew() {{ "{sys.executable}" -m clew "$@"; }}; clew {line.format("bug.c")}'
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True)
    said = done.stdout + done.stderr
    good = done.returncode in codes and "Traceback" not in said and "internal error" not in said
    print(
        f"{'ok' if good else 'wrong':22} clew {line}: exit {done.returncode} {'' if good else said[-300:]}", flush=True
    )
    return good


NAMES = (
    b"a\xff\xfe.c", b"new\nline.c", b"quo\"te'.c", b"esc\x1b[31m.c", b"@resp.c", b"per%20cent.c", b"sp ace.c",
    b"back\\slash.c", b"-dash.c", b"\xe2\x80\xaebidi.c", b"tab\t.c", b"#hash?.c", b"semi;$(touch x).c", b"cr\r.c",
    b"\xff.c", b"x" * 250 + b".c",
)  # fmt: skip


def run_name(name: bytes, folder: Path) -> bool:
    """A file of that name: it works, or there is one line; nothing steers the terminal; a replay takes it, too."""
    (folder / os.fsdecode(name)).write_text(BUG)
    out = folder / "out-name"
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "clew", "test", os.fsdecode(b"./" + name), "--out", str(out), "--time", "10"]
    runs = [command, [sys.executable, "-m", "clew", "replay", str(out)]]
    codes, good = [], True
    for words in runs if (1 in codes or not codes) else ():
        done = subprocess.run(words, cwd=folder, env={**os.environ, "PYTHONPATH": str(SOURCE)}, capture_output=True)
        said = done.stdout + done.stderr
        good &= b"Traceback" not in said and b"internal error" not in said and b"\x1b" not in said
        codes.append(done.returncode)
        if done.returncode == 2:
            good &= done.stderr.startswith(b"clew: ")
            break
    good &= codes[0] in (1, 2)
    print(f"{'ok' if good else 'wrong':22} {name!r}: exit {codes}", flush=True)
    return good


def run_disk(size: int, folder: Path) -> bool:
    """No room for more than that many kilobytes: of a file, or (for root) of all of them."""
    (folder / "bug.c").write_text(BUG)
    good, codes = True, []
    for whole in (False, True) if os.geteuid() == 0 else (False,):
        disk = folder / f"disk-{size}-{whole:d}"
        disk.mkdir()
        with _small(disk, size) if whole else contextlib.nullcontext():
            limit = "" if whole else f"ulimit -f {size};"
            line = f'{limit} "{sys.executable}" -m clew test bug.c --out {disk}/out'
            done = subprocess.run(["bash", "-c", line], cwd=folder, env={**os.environ, "PYTHONPATH": str(SOURCE)},
                                  capture_output=True, text=True)  # fmt: skip
            files = [path for path in disk.rglob("*") if path.is_file()]
            good &= all(path.stat().st_size and not path.name.endswith(".part") for path in files)
            good &= all(isinstance(json.loads(path.read_text()), dict) for path in files if path.suffix == ".json")
            codes.append(done.returncode)
            good &= done.returncode == 1 or (done.returncode == 2 and "clew: error: " in done.stderr)
            good &= "Traceback" not in done.stderr and "internal error" not in done.stderr
    print(f"{'ok' if good else 'wrong':22} {size} kB: exit {codes}", flush=True)
    return good


@contextlib.contextmanager
def _small(disk: Path, size: int) -> Iterator[None]:
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", str(disk)], capture_output=True)
    try:
        yield
    finally:
        if mount.returncode == 0:
            subprocess.run(["umount", str(disk)], check=True)


def run_malformed(count: int, seed: int, folder: Path, jobs: int) -> list[bool]:
    """Malformed inputs, a share for each door, in processes of their own: a hang or a crash costs only a batch."""
    free: Queue[Doors] = Queue()
    for number in range(jobs):
        place = folder / f"doors{number}"
        place.mkdir()
        free.put(Doors(place))
    batches = [(name, range(first, min(first + BATCH, last))) for name, (_, share) in free.queue[0].all.items()
               for last in (max(1, round(count * share)),) for first in range(0, last, BATCH)]  # fmt: skip

    def work(batch: tuple[str, range]) -> list[str]:
        doors = free.get()
        try:
            return _batch(doors, batch[0], batch[1], seed)
        finally:
            free.put(doors)

    good: list[bool] = []
    counts: dict[str, int] = {}
    with ThreadPoolExecutor(jobs) as pool:
        for (name, numbers), wrong in zip(batches, pool.map(work, batches), strict=True):
            counts[name] = counts.get(name, 0) + len(numbers)
            good += [True] * (len(numbers) - len(wrong)) + [False] * len(wrong)
            for text in wrong:
                print(f"{'wrong':22} {text}", flush=True)
    print(f"malformed inputs: {counts}", flush=True)
    return good


def _batch(doors: Doors, name: str, numbers: range, seed: int) -> list[str]:
    """What is wrong with these inputs."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_serve, args=(doors, name, numbers, seed, theirs))
    child.start()
    theirs.close()
    wrong = []
    for number in numbers:
        try:
            found = ours.recv() if ours.poll(PATIENCE) else "does not end"
        except EOFError:
            found = "the process died"
        if found:
            wrong.append(f"{name} {number}: {found}")
        if found in ("does not end", "the process died"):
            break
    child.kill()
    child.join()
    return wrong


def _serve(doors: Doors, name: str, numbers: range, seed: int, answers: Connection) -> None:
    door, _ = doors.all[name]
    for number in numbers:
        answers.send(door(random.Random(f"{seed}/{name}/{number}")))
    answers.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[*PROGRAMS, []], metavar="NAME")
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--signals", type=int, default=40)
    parser.add_argument("--malformed", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    parts = ["programs"] if options.names else options.only or PARTS
    chance = random.Random(options.seed)
    good: list[bool] = []
    with tempfile.TemporaryDirectory(prefix="clew-robustness-") as name:
        folder = Path(name)
        if "programs" in parts:
            good += [run_program(program, folder, options.seconds) for program in options.names or PROGRAMS]
        if "signals" in parts:
            good += [run_signal(number, chance, folder) for number in range(options.signals)]
        if "streams" in parts:
            good += [run_stream(line, codes, folder) for line, codes in STREAMS]
        if "names" in parts:
            good += [run_name(raw, folder) for raw in NAMES]
        if "disk" in parts:
            good += [run_disk(size, folder) for size in (0, 1, 2, 4, 12, 24, 40, 64, 200)]
        if "malformed" in parts:
            good += run_malformed(options.malformed, options.seed, folder, options.jobs)
    print(f"{sum(good)} of {len(good)} as they should be")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
