"""The code of a program and the runtime -> a library of machine code, by the Clang of the wheel; cached."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from clew.base.errors import Unsupported
from clew.frontend.cache import Cache, digest
from clew.frontend.compiler import working_folder
from clew.frontend.process import run_tool
from clew.frontend.target import host_target, zig_triple
from clew.frontend.toolchain import find_toolchain, llvm_identity
from clew.native.library import SOURCES

PROCESSORS = ("x86_64", "aarch64")
_FLAGS = (
    *("-fPIC", "-O2", "-w"),
    # The runtime is no program to be checked, and it looks at memory of any type.
    *("-fno-sanitize=all", "-fno-builtin", "-fno-strict-aliasing", "-fno-stack-protector"),
)


def check_host(triple: str, pointer_bits: int) -> None:
    """Unsupported unless code for this target runs here."""
    host = zig_triple(host_target()).split("-")[0]
    if triple.split("-")[0] != host or pointer_bits != 64 or host not in PROCESSORS:
        raise Unsupported(f"native runs of a program for {triple or 'no known target'}")


def build_library(text: str, cache: Cache | None, level: str = "-O2") -> bytes:
    """The library; Unsupported, with what the compiler says, where it cannot be made. ``level``: of optimization."""

    def link(folder: Path, library: Path) -> None:
        code, runtime = folder / "program.ll", folder / "runtime.o"
        code.write_text(text, encoding="utf-8")
        runtime.write_bytes(_runtime(cache))
        _compile([level, "-shared", "-nostdlib", str(code), str(runtime), "-o", str(library)], folder)

    return _made(text.encode() + digest(_runtime_sources()).encode() + level.encode(), link, cache)


def _runtime(cache: Cache | None) -> bytes:
    """The runtime, as one object: the same for all programs."""
    sources = [str(source) for source in sorted(SOURCES.glob("*.c"))]
    return _made(
        _runtime_sources(),
        lambda folder, made: _compile(["-c", f"-I{SOURCES}", *sources, "-o", str(made)], folder),
        cache,
    )


def _runtime_sources() -> bytes:
    return b"\0".join(source.read_bytes() for source in sorted(SOURCES.glob("*.[ch]")))


def _made(content: bytes, make: Callable[[Path, Path], None], cache: Cache | None) -> bytes:
    """What is made of this content, from the cache if it is there."""
    key = digest(b"\0".join([b"native", llvm_identity().encode(), " ".join(_FLAGS).encode(), content]))
    stored = cache.get(key) if cache is not None else None
    if stored is not None:
        return stored
    with working_folder() as name:
        made = Path(name) / "made"
        make(Path(name), made)
        data = made.read_bytes()
    if cache is not None:
        cache.put(key, data)
    return data


def _compile(words: list[str], folder: Path) -> None:
    """Run the compiler in a folder."""
    command = [*find_toolchain(None).command, "-target", zig_triple(host_target()), *_FLAGS, *words]
    environment = {
        **os.environ,
        "ZIG_GLOBAL_CACHE_DIR": str(folder / "zig"),
        "ZIG_LOCAL_CACHE_DIR": str(folder / "zig"),
    }
    done = run_tool(command, environment, directory=folder)
    if done.returncode != 0:
        raise Unsupported(f"native code of this program: {done.stderr.strip()[:500]}")
