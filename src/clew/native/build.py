"""The code of a program and the runtime -> a library of machine code, by the Clang of the wheel; cached."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from clew.base.cache import Cache, digest
from clew.base.errors import Unsupported, UserError
from clew.frontend.compiler import working_folder
from clew.frontend.process import Tool
from clew.frontend.target import host_target, zig_triple
from clew.frontend.toolchain import compiler_environment, find_toolchain, llvm_identity
from clew.native.library import SOURCES, runtime_sources

PROCESSORS = ("x86_64", "aarch64")
_FLAGS = (
    *("-fPIC", "-O2", "-w"),
    # The runtime is no program to be checked, and it looks at memory of any type.
    *("-fno-sanitize=all", "-fno-builtin", "-fno-strict-aliasing", "-fno-stack-protector"),
)


def check_host(triple: str, pointer_bits: int) -> None:
    """Unsupported unless code for this target runs here."""
    host = zig_triple(host_target()).split("-")[0]
    if sys.platform != "linux":
        raise Unsupported("native runs on this system")
    if triple.split("-")[0] != host or pointer_bits != 64 or host not in PROCESSORS:
        raise Unsupported(f"native runs of a program for {triple or 'no known target'}")


class Building:
    """A library in the making: the compiler is at work beside the caller, until ``finish`` or ``stop``.

    What the cache has is not made again. Unsupported where the compiler cannot be started.
    """

    def __init__(self, text: str, cache: Cache | None, level: str = "-O2") -> None:
        """``level``: of optimization."""
        self._cache = cache
        self._level = level
        self._key = _key(text.encode() + digest(runtime_sources()).encode() + level.encode())
        self._stored = cache.get(self._key) if cache is not None else None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._tools: list[Tool] = []
        if self._stored is None:
            try:
                self._begin(text)
            except (OSError, UserError) as problem:
                self.stop()
                raise _impossible(problem) from None

    @property
    def is_at_work(self) -> bool:
        """Whether the compiler was needed."""
        return self._stored is None

    def finish(self) -> bytes:
        """The library; Unsupported, with what the compiler says, where it cannot be made."""
        if self._stored is None:
            try:
                self._stored = self._linked()
            except (OSError, UserError) as problem:
                raise _impossible(problem) from None
            finally:
                self.stop()
        return self._stored

    def stop(self) -> None:
        """Nothing is made any more, and nothing is left."""
        for tool in self._tools:
            tool.stop()
        self._tools.clear()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _begin(self, text: str) -> None:
        self._folder = working_folder()
        folder = Path(self._folder.name)
        (folder / "program.ll").write_text(text, encoding="utf-8")
        self._tools.append(_compiler([self._level, "-c", "program.ll", "-o", "program.o"], folder))
        self._runtime_key = _key(runtime_sources())
        runtime = self._cache.get(self._runtime_key) if self._cache is not None else None
        if runtime is not None:
            (folder / "runtime.o").write_bytes(runtime)
        else:
            sources = [str(source) for source in sorted(SOURCES.glob("*.c"))]
            self._tools.append(_compiler(["-c", f"-I{SOURCES}", *sources, "-o", "runtime.o"], folder))

    def _linked(self) -> bytes:
        assert self._folder is not None
        folder, compiled_runtime = Path(self._folder.name), len(self._tools) > 1
        while self._tools:
            _check(self._tools.pop())
        _check(_compiler(["-shared", "-nostdlib", "program.o", "runtime.o", "-o", "library"], folder))
        data = (folder / "library").read_bytes()
        if self._cache is not None:
            self._cache.put(self._key, data)
            if compiled_runtime:
                self._cache.put(self._runtime_key, (folder / "runtime.o").read_bytes())
        return data


def _key(content: bytes) -> str:
    """Of what is made of this content, in the cache."""
    return digest(b"\0".join([b"native", llvm_identity().encode(), " ".join(_FLAGS).encode(), content]))


def _compiler(words: list[str], folder: Path) -> Tool:
    """The compiler at work in a folder."""
    command = [*find_toolchain(None).command, "-target", zig_triple(host_target()), *_FLAGS, *words]
    return Tool(command, compiler_environment(folder), folder)


def _check(tool: Tool) -> None:
    done = tool.finish()
    if done.returncode != 0:
        raise _impossible(done.stderr.strip()[:500])


def _impossible(why: object) -> Unsupported:
    return Unsupported(f"native code of this program: {why}")
