"""A worker as an actor of Ray: a process of its own that explores, and who passes on what it and the driver say.

The process that explores has nothing to do with Ray: it has a socket for messages and a place in memory for the job
that it is at, as a worker that is forked (``clew.parallel.local``), and ends when the actor does. So an actor that is
killed, or whose machine is gone, is a worker that has died; one whose process has died can still say at which job.

Ray begins a dead actor again, where it likes. It may then bring messages that were meant for the one before; so
each has a name of its own (``Heard.life``), and takes no others. Nor does Ray keep the order of messages, where some
are large: they are numbered.
"""

from __future__ import annotations

import asyncio
import mmap
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass

from clew import __version__
from clew.base.errors import UserError
from clew.base.messages import Frames, frame
from clew.parallel.wire import MESSAGE, SLOT

_PIECE = 1 << 18


@dataclass(frozen=True, slots=True)
class Heard:
    """What an actor has to say: messages of its worker, as that has written them."""

    life: str
    """A name that no other actor has, and that one which is begun again has not."""
    messages: tuple[bytes, ...]
    died_at: int | None = None
    """The job that the worker was at when it died, if it has."""


class WorkerActor:
    """Of one worker. Ray calls its methods, all of them in one thread."""

    def __init__(self, number: int, version: str, module: str) -> None:
        """``module`` is what the worker runs, with its number and those of two files."""
        self._life = os.urandom(8).hex()
        self._number = number
        self._asked = version
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None
        self._passed = 0
        self._early: dict[int, bytes] = {}
        """Messages that came before those which were sent before them, by number."""

    async def hear(self, package: Sequence[Awaitable[bytes]] = ()) -> Heard:
        """What the worker says next. It is begun, if that was not done, and gets the package as its first message; if
        there is no package, there is nothing to hear. UserError if it cannot be begun."""
        if self._asked != __version__:
            raise UserError(
                f"a worker of the cluster has Clew {__version__}, this is {self._asked}: install the same everywhere"
            )
        if self._process is None:
            if not package:
                return Heard(self._life, ())
            await self._begin(await package[0])
        messages: list[bytes] = []
        while not messages:
            data = await self._reader.read(_PIECE)
            if not data:
                return Heard(self._life, (), self._end())
            messages += [content for _, content in self._frames.feed(data)]
        return Heard(self._life, tuple(messages))

    async def tell(self, life: str, number: int, message: bytes) -> None:
        """Pass a message on, if it is for this worker, after those with smaller numbers; the first one has 0."""
        if life != self._life or self._process is None:
            return
        self._early[number] = message
        while self._passed in self._early:
            self._writer.write(frame(MESSAGE, self._early.pop(self._passed)))
            self._passed += 1

    async def interrupt(self, life: str) -> None:
        """Ask the worker to stop in order."""
        if life == self._life and self._process is not None:
            self._process.send_signal(signal.SIGINT)

    async def leave(self, life: str) -> None:
        """End this process, so that Ray begins another one."""
        if life == self._life:
            os._exit(1)

    async def _begin(self, package: bytes) -> None:
        here, there = socket.socketpair()
        with tempfile.TemporaryFile() as slots, there:
            slots.truncate(SLOT.size * (self._number + 1))
            self._slots = mmap.mmap(slots.fileno(), 0)
            command = [sys.executable, "-m", self._module, str(self._number), str(there.fileno()), str(slots.fileno())]
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, pass_fds=(there.fileno(), slots.fileno()), env=_environment()
            )
        self._frames = Frames()
        self._reader, self._writer = await asyncio.open_connection(sock=here)
        self._writer.write(frame(MESSAGE, package))

    def _end(self) -> int:
        """The job that the worker was at; its process is gone by then."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        job: int = SLOT.unpack_from(self._slots, SLOT.size * self._number)[0]
        return job


def _environment() -> dict[str, str]:
    """The worker finds modules where this process does, whatever Ray has added to its path."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
