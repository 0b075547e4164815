"""One C file -> LLVM code, through Clang.

The code is what Clang emits *before* any LLVM pass (``-disable-llvm-passes``), so that it has the
source's branches, accesses and variables, one to one. Optimization, where wanted, is ``llvm.py``'s.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from clew.base.command_line import without
from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.pattern import pattern
from clew.frontend.headers import folders_with
from clew.frontend.inputs import Input, InputKind
from clew.frontend.options import CompileOptions
from clew.frontend.process import run_tool
from clew.frontend.target import choose_target, clang_triple, host_target, zig_triple
from clew.frontend.toolchain import Toolchain, compiler_environment

INCLUDE_FOLDER = Path(__file__).parent / "include"

_CODE = [
    *("-O1", "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names", "-g", "-gcolumn-info"),
    # A loop that does nothing for ever must stay: that it ends is no fact an analysis may use.
    "-fno-finite-loops",
    # Contraction into fused operations differs between processors.
    "-ffp-contract=off",
    *("-fno-stack-protector", "-fno-sanitize=all"),
    # Generated code nests deeper than Clang's 256 levels; its stack is enough for about twice as many as these.
    "-fbracket-depth=4096",
]

_MACROS = [
    # Zig defines the first two when it optimizes. They come before the user's flags, who may want them.
    *("-UNDEBUG", "-U_FORTIFY_SOURCE"),
    # Keep the C library's headers from replacing calls by inline code over its internal tables.
    *("-U__OPTIMIZE__", "-D__NO_INLINE__=1", "-D__NO_CTYPE=1"),
]

_LENIENT = [
    # What compilers up to GCC 13 accepted with a warning, and benchmark programs rely on.
    f"-Wno-error={name}"
    for name in (
        "implicit-function-declaration",
        "implicit-int",
        "int-conversion",
        "incompatible-pointer-types",
        "incompatible-function-pointer-types",
        "return-mismatch",
        "date-time",
    )
]
# Warnings and optimizations that only other compilers know.
_LENIENT += ["-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument", "-Wno-unused-command-line-argument"]

_WRAPPING = {"-fwrapv", "-fno-strict-overflow"}
_QUOTED = pattern(r"""['"](-[^'"]+)['"]""")
_PROCESSOR = pattern("available CPUs for|no LLVM CPU feature|unknown target (?:ABI|CPU)|error: unsupported option")
"""What compilers say of flags for another processor, without repeating them."""

_ZIG_NOISE = "zig: warning: argument unused during compilation: '-c' [-Wunused-command-line-argument]\n"


@dataclass(frozen=True, slots=True)
class Unit:
    """A compiled file: where its LLVM code is, and what the compiler said."""

    code: Path
    bitcode: bool
    warnings: str
    ignored: tuple[str, ...] = ()
    """Flags that the compiler does not know, and that were left out."""


def compile_unit(
    source: Input,
    options: CompileOptions,
    toolchain: Toolchain,
    folder: Path,
    stem: str,
    meanwhile: Callable[[], object] | None = None,
) -> Unit:
    """Compile one file to LLVM code in ``folder``; ``UserError`` with Clang's diagnostics if it cannot.

    ``meanwhile`` is called while the compiler is at work.
    """
    bitcode = not toolchain.zig
    code = folder / f"{stem}{'.bc' if bitcode else '.ll'}"
    file, extra = _prepare(source, folder, stem)
    own = () if source.recipe is None else (*source.recipe.flags, "-w")
    flags, ignored = (*own, *options.flags), []
    directory = None if source.recipe is None else source.recipe.directory
    while True:
        command = [*command_line(options, toolchain, flags, bool(own), bitcode), *extra, "-o", str(code), file]
        done = _run(command, folder, meanwhile, directory)
        unknown = _unknown_flags(done.stderr, flags) if done.returncode else set()
        if not unknown:
            break
        ignored += sorted(unknown)
        flags, meanwhile = without(flags, unknown), None
    said = done.stderr.replace(_ZIG_NOISE, "")
    if done.returncode != 0 or not code.exists():
        raise _failure(source.path, options, toolchain, done.returncode, said or done.stdout)
    return Unit(code, bitcode, said, tuple(ignored))


def syntax_tree(source: Input, options: CompileOptions, toolchain: Toolchain, folder: Path, stem: str) -> str:
    """What Clang writes of a C file as JSON, without the bodies of functions; whether it compiles is not the matter."""
    own = () if source.recipe is None else source.recipe.flags
    tree = ["-w", "-Xclang", "-skip-function-bodies", "-Xclang", "-ast-dump=json"]
    file, extra = _prepare(source, folder, stem)
    command = command_line(options, toolchain, (*own, *options.flags), bool(own))
    directory = None if source.recipe is None else source.recipe.directory
    return _run([*command, *tree, *extra, "-o", str(folder / stem), file], folder, None, directory).stdout


def _unknown_flags(said: str, flags: Sequence[str]) -> set[str]:
    """Of the flags, those that made the compiler fail because it does not know them, or not for this target."""
    errors = "\n".join(line for line in said.splitlines() if "error:" in line)
    named = {name for name in _QUOTED.findall(errors) if name in flags}
    if named or not _PROCESSOR.search(said):
        return named
    return {flag for flag in flags if flag.startswith("-m") and flag not in ("-m32", "-m64")}


def command_line(
    options: CompileOptions, toolchain: Toolchain, flags: Sequence[str], built: bool = False, bitcode: bool = False
) -> list[str]:
    """The compiler's command up to the file names; ``built`` says that the flags are those of a build."""
    triple = choose_target(options)
    # Text of the very same LLVM version needs no upgrade; that of an older Clang does, and bitcode is made for it.
    # Key instructions (new in Clang 22, on by default) number every position and so double the debug info.
    emit = ["-c" if bitcode else "-S", "-emit-llvm", *(["-gno-key-instructions"] if toolchain.zig else [])]
    installed = system_folders(triple)
    return [
        *toolchain.command,
        "-target",
        zig_triple(triple) + (_library_version(triple) if built else "") if toolchain.zig else clang_triple(triple),
        *_CODE,
        *_sanitizers(options, flags),
        *_MACROS,
        *_LENIENT,
        *_without_folders(flags, installed),
        # After the user's folders, and not -isystem: Zig's own headers would come before those.
        "-I",
        str(INCLUDE_FOLDER),
        # After the C library's, which is Zig's.
        *(word for folder in installed for word in ("-idirafter", folder)),
        *emit,
    ]


