"""sys/socket.h: a socket is a stream whose other end is an input; what is sent to it is not kept.

Its bytes are inputs as those of a file are: ``socket N length``, ``socket N``, ``socket N from POSITION``. What sets it
up may fail, or not: an input.
"""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import ANYTHING, WRITES_ARGUMENTS, WRITES_OWN
from clew.execute.inputs import InputKind, read_input
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.models import files, streams, unistd
from clew.models.errno import EBADF, ECONNREFUSED, set_errno
from clew.models.streams import EOF, Descriptor
from clew.models.texts import truth


def _fails(call: Invocation) -> bool:
    """Whether a call fails. (Kept before it forks, so that the input is read once.)"""
    count = int(call.recall("socket calls", 0))
    name = f"{call.name} fails"
    fails = call.kept(f"failure {count}", lambda: read_input(call.state, name, "_Bool", 1, InputKind.NONDET))
    failed = truth(call, fails)
    call.remember("socket calls", count + 1)
    set_errno(call, ECONNREFUSED, failed)
    return failed


def new_source(call: Invocation, kind: str = "socket") -> int:
    """A descriptor with bytes to read that are inputs; what is written to it goes elsewhere."""
    number = files.next_descriptor(call)
    name = f"{kind} {number}"
    streams.keep_contents(call, name, streams.any_contents(call, name))
    streams.keep_descriptor(call, number, Descriptor(name, True, True, sink=True))
    return number


@model("socket", effect=WRITES_OWN.but(reads_input=True))
def socket(call: Invocation, *_: Any) -> int:
    return EOF if _fails(call) else new_source(call)


@model("accept", "accept4", effect=ANYTHING.but(reads_input=True))
def accept(call: Invocation, number: Any, address: Any, size: Any, *_: Any) -> int:
    """A connection from an address that is not told."""
    if streams.descriptor(call, call.concrete(number, 32)) is None:
        set_errno(call, EBADF)
        return EOF
    where = call.pointer(size)
    if call.pointer(address) and where:
        call.state.run.note_loss("bounded", "accept(): the address of the other side is empty", call.state)
    if _fails(call):
        return EOF
    if where:
        call.store(where, 0, 4)
    return new_source(call)


@model("connect", "bind", "listen", "setsockopt", "shutdown", effect=WRITES_OWN.but(reads_input=True))
def set_up(call: Invocation, number: Any, *_: Any) -> int:
    if streams.descriptor(call, call.concrete(number, 32)) is None:
        set_errno(call, EBADF)
        return EOF
    return EOF if _fails(call) else 0


@model("recv", "__recv_chk", effect=WRITES_ARGUMENTS.but(reads_input=True))
def recv(call: Invocation, number: Any, target: Any, count: Any, *_: Any) -> Any:
    """As much as is asked for, or what is left: that it comes in smaller pieces is not explored."""
    call.state.run.note_loss("bounded", f"{call.name}() of less than is asked for, before the end", call.state)
    return unistd.read(call, number, target, count)


@model("send", effect=WRITES_OWN)
def send(call: Invocation, number: Any, source: Any, count: Any, *_: Any) -> Any:
    return unistd.write(call, number, source, count)
