"""The files of a program as LLVM code: each is compiled, or what a build has kept of it is taken."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Sequence
from dataclasses import field
from pathlib import Path

from clew.base.cache import digest
from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.pattern import pattern
from clew.frontend.compiler import Unit, compile_unit
from clew.frontend.inputs import Input, LlvmCode
from clew.frontend.options import CompileOptions
from clew.frontend.process import kill_tools
from clew.frontend.toolchain import Toolchain, check_clang_version

_SHOWN = 12
"""Files that do not compile and are named; of the others it is said how many there are."""
_FILE = pattern(r'!DIFile\(filename: "([^"]*)", directory: "([^"]*)"')


@dataclass(slots=True)
class Compiled:
    """What became of the files."""

    units: dict[int, Unit] = field(default_factory=dict)
    """By the number of the file."""
    notes: list[str] = field(default_factory=list)
    """What the user is to know, first what the compiler had to say."""


def compile_all(
    sources: Sequence[tuple[int, Input]],
    options: CompileOptions,
    toolchain: Toolchain,
    folder: Path,
    meanwhile: Callable[[], object] | None,
) -> Compiled:
    """Compile the C files, several at a time.

    A part of a target that does not compile is left out and noted, unless nothing compiles; otherwise ``UserError``.
    """
    if not toolchain.zig:
        check_clang_version(toolchain)
    if len(sources) == 1:
        number, source = sources[0]
        return _summary({number: compile_unit(source, options, toolchain, folder, f"unit{number}", meanwhile)}, [])
    from concurrent.futures import ThreadPoolExecutor

    units: dict[int, Unit] = {}
    failures: list[UserError] = []
    left_out = 0
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        jobs = [
            pool.submit(compile_unit, source, options, toolchain, folder, f"unit{number}") for number, source in sources
        ]
        try:
            if meanwhile is not None:
                meanwhile()
            for (number, source), job in zip(sources, jobs, strict=True):
                if not options.going_on(len(units) + len(failures), len(sources)) and units:
                    left_out = len(sources) - len(units) - len(failures)
                    pool.shutdown(wait=False, cancel_futures=True)
                    kill_tools()
                    break
                try:
                    units[number] = job.result()
                except UserError as error:
                    if not options.apart and (source.recipe is None or source.recipe.named):
                        raise
                    failures.append(error)
            if failures and not units:
                raise failures[0]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            kill_tools()
            raise
    return _summary(units, failures, left_out)


def _summary(units: dict[int, Unit], failures: list[UserError], left_out: int = 0) -> Compiled:
    notes = ["".join(unit.warnings for unit in units.values()).rstrip("\n")]
    ignored = dict.fromkeys(flag for unit in units.values() for flag in unit.ignored)
    if ignored:
        notes.append(f"the compiler does not know {' '.join(ignored)}: left out")
    for failure in failures[:_SHOWN]:
        reason = next((line for line in failure.details.splitlines() if "error:" in line), "")
        what = str(failure).split(";")[0]
        notes.append(f"{what}, and what it defines is taken for undefined{f': {reason}' if reason else ''}")
    if len(failures) > _SHOWN:
        notes.append(f"{len(failures) - _SHOWN:,} more files do not compile, and what they define is undefined, too")
    if left_out:
        total = len(units) + len(failures) + left_out
        notes.append(
            f"{left_out:,} of {total:,} files are left out, since there was no time to compile them: give a longer "
            "--time, or name a part of them"
        )
    return Compiled(units, [note for note in notes if note])


def kept_code(source: Input, options: CompileOptions, folder: Path, number: int) -> LlvmCode | None:
    """What a build has kept of a file, if the same would be made of it now, or it is gone; else None."""
    from clew.frontend.builds.records import unpacked, way_of_making

    recipe = source.recipe
    if recipe is None or recipe.kept is None:
        return None
    if source.path.exists() and recipe.kept.made != way_of_making(options, recipe.flags):
        return None
    text = unpacked(recipe.kept)
    if text is None:
        return None
    code = folder / f"kept{number}.ll"
    code.write_bytes(text)
    return LlvmCode(code, str(source.path), False, digest(text))


def seen_from(text: str, folder: str) -> str:
    """LLVM text whose files have names as seen from a folder, wherever they were compiled."""

    def renamed(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(match[2], match[1]))
        name = path.removeprefix(f"{folder}/")
        return f'!DIFile(filename: "{name}", directory: "{folder}"'

    return _FILE.sub(renamed, text)
