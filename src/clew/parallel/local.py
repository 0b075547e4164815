"""Workers as processes of this machine, forked from the one that coordinates them.

Each has a socket for messages, which are pickled, and a place in memory that both see, in which it says at which job it
is: what a dead process was at can still be read there. A worker that closes its socket has died, unless it was told to
end; whoever waits for messages hears of it.
"""

from __future__ import annotations

import gc
import mmap
import os
import pickle
import select
import signal
import socket
import sys
import time
from collections.abc import Iterator
from typing import Any

from clew.base.messages import Frames, frame
from clew.base.processes import adopt_orphans, die_with_parent, fork, resident_mb, send_signal
from clew.base.watchdog import held
from clew.parallel.messages import Divide
from clew.parallel.wire import MESSAGE, SLOT

_PIECE = 1 << 18
_LEAVE = 0.5
"""Seconds in which a worker that was told to end should do so."""


class Channel:
    """A worker's own end."""

    def __init__(self, number: int, end: socket.socket, slots: mmap.mmap) -> None:
        self.number = number
        self._socket = end
        self._frames = Frames()
        self._slots = slots
        self._arrived: list[Any] = []
        self._files: list[int] = []
        """Ends of sockets that have come with messages, for copies of this process."""

    def at_work(self, job: int) -> None:
        """Say which job this process is at."""
        SLOT.pack_into(self._slots, SLOT.size * self.number, job)

    def send(self, message: object) -> None:
        """Tell the coordinator something; if that is gone, so is this process."""
        try:
            self._socket.sendall(frame(MESSAGE, pickle.dumps(message)))
        except OSError:
            os._exit(1)

    def receive(self, seconds: float | None = 0.0) -> Any:
        """The next message; None if there is none within the time."""
        until = None if seconds is None else time.monotonic() + seconds
        while not self._arrived:
            left = None if until is None else max(0.0, until - time.monotonic())
            if not select.select([self._socket], [], [], left)[0]:
                return None
            data, files, _, _ = socket.recv_fds(self._socket, _PIECE, 1)
            self._files += files
            if not data:
                os._exit(1)
            self._arrived += [pickle.loads(content) for _, content in self._frames.feed(data)]
        return self._arrived.pop(0)

    def refuse(self) -> None:
        """There will be no copy of this process: whoever waits for one hears of its end."""
        os.close(self._files.pop(0))

    def copy(self, number: int) -> Channel | None:
        """Fork a copy of this process, as a worker of this number. In it, this gives its end; here, nothing.

        It is made by a process in between, whose orphan the coordinator adopts.
        """
        end, coordinator = self._files.pop(0), os.getppid()
        try:
            with held():
                between = fork()
        except OSError:
            between = -1
        if between:
            os.close(end)
            if between > 0:
                os.waitpid(between, 0)
            return None
        try:
            if fork():
                os._exit(0)
        except OSError:
            os._exit(1)
        until = time.monotonic() + _LEAVE
        while os.getppid() != coordinator and time.monotonic() < until:
            time.sleep(0.001)
        die_with_parent()
        if os.getppid() != coordinator:
            os._exit(1)
        self._socket.close()
        for other in self._files:  # the original's: whoever waits for that copy is to hear if there is none
            os.close(other)
        gc.freeze()
        return Channel(number, socket.socket(fileno=end), self._slots)


class _Worker:
    def __init__(self, process: int, end: socket.socket) -> None:
        self.process = process
        self.socket = end
        self.frames = Frames()
        self.outgoing = bytearray()


