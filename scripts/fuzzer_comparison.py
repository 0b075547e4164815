"""Clew beside libFuzzer and AFL++ on the real targets: the branches that each covers in the same time.

    python scripts/fuzzer_comparison.py LIBRARIES HARNESSES [--seconds N] [--fuzzer-seconds N] [--keep DIR]
                                        [--only cjson8,...] [--tools ...] [--seeds 0]

LIBRARIES holds the fetched libraries as cJSON/, inih/, jsmn/; HARNESSES our harnesses for them, cjson.c, inih.c and
jsmn.c (``benchmarks/programs/targets``), with a program of ours beside it, ../fuzzers/gates.c. Needs Clang with
libFuzzer (Debian: clang, libclang-rt-14-dev) and AFL++ (Debian: afl++); a tool that is missing is left out. All are
measured on one map: the inputs that each tool has kept are run by Clew's native executor, and the branches of the
program that they take are counted. Processes run one after the other, each on one core. Fuzzers can be given more time
than Clew; with ``--keep``, inputs of each run are kept, and a run that is there is not made again.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src")]

from clew.base.cache import Cache  # noqa: E402
from clew.execute.coverage import branch_ids  # noqa: E402
from clew.frontend.loading import load  # noqa: E402
from clew.frontend.options import CompileOptions  # noqa: E402
from clew.native.executor import NativeExecutor  # noqa: E402
from clew.native.program import NativeProgram  # noqa: E402
from clew.report.values import InputValue  # noqa: E402
from clew.runtime import link  # noqa: E402

DRIVER = r"""
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int harness(void);
static const uint8_t *given;
static size_t given_size;
static jmp_buf home;
void klee_make_symbolic(void *to, size_t size, const char *name) {
  size_t taken = size < given_size ? size : given_size;
  memset(to, 0, size);
  memcpy(to, given, taken);
  given += taken, given_size -= taken;
}
void klee_assume(uintptr_t holds) { if (!holds) longjmp(home, 1); }
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  given = data, given_size = size;
  if (!setjmp(home)) harness();
  return 0;
}
#ifdef AFL
__AFL_FUZZ_INIT();
int main(void) {
  __AFL_INIT();
  unsigned char *data = __AFL_FUZZ_TESTCASE_BUF;
  while (__AFL_LOOP(100000)) LLVMFuzzerTestOneInput(data, __AFL_FUZZ_TESTCASE_LEN);
  return 0;
}
#endif
"""


@dataclass(frozen=True)
class Target:
    """A harness with the library that it is for."""

    harness: str
    source: str
    include: str
    size: int

    def files(self, libraries: Path, harnesses: Path) -> list[str]:
        more = [str(libraries / self.source)] if self.source else []
        return [str(harnesses / self.harness), *more]

    def flags(self, libraries: Path) -> list[str]:
        return [f"-I{libraries / self.include}", f"-DN={self.size}", "-DUSE"]


TARGETS = {
    "cjson8": Target("cjson.c", "cJSON/cJSON.c", "cJSON", 8),
    "inih16": Target("inih.c", "inih/ini.c", "inih", 16),
    "jsmn16": Target("jsmn.c", "", "jsmn", 16),
    "gates48": Target("../fuzzers/gates.c", "", "", 48),
}


@dataclass(frozen=True)
class Job:
    """One tool on one target."""

    target: Target
    files: list[str]
    flags: list[str]
    seconds: int
    seed: int
    folder: Path


def clew(job: Job, engine: str) -> Iterator[bytes]:
    """The inputs of Clew's tests."""
    out = job.folder / "out"
    command = [
        sys.executable,
        "-m",
        "clew",
        "test",
        *job.files,
        *job.flags,
        "--engine",
        engine,
        "--quiet",
        "--jobs",
        "1",
    ]
    more = ["--time", str(job.seconds), "--seed", str(job.seed), "--out", str(out)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run([*command, *more], env=environment, check=False, capture_output=True)
    for file in sorted((out / "tests").glob("*.json")):
        inputs = [InputValue.from_json(value) for value in json.loads(file.read_text())["inputs"]]
        yield b"".join(value.to_bytes() for value in inputs)


def _built(job: Job, compiler: list[str], driver_flags: list[str]) -> Path:
    """The target as a fuzzer wants it."""
    driver, made = job.folder / "driver.c", job.folder / "fuzzed"
    driver.write_text(DRIVER)
    include = job.folder / "klee"
    include.mkdir()
    (include / "klee.h").write_text(
        "#include <stddef.h>\n#include <stdint.h>\n"
        "void klee_make_symbolic(void *, size_t, const char *);\nvoid klee_assume(uintptr_t);\n"
    )
    flags = [*job.flags, f"-I{job.folder}", "-O2", "-w", "-g0"]
    objects = []
    for number, file in enumerate([*job.files, str(driver)]):
        renamed = ["-Dmain=harness"] if number == 0 else driver_flags if number == len(job.files) else []
        objects.append(str(job.folder / f"{number}.o"))
        subprocess.run([*compiler, *flags, *renamed, "-c", file, "-o", objects[-1]], check=True, capture_output=True)
    subprocess.run([*compiler, *objects, "-o", str(made)], check=True, capture_output=True)
    return made


def libfuzzer(job: Job) -> Iterator[bytes]:
    """What libFuzzer keeps, started with nothing."""
    made, corpus = _built(job, ["clang", "-fsanitize=fuzzer"], []), job.folder / "corpus"
    corpus.mkdir()
    limits = [f"-max_total_time={job.seconds}", f"-max_len={job.target.size + 1}", f"-seed={job.seed + 1}"]
    subprocess.run([str(made), *limits, "-use_value_profile=1", str(corpus)], capture_output=True, check=False)
    for file in sorted(corpus.iterdir()):
        yield file.read_bytes()


def afl(job: Job) -> Iterator[bytes]:
    """AFL++'s queue, in persistent mode."""
    made = _built(job, ["afl-clang-fast"], ["-DAFL"])
    begin, out = job.folder / "begin", job.folder / "afl"
    begin.mkdir()
    (begin / "zeros").write_bytes(b"0" * (job.target.size + 1))
    quiet = ["AFL_NO_UI", "AFL_SKIP_CPUFREQ", "AFL_NO_AFFINITY", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES"]
    command = ["afl-fuzz", "-i", str(begin), "-o", str(out), "-V", str(job.seconds), "-s", str(job.seed + 1)]
    environment = {**os.environ, **dict.fromkeys(quiet, "1")}
    subprocess.run(
        [*command, "-G", str(job.target.size + 1), "--", str(made)], env=environment, capture_output=True, check=False
    )
    for file in sorted((out / "default" / "queue").glob("id:*")):
        yield file.read_bytes()


TOOLS: dict[str, tuple[str, Callable[[Job], Iterator[bytes]]]] = {
    "interpreter": ("", lambda job: clew(job, "interpreter")),
    "auto": ("", lambda job: clew(job, "auto")),
    "native": ("", lambda job: clew(job, "native")),
    "libfuzzer": ("clang", libfuzzer),
    "afl": ("afl-fuzz", afl),
}


def _executor(job: Job) -> tuple[NativeExecutor, frozenset[tuple[str, str, int]]]:
    options = CompileOptions(flags=(*job.flags, "-w"))
    program = link(load([Path(file) for file in job.files], options, Cache.default()), options, Cache.default())
    executor = NativeProgram(program, program.functions["main"], cache=Cache.default()).executor()
    return executor, frozenset(branch_ids(program))


def kept(job: Job, tool: str, folder: Path) -> list[bytes]:
    """The inputs of a tool, from the folder if it has run before."""
    if not folder.exists():
        inputs = list(TOOLS[tool][1](job))
        folder.mkdir(parents=True)
        for number, data in enumerate(inputs):
            (folder / f"{number:06}").write_bytes(data)
    return [file.read_bytes() for file in sorted(folder.iterdir())]


def covered(job: Job, tool: str, folder: Path) -> tuple[frozenset[tuple[str, str, int]], int]:
    """The branches that a tool's inputs take, and how many inputs it has kept."""
    executor, known = _executor(job)
    found: set[tuple[str, str, int]] = set()
    inputs = kept(job, tool, folder)
    with executor:
        for data in inputs:
            found |= executor.run(data).branches
    return frozenset(found & known), len(inputs)


def main() -> None:
    """A line for each target, seed and tool, and then what the others have found that `auto` has not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", type=Path)
    parser.add_argument("harnesses", type=Path)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--fuzzer-seconds", type=int, help="of tools that are not Clew (as --seconds)")
    parser.add_argument("--keep", type=Path, metavar="DIR")
    parser.add_argument("--only", default=",".join(TARGETS))
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--seeds", default="0")
    chosen = parser.parse_args()
    tools = [tool for tool in chosen.tools.split(",") if not TOOLS[tool][0] or shutil.which(TOOLS[tool][0])]
    for name in chosen.only.split(","):
        target = TARGETS[name]
        files, flags = target.files(chosen.libraries, chosen.harnesses), target.flags(chosen.libraries)
        for seed in map(int, chosen.seeds.split(",")):
            found: dict[str, frozenset[tuple[str, str, int]]] = {}
            for tool in tools:
                seconds = chosen.fuzzer_seconds if TOOLS[tool][0] and chosen.fuzzer_seconds else chosen.seconds
                with tempfile.TemporaryDirectory(prefix="clew-fuzzers-") as folder:
                    job = Job(target, files, flags, seconds, seed, Path(folder))
                    run = (chosen.keep or job.folder) / f"{name}-{tool}-{seconds}-{seed}"
                    found[tool], inputs = covered(job, tool, run)
                print(f"{name} seed {seed} {tool:12} {len(found[tool]):4} branches, {inputs} inputs", flush=True)
            best = frozenset().union(*found.values())
            for tool in tools:
                print(f"{name} seed {seed} {tool:12} misses {sorted(best - found[tool])}"[:600], flush=True)


if __name__ == "__main__":
    main()
