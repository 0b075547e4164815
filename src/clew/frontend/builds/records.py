"""What ``clew-cc`` keeps of a compilation: how it was done, and the LLVM code, in a section of the object.

Linkers put the sections of one name one after the other, so that a program holds the records of all objects that it
was linked from, and an archive those of its members. A record is a line of JSON and, compressed, as many bytes of LLVM
text as it says.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from clew.base.cache import digest
from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.recipe import KeptCode, Recipe
from clew.frontend.builds import archive
from clew.frontend.builds.elf import MAGIC, Elf, ElfError, add_to_section
from clew.frontend.options import CompileOptions
from clew.frontend.target import choose_target

SECTION = b".clew"
_MARK = b"clew-unit-1 "


@dataclass(frozen=True, slots=True)
class Record:
    """One compilation of a file."""

    file: Path
    """Absolute."""
    recipe: Recipe
    source: str
    """A digest of the file as it was."""
    note: str = ""
    """Why there is no code of it; empty if there is."""


def way_of_making(options: CompileOptions, flags: Sequence[str]) -> str:
    """A digest of all that decides what code a file becomes, but for the file, its headers and the compiler."""
    what = [choose_target(options), options.sanitize, options.flags, options.clang, list(flags)]
    return digest(json.dumps(what).encode())


def keep(output: Path, record: Record, code: bytes, made: str) -> None:
    """Put a record into an object or program; ``ElfError`` if that is none."""
    packed = zlib.compress(code, 6) if code else b""
    described = {
        "file": str(record.file), "directory": str(record.recipe.directory), "flags": record.recipe.flags,
        "source": record.source, "note": record.note, "made": made, "size": len(packed),
    }  # fmt: skip
    add_to_section(output, SECTION, _MARK + json.dumps(described).encode() + b"\n" + packed)


def unpacked(kept: KeptCode) -> bytes | None:
    """The LLVM text that was kept; None if it is not there any more."""
    try:
        with kept.container.open("rb") as file:
            file.seek(kept.offset)
            return zlib.decompress(file.read(kept.size))
    except (OSError, zlib.error):
        return None


def is_container(head: bytes) -> bool:
    """Whether a file that starts so is an object, a program, a shared library or an archive."""
    return head.startswith((MAGIC, archive.MAGIC, archive.THIN))


def records_in(path: Path) -> tuple[list[Record], list[str]]:
    """The records in an object, program or archive, each once; and the members of an archive that have none."""
    try:
        content = memoryview(path.read_bytes())
        if content[:4] == MAGIC:
            return _unique(_records(path, content, 0)), []
        return _of_archive(path, content)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ElfError, archive.ArchiveError) as error:
        raise UserError(f"{path} is damaged: {error}; build it again") from None


def _of_archive(path: Path, content: memoryview) -> tuple[list[Record], list[str]]:
    found: list[Record] = []
    without = []
    for name, start, size in archive.members(path, content):
        if content[:8] == archive.THIN:
            own = records_in(Path(name))[0]
        else:
            part = content[start : start + size]
            own = list(_records(path, part, start)) if part[:4] == MAGIC else []
        found += own
        if not own:
            without.append(name)
    return _unique(found), without


def _unique(records: Iterator[Record] | list[Record]) -> list[Record]:
    """Objects may be in several archives, or be named twice."""
    return list({(record.file, record.recipe.directory, record.recipe.flags): record for record in records}.values())


def _records(container: Path, content: memoryview, base: int) -> Iterator[Record]:
    """The records in an ELF file that begins at ``base`` of the container."""
    elf = Elf(content)
    number = elf.find(SECTION)
    if number is None:
        return
    section = elf.sections[number]
    data = elf.bytes_of(section)
    place, whole = 0, bytes(data)
    while (place := whole.find(_MARK, place)) >= 0:
        end = whole.find(b"\n", place)
        described = _described(whole[place + len(_MARK) : end])
        start = base + section.offset + end + 1
        code = KeptCode(container.absolute(), start, described["size"], described["made"])
        recipe = Recipe(Path(described["directory"]), tuple(described["flags"]), code if code.size else None)
        yield Record(Path(described["file"]), recipe, described["source"], described["note"])
        place = end + 1 + code.size


def _described(line: bytes) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(line)
        kinds = {"file": str, "directory": str, "flags": list, "source": str, "note": str, "made": str, "size": int}
        if all(isinstance(found[name], kind) for name, kind in kinds.items()):
            return found
    except (ValueError, KeyError, TypeError):
        pass
    raise ElfError("what clew-cc kept in it makes no sense")
