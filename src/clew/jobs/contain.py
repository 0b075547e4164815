"""Runs native tests where they can do no harm. A program of its own: ``python -I contain.py FOLDER``.

Reads one job per line (JSON) from standard input and answers each with one line; the first line says how
well it can contain. It is a process apart because everything below it is the test's: orphans come back to it
(it is a "subreaper"), so that whatever a test leaves running is found and ended. Uses nothing but Python's own library.

Each test gets: an empty folder, the only place it may write to (Landlock, and another user when run by root); no
network (a network namespace of its own); limits of time, memory, file size and processes; no inherited
environment. What the system does not permit is left out, and the first line says so.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import math
import os
import resource
import signal
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

NOBODY = 65534
KEPT = 64 * 1024
"""Bytes of a test's output that are handed on."""
_KILL_SECONDS = 10.0

_NEW_USER, _NEW_NET = 0x10000000, 0x40000000
_SUBREAPER, _NO_NEW_PRIVILEGES, _DEATH_SIGNAL = 36, 38, 1
_RULESET, _ADD_RULE, _RESTRICT = 444, 445, 446
_WRITING = 0b1_1111_1111_0010
"""Landlock's rights to write, remove and make files, version 1."""
_FILE_WRITE, _REFER, _TRUNCATE = 1 << 1, 1 << 13, 1 << 14

_libc = ctypes.CDLL(None, use_errno=True)


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("access", ctypes.c_uint64), ("parent", ctypes.c_int32))


