"""Namespaces, and a root folder in which there is only what a program needs to run.

    /usr /lib /etc ...        the system's, read-only
    /proc /dev                this test's processes; null, zero, full, random
    .../build/program         the program, read-only
    .../test1/work /tmp       the test's own, together at most so many megabytes

Nothing else is there: no home folders, no sockets of other programs, no file whose attributes could be changed.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from pathlib import Path

from clew.jobs.native.sandbox.syscalls import NUMBERS, machine, mount, prctl, syscall, unmount, unshare

SYSTEM = "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix /gnu".split()
"""Where systems keep what programs need to start."""
DEVICES = "null zero full random urandom".split()
MOST_FILES = 10_000
_OWN = ".own"

_NEW_USER = 0x10000000
_NEW_ALL = 0x00020000 | 0x20000000 | 0x40000000 | 0x08000000 | 0x04000000
"""Mounts, process numbers, network, System V's shared things, the host's name."""
_RDONLY, _NOSUID, _NODEV, _NOEXEC, _BIND, _REC, _PRIVATE = 1, 2, 4, 8, 0x1000, 0x4000, 0x40000
_DUMPABLE = 4
_DETACH, _HERE, _RECURSIVE = 2, -100, 0x8000


def new_namespaces() -> None:
    """Leave those of the machine behind; what is started from here on has process numbers of its own, too."""
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        unshare(_NEW_ALL)
        return
    prctl(_DUMPABLE, 1)  # else, after a change of the user, the files below are root's
    unshare(_NEW_USER | _NEW_ALL)
    # Keep our numbers: without a map the program would see itself as nobody.
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with contextlib.suppress(OSError):
            Path(f"/proc/self/{name}").write_bytes(text.encode())


def change_root(place: Path, program: Path, megabytes: int, owner: int) -> None:
    """Build the new root in ``place / "root"`` and go there. ``place / "work"`` then belongs to ``owner``."""
    root = place / "root"
    mount(None, "/", None, _REC | _PRIVATE)
    mount("tmpfs", str(root), "tmpfs", _NOSUID | _NODEV, "size=1m,mode=755")
    _system(root)
    _devices(root)
    folders = [_inside(root, path) for path in (place / "work", program.parent)]
    _make(root / "tmp", root / "proc", root / _OWN, *folders)
    _read_only(root)
    _own(root, megabytes, owner)
    _make(*folders)  # once more: they may lie below /tmp, which is another one now
    mount(str(program.parent), str(folders[1]), None, _BIND)
    _read_only(folders[1])
    mount(str(root / _OWN / "work"), str(folders[0]), None, _BIND)
    unmount(str(root / _OWN), _DETACH)
    _processes(root)
    os.chdir(root)
    syscall(NUMBERS[machine()]["pivot_root"], b".", b".")
    unmount(".", _DETACH)  # the old root, which lies above the new one
    os.chdir("/")


def _make(*folders: Path) -> None:
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)


def _inside(root: Path, path: Path) -> Path:
    return root / path.relative_to("/")


def _system(root: Path) -> None:
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            _inside(root, path).symlink_to(path.readlink())
        elif path.is_dir():
            _inside(root, path).mkdir()
            mount(str(path), str(_inside(root, path)), None, _BIND | _REC)


def _devices(root: Path) -> None:
    (root / "dev/shm").mkdir(parents=True)
    for name in DEVICES:
        (root / "dev" / name).touch()
        mount(f"/dev/{name}", str(root / "dev" / name), None, _BIND)
    for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        (root / "dev" / name).symlink_to(f"/proc/self/fd{target}")


def _read_only(place: Path) -> None:
    """All that is mounted there; ``mount`` could not do this for mounts below others, nor keep their other flags."""
    attributes = (ctypes.c_uint64 * 4)(_RDONLY | _NOSUID, 0, 0, 0)
    name, size = os.fsencode(place), ctypes.c_size_t(ctypes.sizeof(attributes))
    number = NUMBERS[machine()]["mount_setattr"]
    syscall(number, _HERE, name, ctypes.c_uint(_RECURSIVE), ctypes.byref(attributes), size)


def _own(root: Path, megabytes: int, owner: int) -> None:
    """One file system in memory for everything that the test writes, so that its size limits the sum."""
    base = root / _OWN
    mount("tmpfs", str(base), "tmpfs", _NOSUID | _NODEV, f"size={megabytes}m,nr_inodes={MOST_FILES},mode=711")
    for name, mode in (("work", 0o700), ("shm", 0o1777), ("tmp", 0o1777)):
        (base / name).mkdir()
        (base / name).chmod(mode)
        os.chown(base / name, owner, -1)
    mount(str(base / "shm"), str(root / "dev/shm"), None, _BIND)
    mount(str(base / "tmp"), str(root / "tmp"), None, _BIND)


def _processes(root: Path) -> None:
    """The new namespace's ``/proc``; where the kernel refuses that (parts of it are covered here), the old one."""
    target = str(root / "proc")
    try:
        mount("proc", target, "proc", _RDONLY | _NOSUID | _NODEV | _NOEXEC)
    except OSError:
        mount("/proc", target, None, _BIND | _REC)
        _read_only(root / "proc")
