"""The supervisor: a run gets a process of its own, so that its limits hold whatever it is doing.

A run keeps its budget by itself (``clew.base.watchdog``) as long as it executes Python. Solvers and other native code
may not listen for minutes, take memory without end, or crash. So the command runs in a child process, which keeps a
journal (``clew.report.journal``). When it is late, or too big, the child is killed, and what is left to do is done
here: its will (``clew.cli.salvage``). The same after a crash. Otherwise all that this process does is to wait, and to
pass signals on.

The child has a process group of its own: signals of the terminal come here alone, and are not seen twice.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from clew.base.messages import LIMITS, STANDING, WILL, Frames, limits_of
from clew.base.processes import age, descendants, die_with_parent, resident_mb, send_signal
from clew.cli.early_signals import ABORTED, SIGNALS
from clew.cli.exits import FAILURE

if TYPE_CHECKING:
    from clew.report.journal import Journal

LATE = 1.0
LATE_SHARE = 0.05
"""Seconds, and part of the time limit, that a run may be late before it is ended; by itself it ends well before."""
PREPARE = 4.0
"""Seconds before that, when what is needed to carry out a will is imported."""
TOO_BIG = 1.08
"""Part of the memory limit at which it is ended."""
LOOK = 0.1
"""Seconds between two looks at the child's memory."""
MOST_STARTING = 1.0
"""Seconds that starting this process counts for, at the most: a shell that ends with ``exec`` leaves its age to it."""


def supervised(work: Callable[[Journal | None], int]) -> int:
    """The exit code of ``work``, done in a process of its own where the system has such a thing."""
    if not hasattr(os, "fork"):
        return work(None)
    reader, writer = _pipe()
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        parent, child = os.getpid(), os.fork()
    except OSError:  # too many processes: then without
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        return work(None)
    if child:
        os.close(writer)
        return Supervisor(child, reader).wait()
    os.close(reader)
    _leave(parent)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)

    from clew.report.journal import Journal

    return work(Journal(writer))


def _pipe() -> tuple[int, int]:
    """A pipe whose ends do not take the places of standard streams that are closed."""
    reader, writer = os.pipe()
    ends = fcntl.fcntl(reader, fcntl.F_DUPFD_CLOEXEC, 3), fcntl.fcntl(writer, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(reader)
    os.close(writer)
    return ends


def _leave(parent: int) -> None:
    """In the child: a group of its own, that may write to the terminal, and an end when the parent has one."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    die_with_parent()
    if os.getppid() != parent:
        os._exit(ABORTED)


class Supervisor:
    """Waits for one child. Its journal is kept as it comes, unread."""

    def __init__(self, child: int, reader: int) -> None:
        self._child = child
        self._began = time.monotonic() - min(age(), MOST_STARTING)
        self._frames = Frames()
        self._seconds: float | None = None
        self._memory_mb: float | None = None
        self._will: bytes | None = None
        self._standing: list[tuple[str, bytes]] = []
        self._entries: list[tuple[str, bytes]] = []
        wake, wakes = _pipe()
        for end in (wake, wakes, reader):
            os.set_blocking(end, False)
        self._wake = wake
        self._reader = reader
        self._sources = [wake, reader]
        signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda number, frame: send_signal(self._child, number))
        if signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL:
            signal.signal(signal.SIGTSTP, lambda number, frame: self._suspend())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)

    # Signals

    def _suspend(self) -> None:
        """Ctrl-Z: both stop, and both go on; the time in between does not count."""
        stopped = time.monotonic()
        send_signal(self._child, signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGSTOP)
        send_signal(self._child, signal.SIGCONT)
        self._began += time.monotonic() - stopped

    # Waiting

    def wait(self) -> int:
        """Until the child has ended, or has to be: the exit code."""
        while True:
            ended, status = os.waitpid(self._child, os.WNOHANG)
            if ended:
                self._read()
                code = os.waitstatus_to_exitcode(status)
                return code if code >= 0 else self._died(signal.Signals(-code))
            too_much = self._too_much()
            if too_much:
                self._kill()
                self._read()
                return self._carry_out(too_much, f"stopped by {too_much}")
            ready, _, _ = select.select(self._sources, [], [], self._time_to_look())
            if self._reader in ready:
                self._read()
            if self._wake in ready:
                os.read(self._wake, 4096)

    def _left(self) -> float | None:
        """Seconds until the child is late; None without a limit."""
        if self._seconds is None:
            return None
        return self._began + self._seconds * (1 + LATE_SHARE) + LATE - time.monotonic()

    def _time_to_look(self) -> float | None:
        """Seconds for which nothing has to be looked at."""
        if self._memory_mb is not None:
            return LOOK
        left = self._left()
        return None if left is None else max(0.0, left - PREPARE if left > PREPARE else left)

    def _too_much(self) -> str:
        """What the child takes too much of: ``time`` or ``memory``; empty if all is well."""
        left = self._left()
        if left is not None and left <= 0:
            return "time"
        if left is not None and left <= PREPARE:
            import clew.cli.salvage
            import clew.report.text  # noqa: F401
        if self._memory_mb is not None and resident_mb(self._child) > TOO_BIG * self._memory_mb:
            return "memory"
        return ""

    def _read(self) -> None:
        """All that there is in the journal."""
        while True:
            try:
                data = os.read(self._reader, 1 << 20)
            except BlockingIOError:
                return
            if not data:
                self._sources = [self._wake]
                return
            for tag, content in self._frames.feed(data):
                self._take(tag, content)

    def _take(self, tag: str, content: bytes) -> None:
        if tag == LIMITS:
            self._seconds, self._memory_mb = limits_of(content)
        elif tag == WILL:
            self._will = content
        elif tag == STANDING:
            self._standing = [(tag, content)]
        else:
            self._entries.append((tag, content))

    # The end

    def _kill(self) -> None:
        """The child, and all that it has started."""
        send_signal(self._child, signal.SIGSTOP)
        for process in (*descendants(self._child), self._child):
            try:
                os.kill(process, signal.SIGKILL)
            except OSError:
                pass  # it has just ended
        os.waitpid(self._child, 0)

    def _died(self, number: signal.Signals) -> int:
        """A signal has ended the child."""
        if number in SIGNALS:
            return self._carry_out("interrupted", "interrupted")
        if number == signal.SIGKILL:
            return self._carry_out("memory", "ended by the system, most likely for lack of memory")
        return self._carry_out("internal error", f"internal error: ended by {number.name}")

    def _carry_out(self, reason: str, text: str) -> int:
        """What the child has left to do."""
        wall_seconds = time.monotonic() - self._began
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        if sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
        if reason not in ("time", "memory") and sys.stderr is not None:
            sys.stderr.write(f"clew: error: {text}\n")
        if self._will is None:
            return FAILURE if reason == "internal error" else ABORTED
        import pickle
        import resource

        from clew.base.budget import StopReason, peak_memory_mb
        from clew.cli.salvage import Death, Will

        will: Will = pickle.loads(self._will)
        death = Death(StopReason(reason), text, wall_seconds, peak_memory_mb(resource.RUSAGE_CHILDREN))
        return will.carry_out((*self._entries, *self._standing), death)
