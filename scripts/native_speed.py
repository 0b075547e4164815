"""Native runs beside the interpreter and beside Clang -O1, on the concrete programs of the table ``engine``.

    python scripts/native_speed.py

Processor time alone is measured: other work on the machine does not matter much. Branches are marked, not counted.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from clew.base.cache import Cache  # noqa: E402
from clew.checks.check import chosen_kinds, sanitizers  # noqa: E402
from clew.frontend.loading import load  # noqa: E402
from clew.frontend.options import CompileOptions  # noqa: E402
from clew.frontend.toolchain import find_toolchain  # noqa: E402
from clew.native.executor import End  # noqa: E402
from clew.native.program import NativeProgram  # noqa: E402
from clew.program.module import Program  # noqa: E402
from support.concrete import run_concrete  # noqa: E402

ROUNDS = {"loop": 100_000_000, "calls": 200_000, "matrix": 40_000}
FEWER = 1000
"""How many times fewer rounds the interpreter is given."""


def _program(name: str, rounds: int) -> Program:
    options = CompileOptions(flags=(f"-DROUNDS={rounds}",), sanitize=sanitizers(chosen_kinds(None)))
    return load([ROOT / "benchmarks" / "programs" / f"{name}.c"], options, Cache.default())


def _children() -> float:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def native_seconds(name: str, rounds: int) -> float:
    """Of one run, without the start of the process."""
    program = _program(name, rounds)
    times = []
    for fuel in (1, 1 << 40):
        native = NativeProgram(program, program.functions["main"], cache=Cache.default(), counted=False)
        with native.executor() as executor:
            before = _children()
            shown = executor.run(b"", fuel, seconds=600.0)
        times.append(_children() - before)
    assert shown.end is End.EXIT
    return times[1] - times[0]


def plain_seconds(name: str, rounds: int) -> float:
    """Of the program itself, compiled by Clang with -O1."""
    source = ROOT / "benchmarks" / "programs" / f"{name}.c"
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "program"
        zig = {"ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder}
        command = [*find_toolchain(None).command, "-O1", "-fno-sanitize=all", "-w", f"-DROUNDS={rounds}"]
        subprocess.run([*command, str(source), "-o", str(made)], check=True, env={**os.environ, **zig})
        before = _children()
        subprocess.run([str(made)], check=False)
        return _children() - before


def interpreter_seconds(name: str, rounds: int) -> float:
    """Of the interpreter, from fewer rounds, the second time it runs."""
    program = _program(name, rounds // FEWER)
    run_concrete(program, [])
    before = time.process_time()
    run_concrete(program, [])
    return (time.process_time() - before) * FEWER


def main() -> None:
    """A line for each program."""
    for name, rounds in ROUNDS.items():
        native, plain = native_seconds(name, rounds), plain_seconds(name, rounds)
        interpreter = interpreter_seconds(name, rounds)
        print(
            f"{name}: {native:.2f} s, {interpreter / native:.0f} times the interpreter's rate, "
            f"{native / plain:.2f} times the time of Clang -O1",
            flush=True,
        )


if __name__ == "__main__":
    main()