class Container:
    """What this system permits, found out once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        _libc.prctl(_SUBREAPER, 1, 0, 0, 0)
        _libc.prctl(_DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)
        self.landlock = max(0, _libc.syscall(_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1)))
        self.drop_user = os.geteuid() == 0 and _tried(self._reachable)
        self.network_cut = _unshare_network()
        self.late_network = not self.network_cut and self.drop_user and _tried(self._late_cut)

    def _reachable(self) -> bool:
        _become_nobody()
        return os.access(self.folder, os.X_OK)

    def _late_cut(self) -> bool:
        _become_nobody()
        return bool(_libc.unshare(_NEW_USER | _NEW_NET) == 0)

    def describe(self) -> dict[str, Any]:
        return {
            "network": self.network_cut or self.late_network,
            "files": self.landlock > 0,
            "user": self.drop_user,
        }

    def enter(self, work: Path) -> None:
        """In the child, last before the program starts: give up what it must not have."""
        if self.drop_user:
            _become_nobody()
            if self.late_network:
                _libc.unshare(_NEW_USER | _NEW_NET)
        _libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        if self.landlock:
            _restrict(self.landlock, work)


def _become_nobody() -> None:
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def _tried(action: Any) -> bool:
    """Whether an action works, tried in a process that ends with it."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if action() else 1)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def _unshare_network() -> bool:
    if os.geteuid() == 0:
        return bool(_libc.unshare(_NEW_NET) == 0)
    user, group = os.getuid(), os.getgid()
    if _libc.unshare(_NEW_USER | _NEW_NET) != 0:
        return False
    # Keep our numbers: without a map the program would see itself as nobody.
    maps = (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1"))
    for name, text in maps:
        with contextlib.suppress(OSError):
            Path(f"/proc/self/{name}").write_text(text, encoding="ascii")
    return True


def _restrict(version: int, work: Path) -> None:
    """Landlock: write below ``work`` only, no TCP, no signals to others."""
    files = _WRITING | (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    rules = _Ruleset(files, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = _libc.syscall(_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "landlock")
    single = _FILE_WRITE | (_TRUNCATE if version >= 3 else 0)
    for place, access in ((str(work), files), ("/dev/null", single), ("/dev/zero", single)):
        try:
            parent = os.open(place, getattr(os, "O_PATH", 0) | os.O_CLOEXEC)
        except OSError:
            continue
        rule = _Beneath(access, parent)
        _libc.syscall(_ADD_RULE, ruleset, 1, ctypes.byref(rule), ctypes.c_uint32(0))
        os.close(parent)
    if _libc.syscall(_RESTRICT, ruleset, ctypes.c_uint32(0)) != 0:
        raise OSError(ctypes.get_errno(), "landlock")
    os.close(ruleset)


def run(container: Container, job: dict[str, Any]) -> dict[str, Any]:
    """One test from start to end, and nothing of it left."""
    place = container.folder / f"test{job['number']}"
    work = place / "work"
    work.mkdir(parents=True)
    if container.drop_user:
        os.chown(work, NOBODY, NOBODY)
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        _start(container, job, place, work)
    status, verdict = _watch(child, started + float(job["seconds"]), int(job["processes"]))
    left = _end_all(child)
    return {
        "exit": os.waitstatus_to_exitcode(status),
        "stopped": verdict,
        "left": left,
        "seconds": round(time.monotonic() - started, 3),
        "out": _head(place / "out"),
        "out_size": (place / "out").stat().st_size if (place / "out").exists() else 0,
        "err": _head(place / "err"),
        "events": _head(place / "events").splitlines(),
        "files": sum(len(names) for _, _, names in os.walk(work)),
    }


def _start(container: Container, job: dict[str, Any], place: Path, work: Path) -> NoReturn:
    """The child: set up, then become the program."""
    try:
        os.setsid()
        null = os.open(os.devnull, os.O_RDONLY)
        out, err, events = (
            os.open(place / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) for name in ("out", "err", "events")
        )
        for source, target in ((null, 0), (out, 1), (err, 2)):
            os.dup2(source, target)
        os.set_inheritable(events, True)
        os.chdir(work)
        signals = (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ)  # Python ignores the last two
        for number in signals:
            signal.signal(number, signal.SIG_DFL)
        _limit(job)
        container.enter(work)
        environment = {
            "PATH": "/usr/bin:/bin",
            "LANG": "C",
            "HOME": str(work),
            "TMPDIR": str(work),
            **{str(name): str(value) for name, value in job["environment"].items()},
            "CLEW_EVENTS": str(events),
        }
        arguments = [bytes.fromhex(word) for word in job["arguments"]]
        os.execve(job["program"], arguments, environment)
    except BaseException as error:
        os.write(2, f"clew: cannot start the test: {error}\n".encode("utf-8", "replace"))
    finally:
        os._exit(126)


def _limit(job: dict[str, Any]) -> None:
    seconds, megabyte = math.ceil(float(job["seconds"])) + 1, 1 << 20
    limits = {
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: int(job["file_mb"]) * megabyte,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_NPROC: _tasks_of(NOBODY if os.geteuid() == 0 else os.getuid()) + int(job["processes"]),
    }
    if job["memory_mb"]:
        limits[resource.RLIMIT_AS] = int(job["memory_mb"]) * megabyte
    for kind, value in limits.items():
        _, hard = resource.getrlimit(kind)
        limit = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (limit, limit))


def _watch(child: int, deadline: float, processes: int) -> tuple[int, str]:
    """Wait for the program; (its status, why it was stopped)."""
    pause, verdict, looked = 0.001, "", time.monotonic()
    while True:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == child:
            return status, verdict
        if pid:
            continue  # an orphan that ended by itself
        now = time.monotonic()
        if not verdict and now >= deadline:
            verdict = "time"
            _stop(child)
        elif not verdict and now - looked > 0.05:
            looked = now
            if len(_descendants()) >= processes:  # the system's own limit lets it have no more
                verdict = "processes"
                _stop(child)
        time.sleep(pause)
        pause = min(0.02, pause * 1.5)


def _stop(child: int) -> None:
    for pid in {child, *_descendants()}:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _end_all(child: int) -> int:
    """End what the program left running; how many processes that was."""
    left, deadline = 0, time.monotonic() + _KILL_SECONDS
    while time.monotonic() < deadline:
        running = _descendants()
        if not running:
            break
        left = max(left, len(running))
        for number in (signal.SIGSTOP, signal.SIGKILL):  # stopped first: what forks on would outrun us
            for pid in _descendants():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)
        _reap()
    _reap()
    return left


def _reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _descendants() -> list[int]:
    """Everything below this process that is not a zombie."""
    children: dict[int, list[int]] = {}
    for pid, parent, state in _processes():
        if state != "Z":
            children.setdefault(parent, []).append(pid)
    found: list[int] = []
    open_ends = [os.getpid()]
    while open_ends:
        below = children.get(open_ends.pop(), [])
        found += below
        open_ends += below
    return found


def _processes() -> list[tuple[int, int, str]]:
    result = []
    for place in Path("/proc").iterdir():
        if place.name.isdecimal():
            with contextlib.suppress(OSError, IndexError, ValueError):
                text = (place / "stat").read_bytes().rpartition(b")")[2].split()
                result.append((int(place.name), int(text[1]), text[0].decode()))
    return result


def _tasks_of(user: int) -> int:
    count = 0
    for place in Path("/proc").iterdir():
        if place.name.isdecimal():
            with contextlib.suppress(OSError):
                if place.stat().st_uid == user:
                    count += sum(1 for _ in (place / "task").iterdir())
    return count


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(KEPT).decode("latin-1")
    except OSError:
        return ""


def main() -> None:
    """Serve until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: (_end_all(0), os._exit(1)))
    container = Container(Path(sys.argv[1]))
    print(json.dumps(container.describe()), flush=True)
    for line in sys.stdin:
        print(json.dumps(run(container, json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
