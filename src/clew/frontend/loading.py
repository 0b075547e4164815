"""Files -> program: the front end from end to end, on one page.

Each C file is compiled, everything is linked, read into our IR, and its local variables are promoted to registers. LLVM
optimizes nothing: every branch and access to memory is that of the source.

The cache stands behind the compiler, which runs every time: a program is known by the code that the compiler wrote, so
that nobody has to know what the compiler looks at. The cache saves what takes long (linking, reading, promotion), and
their modules are imported only where they are used.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import clew
from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.garbage import no_collection
from clew.frontend.cache import Cache, digest
from clew.frontend.inputs import Input, InputKind, LlvmCode, read_inputs
from clew.frontend.options import CompileOptions
from clew.frontend.storage import dump, restore
from clew.frontend.target import choose_target, zig_triple
from clew.frontend.toolchain import Toolchain, find_toolchain, llvm_identity
from clew.program.module import Program

if TYPE_CHECKING:
    from clew.frontend.compiler import Unit

_OWN_FOLDERS = ("analysis", "base", "frontend", "program")
"""The packages that a program depends on."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """How code becomes a program."""

    plain: bool
    """It is one file fresh from the Clang of our own LLVM version: nothing to link or upgrade."""
    aligned: bool
    """Accesses are checked for the alignment of their C types."""
    apart: bool = False
    """Names that several files define are each one's own."""
    seen_from: str = ""
    """The folder that names of files are relative to, where builds compile files in other folders; else empty."""


def load(
    files: Sequence[Path],
    options: CompileOptions,
    cache: Cache | None,
    warn: Callable[[str], None] | None = None,
    meanwhile: Callable[[], object] | None = None,
    as_declared: bool = False,
) -> Program:
    """The program made of ``files`` (``.c``, ``.i``, ``.ll``, ``.bc``).

    ``warn`` gets the compiler's warnings, as it wrote them. ``meanwhile`` is called, once at most, while compilers are
    at work: to do what can be done by then. ``as_declared``: with what declarations promise that code does not show,
    for whoever calls functions. Raises ``UserError`` for everything that is wrong with the
    files, the options or the code in them.
    """
    from clew.frontend.compiler import working_folder

    inputs = read_inputs(files, options.recipes)
    toolchain = find_toolchain(options.clang) if any(item.is_source for item in inputs) else None
    _check_folder()
    with working_folder() as name:
        codes, notes = _compiled(inputs, options, toolchain, Path(name), meanwhile)
        program = _read(codes, _reading(codes, options, toolchain), cache, Path(name))
        if as_declared:
            from clew.frontend.declarations import with_declarations

            program = with_declarations(program, inputs, options, toolchain, Path(name))
    _check_target(program.triple, inputs, options)
    if warn is not None:
        for note in notes:
            warn(note)
    return program


def _reading(codes: Sequence[LlvmCode], options: CompileOptions, toolchain: Toolchain | None) -> _Reading:
    wanted = "alignment" in options.sanitize and not any(flag.startswith("-fno-sanitize") for flag in options.flags)
    here = os.getcwd() if any(options.recipes) else ""  # noqa: PTH109
    plain = len(codes) == 1 and toolchain is not None and toolchain.zig and not codes[0].bitcode
    return _Reading(plain, wanted, options.apart, here)


def _check_folder() -> None:
    try:
        Path.cwd()
    except OSError:
        raise UserError("the current directory no longer exists; change to one that does") from None


def _compiled(
    inputs: Sequence[Input],
    options: CompileOptions,
    toolchain: Toolchain | None,
    folder: Path,
    meanwhile: Callable[[], object] | None,
) -> tuple[list[LlvmCode], list[str]]:
    """The LLVM code of each input, and what there is to say about them."""
    from clew.frontend.units import Compiled, compile_all, kept_code

    kept = {number: code for number, item in enumerate(inputs) if (code := kept_code(item, options, folder, number))}
    sources = [(number, item) for number, item in enumerate(inputs) if item.is_source and number not in kept]
    made = compile_all(sources, options, toolchain, folder, meanwhile) if toolchain and sources else Compiled()
    codes = []
    for number, item in enumerate(inputs):
        if number in kept:
            codes.append(kept[number])
        elif number in made.units:
            unit = made.units[number]
            codes.append(LlvmCode(unit.code, str(item.path), unit.bitcode, _unit_digest(item, unit, folder)))
        elif not item.is_source:
            # A copy, so that what is read later is what the digest is of.
            copy = folder / f"input{number}"
            copy.write_bytes(item.content)
            codes.append(LlvmCode(copy, str(item.path), item.kind is InputKind.BITCODE, digest(item.content)))
    return codes, made.notes


def _unit_digest(source: Input, unit: Unit, folder: Path) -> str | None:
    """The code of a preprocessed file quotes the folder of this run, which can be taken out of text only."""
    content = unit.code.read_bytes()
    if source.kind is InputKind.PREPROCESSED:
        return None if unit.bitcode else digest(content.replace(os.fsencode(folder), b""))
    return digest(content)


def _read(codes: Sequence[LlvmCode], how: _Reading, cache: Cache | None, folder: Path) -> Program:
    """The program that the code makes up, from the cache if it is there."""
    if any(code.digest is None for code in codes):
        with no_collection():
            return _build(codes, how, folder)
    key = _key(codes, how)
    if cache is None:
        with no_collection():
            return replace(_build(codes, how, folder), digest=key)
    stored = cache.get(key)
    program = restore(stored) if stored is not None else None
    if program is None:
        with no_collection():
            program = _build(codes, how, folder)
            data = dump(program)
        if data is not None:
            cache.put(key, data)
    return replace(program, digest=key)


def _key(codes: Sequence[LlvmCode], how: _Reading) -> str:
    """A digest of everything the program depends on."""
    linker = None if how.plain else llvm_identity()
    content = [(code.bitcode, code.digest) for code in codes]
    return digest(json.dumps([_own_identity(), linker, how.aligned, how.apart, how.seen_from, content]).encode())


@functools.cache
def _own_identity() -> str:
    """Changes with the code that reads and represents programs, so that no entry outlives it.

    Looked at once: what is on the disk later is not what this process runs.
    """
    package = Path(clew.__file__).parent
    files = sorted(file for name in _OWN_FOLDERS for file in (package / name).rglob("*.py"))
    return digest(b"".join(bytes.fromhex(digest(file.read_bytes())) for file in files))


def _build(codes: Sequence[LlvmCode], how: _Reading, folder: Path) -> Program:
    """Link, read, promote."""
    from clew.frontend.alignment import check_alignment
    from clew.frontend.bounds import explain_bounds
    from clew.frontend.promote import promote
    from clew.frontend.reader import read_module
    from clew.frontend.units import seen_from

    text = _llvm_text(codes, how, folder)
    if how.seen_from:
        text = seen_from(text, how.seen_from)
    _check_layout(text, codes)
    program = read_module(text)
    if how.aligned:
        program = check_alignment(program, text)
    return promote(explain_bounds(program))


def _llvm_text(codes: Sequence[LlvmCode], how: _Reading, folder: Path) -> str:
    if how.plain:
        return codes[0].path.read_text(encoding="utf-8", errors="surrogateescape")
    from clew.frontend.llvm import link_modules

    return link_modules(codes, folder, how.apart)


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


def _check_layout(text: str, codes: Sequence[LlvmCode]) -> None:
    if 'target datalayout = "E' in text[:10_000]:
        names = ", ".join(code.name for code in codes)
        raise UserError(f"{names}: the target is big-endian, which Clew does not model; choose another with --target")
