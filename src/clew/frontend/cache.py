"""The compile cache: bytes by key, each entry valid only while the files it depends on are unchanged.

One file per entry, in the user's cache folder. Entries are written to a temporary file and
renamed, carry a checksum over everything else in them, and are simply missing when damaged. No
failure of the cache is ever an error: without it a run is slower, not different.

One limit, which compilers' caches share: a *new* header that would be found before one used so far
goes unnoticed until something else changes.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path

_MAGIC = b"clew-cache-1\n"
_DIGEST = 32
_SUFFIX = ".entry"
_STALE_SECONDS = 3600.0


def digest(content: bytes) -> str:
    """What stands for a file's content in keys and entries."""
    return hashlib.blake2b(content, digest_size=_DIGEST).hexdigest()


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
        """The payload stored under ``key``, unless it is missing, damaged or out of date."""
        path = self._path(key)
        try:
            content = path.read_bytes()
            found = _unpack(content)
            if found is None or not all(_unchanged(file, known) for file, known in found[0].items()):
                return None
            os.utime(path)
        except OSError:
            return None
        return found[1]

    def put(self, key: str, payload: bytes, dependencies: Iterable[Path] = (), since: float | None = None) -> None:
        """Store ``payload``, valid while ``dependencies`` keep the content they have now.

        ``since`` is when the work that read them began: if one was written later, nobody knows which
        content the work saw, and nothing is stored.
        """
        try:
            files = {}
            for file in dependencies:
                if since is not None and file.stat().st_mtime >= since:
                    return
                files[str(file.absolute())] = digest(file.read_bytes())
            content = _pack(files, payload)
            if len(content) <= self.limit:
                self._write(self._path(key), content)
                self._shrink()
        except OSError:
            return

    def _path(self, key: str) -> Path:
        return self.folder / (key + _SUFFIX)

    def _write(self, path: Path, content: bytes) -> None:
        import tempfile  # Not needed, and slow to import, when everything is found.

        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix="tmp-", dir=self.folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _shrink(self) -> None:
        """Remove the entries used longest ago, and what interrupted writers left, once past the limit."""
        entries = []
        total = 0
        for path in self.folder.iterdir():
            try:
                status = path.stat()
                if path.name.startswith("tmp-") and time.time() - status.st_mtime > _STALE_SECONDS:
                    path.unlink()
                elif path.suffix == _SUFFIX:
                    entries.append((status.st_mtime_ns, status.st_size, path))
                    total += status.st_size
            except FileNotFoundError:
                continue
        if total <= self.limit:
            return
        for _, size, path in sorted(entries):
            path.unlink(missing_ok=True)
            total -= size
            if total <= self.limit * 4 // 5:
                return


def _pack(files: dict[str, str], payload: bytes) -> bytes:
    head = json.dumps(files).encode()
    body = len(head).to_bytes(8, "little") + head + payload
    return _MAGIC + hashlib.blake2b(body, digest_size=_DIGEST).digest() + body


def _unpack(content: bytes) -> tuple[dict[str, str], bytes] | None:
    start = len(_MAGIC) + _DIGEST
    body = memoryview(content)[start:]
    if not content.startswith(_MAGIC) or len(body) < 8:
        return None
    if hashlib.blake2b(body, digest_size=_DIGEST).digest() != content[len(_MAGIC) : start]:
        return None
    end = 8 + int.from_bytes(body[:8], "little")
    return json.loads(bytes(body[8:end])), bytes(body[end:])


def _unchanged(file: str, known: str) -> bool:
    return digest(Path(file).read_bytes()) == known