def _library_version(triple: str) -> str:
    """The version of this machine's C library, as a part of a triple of Zig: what a build was configured for.

    Which functions the headers declare depends on it: a project defines those itself that it found missing.
    """
    name, _, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")
    return f".{version}" if name == "glibc" and triple == host_target() else ""


def _sanitizers(options: CompileOptions, flags: Sequence[str]) -> list[str]:
    """Flags for checks; overflow that a file's own build defines is none."""
    wrapping = not _WRAPPING.isdisjoint(flags)
    names = [name for name in options.sanitize if not (wrapping and name == "signed-integer-overflow")]
    return [f"-fsanitize={','.join(names)}", "-fsanitize-trap=all", "-fno-sanitize-merge"] if names else []


def system_folders(triple: str) -> list[str]:
    """Where the headers of installed libraries are, as the system's compilers know it."""
    multiarch = clang_triple(zig_triple(triple))
    folders = ("/usr/local/include", f"/usr/include/{multiarch}", "/usr/include")
    return [folder for folder in folders if os.path.isdir(folder)]  # noqa: PTH112


def _without_folders(flags: Sequence[str], folders: Sequence[str]) -> list[str]:
    """The flags without ``-I`` of the system's folders: as GCC does, since they would come before the C library's."""
    result: list[str] = []
    rest = iter(flags)
    for flag in rest:
        name = next((option for option in ("-I", "-isystem") if flag.startswith(option)), None)
        words = [flag, next(rest, "")] if flag == name else [flag]
        folder = "".join(words).removeprefix(name or "")
        if name is None or os.path.normpath(folder) not in folders:
            result += words
    return result


def _run(
    command: list[str], folder: Path, meanwhile: Callable[[], object] | None, directory: Path | None
) -> subprocess.CompletedProcess[str]:
    try:
        return run_tool(command, compiler_environment(folder), meanwhile=meanwhile, directory=directory)
    except OSError as error:
        if directory is not None and not directory.is_dir():
            raise UserError(f"{directory}, where the build compiles, is gone; configure the build again") from None
        raise UserError(f"the compiler {command[0]} cannot be started: {error.strerror or error}") from None


def _prepare(source: Input, folder: Path, stem: str) -> tuple[str, list[str]]:
    """The file to hand to the compiler, and flags that go with it.

    A preprocessed file is compiled as C with its line markers blanked out, so that positions are
    those in the file the user has, and without warnings, which would mostly be about its headers.
    """
    name = str(source.path if source.recipe is None else source.path.absolute())
    if source.kind is InputKind.C:
        return (name if not name.startswith("-") else f"./{name}"), ["-x", "c"]
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    text = re.sub(rb"(?m)^[ \t]*#[ \t]*(?:line[ \t]+)?\d+.*$", b"", source.content)
    copy = folder / f"{stem}.c"
    copy.write_bytes(f'# 1 "{quoted}"\n'.encode() + text)
    return str(copy), ["-x", "c", "-w", f"-fdebug-prefix-map={copy}={name}"]


def _failure(path: Path, options: CompileOptions, toolchain: Toolchain, status: int, said: str) -> UserError:
    if status < 0:
        return UserError(f"the compiler crashed on {path} (signal {-status}); try another one with --clang PATH", said)
    if options.target and re.search(r"error: (unknown architecture|unable to parse target|unknown target)", said):
        advice = "give one such as x86_64-linux-gnu, aarch64-linux-gnu or x86-linux-gnu"
        reasons = "".join(line for line in said.splitlines(keepends=True) if line.startswith("error:"))
        return UserError(f"--target {options.target} is not known to the compiler; {advice}", reasons)
    missing = re.search(r"error: '([^'\n]+)' file not found", said)
    folders = folders_with(missing[1], path.parent) if missing else []
    if missing and folders:
        flags = " or ".join(shlex.quote(f"-I{folder}") for folder in folders)
        return UserError(f"{path} does not compile; {missing[1]} is found with {flags}", said)
    return UserError(f"{path} does not compile; correct what the compiler says below, or pass it flags after --", said)


def working_folder() -> tempfile.TemporaryDirectory[str]:
    """A private folder for the files of one compilation, removed on exit."""
    try:
        return tempfile.TemporaryDirectory(prefix="clew-", ignore_cleanup_errors=True)
    except OSError as error:
        raise UserError(
            f"cannot create temporary files: {error.strerror or error}; set TMPDIR to a folder you can write to"
        ) from None
