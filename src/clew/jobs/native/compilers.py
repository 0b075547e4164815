"""The ways to compile natively on this machine, strictest checks first.

In order: the system's compiler with AddressSanitizer and UndefinedBehaviorSanitizer; the Clang that comes with
``ziglang``, undefined behaviour compiled to traps; the system's compiler with traps; without any check.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.frontend.options import CompileOptions
from clew.frontend.process import run_tool
from clew.frontend.target import choose_target, host_target, zig_triple
from clew.frontend.toolchain import find_toolchain

COMPILE_SECONDS = 600.0
_PROBE = """#include <stdio.h>
#include <stdlib.h>
FILE *__real_fopen(const char *, const char *);
FILE *__wrap_fopen(const char *path, const char *mode) { return __real_fopen(path, mode); }
int main(void) { FILE *f = fopen("/dev/null", "r"); char *p = malloc(8); p[0] = 7; free(p); return f ? 42 : 1; }
"""
PROBED = 42
"""The exit code of that program."""


@dataclass(frozen=True, slots=True)
class NativeCompiler:
    """One way to compile."""

    name: str
    command: tuple[str, ...]
    flags: tuple[str, ...]
    address_checks: bool = False
    traps: bool = False
    clang: bool = False

    def run(
        self, arguments: Sequence[str], folder: Path, directory: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ}
        if self.name.startswith("zig"):
            # Its cache holds the C library it builds for a target, which takes a while: kept between runs.
            environment.setdefault("ZIG_LOCAL_CACHE_DIR", str(folder / "zig"))
        try:
            command = [*self.command, *self.flags, *arguments]
            return run_tool(command, environment, COMPILE_SECONDS, directory=directory)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(list(self.command), 1, "", "the compiler did not end")
        except OSError as error:
            return subprocess.CompletedProcess(list(self.command), 1, "", str(error))


def compilers(options: CompileOptions, named: str | None = None) -> Iterator[NativeCompiler]:
    """The ways to compile for the run's target, strictest first."""
    target = choose_target(options)
    bits32 = zig_triple(target).startswith("x86-") and host_target().startswith("x86_64")
    width = ("-m32",) if bits32 else ()
    native = bits32 or zig_triple(target).split("-")[0] == host_target().split("-")[0]
    system = _system(named) if native else None
    if system is not None:
        strict = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
        clang = "clang" in Path(system).name
        extra = ("-fsanitize=float-cast-overflow",) if clang else ("-fsanitize=float-cast-overflow,bounds",)
        label = f"{system}{' -m32' if bits32 else ''}"
        yield NativeCompiler(f"{label} with ASan and UBSan", (system,), (*width, *strict, *extra), True, False, clang)
    if named is None:
        yield from _bundled(target, native)
    if system is not None:
        traps = ("-fsanitize=undefined", "-fsanitize-trap=undefined" if clang else "-fsanitize-undefined-trap-on-error")
        yield NativeCompiler(f"{label} with traps", (system,), (*width, *traps), False, True, clang)
        yield NativeCompiler(f"{label} without checks", (system,), width, False, False, clang)


def _system(named: str | None) -> str | None:
    if named is not None:
        found = shutil.which(named)
        if found is None:
            raise UserError(f"--cc {named}: no such program; give the path of a C compiler, or leave the option out")
        return found
    return next((found for name in ("clang", "cc", "gcc") if (found := shutil.which(name))), None)


def _bundled(target: str, native: bool) -> Iterator[NativeCompiler]:
    """Zig's Clang: dynamically linked for the host, else (32 bits) with a C library of its own."""
    if not native:
        return
    try:
        toolchain = find_toolchain(None)
    except UserError:
        return
    triple = zig_triple(target)
    if triple.split("-")[0] != host_target().split("-")[0]:
        triple = triple.replace("-gnu", "-musl")
    traps = ("-target", triple, "-fsanitize=undefined,float-cast-overflow", "-fsanitize-trap=all")
    yield NativeCompiler("zig cc with traps", toolchain.command, traps, False, True, True)


def probe(compiler: NativeCompiler, folder: Path) -> tuple[bool, bool, str]:
    """(does it make programs that run, can it wrap functions, why not)."""
    source, program = folder / "probe.c", folder / "probe"
    source.write_text(_PROBE, encoding="utf-8")
    message = ""
    for extra in (("-Wl,--wrap=fopen",), ("-D__real_fopen=fopen", "-D__wrap_fopen=unused")):
        done = compiler.run([str(source), *extra, "-o", str(program)], folder)
        if done.returncode == 0:
            try:
                if run_tool([str(program)], {"ASAN_OPTIONS": "detect_leaks=0"}, 60.0).returncode == PROBED:
                    return True, extra[0].startswith("-Wl"), ""
                message = "its programs do not run here"
            except (OSError, subprocess.TimeoutExpired) as error:
                message = f"its programs do not run here: {error}"
        else:
            message = (done.stderr.strip().splitlines() or ["fails without a message"])[0]
    return False, False, message
