"""Sections are added to ELF files of both widths, and archives are read."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from clew.frontend.builds.archive import ArchiveError, members
from clew.frontend.builds.elf import Elf, ElfError, Section, add_to_section


def object_file(wide: bool = True, order: str = "<") -> bytes:
    """The smallest file with a table of sections: the empty one, and the names of both."""
    header = struct.Struct(order + ("HHIQQQIHHHHHH" if wide else "HHIIIIIHHHHHH"))
    entry = struct.Struct(order + ("IIQQQQIIQQ" if wide else "10I"))
    start = 16 + header.size
    names = b"\0.names\0"
    table = start + len(names)
    ident = b"\x7fELF" + bytes([2 if wide else 1, 1 if order == "<" else 2, 1]) + bytes(9)
    fields = header.pack(1, 183, 1, 0, 0, table, 0, start, 0, 0, entry.size, 2, 1)
    rows = entry.pack(*[0] * 10) + entry.pack(1, 3, 0, 0, start, len(names), 0, 0, 1, 0)
    return ident + fields + names + rows


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("order", ["<", ">"])
def test_a_section_is_added_and_grows(tmp_path: Path, wide: bool, order: str) -> None:
    path = tmp_path / "x.o"
    path.write_bytes(object_file(wide, order))
    for text in (b"one ", b"two"):
        add_to_section(path, b".clew", text)
    elf = Elf(path.read_bytes())
    number = elf.find(b".clew")
    assert number == 2
    assert bytes(elf.bytes_of(elf.sections[number])) == b"one two"
    assert elf.find(b".names") == 1
    assert elf.find(b".none") is None


@pytest.mark.parametrize("content", [b"", b"text", b"\x7fELF", object_file()[:-1], object_file()[:40]])
def test_what_is_no_elf_file_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.o"
    path.write_bytes(content)
    with pytest.raises(ElfError):
        add_to_section(path, b".clew", b"text")
    assert path.read_bytes() == content


def test_a_section_that_is_cut_off() -> None:
    elf = Elf(object_file())
    with pytest.raises(ElfError, match="cut off"):
        elf.bytes_of(Section(0, 1, 0, 0, 8, 1 << 40, 0, 0, 1, 0))


def member(name: str, content: bytes) -> bytes:
    header = f"{name:<16}{0:<12}{0:<6}{0:<6}{'644':<8}{len(content):<10}`\n".encode()
    return header + content + b"\n" * (len(content) % 2)


def read(content: bytes) -> list[tuple[str, bytes]]:
    view = memoryview(content)
    return [(name, bytes(view[start : start + size])) for name, start, size in members(Path("lib.a"), view)]


def test_members_of_archives() -> None:
    long = b"a_rather_long_name_of_a_member.o/\n"
    gnu = b"!<arch>\n" + member("/", b"sym") + member("//", long) + member("/0", b"one") + member("two.o/", b"22")
    assert read(gnu) == [("a_rather_long_name_of_a_member.o", b"one"), ("two.o", b"22")]
    bsd = b"!<arch>\n" + member("#1/8", b"three.o\0" + b"333")
    assert read(bsd) == [("three.o", b"333")]
    thin = b"!<thin>\n" + member("//", b"sub/x.o/\n") + member("/0", b"")
    assert read(thin) == [("sub/x.o", b"")]


@pytest.mark.parametrize(
    "content", [member("x.o/", b"123")[:-3], member("x.o/", b"").replace(b"0         `", b"?" * 11)]
)
def test_damaged_archives(content: bytes) -> None:
    with pytest.raises(ArchiveError):
        read(b"!<arch>\n" + content)
