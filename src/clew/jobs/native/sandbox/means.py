"""What this kernel permits, found out by trying, and which promises hold with that."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from clew.base.dataclass import dataclass
from clew.jobs.native.sandbox import landlock, seccomp
from clew.jobs.native.sandbox.root import change_root, new_namespaces
from clew.jobs.native.sandbox.syscalls import prctl

NOBODY = 65534
_TRUNCATES = 3
"""The version of Landlock from which on it knows about ``truncate``."""
_SUBREAPER = 36


@dataclass(frozen=True, slots=True)
class Promise:
    """One thing that tests are kept from."""

    text: str
    broken: str
    """What to say where it does not hold."""
    holds: bool
    essential: bool = True
    """No test is run without it, unless the user insists."""


@dataclass(frozen=True, slots=True)
class Means:
    """The mechanisms to use."""

    namespaces: bool
    landlock: int
    seccomp: bool
    nobody: bool
    """We are root, and tests run as someone else."""
    nobody_first: bool = False
    """Root may not make namespaces here, but an ordinary user may."""

    @property
    def scoped_signals(self) -> bool:
        return self.namespaces or self.landlock >= landlock.SCOPES_SIGNALS

    def promises(self) -> Iterator[Promise]:
        files = self.namespaces or (self.landlock >= _TRUNCATES and self.seccomp)
        yield Promise("changes nothing outside its own folder", "files elsewhere can be changed", files)
        yield Promise("reads only its own and the system's files", "files elsewhere can be read",
                      self.namespaces or self.landlock > 0, essential=False)  # fmt: skip
        yield Promise("no network, no sockets of other programs", "the network or other programs' sockets can be used",
                      self.namespaces or self.seccomp)  # fmt: skip
        yield Promise("no signals to other processes", "other processes can be signalled",
                      self.scoped_signals or self.seccomp)  # fmt: skip
        yield Promise("no keyrings, no rare kernel calls", "kernel calls are not filtered", self.seccomp,
                      essential=False)  # fmt: skip
        if os.geteuid() == 0:
            yield Promise("run as nobody", "tests would run as root", self.nobody)


def find_means(folder: Path, without: Collection[str] = ()) -> Means:
    """Try what there is; ``without`` names what to leave out, as on a kernel that lacks it."""
    prctl(_SUBREAPER, 1)
    root = os.geteuid() == 0
    known = 0 if "landlock" in without else landlock.version()
    known = min(known, landlock.SCOPES_SIGNALS - 1) if "scopes" in without else known
    filters = "seccomp" not in without and seccomp.available()
    first = False
    spaces = "namespaces" not in without and _tried(lambda: _namespaces(folder, first=False))
    if not spaces and root and "namespaces" not in without:
        spaces = first = _tried(lambda: _namespaces(folder, first=True))
    nobody = root and (_tried(_drop) if spaces and not first else _tried(lambda: _reachable(folder)))
    return Means(spaces, known, filters, nobody, first)


def become_nobody() -> None:
    """Root's rights are gone from here on."""
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def _drop() -> bool:
    become_nobody()
    return True


def _reachable(folder: Path) -> bool:
    become_nobody()
    return os.access(folder, os.X_OK)


def _namespaces(folder: Path, first: bool) -> bool:
    """Whether a test could have them, with all that they are for."""
    place = folder / f"probe{first:d}"
    for name in ("root", "work", "bin"):
        (place / name).mkdir(parents=True)
        (place / name).chmod(0o755)
    if first:
        become_nobody()
    new_namespaces()

    def enter() -> bool:
        change_root(place, place / "bin/program", 1, os.geteuid())
        return True

    return _tried(enter)


def _tried(action: Callable[[], bool]) -> bool:
    """Whether an action works, tried in a process that ends with it."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if action() else 1)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0
