"""A secret of this user on this machine: what carries its mark was written by this user's own runs, here.

It lies outside the cache's folder, so that a cache that comes from elsewhere (restored, copied, shared) has no marks
that count.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import os
from pathlib import Path

from clew.base.cache import check_own

_SIZE = 32


def marked(content: bytes) -> bytes | None:
    """The content behind its mark; None if there is no place for a secret."""
    key = _key()
    return None if key is None else _mark(content, key) + content


def unmarked(content: bytes) -> bytes | None:
    """The content, if the mark in front of it is this user's."""
    key = _key()
    if key is None or not hmac.compare_digest(content[:_SIZE], _mark(content[_SIZE:], key)):
        return None
    return content[_SIZE:]


def _mark(content: bytes, key: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_SIZE, key=key).digest()


def key_file() -> Path | None:
    """``$XDG_STATE_HOME/clew/key`` or the system's usual place; None for a user without a home."""
    chosen = os.environ.get("XDG_STATE_HOME", "")
    if Path(chosen).is_absolute():
        return Path(chosen) / "clew" / "key"
    try:
        return Path.home() / ".local" / "state" / "clew" / "key"
    except RuntimeError:
        return None


def _key() -> bytes | None:
    file = key_file()
    return None if file is None else _key_in(file)


@functools.lru_cache(maxsize=1)
def _key_in(file: Path) -> bytes | None:
    """What is in the file, which is made if there is none; None unless it is this user's own."""
    try:
        return _read(file)
    except FileNotFoundError:
        pass
    except OSError:
        return None
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = file.with_name(f"tmp-{os.urandom(8).hex()}")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(handle, "wb") as new:
            new.write(os.urandom(_SIZE))
        try:
            os.link(draft, file)  # unlike a renaming, it leaves a key that is there by now
        finally:
            draft.unlink()
    except FileExistsError:
        pass
    except OSError:
        return None
    try:
        return _read(file)
    except OSError:
        return None


def _read(file: Path) -> bytes | None:
    handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as found:
        check_own(os.fstat(handle), secret=True)
        key = found.read(_SIZE + 1)
        return key if len(key) == _SIZE else None
