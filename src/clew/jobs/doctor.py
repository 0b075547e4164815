"""What this machine has of what Clew uses, each looked at or tried, and what to do about what is missing."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from enum import StrEnum
from importlib import metadata
from pathlib import Path

from clew.base.budget import default_memory_mb
from clew.base.cache import default_folder
from clew.base.dataclass import dataclass
from clew.base.options import TestRequest
from clew.base.processes import available_cores
from clew.frontend.options import CompileOptions
from clew.frontend.process import run_tool
from clew.frontend.toolchain import compiler_environment, find_toolchain
from clew.jobs.native.compilers import compilers, probe
from clew.jobs.native.sandbox.means import find_means
from clew.jobs.test import run_test
from clew.report.listener import Listener

OLDEST = (3, 11)
SMALL_MB = 1000.0
_PROGRAM = """int __VERIFIER_nondet_int(void);
int main(void) {
  if (__VERIFIER_nondet_int() == 123456)
    return 1;
  return 0;
}
"""
_EXTRAS = (
    ("ray", "clew test --cluster, clew campaign --cluster", "pip install 'clew[cluster]'"),
    ("fsspec", "campaigns in buckets and on other file systems", "pip install 'clew[cluster]'"),
    ("pytest", "clew_check in pytest", "pip install 'clew[pytest]'"),
    ("pygls", "clew lsp, the language server for editors", "pip install 'clew[lsp]'"),
)
"""Packages that not all need: name, what for, how to get it."""
_TOOLS = (
    ("git", "clew project --since", "install git"),
    ("genhtml", "coverage.info as pages", "install lcov"),
)


class State(StrEnum):
    """How things are."""

    OK = "ok"
    MISSING = "missing"
    """Clew does not work without it."""
    LIMITED = "limited"
    """Something works less well without it."""
    ABSENT = "absent"
    """Only those need it who use what it is for."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One row of the table."""

    subject: str
    state: State
    found: str
    remedy: str = ""


def examine() -> Iterator[Finding]:
    """All rows, one after the other: some take a moment."""
    for look in (
        _python,
        _packages,
        _compiler,
        _engine,
        _replay,
        _containment,
        _cores,
        _memory,
        _cache,
        _extras,
        _tools,
    ):
        yield from _safe(look)


def _safe(look: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """What one of them finds; a failure is a finding, too."""
    try:
        yield from look()
    except Exception as error:
        yield Finding(look.__name__.strip("_"), State.MISSING, f"{type(error).__name__}: {error}", "install Clew again")


def _python() -> Iterator[Finding]:
    fits = sys.version_info >= OLDEST and sys.maxsize > 2**32
    found = f"{platform.python_version()} on {platform.machine()}, {platform.system()}"
    yield Finding(
        "python", State.OK if fits else State.MISSING, found, "" if fits else "use a 64-bit Python from 3.11 on"
    )
    system = platform.system() == "Linux" and platform.machine() in ("x86_64", "aarch64")
    if not system:
        yield Finding("system", State.LIMITED, found, "Linux on x86_64 or aarch64 is what Clew is tried on")


def _packages() -> Iterator[Finding]:
    needed = [text for text in metadata.requires("clew") or () if "extra ==" not in text]
    names = [re.split(r"[^\w.-]", text)[0] for text in needed]
    there, gone = [], []
    for name in names:
        try:
            there.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            gone.append(name)
    for name in gone:
        yield Finding(f"package {name}", State.MISSING, "not installed", f"pip install {name}, or install Clew again")
    if not gone:
        yield Finding("packages", State.OK, ", ".join(there))


def _compiler() -> Iterator[Finding]:
    toolchain = find_toolchain(None)
    with tempfile.TemporaryDirectory() as folder:
        done = run_tool([*toolchain.command, "--version"], compiler_environment(Path(folder)), seconds=60.0)
    first = (done.stdout.splitlines() or [done.stderr.strip()])[0]
    works = done.returncode == 0
    remedy = "" if works else "pip install --force-reinstall ziglang, or name a Clang with --clang"
    yield Finding("compiler", State.OK if works else State.MISSING, first, remedy)


def _engine() -> Iterator[Finding]:
    """A whole run: compiler, reader, solver, tests."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "doctor.c")
        source.write_text(_PROGRAM, encoding="utf-8")
        summary = run_test(TestRequest((source,), seconds=60.0), Listener())
    works = summary.coverage.branches_covered == 2 and not summary.losses
    found = "finds both ways through a small program" if works else summary.reason
    yield Finding(
        "engine", State.OK if works else State.MISSING, found, "" if works else "report it as a bug of Clew's"
    )


def _replay() -> Iterator[Finding]:
    said = []
    with tempfile.TemporaryDirectory() as folder:
        for number, compiler in enumerate(compilers(CompileOptions())):
            place = Path(folder, str(number))
            place.mkdir()
            works, _, message = probe(compiler, place)
            if works:
                strict = compiler.address_checks
                remedy = (
                    "" if strict else "install clang or gcc with its sanitizers, for memory errors in replayed tests"
                )
                yield Finding("replay", State.OK if strict else State.LIMITED, compiler.name, remedy)
                return
            said.append(f"{compiler.name}: {message}")
    yield Finding("replay", State.LIMITED, "; ".join(said), "install clang or gcc, for clew replay")


def _containment() -> Iterator[Finding]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        means = find_means(Path(folder))
    has = [
        *(["namespaces"] if means.namespaces else []),
        *([f"Landlock {means.landlock}"] if means.landlock else []),
        *(["seccomp"] if means.seccomp else []),
    ]
    broken = [promise for promise in means.promises() if not promise.holds]
    state = State.LIMITED if any(promise.essential for promise in broken) else State.OK
    remedy = "; ".join(promise.broken for promise in broken)
    yield Finding("containment of tests", state, ", ".join(has) or "none", remedy)


def _cores() -> Iterator[Finding]:
    usable = available_cores()
    yield Finding("cores", State.OK, f"{usable} of {os.cpu_count() or usable} can be used (--jobs {usable})")


def _memory() -> Iterator[Finding]:
    limit = default_memory_mb()
    if limit is None:
        yield Finding("memory", State.LIMITED, "nobody says how much there is", "give --memory MB")
        return
    small = limit < SMALL_MB
    remedy = "large programs need more, and compiling needs some beside it" if small else ""
    found = f"a run may take {limit:,.0f} MB (80% of what is free, or of the container's limit)"
    yield Finding("memory", State.LIMITED if small else State.OK, found, remedy)


def _cache() -> Iterator[Finding]:
    folder = default_folder()
    nearest = next((at for at in (folder, *folder.parents) if at.exists()), None) if folder is not None else None
    works = nearest is not None and nearest.is_dir() and os.access(nearest, os.W_OK)
    remedy = "" if works else "set XDG_CACHE_HOME to a folder of yours: every run compiles anew without it"
    yield Finding("compile cache", State.OK if works else State.LIMITED, str(folder), remedy)


def _extras() -> Iterator[Finding]:
    for name, purpose, remedy in _EXTRAS:
        try:
            yield Finding(name, State.OK, f"{metadata.version(name)} ({purpose})")
        except metadata.PackageNotFoundError:
            yield Finding(name, State.ABSENT, f"for {purpose}", remedy)


def _tools() -> Iterator[Finding]:
    for name, purpose, remedy in _TOOLS:
        found = shutil.which(name)
        if found is not None:
            yield Finding(name, State.OK, f"{found} ({purpose})")
        else:
            yield Finding(name, State.ABSENT, f"for {purpose}", remedy)
