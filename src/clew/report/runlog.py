"""The log of a run, from which it can be gone on with: in its output folder as ``resume.log``, while something is left.

Frames are appended, each with its length and a checksum: what the run was asked for and which program it is about,
every test, bug and warning the moment it is found, before its own files are written, and now and then a checkpoint:
what is left to explore, and what was done up to there. A checkpoint tells of jobs as what has changed since the one
before. Whatever ends the process, the log is whole up to its last frame that is; what follows that is of no account.

The system locks the file for whoever writes it: no two runs go on with the same folder.
"""

from __future__ import annotations

import fcntl
import os
import pickle
import struct
import time
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from clew import __version__
from clew.base.budget import Interrupt
from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.messages import write_all
from clew.base.options import Request
from clew.report.listener import Checkpoint, Listener, ProgramInfo
from clew.report.reading import read_summary, stored_tests
from clew.report.records import Bug, Test

NAME = "resume.log"
FORMAT = 1
HEAD, TEST, BUG, WARNING, CHECKPOINT = "HTBNC"
"""Tags of frames."""
_FRAME = struct.Struct("<cII")
"""Tag, length and checksum of a frame."""
GROWTH = 4
LEAST_GROWTH = 1 << 20
"""How many times as long as when it was written anew the log may become, and bytes: then it is written anew."""
PATIENCE = 2.0
"""Seconds until a log that is locked is taken to be in use: processes of a run that was killed end a moment later."""
_PLAIN = {("builtins", "set"), ("builtins", "frozenset"), ("collections", "Counter"), ("pathlib", "PosixPath")}


@dataclass(frozen=True, slots=True)
class LogHead:
    """What a run was asked for, and who was."""

    format: int
    clew: str
    request: Request
    directory: str
    """The folder that names of files are relative to."""
    digest: str
    """Of the program."""


@dataclass(slots=True)
class StoredLog:
    """What a log says."""

    folder: Path
    head: LogHead
    found: list[Test | Bug | str] = field(default_factory=list)
    """Tests, bugs and warnings, in the order in which they were found."""
    later: int = 0
    """How many of them were found since the last checkpoint."""
    jobs: dict[int, object] = field(default_factory=dict)
    """What was left at the last checkpoint."""
    knowledge: object = None
    standing: object = None
    """What was done up to there; None if there was no checkpoint."""
    damaged: bool = False
    """Whether something follows that cannot be read."""

    def take(self, tag: str, value: Any) -> None:
        """The content of the next frame."""
        if tag == CHECKPOINT:
            for number in value.closed:
                self.jobs.pop(number, None)
            self.jobs.update(value.opened)
            self.knowledge = self.knowledge if value.knowledge is None else value.knowledge
            self.standing, self.later = value.standing, 0
        else:
            self.found.append(value)
            self.later += 1

    def frames(self) -> Iterator[tuple[str, object]]:
        """A log that says the same, as short as can be."""
        yield HEAD, self.head
        tags = {Test: TEST, Bug: BUG, str: WARNING}
        frames = [(tags[type(found)], found) for found in self.found]
        yield from frames[: len(frames) - self.later]
        if self.standing is not None:
            yield CHECKPOINT, Checkpoint(tuple(self.jobs.items()), (), self.standing, self.knowledge)
        yield from frames[len(frames) - self.later :]


class RunLog(Listener):
    """The end that is written to. A disk that is full ends the log where it is."""

    keeps_checkpoints = True

    def __init__(self, folder: Path, request: Request, stored: StoredLog | None = None, lock: int = -1) -> None:
        """``stored``: what the log says that is gone on with, whose file is open and locked."""
        self.folder = folder
        self.stored = stored
        self._path = folder / NAME
        self._request = replace(request, interrupt=Interrupt(), began=None)
        self._digest = None if stored is None else stored.head.digest
        self._file = lock
        self._size = self._base = 0
        if stored is not None:
            self._rewrite(stored)

    # The listener

    def loaded(self, program: ProgramInfo) -> None:
        """Begin the log, when it is known that there is something to run. UserError if the program has changed."""
        if self._digest is not None:
            if self._digest != program.digest:
                raise UserError(f"{self._request.files[0]}, what it includes, or Clew has changed since: start anew")
            return
        here = os.getcwd()  # noqa: PTH109
        head = LogHead(FORMAT, __version__, self._request, here, program.digest)
        self._rewrite(StoredLog(self.folder, head))

    def test_found(self, test: Test) -> None:
        self._append(TEST, test)

    def bug_found(self, bug: Bug) -> None:
        self._append(BUG, bug)

    def warning(self, text: str) -> None:
        self._append(WARNING, text)

    def checkpoint(self, checkpoint: Checkpoint) -> None:
        if self._file >= 0 and not checkpoint.is_urgent and self._size > GROWTH * self._base:
            stored = _read(self._path)
            if stored is not None:
                self._rewrite(stored)
        self._append(CHECKPOINT, checkpoint)

    # The file

    def close(self, keep: bool) -> None:
        """The run is over; whether something is left, and the log is to be kept."""
        if self._file >= 0:
            if not keep:
                self._path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = -1

    def _append(self, tag: str, value: object) -> None:
        if self._file < 0:
            return
        data = _framed(tag, value)
        try:
            write_all(self._file, data)
            self._size += len(data)
        except OSError:
            try:
                os.ftruncate(self._file, self._size)
            finally:
                self.close(keep=True)

    def _rewrite(self, stored: StoredLog) -> None:
        """Write a log anew, in place of the one that there is."""
        temporary = self._path.with_name(f".{NAME}.part")
        temporary.unlink(missing_ok=True)
        try:
            new = _locked(temporary, os.O_CREAT)
            size = 0
            for tag, value in stored.frames():
                data = _framed(tag, value)
                write_all(new, data)
                size += len(data)
            temporary.replace(self._path)
        except OSError:
            temporary.unlink(missing_ok=True)
            self._base = self._size  # tried again when it has grown
            return
        if self._file >= 0:
            os.close(self._file)
        self._file, self._size, self._base = new, size, max(size, LEAST_GROWTH)


