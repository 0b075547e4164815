"""The code of the files that one call of a compiler compiles, kept in what that makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from clew.base.cache import digest
from clew.base.command_line import CommandLine
from clew.base.errors import UserError
from clew.base.recipe import Recipe
from clew.checks.check import chosen_kinds, sanitizers
from clew.frontend.builds.records import Record, keep, way_of_making
from clew.frontend.compiler import compile_unit, working_folder
from clew.frontend.inputs import Input, InputKind
from clew.frontend.options import CompileOptions
from clew.frontend.toolchain import find_toolchain


def keep_code(line: CommandLine, real: Callable[[], object]) -> None:
    """Compile the sources as ``clew test`` would, and keep the code in what ``real``, which is called meanwhile, makes.

    Passes on what ``real`` raises; anything else that goes wrong with a file is noted in the object.
    """
    here = Path.cwd()
    options = CompileOptions(sanitize=sanitizers(chosen_kinds(None)))
    made = way_of_making(options, line.flags)
    with working_folder() as name:
        kept = []
        for number, file in enumerate(line.sources):
            source = Input(here / file, InputKind.C, (here / file).read_bytes(), Recipe(here, line.flags))
            text, note = _compiled(source, options, Path(name), f"unit{number}", real)
            kept.append((file, Record(source.path, Recipe(here, line.flags), digest(source.content), note), text))
        real()
        kept += [(file, Record(here / file, Recipe(here), "", _language(file)), b"") for file in line.others]
        for file, record, text in kept:
            output = here / (line.output or (f"{Path(file).stem}.o" if line.objects_only else "a.out"))
            if output.is_file():
                keep(output, record, text, made)


def _compiled(
    source: Input, options: CompileOptions, folder: Path, stem: str, real: Callable[[], object]
) -> tuple[bytes, str]:
    """The LLVM text of a file, or why there is none."""
    try:
        unit = compile_unit(source, options, find_toolchain(None), folder, stem, real)
    except UserError as error:
        said = [text for text in error.details.splitlines() if "error:" in text]
        return b"", said[0].strip() if said else str(error)
    return unit.code.read_bytes(), ""


def _language(file: str) -> str:
    return "assembler" if Path(file).suffix in (".s", ".S", ".sx", ".asm") else "not C"