class LocalWorkers:
    """The coordinator's end, for at most ``count`` workers, numbered from 0 on."""

    def __init__(self, count: int, divides: bool = True) -> None:
        self._slots = mmap.mmap(-1, SLOT.size * max(1, count))
        self._workers: dict[int, _Worker] = {}
        self.divides = divides and adopt_orphans()
        """Whether a worker can let a copy of itself go on with a part of its work."""

    def start(self, number: int) -> Channel | None:
        """Fork a worker. In it, this gives its end of the channel; here, nothing. OSError if there is no room."""
        here, there = socket.socketpair()
        sys.stdout.flush()
        sys.stderr.flush()
        parent = os.getpid()
        try:
            with held():
                child = fork()
        except OSError:
            here.close()
            there.close()
            raise
        if child:
            there.close()
            here.setblocking(False)
            SLOT.pack_into(self._slots, SLOT.size * number, 0)
            self._workers[number] = _Worker(child, here)
            return None
        die_with_parent()
        if os.getppid() != parent:
            os._exit(1)
        here.close()
        gc.freeze()  # to look through what is shared would copy it
        for worker in self._workers.values():
            worker.socket.close()
        return Channel(number, there, self._slots)

    def divide(self, number: int, copy: int) -> bool:
        """Ask a worker for a copy of itself, of the number ``copy``, which counts as there from now on; whether that
        could be done."""
        worker, message = self._workers[number], frame(MESSAGE, pickle.dumps(Divide(copy)))
        here, there = socket.socketpair()
        with there:
            try:
                worker.outgoing += message
                del worker.outgoing[: socket.send_fds(worker.socket, [worker.outgoing[:_PIECE]], [there.fileno()])]
            except OSError:  # it has much to read, or has died
                del worker.outgoing[-len(message) :]
                here.close()
                return False
        here.setblocking(False)
        SLOT.pack_into(self._slots, SLOT.size * copy, 0)
        self._workers[copy] = _Worker(0, here)
        return True

    def copied(self, number: int, process: int) -> None:
        """A copy has said which process it is."""
        self._workers[number].process = process

    def __contains__(self, number: int) -> bool:
        return number in self._workers

    def __len__(self) -> int:
        return len(self._workers)

    def send(self, number: int, message: object) -> None:
        """Tell a worker something; it is sent as the worker reads it."""
        worker = self._workers.get(number)
        if worker is not None:
            worker.outgoing += frame(MESSAGE, pickle.dumps(message))
            self._flush(worker)

    def wait(self, seconds: float) -> Iterator[tuple[int, Any]]:
        """Messages, as (worker, message), that come within the time; None for one that has died."""
        by_socket = {worker.socket: number for number, worker in self._workers.items()}
        writers = [worker.socket for worker in self._workers.values() if worker.outgoing]
        ready, writable, _ = select.select(list(by_socket), writers, [], seconds)
        for end in writable:
            self._flush(self._workers[by_socket[end]])
        for end in ready:
            yield from self._read(by_socket[end])

    def _read(self, number: int) -> Iterator[tuple[int, Any]]:
        worker = self._workers[number]
        try:
            data = worker.socket.recv(_PIECE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        for _, content in worker.frames.feed(data):
            yield number, pickle.loads(content)
        if not data:
            self._bury(number)
            yield number, None

    def _flush(self, worker: _Worker) -> None:
        try:
            while worker.outgoing:
                del worker.outgoing[: worker.socket.send(worker.outgoing[:_PIECE])]
        except BlockingIOError:
            pass
        except OSError:
            worker.outgoing.clear()  # it has died, which is heard of soon

    def job_of(self, number: int) -> int:
        """The job that a worker is at, or was when it died."""
        job: int = SLOT.unpack_from(self._slots, SLOT.size * number)[0]
        return job

    def memory_mb(self) -> dict[int, float]:
        """The resident memory of each worker."""
        return {number: resident_mb(worker.process) for number, worker in self._workers.items()}

    def name_of(self, number: int) -> str:
        """What people call a worker."""
        return str(number)

    def process_of(self, number: int) -> int:
        """The process of a worker."""
        return self._workers[number].process

    def interrupt(self) -> None:
        """Ask all to stop in order."""
        for worker in self._workers.values():
            _signal(worker.process, signal.SIGINT)

    def kill(self, number: int) -> None:
        """End a worker that does not listen; that is heard of as of any death."""
        _signal(self._workers[number].process, signal.SIGKILL)

    def close(self) -> None:
        """End all that are left."""
        for number in list(self._workers):
            self._bury(number)
        self._slots.close()

    def _bury(self, number: int) -> None:
        worker = self._workers.pop(number)
        worker.socket.close()
        if not worker.process:
            return  # a copy that was not made, or has said nothing
        until = time.monotonic() + _LEAVE
        while not os.waitpid(worker.process, os.WNOHANG)[0]:
            if time.monotonic() > until:
                _signal(worker.process, signal.SIGKILL)
                os.waitpid(worker.process, 0)
                break
            time.sleep(0.002)


def _signal(process: int, number: signal.Signals) -> None:
    if process:  # otherwise it is a copy that has said nothing yet
        send_signal(process, number)
