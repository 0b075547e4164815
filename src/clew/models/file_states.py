"""What sys/stat.h and dirent.h of the runtime ask for: what a file is, and what a directory holds.

A name that a path has not used as a file before is missing, a file or a directory: inputs ``NAME exists`` (as for
``fopen``) and ``NAME state``, of which the bits say whether it is a directory, and its permissions. A directory has up
to ``ENTRIES`` entries beside its own two, with names of up to ``NAME_LENGTH`` characters.
"""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import ANYTHING
from clew.execute.arguments import read_length
from clew.execute.inputs import InputKind, read_input, read_object
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.sort import bv
from clew.models import files, streams
from clew.models.errno import EBADF, EINVAL, ENOENT, ENOTDIR, set_errno
from clew.models.texts import LENGTH_BITS, truth

ENTRIES = 2
NAME_LENGTH = 8
REGULAR, DIRECTORY, CHARACTER = 0o100000, 0o040000, 0o020000
_ALWAYS = (".", "..", "/")
"""Directories that are there."""
_IS_DIRECTORY = 1 << 15
_PERMISSIONS = 0o777
DIRECTORY_SIZE = 4096


def _state(call: Invocation, name: str) -> Any:
    """Of a file that is there: permissions, and whether it is a directory."""
    return call.kept(f"state {name}", lambda: _read_state(call, name))


def _read_state(call: Invocation, name: str) -> Any:
    value = read_input(call.state, f"{name} state", "unsigned short", 16, InputKind.NONDET)
    call.assume(build.eq(build.and_(value, 0xFFFF & ~(_IS_DIRECTORY | _PERMISSIONS), 16), 0, 16))
    return value


def _is_directory(call: Invocation, name: str) -> Any:
    if name in _ALWAYS:
        return True
    return build.ne(build.and_(_state(call, name), _IS_DIRECTORY, 16), 0, 16)


def _kept_input(call: Invocation, what: str) -> Any:
    return call.kept(what, lambda: read_input(call.state, what, "unsigned int", 32, InputKind.NONDET))


def _put(call: Invocation, where: int, name: str, mode: Any, size: Any) -> int:
    """Fill the fields that the runtime asks for."""
    time = call.kept(
        f"time {name}", lambda: read_input(call.state, f"{name} time", "unsigned int", 32, InputKind.NONDET)
    )
    inode = call.kept(f"inode {name}", lambda: int(call.recall("next inode", 2)))
    call.remember("next inode", max(inode + 1, call.recall("next inode", 2)))
    owner, group = _kept_input(call, "owner of files"), _kept_input(call, "group of files")
    for place, (value, bits) in enumerate(((mode, 32), (size, 32), (time, 32), (owner, 32), (group, 32), (inode, 64))):
        call.store(where + 8 * place, build.zext(value, bits, 64) if bits < 64 else value, 8)
    return 0


def _mode(kind: Any, permissions: Any) -> Any:
    return build.or_(kind, build.zext(build.and_(permissions, _PERMISSIONS, 16), 16, 32), 32)


@model("__clew_file_state", effect=ANYTHING.but(reads_input=True))
def file_state(call: Invocation, path: Any, fields: Any) -> int:
    """Of the runtime: what ``stat`` tells."""
    name, where = files.path_of(call, path), call.pointer(fields)
    if name not in _ALWAYS and not files.exists(call, name):
        return streams.EOF
    directory = _is_directory(call, name)
    length = streams.full_length(call, name)
    kind = build.ite(directory, DIRECTORY, REGULAR, bv(32))
    size = build.ite(directory, DIRECTORY_SIZE, length, bv(LENGTH_BITS))
    return _put(call, where, name, _mode(kind, _state(call, name)), size)


@model("readlink", effect=ANYTHING.but(reads_input=True))
def readlink(call: Invocation, path: Any, buffer: Any, size: Any) -> int:
    """There are no links: what is there is something else."""
    call.state.run.note_loss("bounded", "symbolic links: readlink() finds none", call.state)
    name = files.path_of(call, path)
    if name in _ALWAYS or files.exists(call, name):
        set_errno(call, EINVAL)
    return (1 << call.result_bits) - 1


@model("__clew_descriptor_state", effect=ANYTHING.but(reads_input=True))
def descriptor_state(call: Invocation, number: Any, fields: Any) -> int:
    """Of the runtime: what ``fstat`` tells. An open file is a regular one, or one of the standard streams."""
    place, where = call.concrete(number, 32), call.pointer(fields)
    opened = streams.descriptor(call, place)
    if opened is None:
        set_errno(call, EBADF)
        return streams.EOF
    standard = place < files.FIRST_DESCRIPTOR
    size = 0 if standard else streams.full_length(call, opened.file)
    return _put(call, where, opened.file, _mode(CHARACTER if standard else REGULAR, _state(call, opened.file)), size)


@model("__clew_directory", effect=ANYTHING.but(reads_input=True))
def directory(call: Invocation, path: Any) -> Any:
    """Of the runtime: how many entries a directory has, or -1."""
    name = files.path_of(call, path)
    if name not in _ALWAYS and not files.exists(call, name):
        set_errno(call, ENOENT)
        return streams.EOF
    if not truth(call, _is_directory(call, name)):
        set_errno(call, ENOTDIR)
        return streams.EOF
    what = f"directories of more than {ENTRIES} entries, and names of more than {NAME_LENGTH} characters in them"
    call.state.run.note_loss("bounded", what, call.state)
    return read_length(call.state, f"entries of {name}", ENTRIES)


@model("__clew_entry", effect=ANYTHING.but(reads_input=True))
def entry(call: Invocation, number: Any, place: Any, target: Any) -> None:
    """Of the runtime: the name of an entry, the same each time it is asked for."""
    which, where = f"entry {call.concrete(place, 32)} of directory {call.concrete(number, 32)}", call.pointer(target)
    name = call.kept(which, lambda: _read_name(call, which))
    call.write_bytes(where, [*name, 0])


def _read_name(call: Invocation, which: str) -> tuple[Any, ...]:
    name = read_object(call.state, which, f"char[{NAME_LENGTH}]", NAME_LENGTH)
    call.assume(build.conjunction([build.ne(name[0], 0, 8), *(build.ne(byte, ord("/"), 8) for byte in name)]))
    return name
