"""KLEE on the same programs, where ``klee`` and a ``clang`` that suits it are on PATH.

A peer that is missing, or fails, gives None: a benchmark must not depend on somebody else's installation.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.run import Run

NAME = "KLEE"

_INPUTS = """\
void klee_make_symbolic(void *address, unsigned long size, const char *name);
void klee_assume(unsigned long condition);
int __VERIFIER_nondet_int(void) { int x; klee_make_symbolic(&x, sizeof x, "int"); return x; }
unsigned short __VERIFIER_nondet_ushort(void) {
  unsigned short x; klee_make_symbolic(&x, sizeof x, "ushort"); return x;
}
_Bool __VERIFIER_nondet_bool(void) {
  unsigned char x; klee_make_symbolic(&x, sizeof x, "bool"); klee_assume(x <= 1); return x;
}
"""
_INSTRUCTIONS = re.compile(r"total instructions = (\d+)")
_PATHS = re.compile(r"completed paths = (\d+)")


def available() -> bool:
    return shutil.which("klee") is not None and shutil.which("clang") is not None


def run(source: Path, seconds: float | None = None) -> Run | None:
    """One run of KLEE; the time is that of the ``klee`` process alone, without compilation."""
    if not available():
        return None
    with tempfile.TemporaryDirectory(prefix="clew-peer-") as name:
        try:
            return _run(source, Path(name), seconds)
        except (OSError, subprocess.SubprocessError):
            return None


def _run(source: Path, folder: Path, seconds: float | None) -> Run | None:
    inputs, bitcode = folder / "inputs.c", folder / "program.bc"
    inputs.write_text(_INPUTS, encoding="utf-8")
    # -include puts the inputs in front of the program: one module, nothing to link.
    compile_line = ["clang", "-O1", "-emit-llvm", "-c", "-w", "-include", str(inputs), str(source), "-o", str(bitcode)]
    subprocess.run(compile_line, check=True, capture_output=True, timeout=60)
    limit = [] if seconds is None else [f"--max-time={seconds:g}s"]
    begun = time.perf_counter()
    done = subprocess.run(
        ["klee", f"--output-dir={folder / 'out'}", *limit, str(bitcode)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return parse(done.stderr, time.perf_counter() - begun)


def parse(text: str, seconds: float) -> Run | None:
    """The counters in KLEE's closing lines; None when they are not there (it failed)."""
    instructions, paths = _INSTRUCTIONS.search(text), _PATHS.search(text)
    if instructions is None or paths is None:
        return None
    return Run(seconds, stats={"instructions": int(instructions[1]), "paths_completed": int(paths[1])})
