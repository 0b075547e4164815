"""The compile cache: finds what is there, never what is damaged or out of date, and never fails."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from clew.frontend.cache import Cache, default_folder


def entry(cache: Cache, key: str = "k") -> Path:
    return cache.folder / f"{key}.entry"


def test_what_was_put_is_found(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "deep" / "cache")
    assert cache.get("k") is None
    cache.put("k", b"payload")
    cache.put("empty", b"")
    assert cache.get("k") == b"payload"
    assert cache.get("empty") == b""
    assert Cache(cache.folder).get("k") == b"payload"


def test_the_folder_is_private(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    cache.put("k", b"payload")
    assert cache.folder.stat().st_mode & 0o077 == 0


def test_an_entry_holds_while_its_dependencies_do(tmp_path: Path) -> None:
    header = tmp_path / "a.h"
    header.write_text("1")
    cache = Cache(tmp_path / "cache")
    cache.put("k", b"payload", [header])
    assert cache.get("k") == b"payload"
    header.write_text("2")
    assert cache.get("k") is None
    header.write_text("1")
    assert cache.get("k") == b"payload"
    header.unlink()
    assert cache.get("k") is None


def test_a_file_written_during_the_work_keeps_the_result_out(tmp_path: Path) -> None:
    header = tmp_path / "a.h"
    header.write_text("1")
    cache = Cache(tmp_path / "cache")
    cache.put("k", b"payload", [header], since=header.stat().st_mtime - 1)
    assert cache.get("k") is None
    cache.put("k", b"payload", [header], since=header.stat().st_mtime + 1)
    assert cache.get("k") == b"payload"


def test_every_kind_of_damage_makes_an_entry_missing(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("k", b"payload", [])
    good = entry(cache).read_bytes()
    for position in range(len(good)):
        entry(cache).write_bytes(good[:position] + bytes([good[position] ^ 0x40]) + good[position + 1 :])
        assert cache.get("k") is None
    for length in range(len(good)):
        entry(cache).write_bytes(good[:length])
        assert cache.get("k") is None
    entry(cache).write_bytes(good)
    assert cache.get("k") == b"payload"


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    obstacle = tmp_path / "file"
    obstacle.touch()
    cache = Cache(obstacle / "cache")
    cache.put("k", b"payload")
    assert cache.get("k") is None


def test_size_is_bounded_and_the_longest_unused_goes_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=10_000)
    for number in range(8):
        cache.put(f"k{number}", bytes(1000))
        os.utime(entry(cache, f"k{number}"), (number + 1, number + 1))
    assert cache.get("k0") == bytes(1000)  # Used just now, so not among the oldest any more.
    cache.put("new", bytes(2000))
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 10_000
    assert cache.get("new") is not None
    assert cache.get("k0") is not None
    assert cache.get("k1") is None


def test_what_is_larger_than_the_cache_is_not_kept(tmp_path: Path) -> None:
    cache = Cache(tmp_path, limit=1000)
    cache.put("k", bytes(2000))
    assert list(tmp_path.iterdir()) == []


def test_leftovers_of_interrupted_writers_are_removed(tmp_path: Path) -> None:
    old, fresh = tmp_path / "tmp-old", tmp_path / "tmp-fresh"
    old.touch()
    fresh.touch()
    long_ago = time.time() - 100_000
    os.utime(old, (long_ago, long_ago))
    Cache(tmp_path).put("k", b"payload")
    assert not old.exists()
    assert fresh.exists()


def test_default_folder_follows_xdg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "clew"
    cache = Cache.default()
    assert cache is not None
    assert cache.folder == tmp_path / "clew"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/ignored")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert default_folder() == tmp_path / "home" / ".cache" / "clew"