def reopened(folder: Path) -> tuple[StoredLog, int]:
    """What the log of a folder says, and its file, which nobody else has. UserError if there is no such thing."""
    path = folder / NAME
    if not os.access(path, os.F_OK):
        summary = read_summary(folder)
        if summary is None or not (folder / "tests").is_dir():
            raise UserError(f"{folder} is not the output folder of a run of 'clew test'")
        if summary.get("command") != "test":
            raise UserError(f"{folder} is of 'clew {summary.get('command')}': only runs of 'clew test' are resumed")
        raise UserError(f"{folder} has no {NAME}: its run cannot be resumed; start anew")
    lock = _locked(path)
    stored = _read(path)
    if stored is None:
        os.close(lock)
        raise UserError(f"{path} is damaged, or of another version of Clew; start anew")
    if (stored.head.format, stored.head.clew) != (FORMAT, __version__):
        os.close(lock)
        raise UserError(f"{path} is of Clew {stored.head.clew}, and this is {__version__}; start anew")
    last = stored.found[-1] if stored.found else None
    if isinstance(last, Test) and last.error is not None:  # the bug comes behind it
        stored.take(BUG, last.error)
    known = sum(isinstance(found, Test) for found in stored.found)
    more = stored_tests(folder, known) if stored.damaged else ()
    stored.found += more
    stored.later += len(more)
    return stored, lock


def is_over(folder: Path) -> Mapping[str, Any] | None:
    """The summary of a run that has come to its end, so that nothing is left to do; else None."""
    summary = read_summary(folder)
    ended = summary is not None and summary.get("command") == "test" and summary.get("stopped") is None
    return summary if ended and not (folder / NAME).exists() else None


def _locked(path: Path, flags: int = 0) -> int:
    try:
        file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | flags, 0o666)
    except OSError as error:
        raise UserError(f"cannot open {path}: {error.strerror or error}") from None
    until = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except OSError:
            if time.monotonic() > until:
                os.close(file)
                raise UserError(f"{path.parent} is in use: a run is writing to it") from None
            time.sleep(0.05)


def _framed(tag: str, value: object) -> bytes:
    content = pickle.dumps(value, 5)
    return _FRAME.pack(tag.encode(), len(content), zlib.crc32(content)) + content


def _read(path: Path) -> StoredLog | None:
    """What a log says, as far as it can be read; None if nothing can."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror or error}") from None
    stored: StoredLog | None = None
    for tag, value in _frames(data):
        if stored is None:
            if tag != HEAD or not isinstance(value, LogHead):
                return None
            stored = StoredLog(path.parent, value)
        elif tag:
            stored.take(tag, value)
        else:
            stored.damaged = True
    return stored


def _frames(data: bytes) -> Iterator[tuple[str, Any]]:
    """Tag and content of all whole frames; an empty tag if there is something behind them."""
    at = 0
    while at < len(data):
        try:
            tag, length, checksum = _FRAME.unpack_from(data, at)
            content = data[at + _FRAME.size : at + _FRAME.size + length]
            if len(content) != length or zlib.crc32(content) != checksum:
                raise ValueError("cut off, or changed")
            value = _Restorer(content).load()
        except Exception:  # bytes that nobody wrote can make the classes raise anything
            yield "", None
            return
        yield tag.decode("ascii"), value
        at += _FRAME.size + length


class _Restorer(pickle.Unpickler):
    """Knows the data classes and enumerations of Clew, and no function or class that does anything."""

    def __init__(self, content: bytes) -> None:
        import io

        super().__init__(io.BytesIO(content))

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN or module.startswith("clew."):
            found = super().find_class(module, name)
            if isinstance(found, type):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a log")
