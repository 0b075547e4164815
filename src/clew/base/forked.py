"""Work that cannot be interrupted, in a process of its own that can be ended.

Native code does not always listen, and some work is long, and nobody waits for it. A copy of this process, which costs
little as long as neither side changes much, does the work, and sends back what comes out; if it takes too long, or too
much, it is killed, and nothing has happened.
"""

from __future__ import annotations

import gc
import math
import os
import pickle
import select
import signal
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from clew.base.messages import write_all
from clew.base.processes import die_with_parent, fork, resident_mb

T = TypeVar("T")
_LOOK = 0.05
"""Seconds between two looks at what the copy takes."""


class TookTooLong(Exception):
    """Or too much, or it was stopped, or it failed: there is no result."""


class Beside(Generic[T]):
    """Work that a copy of this process does while this one goes on: it returns something that can be pickled. Where no
    copy can be made, it is done here, at once.

    Other copies of this process may ask for the result, one of them; but only this one ends the work.
    """

    def __init__(self, work: Callable[[], T], here: bool = False) -> None:
        """``here``: a copy does not pay."""
        self._child = self._reader = 0
        self._owner = os.getpid()
        copied = not here and hasattr(os, "fork") and self._copy(work)
        self._done: list[T] = [] if copied else [work()]

    def _copy(self, work: Callable[[], T]) -> bool:
        reader, writer = os.pipe()
        try:
            child = fork()
        except OSError:
            os.close(reader)
            os.close(writer)
            return False
        if not child:
            _do(work, writer)
        os.close(writer)
        self._child, self._reader = child, reader
        return True

    @property
    def is_done(self) -> bool:
        """Whether the result is here."""
        return bool(self._done)

    def result(
        self, seconds: float = math.inf, memory_mb: float | None = None, stop: Callable[[], bool] | None = None
    ) -> T:
        """What came out, which is waited for; TookTooLong if nothing does within ``seconds``, or the copy was stopped.

        ``memory_mb`` limits the copy, with all that it shares with this process. ``stop`` is asked now and then.
        """
        if self._done:
            return self._done[0]
        if not self._child:
            raise TookTooLong
        try:
            data = _wait(self._child, self._reader, seconds, memory_mb, stop)
        finally:
            self.stop()
        try:
            self._done = [pickle.loads(data)]
        except Exception:  # what there is of it: the copy has failed, or was killed by somebody else
            raise TookTooLong from None
        return self._done[0]

    def stop(self) -> None:
        """Nobody works on it any more."""
        if self._child:
            child, self._child = self._child, 0
            os.close(self._reader)
            if os.getpid() == self._owner:
                os.kill(child, signal.SIGKILL)  # not waited for so far: the number is still its own
                os.waitpid(child, 0)


def apart(
    work: Callable[[], T],
    seconds: float,
    memory_mb: float | None = None,
    stop: Callable[[], bool] | None = None,
) -> T:
    """What ``work`` returns, within limits (see ``Beside.result``)."""
    copy = Beside(work)
    try:
        return copy.result(seconds, memory_mb, stop)
    finally:
        copy.stop()


def _do(work: Callable[[], object], writer: int) -> None:
    """In the copy: the work, and the end, without anything that this process would do at its own."""
    try:
        gc.disable()
        for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        die_with_parent()
        write_all(writer, pickle.dumps(work()))
    finally:
        os._exit(0)


def _wait(child: int, reader: int, seconds: float, memory_mb: float | None, stop: Callable[[], bool] | None) -> bytes:
    """All that the copy sends."""
    end = time.monotonic() + seconds
    parts: list[bytes] = []
    while True:
        ready, _, _ = select.select([reader], [], [], _LOOK)
        if ready:
            part = os.read(reader, 1 << 16)
            if not part:
                return b"".join(parts)
            parts.append(part)
            continue
        stopped = time.monotonic() > end or (stop is not None and stop())
        if stopped or (memory_mb is not None and resident_mb(child) > memory_mb):
            raise TookTooLong
