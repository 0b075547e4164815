"""One test from start to end, in a process apart: everything below it is the test's.

With namespaces it is the first process of one, and nothing outlives it; without, orphans come back to it (it is a
"subreaper"), so that whatever a test leaves running is found and ended. It counts what the test's processes
use together, which no limit of the kernel's does.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from clew.base.dataclass import dataclass
from clew.jobs.native.sandbox import landlock, seccomp
from clew.jobs.native.sandbox.limits import limit, offer_to_be_killed
from clew.jobs.native.sandbox.means import NOBODY, Means, become_nobody
from clew.jobs.native.sandbox.processes import below, end_all, kill_all, memory_of, segments, tasks_of
from clew.jobs.native.sandbox.root import DEVICES, SYSTEM, change_root, new_namespaces
from clew.jobs.native.sandbox.syscalls import NUMBERS, machine, prctl, syscall

Job = Mapping[str, Any]
STREAMS = ("out", "err", "events")

_DEATH_SIGNAL, _SUBREAPER, _NO_NEW_PRIVILEGES, _DUMPABLE = 1, 36, 38, 4
_MEGABYTE = 1 << 20
_SHORTEST, _LONGEST = 0.001, 0.02
"""Seconds between two looks at a test."""
_JOIN_SESSION_KEYRING = 1


@dataclass(slots=True)
class Warden:
    """What is known about the test to run."""

    means: Means
    job: Job
    place: Path
    work: Path
    tasks: int = 0
    """Of the user that the test runs as, before it starts."""
    full: bool = False
    """The test's own file system had no room left, so that writes were refused."""

    def serve(self, answer: int) -> NoReturn:
        """In a child of the server's: run the test, write what happened to the descriptor ``answer``, end."""
        try:
            prctl(_DEATH_SIGNAL, signal.SIGKILL)
            prctl(_SUBREAPER, 1)
            offer_to_be_killed()
            streams = [self._open(name) for name in STREAMS]
            self.tasks = tasks_of(NOBODY if self.means.nobody else os.geteuid())
            if not self.means.namespaces:
                self._oversee(answer, streams)
            if self.means.nobody_first:
                become_nobody()
            new_namespaces()
            first = os.fork()
            if first == 0:
                prctl(_DEATH_SIGNAL, signal.SIGKILL)
                change_root(self.place, Path(self.job["program"]), int(self.job["disk_mb"]), self._owner())
                self._oversee(answer, streams)
            os.close(answer)
            os.waitpid(first, 0)
        except BaseException as error:
            _send(answer, {"failed": f"{type(error).__name__}: {error}"})
        finally:
            os._exit(0)

    def _open(self, name: str) -> int:
        return os.open(self.place / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)

    def _owner(self) -> int:
        return NOBODY if self.means.nobody else os.geteuid()

    def _oversee(self, answer: int, streams: list[int]) -> NoReturn:
        """Start, watch, end, tell."""
        try:
            prctl(_DUMPABLE, 0)  # nobody looks into this process, whatever its user's number
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            started = time.monotonic()
            child = os.fork()
            if child == 0:
                self._start(streams)
            status, stopped = self._watch(child, started + float(self.job["seconds"]))
            seconds = round(time.monotonic() - started, 3)
            left = end_all(self.means.namespaces)
            files = sum(len(names) for _, _, names in os.walk(self.work))
            code = os.waitstatus_to_exitcode(status)
            told = {"exit": code, "stopped": stopped, "left": left, "seconds": seconds, "files": files}
            _send(answer, {**told, "full": self.full})
        except BaseException as error:
            _send(answer, {"failed": f"{type(error).__name__}: {error}"})
        finally:
            os._exit(0)

    def _start(self, streams: list[int]) -> NoReturn:
        """The child: give up what the program must not have, then become the program."""
        try:
            os.setsid()
            null = os.open(os.devnull, os.O_RDONLY)
            for source, target in ((null, 0), (streams[0], 1), (streams[1], 2)):
                os.dup2(source, target)
            os.set_inheritable(streams[2], True)
            os.chdir(self.work)
            # Python ignores two of these, the server the others.
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(number, signal.SIG_DFL)
            limit(self.job, self.tasks)
            self._give_up()
            arguments = [bytes.fromhex(word) for word in self.job["arguments"]]
            os.execve(self.job["program"], arguments, self._environment(streams[2]))
        except BaseException as error:
            os.write(2, f"clew: cannot start the test: {error}\n".encode("utf-8", "replace"))
        finally:
            os._exit(126)

    def _give_up(self) -> None:
        if machine():
            try:  # the session's keys stay behind
                syscall(NUMBERS[machine()]["keyctl"], _JOIN_SESSION_KEYRING, None)
            except OSError:
                pass  # a kernel without keyrings
        if self.means.nobody and not self.means.nobody_first:
            become_nobody()
        prctl(_NO_NEW_PRIVILEGES, 1)
        if self.means.landlock:
            places = [*SYSTEM, str(Path(self.job["program"]).parent), "/proc", "/sys/devices/system/cpu"]
            own = [str(self.work), *(f"/dev/{name}" for name in DEVICES)]
            own += ["/tmp", "/dev/shm"] if self.means.namespaces else []
            landlock.restrict(self.means.landlock, places, own)
        if self.means.seccomp:
            seccomp.install(seccomp.rules(self.means.namespaces, self.means.scoped_signals, os.getpid()))

    def _environment(self, events: int) -> dict[str, str]:
        return {
            "PATH": "/usr/bin:/bin",
            "LANG": "C",
            "HOME": str(self.work),
            "TMPDIR": str(self.work),
            **{str(name): str(value) for name, value in self.job["environment"].items()},
            "CLEW_EVENTS": str(events),
        }

    def _watch(self, child: int, deadline: float) -> tuple[int, str]:
        """Wait for the program; (its status, why it was stopped)."""
        pause, stopped = _SHORTEST, ""
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            self.full = self.full or (self.means.namespaces and _is_full(self.work))
            if pid == child:
                return status, stopped
            if pid:
                continue  # an orphan that ended by itself
            looked = time.monotonic()
            stopped = stopped or ("time" if looked >= deadline else self._excess())
            if stopped:
                kill_all(self.means.namespaces)
            # A look costs something, the more the more processes the machine has.
            pause = min(_LONGEST, max(pause * 1.2, 4 * (time.monotonic() - looked)))
            time.sleep(min(pause, 0.005) if self.means.namespaces else pause)

    def _excess(self) -> str:
        """What the test's processes use more of than they may, together."""
        running = below()
        # The kernel's own limit lets a user have no more, so that this is all there will be.
        if sum(process.tasks for process in running) >= int(self.job["processes"]):
            return "processes"
        limit = int(self.job["memory_mb"]) * _MEGABYTE
        if self.means.namespaces:
            return "memory" if memory_of(running, limit) + segments() > limit else ""
        if memory_of(running, limit) > limit:
            return "memory"
        return "disk" if _size(self.work) > int(self.job["disk_mb"]) * _MEGABYTE else ""


def _is_full(folder: Path) -> bool:
    """Whether the file system of a folder has room for no byte more, or for no file."""
    room = os.statvfs(folder)
    return room.f_bavail == 0 or room.f_favail == 0


def _size(folder: Path) -> int:
    """Bytes on disk below a folder, which may be changing."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(path) / name).lstat().st_blocks * 512
            except OSError:
                pass  # gone meanwhile
    return total


def _send(answer: int, message: dict[str, Any]) -> None:
    os.write(answer, json.dumps(message).encode())  # short enough for one piece
