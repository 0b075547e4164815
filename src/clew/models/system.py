"""unistd.h, stdlib.h and sys/mman.h: where and on what the program runs, temporary files, other programs, pages."""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import ANYTHING, NOTHING, WRITES_ARGUMENTS, WRITES_OWN
from clew.execute.inputs import InputKind, read_input, read_object
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.sort import bv
from clew.models import files, streams, texts
from clew.models.errno import EINVAL, ENODEV, ERANGE, set_errno
from clew.models.sockets import new_source
from clew.models.streams import EOF, Descriptor
from clew.models.texts import LENGTH_BITS, truth

PAGE_SIZE = 4096
_SC_PAGESIZE, _SC_OPEN_MAX = 30, 4
NAME_LENGTH = 8
"""Characters of a working directory or of a host's name."""
_ANONYMOUS = 0x20
TEMPORARY = b"XXXXXX"
PAGES = "mapped pages"


@model("sysconf", effect=NOTHING.but(reads_input=True))
def sysconf(call: Invocation, what: Any) -> Any:
    """The size of pages, and how many files may be open; all else is any number from -1 on, the same each time."""
    name, bits = call.concrete(what, 32), call.result_bits
    if name in (_SC_PAGESIZE, _SC_OPEN_MAX):
        return PAGE_SIZE if name == _SC_PAGESIZE else 1024

    def ask() -> Any:
        value = read_input(call.state, f"sysconf({name})", "long", bits, InputKind.NONDET)
        call.assume(build.sle((1 << bits) - 1, value, bits))
        return value

    return call.kept(f"sysconf {name}", ask)


def _name(call: Invocation, what: str, first: bytes) -> list[Any]:
    """A name that is an input: bytes that end with a NUL, none of them a slash."""

    def ask() -> tuple[Any, ...]:
        what_else = f"{what}s of more than {NAME_LENGTH} characters"
        call.state.run.note_loss("bounded", what_else, call.state)
        data = read_object(call.state, what, f"char[{NAME_LENGTH}]", NAME_LENGTH)
        call.assume(build.conjunction([build.ne(byte, ord("/"), 8) for byte in data]))
        return (*first, *data)

    return list(call.kept(f"name {what}", ask))


def _put_name(call: Invocation, name: list[Any], where: int, room: int) -> bool:
    """Put a name into a buffer, if it fits; forks over that."""
    length: Any = len(name)
    for place in reversed(range(len(name))):
        length = build.ite(build.eq(name[place], 0, 8), place, length, bv(LENGTH_BITS))
    if not truth(call, build.ult(length, min(room, 1 << 16), LENGTH_BITS)):
        set_errno(call, ERANGE)
        return False
    texts.store_text(call, where, texts.of_values(name, length))
    return True


@model("getcwd", effect=ANYTHING.but(reads_input=True))
def getcwd(call: Invocation, buffer: Any, size: Any) -> int:
    where, room = call.pointer(buffer), call.pointer(size)
    if where and not room:
        set_errno(call, EINVAL)
        return 0
    name = _name(call, "working directory", b"/")
    if not where:
        where, room = call.allocate(room or PAGE_SIZE), room or PAGE_SIZE
    return where if _put_name(call, name, where, room) else 0


@model("gethostname", effect=WRITES_ARGUMENTS.but(reads_input=True))
def gethostname(call: Invocation, buffer: Any, size: Any) -> int:
    where, room = call.pointer(buffer), call.pointer(size)
    return 0 if _put_name(call, _name(call, "host name", b""), where, room) else EOF


@model("mkstemp", "mkstemp64", "mkostemp", effect=ANYTHING)
def mkstemp(call: Invocation, template: Any, *_: Any) -> int:
    """The name that is made is one that no other file has."""
    where = call.pointer(template)
    text = texts.one_value(call, where)
    if not text.endswith(TEMPORARY):
        set_errno(call, EINVAL)
        return EOF
    count = int(call.recall("temporary files", 0))
    call.remember("temporary files", count + 1)
    name = text[: -len(TEMPORARY)] + b"%06x" % (0xA00000 + count)
    call.write_bytes(where, name)
    return files.open_file(call, name.decode("utf-8", "replace"), True, True, True, True, False)


# Other programs


@model("popen", effect=WRITES_OWN.but(reads_input=True))
def popen(call: Invocation, command: Any, mode: Any) -> int:
    """What the command prints is an input, and what else it does is not explored."""
    texts.c_string(call, call.pointer(command))
    call.state.run.note_loss("undefined-function", "popen(): what the command does is not explored", call.state)
    number = new_source(call, "command")
    if files.path_of(call, mode)[:1] == "w":
        streams.keep_descriptor(call, number, Descriptor(f"command {number}", False, True, sink=True))
    return files.stream_on(call, number, f"command {number}")


@model("pclose", effect=ANYTHING.but(reads_input=True))
def pclose(call: Invocation, stream: Any) -> Any:
    files.fclose(call, stream)
    return call.read_input("pclose", "int", 32)


# Pages


@model("mmap", "mmap64", effect=WRITES_OWN)
def mmap(call: Invocation, address: Any, size: Any, protection: Any, flags: Any, *_: Any) -> int:
    """Pages of zeros; files are not mapped."""
    count = call.pointer(size)
    if not call.concrete(flags, 32) & _ANONYMOUS or not count:
        if count:
            call.state.run.note_loss("bounded", "mmap() of a file: taken to fail", call.state)
        set_errno(call, ENODEV if count else EINVAL)
        return (1 << call.pointer_bits) - 1
    rounded = -(-count // PAGE_SIZE) * PAGE_SIZE
    return call.state.memory.allocate(rounded, "global", PAGES, PAGE_SIZE, call.location, b"")


@model("munmap", effect=ANYTHING)
def munmap(call: Invocation, address: Any, size: Any) -> int:
    """All pages of one mapping are gone afterwards; of a part of them nobody notices that they are used."""
    where, count = call.pointer(address), call.pointer(size)
    found = call.state.memory.find(where)
    if found is None or found[0].name != PAGES:
        set_errno(call, EINVAL)
        return EOF
    if found[1] or -(-count // PAGE_SIZE) * PAGE_SIZE < found[0].size:
        call.state.run.note_loss("bounded", "munmap() of some pages: they stay", call.state)
    else:
        call.state.memory.free(where)
    return 0


@model("mprotect", "madvise", "msync", effect=NOTHING)
def mprotect(call: Invocation, *_: Any) -> int:
    """Pages can be read and written, whatever is said."""
    call.state.run.note_loss("bounded", f"{call.name}(): what may be done with pages does not change", call.state)
    return 0
