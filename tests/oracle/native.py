"""The native side of the comparison: compile a program with the machine's compiler and run it under limits.

The values of ``__VERIFIER_nondet_*`` come from a second C file that returns the listed numbers in order, then
zeros. Uses ``cc``, or the Clang that comes with ``ziglang`` where there is no system compiler.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FLAGS = ("-std=gnu11", "-w", "-ffp-contract=off", "-fno-strict-aliasing")
"""No fused multiply-add: the engine's IR is compiled with the same flag."""

TYPES = {
    "char": "char",
    "uchar": "unsigned char",
    "short": "short",
    "ushort": "unsigned short",
    "int": "int",
    "uint": "unsigned int",
    "long": "long",
    "ulong": "unsigned long",
    "longlong": "long long",
    "ulonglong": "unsigned long long",
}


@dataclass(frozen=True)
class NativeOutcome:
    """How the native program ended. ``exit_code`` is None after a time-out, negative after a signal."""

    exit_code: int | None
    stdout: bytes
    stderr: bytes = b""


class CompileFailed(Exception):
    """The native compiler did not accept the program."""


def compiler() -> list[str]:
    system = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    return [system] if system else [sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=all"]


def inputs_source(inputs: Sequence[int]) -> str:
    """C code that answers each input call with the next listed value."""
    values = ", ".join(f"{value % (1 << 64)}ULL" for value in [*inputs, 0])
    lines = [
        f"static const unsigned long long values[] = {{{values}}};",
        "static unsigned long at;",
        "static unsigned long long next(void) {",
        f"  return at < {len(inputs)} ? values[at++] : 0;",
        "}",
        "_Bool __VERIFIER_nondet_bool(void) { return next() & 1; }",
    ]
    lines += [f"{type_} __VERIFIER_nondet_{tag}(void) {{ return ({type_})next(); }}" for tag, type_ in TYPES.items()]
    return "\n".join(lines) + "\n"


def build(program: Path, inputs: Sequence[int], folder: Path, flags: Sequence[str] = ()) -> Path:
    """Compile ``program`` together with its inputs; the executable lands in ``folder``."""
    side = folder / f"{program.stem}.inputs.c"
    side.write_text(inputs_source(inputs), encoding="utf-8")
    target = folder / f"{program.stem}.exe"
    command = [*compiler(), *FLAGS, *flags, str(program), str(side), "-o", str(target), "-lm"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if run.returncode != 0:
        raise CompileFailed(run.stderr)
    return target


def limit() -> None:
    """In the child: 20 s of processor time, no core file, no big files."""
    for what, most in (
        (resource.RLIMIT_CPU, 20),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 64 << 20),
    ):
        resource.setrlimit(what, (most, most))


def run(executable: Path, seconds: float = 20.0) -> NativeOutcome:
    try:
        done = subprocess.run(
            [str(executable)],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
            preexec_fn=limit,
            # Leaks are no undefined behaviour, and the search for them takes seconds on some processors.
            env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
            cwd=executable.parent,
        )
    except subprocess.TimeoutExpired as expired:
        return NativeOutcome(None, expired.stdout or b"")
    return NativeOutcome(done.returncode, done.stdout, done.stderr)
