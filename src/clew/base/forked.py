"""Work that cannot be interrupted, in a process of its own that can be ended.

Native code does not always listen. A copy of this process, which costs little as long as neither side changes much,
does the work, and sends back what comes out; if it takes too long, or too much, it is killed, and nothing has happened.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import signal
import time
from collections.abc import Callable
from typing import TypeVar

from clew.base.messages import write_all
from clew.base.processes import die_with_parent, fork, resident_mb

T = TypeVar("T")
_LOOK = 0.05
"""Seconds between two looks at what the copy takes."""


class TookTooLong(Exception):
    """Or too much, or it was stopped, or it failed: there is no result."""


def apart(
    work: Callable[[], T],
    seconds: float,
    memory_mb: float | None = None,
    stop: Callable[[], bool] | None = None,
) -> T:
    """What ``work`` returns (something that can be pickled), within ``seconds``; otherwise TookTooLong.

    ``memory_mb`` limits the copy, with all that it shares with this process. ``stop`` is asked now and then. Where no
    copy can be made, the work is done here.
    """
    if not hasattr(os, "fork"):
        return work()
    reader, writer = os.pipe()
    try:
        child = fork()
    except OSError:
        os.close(reader)
        os.close(writer)
        return work()
    if not child:
        _do(work, writer)
    os.close(writer)
    try:
        data = _wait(child, reader, seconds, memory_mb, stop)
    finally:
        os.kill(child, signal.SIGKILL)  # not waited for so far: the number is still its own
        os.waitpid(child, 0)
        os.close(reader)
    try:
        result: T = pickle.loads(data)
        return result
    except Exception:  # what there is of it: the copy has failed, or was killed by somebody else
        raise TookTooLong from None


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
