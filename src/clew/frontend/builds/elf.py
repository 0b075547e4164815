"""Sections of ELF files: found, and added without a tool of binutils.

A section is added by appending to the file; the header, which makes it count, is written last. So a file is whole at
any moment, and what its sections held before stays where it was.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import NamedTuple

MAGIC = b"\x7fELF"
_PROGBITS = 1
_RESERVED = 0xFF00


class Section(NamedTuple):
    """One entry of the table of sections."""

    name: int
    type: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    align: int
    entry_size: int


class ElfError(ValueError):
    """A file that is no ELF file, or is damaged."""


class Elf:
    """The sections of one file, which may be a part of a larger one."""

    def __init__(self, content: bytes | memoryview) -> None:
        self.content = memoryview(content)
        try:
            self._read_header()
        except (struct.error, IndexError):
            raise ElfError("it ends too soon") from None

    def _read_header(self) -> None:
        if self.content[:4] != MAGIC:
            raise ElfError("it does not start as one")
        wide, order = self.content[4] == 2, "<" if self.content[5] == 1 else ">"
        self.header = struct.Struct(order + ("HHIQQQIHHHHHH" if wide else "HHIIIIIHHHHHH"))
        self._entry = struct.Struct(order + ("IIQQQQIIQQ" if wide else "10I"))
        self.fields = list(self.header.unpack_from(self.content, 16))
        self.table, count, names = self.fields[5], self.fields[11], self.fields[12]
        first = self._section(0) if self.table else None
        if first is not None and count == 0:
            count = first.size
        if first is not None and names == 0xFFFF:
            names = first.link
        self.names = names
        self.sections = [self._section(number) for number in range(count)] if first is not None else []
        self._strings = bytes(self.bytes_of(self.sections[names])) if names < len(self.sections) else b""

    def _section(self, number: int) -> Section:
        return Section(*self._entry.unpack_from(self.content, self.table + number * self._entry.size))

    def bytes_of(self, section: Section) -> memoryview:
        """What a section holds."""
        if section.offset + section.size > len(self.content):
            raise ElfError("a section is cut off")
        return self.content[section.offset : section.offset + section.size]

    def find(self, name: bytes) -> int | None:
        """The number of the section with this name."""
        for number, section in enumerate(self.sections):
            end = self._strings.find(b"\0", section.name)
            if self._strings[section.name : end] == name:
                return number
        return None

    def pack(self, section: Section) -> bytes:
        return self._entry.pack(*section)


def add_to_section(path: Path, name: bytes, content: bytes) -> None:
    """Put ``content`` at the end of a section that no program loads, which is made if there is none.

    ElfError if the file is no ELF file that has sections, or has too many of them.
    """
    with path.open("r+b") as file:
        elf = Elf(file.read())
        if not elf.sections or len(elf.sections) + 1 >= _RESERVED or elf.names >= _RESERVED:
            raise ElfError("its sections cannot be added to")
        file.seek(0, 2)
        start = file.tell()
        number = elf.find(name)
        if number is not None:
            old = elf.sections[number]
            file.write(bytes(elf.bytes_of(old)) + content)
            file.flush()
            file.seek(elf.table + number * len(elf.pack(old)))
            file.write(elf.pack(old._replace(offset=start, size=old.size + len(content))))
            return
        strings = bytes(elf.bytes_of(elf.sections[elf.names]))
        new = Section(len(strings), _PROGBITS, 0, 0, start, len(content), 0, 0, 1, 0)
        strings += name + b"\0"
        sections = [*elf.sections, new]
        sections[elf.names] = sections[elf.names]._replace(offset=start + len(content), size=len(strings))
        body = content + strings
        body += b"\0" * (-(start + len(body)) % 8)
        file.write(body + b"".join(map(elf.pack, sections)))
        file.flush()
        elf.fields[5], elf.fields[11] = start + len(body), len(sections)
        file.seek(16)
        file.write(elf.header.pack(*elf.fields))
