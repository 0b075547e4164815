"""Files -> program: the front end from end to end, on one page.

``load`` answers from the cache if it can. Otherwise each C file is compiled, everything is linked,
read into our IR, and its local variables are promoted to registers. LLVM optimizes nothing: every
branch and access to memory is that of the source. The cold path's modules are imported only when it
is taken: a warm start has to be quick.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import clew.base
import clew.program
from clew.base.errors import UserError
from clew.base.garbage import no_collection
from clew.frontend.cache import Cache, digest
from clew.frontend.inputs import Input, InputKind, read_inputs
from clew.frontend.options import CompileOptions
from clew.frontend.storage import dump, restore
from clew.frontend.target import choose_target, zig_triple
from clew.frontend.toolchain import Toolchain, file_identity, find_toolchain, llvm_identity
from clew.program.module import Program

if TYPE_CHECKING:
    from clew.frontend.compiler import Unit

_ENVIRONMENT = ("CPATH", "C_INCLUDE_PATH", "SDKROOT")
"""Variables that change what Clang includes."""


def load(
    files: Sequence[Path],
    options: CompileOptions,
    cache: Cache | None,
    warn: Callable[[str], None] | None = None,
) -> Program:
    """The program made of ``files`` (``.c``, ``.i``, ``.ll``, ``.bc``).

    ``warn`` gets the compiler's warnings, as it wrote them, from the cache too. Raises ``UserError``
    for everything that is wrong with the files, the options or the code in them.
    """
    inputs = read_inputs(files)
    toolchain = find_toolchain(options.clang) if any(item.is_source for item in inputs) else None
    key = _key(inputs, options, toolchain)
    stored = cache.get(key) if cache is not None else None
    known = restore(stored) if stored is not None else None
    if known is None:
        started = time.time()
        with no_collection():
            program, warnings, dependencies = _build(inputs, options, toolchain)
            if cache is not None:
                cache.put(key, dump(program, warnings), dependencies, since=started)
    else:
        program, warnings = known
    if warnings and warn is not None:
        warn(warnings.rstrip("\n"))
    return program


def _key(inputs: Sequence[Input], options: CompileOptions, toolchain: Toolchain | None) -> str:
    """A digest of everything the result depends on, but for included headers: those the entry itself knows."""
    parts = [
        _own_identity(),
        _current_folder(),
        [os.environ.get(name) for name in _ENVIRONMENT],
        [options.flags, choose_target(options), options.sanitize],
        toolchain.identity if toolchain else None,
        llvm_identity(),
        [(str(item.path), item.kind.value, digest(item.content)) for item in inputs],
    ]
    return digest(json.dumps(parts).encode("utf-8", "surrogatepass"))


def _current_folder() -> str:
    try:
        return str(Path.cwd())
    except OSError:
        raise UserError("the current directory no longer exists; change to one that does") from None


def _own_identity() -> str:
    """Changes with the code that reads and represents programs, so that no entry outlives it."""
    folders = [Path(__file__).parent, *(Path(path) for path in (*clew.program.__path__, *clew.base.__path__))]
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in (".py", ".h")]
    return digest("\n".join(file_identity(file) for file in sorted(files)).encode())


def _build(
    inputs: Sequence[Input], options: CompileOptions, toolchain: Toolchain | None
) -> tuple[Program, str, list[Path]]:
    """Compile, link, read, promote. Returns the program, warnings, and the files it was made of."""
    from clew.frontend.alignment import check_alignment
    from clew.frontend.bounds import explain_bounds
    from clew.frontend.compiler import working_folder
    from clew.frontend.promote import promote
    from clew.frontend.reader import read_module

    with working_folder() as name:
        text, warnings, dependencies = _llvm_text(inputs, options, toolchain, Path(name))
    _check_layout(text, inputs)
    program = read_module(text)
    _check_target(program.triple, inputs, options)
    if "alignment" in options.sanitize and not any(flag.startswith("-fno-sanitize") for flag in options.flags):
        program = check_alignment(program, text)
    return promote(explain_bounds(program)), warnings, dependencies


def _llvm_text(
    inputs: Sequence[Input], options: CompileOptions, toolchain: Toolchain | None, folder: Path
) -> tuple[str, str, list[Path]]:
    from clew.frontend.llvm import LlvmInput, link_modules

    units = _compile_all([item for item in inputs if item.is_source], options, toolchain, folder)
    modules, warnings, dependencies = [], "", []
    for item in inputs:
        dependencies.append(item.path)
        if item.is_source:
            unit = units[item.path]
            warnings += unit.warnings
            dependencies += unit.dependencies
            modules.append(LlvmInput(unit.code, str(item.path), unit.bitcode))
        else:
            modules.append(LlvmInput(item.path, str(item.path), item.kind is InputKind.BITCODE))
    if len(inputs) == 1 and toolchain is not None and toolchain.zig:
        # One file fresh from the Clang of our own LLVM version: nothing to link or upgrade.
        text = modules[0].path.read_text(encoding="utf-8", errors="surrogateescape")
    else:
        text = link_modules(modules, folder)
    return text, warnings, dependencies


def _compile_all(
    sources: Sequence[Input], options: CompileOptions, toolchain: Toolchain | None, folder: Path
) -> dict[Path, Unit]:
    """Compile the C files, several at a time."""
    from concurrent.futures import ThreadPoolExecutor

    from clew.frontend.compiler import compile_unit
    from clew.frontend.process import kill_tools
    from clew.frontend.toolchain import check_clang_version

    if toolchain is None:
        return {}
    if not toolchain.zig:
        check_clang_version(toolchain)
    if len(sources) == 1:
        return {sources[0].path: compile_unit(sources[0], options, toolchain, folder, "unit0")}
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        jobs = [
            pool.submit(compile_unit, item, options, toolchain, folder, f"unit{number}")
            for number, item in enumerate(sources)
        ]
        try:
            return {item.path: job.result() for item, job in zip(sources, jobs, strict=True)}
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            kill_tools()
            raise


def _check_target(triple: str, inputs: Sequence[Input], options: CompileOptions) -> None:
    """A target cannot be chosen for what is compiled already."""
    compiled = [item for item in inputs if not item.is_source]
    if not compiled or not triple or (options.target is None and options.data_model is None):
        return
    wanted = choose_target(options)
    if zig_triple(triple).split("-")[0] != zig_triple(wanted).split("-")[0]:
        raise UserError(
            f"{compiled[0].path} is compiled for {triple}, not for {wanted}; "
            "leave out --target and --data-model, or compile it again"
        )


def _check_layout(text: str, inputs: Sequence[Input]) -> None:
    if 'target datalayout = "E' in text[:10_000]:
        names = ", ".join(str(item.path) for item in inputs)
        raise UserError(f"{names}: the target is big-endian, which Clew does not model; choose another with --target")
