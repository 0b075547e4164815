"""Files -> program: the front end from end to end, on one page.

Each C file is compiled, read into our IR, and its local variables are promoted to registers; then all of it is linked.
LLVM optimizes nothing: every branch and access to memory is that of the source.

The cache stands behind the compiler, which runs every time: a file is known by the code that the compiler wrote, so
that nobody has to know what the compiler looks at. The cache saves what takes long (reading, promotion), file by file,
and their modules are imported only where they are used.
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
from clew.base.cache import Cache, digest
from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.frontend.inputs import Input, InputKind, LlvmCode, read_inputs
from clew.frontend.linking import link
from clew.frontend.options import CompileOptions
from clew.frontend.storage import restore, restore_file
from clew.frontend.target import choose_target, zig_triple
from clew.frontend.toolchain import Toolchain, find_toolchain, llvm_identity
from clew.program.module import Program

if TYPE_CHECKING:
    from clew.frontend.building import TextFile
    from clew.frontend.compiler import Unit

_OWN_FOLDERS = ("analysis", "base", "frontend", "program")
"""The packages that a program depends on."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """How code becomes a program."""

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
        program = _read(codes, _reading(options), cache, Path(name))
        if as_declared:
            from clew.frontend.declarations import with_declarations

            program = with_declarations(program, inputs, options, toolchain, Path(name))
    _check_target(program.triple, inputs, options)
    if warn is not None:
        for note in notes:
            warn(note)
    return program


def _reading(options: CompileOptions) -> _Reading:
    wanted = "alignment" in options.sanitize and not any(flag.startswith("-fno-sanitize") for flag in options.flags)
    here = os.getcwd() if any(options.recipes) else ""  # noqa: PTH109
    return _Reading(wanted, options.apart, here)


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
    made = Compiled()
    if toolchain and sources:
        made = compile_all(sources, options, toolchain, folder, functools.partial(_use_the_time, meanwhile))
    codes = []
    for number, item in enumerate(inputs):
        if number in kept:
            codes.append(kept[number])
        elif number in made.units:
            unit = made.units[number]
            known = _unit_digest(item, unit, folder)
            codes.append(LlvmCode(unit.code, str(item.path), unit.bitcode, known, not unit.bitcode))
        elif not item.is_source:
            # A copy, so that what is read later is what the digest is of.
            copy = folder / f"input{number}"
            copy.write_bytes(item.content)
            codes.append(LlvmCode(copy, str(item.path), item.kind is InputKind.BITCODE, digest(item.content)))
    return codes, made.notes


def _use_the_time(meanwhile: Callable[[], object] | None) -> None:
    """While compilers are at work: what keys of the cache need, and what the caller has to do."""
    own_identity()
    if meanwhile is not None:
        meanwhile()


def _unit_digest(source: Input, unit: Unit, folder: Path) -> str | None:
    """The code of a preprocessed file quotes the folder of this run, which can be taken out of text only."""
    content = unit.code.read_bytes()
    if source.kind is InputKind.PREPROCESSED:
        return None if unit.bitcode else digest(content.replace(os.fsencode(folder), b""))
    return digest(content)


def _read(codes: Sequence[LlvmCode], how: _Reading, cache: Cache | None, folder: Path) -> Program:
    """The program that the code makes up, with a digest of all that it depends on, if that is known."""
    program = _assembled(codes, how, cache, folder)
    if any(code.digest is None for code in codes):
        return program
    parts = [how.apart, *(_key(code, how) for code in codes)]
    return replace(program, digest=digest(json.dumps(parts).encode()))


def _assembled(codes: Sequence[LlvmCode], how: _Reading, cache: Cache | None, folder: Path) -> Program:
    """File by file from the cache, where it is there, and linked."""
    keys = [None if cache is None or code.digest is None else _key(code, how) for code in codes]
    found = [cache.get(key) if cache is not None and key is not None else None for key in keys]
    files = [None if data is None else restore_file(data) for data in found]
    missing = [number for number, file in enumerate(files) if file is None]
    if len(codes) == 1:
        program = None if files[0] is None else restore(files[0].code)
        return _build(codes[0], keys[0], how, cache, folder) if program is None else program
    if missing:
        made = _build_all([codes[number] for number in missing], how, folder)
        if cache is not None:
            cache.put_all({key: data for number, data in zip(missing, made, strict=True) if (key := keys[number])})
        for number, data in zip(missing, made, strict=True):
            files[number] = restore_file(data)
    program = link([file for file in files if file is not None], [code.name for code in codes], how.apart)
    return program if program is not None else _assembled(codes, how, None, folder)


def _key(code: LlvmCode, how: _Reading) -> str:
    """A digest of everything that a file's part of a program depends on."""
    written_by = None if code.plain else llvm_identity()
    content = [own_identity(), written_by, how.aligned, how.seen_from, code.bitcode, code.digest]
    return digest(json.dumps(content).encode())


@functools.cache
def own_identity() -> str:
    """Changes with the code that reads and represents programs, so that no entry outlives it.

    Looked at once: what is on the disk later is not what this process runs.
    """
    package = Path(clew.__file__).parent
    folders = (folder for name in _OWN_FOLDERS for folder in os.walk(package / name))
    files = sorted(f"{folder}/{name}" for folder, _, names in folders for name in names if name.endswith(".py"))
    return digest(b"\0".join(Path(file).read_bytes() for file in files))


def _build(code: LlvmCode, key: str | None, how: _Reading, cache: Cache | None, folder: Path) -> Program:
    """The program that one file is by itself; the cache gets it."""
    from clew.frontend.building import Manner, build, stored

    (file,) = _texts([code], folder)
    program, symbols = build(file, Manner(how.aligned, how.seen_from))
    data = None if cache is None or key is None else stored(program, symbols)
    if cache is not None and key is not None and data is not None:
        cache.put_all({key: data})
    return program


def _build_all(codes: Sequence[LlvmCode], how: _Reading, folder: Path) -> list[bytes]:
    """Files that are to be linked, ready for that."""
    from clew.frontend.building import Manner, build_all

    return build_all(_texts(codes, folder), Manner(how.aligned, how.seen_from), folder)


def _texts(codes: Sequence[LlvmCode], folder: Path) -> list[TextFile]:
    """The code as the text that our LLVM writes."""
    from clew.frontend.building import TextFile
    from clew.frontend.llvm import text_files

    others = [code for code in codes if not code.plain]
    written = dict(zip(others, text_files(others, folder), strict=True)) if others else {}
    return [TextFile(written.get(code, code.path), code.name) for code in codes]


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
