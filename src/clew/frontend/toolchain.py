"""The compilers Clew can use, and what identifies the LLVM that links.

Neither ``ziglang`` nor ``llvmlite`` is imported for this: a start that finds its program in the cache must be quick.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path

from clew.base.dataclass import dataclass
from clew.base.errors import UserError

LLVM_VERSION = 22
"""The LLVM in ``llvmlite`` and the Clang in ``ziglang``: the newest whose code we can read."""


_VERSION_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A compiler: the command to start it, and whether that is Zig's."""

    command: tuple[str, ...]
    zig: bool


def compiler_environment(folder: Path) -> dict[str, str]:
    """The environment in which a compiler works that leaves nothing outside of a folder, and needs no home.

    Zig keeps every output in a cache of its own that nobody empties, and that is not ours to trust.
    """
    return {**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(folder / "zig"), "ZIG_LOCAL_CACHE_DIR": str(folder / "zig")}


def find_toolchain(clang: str | None) -> Toolchain:
    """The Clang the user names, or the one in the ``ziglang`` package."""
    return _bundled() if clang is None else _named(clang)


def _bundled() -> Toolchain:
    home = package_folder("ziglang")
    if home is None:
        raise UserError("no C compiler: install one with 'pip install ziglang', or name a Clang with --clang PATH")
    binary = home / ("zig.exe" if sys.platform == "win32" else "zig")
    return Toolchain((str(binary), "cc"), True)


def _named(clang: str) -> Toolchain:
    import shutil

    found = shutil.which(clang)
    if found is None:
        raise UserError(f"--clang {clang}: no such program; give the path of a Clang, or leave the option out")
    return Toolchain((found,), False)


def check_clang_version(toolchain: Toolchain) -> None:
    """Refuse a named compiler that is no Clang, or one newer than the LLVM that has to read its output."""
    import subprocess

    from clew.frontend.process import run_tool

    name = toolchain.command[0]
    try:
        done = run_tool([name, "--version"], seconds=_VERSION_SECONDS)
    except subprocess.TimeoutExpired:
        raise UserError(f"--clang {name} is not a Clang: it does not say which version it is") from None
    except OSError as error:
        raise UserError(f"--clang {name} cannot be started: {error.strerror or error}") from None
    match = re.search(r"clang version (\d+)", done.stdout)
    if match is None:
        raise UserError(f"--clang {name} is not a Clang; give the path of one, or leave the option out")
    if "Apple" not in done.stdout and int(match[1]) > LLVM_VERSION:
        raise UserError(
            f"--clang {name} is Clang {match[1]}, and Clew reads code up to LLVM {LLVM_VERSION}; "
            f"name an older one, or leave the option out"
        )


def package_folder(package: str) -> Path | None:
    """Where a package is installed, without importing it."""
    spec = importlib.util.find_spec(package)
    return Path(spec.origin).parent if spec and spec.origin else None


def llvm_identity() -> str:
    """Changes whenever the LLVM that links is replaced: the paths, sizes and times of its library."""
    home = package_folder("llvmlite")
    libraries = sorted((home / "binding").glob("*llvmlite.*")) if home else []
    return "\n".join(f"{file} {status.st_size} {status.st_mtime_ns}" for file in libraries for status in [file.stat()])
