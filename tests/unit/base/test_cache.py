"""The compile cache: finds what is there, never what is damaged or not its own, and never fails."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from clew.base.cache import Cache, default_folder


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


def test_an_entry_is_bound_to_its_key(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    cache.put("k", b"payload")
    entry(cache).rename(entry(cache, "other"))
    assert cache.get("other") is None
    entry(cache, "other").rename(entry(cache))
    assert cache.get("k") == b"payload"


def test_a_folder_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    cache.put("k", b"payload")
    for mode in (0o770, 0o720, 0o707, 0o702, 0o1777):
        cache.folder.chmod(mode)
        assert cache.get("k") is None
        cache.put("other", b"payload")
        assert not entry(cache, "other").exists()
    cache.folder.chmod(0o755)
    assert cache.get("k") == b"payload"


def test_an_entry_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    cache.put("k", b"payload")
    for mode in (0o660, 0o606):
        entry(cache).chmod(mode)
        assert cache.get("k") is None
    cache.put("k", b"payload")
    assert entry(cache).stat().st_mode & 0o777 == 0o600
    assert cache.get("k") == b"payload"


def test_what_belongs_to_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path / "cache")
    cache.put("k", b"payload")
    real = os.fstat

    def foreign(kind: Callable[[int], bool]) -> Callable[[int], os.stat_result]:
        """``fstat`` that says of files of one kind that another user owns them."""

        def changed(handle: int) -> os.stat_result:
            status = real(handle)
            owner = status.st_uid + (1 if kind(status.st_mode) else 0)
            return os.stat_result((*status[:4], owner, *status[5:]))

        return changed

    for kind in (stat.S_ISDIR, stat.S_ISREG):
        with monkeypatch.context() as patch:
            patch.setattr("clew.base.cache.os.fstat", foreign(kind))
            assert cache.get("k") is None
            cache.put("other", b"payload")
        assert entry(cache, "other").exists() == (kind is stat.S_ISREG)
    assert cache.get("k") == b"payload"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_is_looked_up(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    for path in (entry(cache), cache.folder):
        cache.put("k", b"payload")
        os.chown(path, 1, -1)
        assert cache.get("k") is None
        os.chown(path, 0, -1)
        assert cache.get("k") == b"payload"


def test_entries_are_files_and_not_ways_to_others(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    cache.put("k", b"payload")
    elsewhere = tmp_path / "elsewhere"
    entry(cache).rename(elsewhere)
    entry(cache).symlink_to(elsewhere)
    assert cache.get("k") is None
    entry(cache).unlink()
    os.mkfifo(entry(cache))
    assert cache.get("k") is None
    entry(cache).unlink()
    entry(cache).mkdir()
    assert cache.get("k") is None
    cache.put("k", b"payload")
    assert cache.get("k") is None


def test_a_symbolic_link_may_lead_to_a_folder_of_ours(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir(mode=0o700)
    (tmp_path / "cache").symlink_to(real)
    cache = Cache(tmp_path / "cache")
    cache.put("k", b"payload")
    assert cache.get("k") == b"payload"
    real.chmod(0o777)
    assert cache.get("k") is None


def test_every_kind_of_damage_makes_an_entry_missing(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("k", b"payload")
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
