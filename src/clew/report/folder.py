"""The output folder: claimed once, written atomically, never shared by two runs.

A folder is claimed by creating its ``tests`` folder, which only one run can do; a folder that held
anything before is refused. Files appear under their name only when complete (temporary file, then
rename), so whoever looks, at any moment and after any kind of end, sees whole files.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from clew.base.errors import UserError

DEFAULT_PARENT = "clew-out"
_encode = json.JSONEncoder(allow_nan=False).encode


class Unwritable(UserError):
    """A file of the output folder cannot be written: the disk is full, or the folder is gone."""


class OutputFolder:
    """A folder this run alone writes to. Make one with ``claim``."""

    def __init__(self, path: Path, created: tuple[Path, ...], link: Path | None = None) -> None:
        self.path = path
        self._created = created
        self._link = link
        self.published = False
        """Whether something was written."""

    @staticmethod
    def claim(out: Path | None, directory: Path | None = None) -> OutputFolder:
        """``out`` if it is new or empty, else UserError; None takes the next free number under ``clew-out``."""
        try:
            return _claim_named(out) if out is not None else _claim_numbered((directory or Path()) / DEFAULT_PARENT)
        except OSError as error:
            raise _unwritable(out or DEFAULT_PARENT, error) from error

    @staticmethod
    def reopen(path: Path) -> OutputFolder:
        """A folder that an earlier run has left."""
        folder = OutputFolder(path, ())
        folder.published = True
        folder.clean()
        return folder

    def write(self, name: str, data: str | bytes, new_folder: bool = False) -> Path:
        """Write the file ``name`` (relative) as a whole; ``Unwritable`` if that is not possible.

        ``new_folder``: the folder that it is in need not be there.
        """
        target = self.path / name
        try:
            if new_folder:
                target.parent.mkdir(exist_ok=True)
            write_whole(target, data.encode("utf-8", "replace") if isinstance(data, str) else data)
        except OSError as error:
            raise _unwritable(target, error) from error
        self._publish()
        return target

    def write_json(self, name: str, data: Mapping[str, object]) -> Path:
        """Write an object as readable JSON. What JSON cannot say (nan) must have been spelled otherwise before."""
        return self.write(name, readable_json(data))

    def clean(self) -> None:
        """Remove what a process that was killed had not finished to write."""
        for temporary in self.path.rglob(".*.part"):
            _remove(temporary)

    def discard_if_empty(self) -> None:
        """Leave nothing behind when nothing was written, as after a compile error."""
        if self.published:
            return
        _remove_folders(self._created)

    def _publish(self) -> None:
        """Point ``last`` here, at the first file: by then the folder is there to stay."""
        if self.published:
            return
        self.published = True
        if self._link is None:
            return
        temporary = self._link.with_name(f".{self._link.name}.{os.getpid()}.part")
        try:
            temporary.symlink_to(self.path.name, target_is_directory=True)
            temporary.replace(self._link)
        except OSError:
            _remove(temporary)  # a convenience only: file systems without links do without


def write_whole(target: Path, data: bytes) -> None:
    """Write a file that is there with all of its content, or not at all (OSError); never in part, whatever happens."""
    temporary = target.with_name(f".{target.name}.part")
    try:
        with temporary.open("wb", buffering=0) as file:
            _reserve(file.fileno(), len(data))
            rest = memoryview(data)
            while rest:  # a call may write less than it was given
                rest = rest[file.write(rest) :]
        temporary.replace(target)
    except BaseException:  # a signal's, too
        _remove(temporary)
        raise


def write_or_refuse(target: Path, text: str) -> Path:
    """The same for a file that a command is to write; UserError where that is not possible."""
    try:
        write_whole(target, text.encode("utf-8"))
    except OSError as error:
        raise UserError(f"cannot write {target}: {error.strerror or error}") from None
    return target


def _reserve(file: int, size: int) -> None:
    """Have the disk set room aside: some file systems notice only later that they have none."""
    try:
        if size:
            os.posix_fallocate(file, 0, size)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
            raise
        # This kind of file system cannot do that.


def readable_json(data: Mapping[str, object]) -> str:
    """One line per field, and per item of a list of objects: an input, a bug, a note is a line."""
    fields = []
    for name, value in data.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            text = "[\n  " + ",\n  ".join(map(_encode, value)) + "\n ]"
        else:
            text = _encode(value)
        fields.append(f" {_encode(name)}: {text}")
    return "{\n" + ",\n".join(fields) + "\n}\n"


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        pass  # the folder may be gone, or not a folder: then there is nothing to remove


def _remove_folders(created: Sequence[Path]) -> None:
    for folder in reversed(created):
        try:
            folder.rmdir()
        except OSError:
            return  # someone else's file is in there, or it is gone already


def _claim_named(path: Path) -> OutputFolder:
    if (path.exists() or path.is_symlink()) and not path.is_dir():
        raise UserError(f"{path} is not a folder: choose another --out")
    missing = tuple(parent for parent in (*reversed(path.parents), path) if not parent.exists())
    try:
        path.mkdir(parents=True, exist_ok=True)
        return OutputFolder(path, (*missing, *_claim(path)))
    except OSError:
        _remove_folders(missing)
        raise


def _claim(path: Path) -> tuple[Path, ...]:
    """Make the folders of a run in ``path``, or refuse because it holds something."""
    refusal = UserError(f"{path} is not empty: choose a new or empty folder for --out")
    if any(path.iterdir()):
        raise refusal
    tests, bugs = path / "tests", path / "bugs"
    try:
        tests.mkdir()
    except FileExistsError:
        raise refusal from None  # another run claimed it since we looked
    if any(entry != tests for entry in path.iterdir()):
        tests.rmdir()
        raise refusal
    try:
        bugs.mkdir()
    except OSError:
        tests.rmdir()
        raise
    return (tests, bugs)


def _claim_numbered(parent: Path) -> OutputFolder:
    fresh = () if parent.exists() else (parent,)
    parent.mkdir(parents=True, exist_ok=True)
    number = max((int(entry.name) for entry in parent.iterdir() if entry.name.isdecimal()), default=0) + 1
    while True:
        path = parent / str(number)
        try:
            path.mkdir()
            break
        except FileExistsError:
            number += 1  # another run was faster
    try:
        return OutputFolder(path, (*fresh, path, *_claim(path)), parent / "last")
    except OSError:
        _remove_folders((*fresh, path))
        raise


def _unwritable(path: Path | str, error: OSError) -> Unwritable:
    return Unwritable(f"cannot write to {path}: {error.strerror or error}; choose another --out")
