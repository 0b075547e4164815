"""The compile cache: bytes by key, in a folder that nobody else can write to.

One file per entry. An entry names the key it belongs to and carries a checksum over everything in it; one that is
damaged, or was put under another name, is simply missing. So is one that somebody else owns or may change, and a folder
of that kind is not used at all. This is looked up on the open folder and file, not by their names, so that nothing can
be put in their place between the look and the use, and what leads to the folder does not matter.

No failure of the cache is ever an error: without it a run is slower, not different.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_MAGIC = b"clew-cache-2\n"
_DIGEST = 32
_SUFFIX = ".entry"
_STALE_SECONDS = 3600.0
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def digest(content: bytes) -> str:
    """What stands for a content in keys."""
    return _hash(content).hex()


def default_folder() -> Path | None:
    """``$XDG_CACHE_HOME/clew`` or the system's usual place; None for a user without a home."""
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    if Path(chosen).is_absolute():
        return Path(chosen) / "clew"
    if sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"]) / "clew" / "cache"
    try:
        return Path.home() / ".cache" / "clew"
    except RuntimeError:
        return None


class Cache:
    """A folder of entries, kept below ``limit`` bytes by removing what was not used for longest."""

    def __init__(self, folder: Path, limit: int = 512 << 20) -> None:
        self.folder = folder
        self.limit = limit

    @staticmethod
    def default() -> Cache | None:
        """The user's cache, or None where there is no place for one."""
        folder = default_folder()
        return Cache(folder) if folder is not None else None

    def get(self, key: str) -> bytes | None:
        """The payload stored under ``key``, unless it is missing, damaged or not this user's own."""
        try:
            with self._opened() as folder:
                return _unpack(_read(key + _SUFFIX, folder), key)
        except OSError:
            return None

    def put(self, key: str, payload: bytes) -> None:
        """Store ``payload``, unless it is larger than the whole cache or the folder is not this user's own."""
        self.put_all({key: payload})

    def put_all(self, payloads: Mapping[str, bytes]) -> None:
        """Store several, each under its key."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._opened() as folder:
                for key, payload in payloads.items():
                    content = _pack(key, payload)
                    if len(content) <= self.limit:
                        _write(key + _SUFFIX, content, folder)
                self._shrink(folder)
        except OSError:
            return

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """A descriptor of the folder; ``PermissionError`` if others can change what is in it."""
        folder = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            check_own(os.fstat(folder))
            yield folder
        finally:
            os.close(folder)

    def _shrink(self, folder: int) -> None:
        """Remove the entries used longest ago, and what interrupted writers left, once past the limit."""
        entries = []
        total = 0
        for name in os.listdir(folder):
            try:
                status = os.stat(name, dir_fd=folder, follow_symlinks=False)
                if name.startswith("tmp-") and time.time() - status.st_mtime > _STALE_SECONDS:
                    os.unlink(name, dir_fd=folder)
                elif name.endswith(_SUFFIX):
                    entries.append((status.st_mtime_ns, status.st_size, name))
                    total += status.st_size
            except FileNotFoundError:
                continue
        if total <= self.limit:
            return
        for _, size, name in sorted(entries):
            _remove(name, folder)
            total -= size
            if total <= self.limit * 4 // 5:
                return


def check_own(status: os.stat_result, secret: bool = False) -> None:
    """``PermissionError`` if somebody else owns this or may change it, or read it where it is ``secret``."""
    # Where there are access control lists, the group's bits are the most that any of them grants.
    others = stat.S_IRWXG | stat.S_IRWXO if secret else _OTHERS_WRITE
    if status.st_uid != os.geteuid() or status.st_mode & others:
        raise PermissionError


def _read(name: str, folder: int) -> bytes:
    """An entry's content, which counts as a use of it."""
    handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        check_own(status)
        if not stat.S_ISREG(status.st_mode):
            raise PermissionError
        os.utime(handle)
        return file.read()


def _write(name: str, content: bytes, folder: int) -> None:
    """The entry is there as a whole or not at all."""
    temporary = f"tmp-{os.urandom(8).hex()}"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        _remove(temporary, folder)
        raise


def _remove(name: str, folder: int) -> None:
    try:
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return


def _pack(key: str, payload: bytes) -> bytes:
    name = key.encode()
    body = len(name).to_bytes(8, "little") + name + payload
    return _MAGIC + _hash(body) + body


def _unpack(content: bytes, key: str) -> bytes | None:
    """The payload, if ``content`` is an undamaged entry for ``key``."""
    start = len(_MAGIC) + _DIGEST
    body = memoryview(content)[start:]
    if not content.startswith(_MAGIC) or _hash(body) != content[len(_MAGIC) : start]:
        return None
    end = 8 + int.from_bytes(body[:8], "little")
    return bytes(body[end:]) if body[8:end] == key.encode() else None


def _hash(content: bytes | memoryview) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()
