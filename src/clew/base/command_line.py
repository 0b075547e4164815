"""A compiler's command line, taken apart: what it compiles, what it makes, and the flags that say what the code means.

Flags that only say how to optimize, link, warn, or where to write things are left out: so those of a build can be
given to another compiler, and pasted into a command of ours. Unknown flags stay; the compiler is asked about them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import PurePath

from clew.base.dataclass import dataclass

VALUED = frozenset(
    """-o -x -I -D -U -L -l -F -T -u -e -z -A -G -B -V -b -include -imacros -isystem -iquote -idirafter -iprefix
    -iwithprefix -iwithprefixbefore -isysroot -imultilib -iframework -MF -MT -MQ -MJ -Xclang -Xlinker -Xassembler
    -Xpreprocessor -arch -target -rpath -framework -aux-info --param -mllvm --sysroot -working-directory -wrapper
    -specs -install_name -current_version -compatibility_version""".split()
)
"""Flags whose value may be the next word."""

_IGNORED = frozenset(
    """-c -r -s -v -p -pg -pipe -static -shared -rdynamic -pie -no-pie -static-pie -nostdlib -nodefaultlibs
    -nostartfiles -nolibc -coverage --coverage -Qunused-arguments -Werror -pedantic-errors -Wfatal-errors
    -fopenmp -finstrument-functions -fwhole-program -fsyntax-only -E -S -emit-llvm -ftest-coverage -fno-lto""".split()
)
_IGNORED_PREFIXES = tuple(
    """-O -g -l -L -M -T -z -Wl, -Wa, -Wp,-M -Wp,-D_FORTIFY_SOURCE -Werror= -Wno-error -flto -fprofile -fsanitize=
    -fplugin -fuse-ld= -fuse-linker -fdiagnostics -fmessage-length -save-temps -specs= -rpath -fdebug-prefix-map
    -static-lib -D_FORTIFY_SOURCE --param -Xlinker -Xassembler -aux-info -wrapper -framework -install_name""".split()
)
_IGNORED_VALUED = frozenset("-o -x -u -e -B -V -b -G -A -current_version -compatibility_version".split())
_INCLUDING = ("-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros")
_NO_CODE = frozenset("-E -S -M -MM -fsyntax-only -### -emit-llvm --version --help -dumpversion -dumpmachine".split())
_C = frozenset({".c", ".i"})
_OTHER = frozenset({".s", ".S", ".sx", ".asm", ".cc", ".cpp", ".cxx", ".c++", ".C", ".ii", ".m", ".mm", ".f", ".f90"})


@dataclass(frozen=True, slots=True)
class CommandLine:
    """What one call of a compiler is for."""

    sources: tuple[str, ...] = ()
    """The C files it compiles."""
    others: tuple[str, ...] = ()
    """Files of other languages that it compiles: assembler, C++."""
    output: str | None = None
    """As ``-o`` says; None for the compiler's default."""
    flags: tuple[str, ...] = ()
    """Those that matter to what the code means."""
    objects_only: bool = False
    """``-c``: every source becomes an object of its own."""
    makes_code: bool = True
    """Whether objects or programs are made: it does not only preprocess, print or ask."""
    reads_input: bool = False
    """Whether a source comes from standard input."""


def parse_command(words: Sequence[str]) -> CommandLine:
    """Take apart the words after the compiler's name; those in response files must be in place already."""
    files: list[tuple[str, str]] = []
    flags: list[str] = []
    output = None
    language = "none"
    for flag, value in _pairs(words):
        if flag == "-o":
            output = value
        elif flag.startswith("-x") and (value or len(flag) > 2):
            language = value or flag[2:]
        elif flag == "-" or not flag.startswith("-"):
            files.append((flag, language))
        elif not _is_ignored(flag, value):
            flags += [flag] if value is None else [flag, value]
    return CommandLine(
        tuple(file for file, spoken in files if file != "-" and _is_c(file, spoken)),
        tuple(file for file, spoken in files if file != "-" and _is_other(file, spoken)),
        output,
        tuple(flags),
        "-c" in words,
        not any(word in _NO_CODE or word.startswith("-print-") for word in words),
        any(file == "-" for file, _ in files),
    )


def meaningful(flags: Sequence[str]) -> tuple[str, ...]:
    """Of flags as a user pastes them, those that matter to what the code means."""
    return parse_command(flags).flags


def without(flags: Sequence[str], unwanted: Collection[str]) -> tuple[str, ...]:
    """The flags but for those, or those with such a value."""
    kept = (pair for pair in _pairs(flags) if not set(pair) & set(unwanted))
    return tuple(word for pair in kept for word in pair if word is not None)


def relocated(flags: Sequence[str], place: Callable[[str], str]) -> Iterator[str]:
    """The flags, with other names for the folders and files to include that they name."""
    rest = iter(flags)
    for flag in rest:
        name = next((name for name in _INCLUDING if flag.startswith(name)), None)
        if name is None or flag.startswith(f"{name}-"):  # -include-pch is another one
            yield flag
        else:
            path = place(flag.removeprefix(name) or next(rest, ""))
            yield from (name, path) if len(name) > 2 else (name + path,)


def _pairs(words: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """Each word, with its value if that is the next one."""
    rest = iter(words)
    for word in rest:
        yield word, next(rest, None) if word in VALUED else None


def _is_ignored(flag: str, value: str | None) -> bool:
    whole = flag + (value or "")
    return flag in _IGNORED or flag in _IGNORED_VALUED or whole.startswith(_IGNORED_PREFIXES)


def _is_c(file: str, language: str) -> bool:
    return language in ("c", "cpp-output") or (language == "none" and PurePath(file).suffix in _C)


def _is_other(file: str, language: str) -> bool:
    if language == "none":
        return PurePath(file).suffix in _OTHER
    return language not in ("c", "cpp-output")
