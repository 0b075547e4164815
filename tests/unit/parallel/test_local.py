"""Workers as processes: what the coordinator hears of them, and of copies of them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from clew.parallel.local import Channel, LocalWorkers
from clew.parallel.messages import Copied, Divide, End

PATIENCE = 20.0
"""Seconds until a test gives up."""


@pytest.fixture
def crew() -> Iterator[LocalWorkers]:
    made = LocalWorkers(4)
    if not made.divides:
        pytest.skip("copies need a system that lets a process adopt others")
    yield made
    made.close()


def test_who_waits_for_a_copy_hears_that_there_will_be_none(crew: LocalWorkers) -> None:
    """A worker that was asked for two copies ends after the first: that one must not keep up the second."""
    channel = crew.start(0)
    if channel is not None:
        _make_one_of_two(channel)
    assert crew.divide(0, 1) and crew.divide(0, 2)
    heard: dict[int, list[object]] = {}
    until = time.monotonic() + PATIENCE
    while not ({0, 2} <= heard.keys() and 1 in heard) and time.monotonic() < until:
        for number, message in crew.wait(0.1):
            heard.setdefault(number, []).append(message)
    assert heard[0] == heard[2] == [None]
    (copied,) = heard[1]
    assert isinstance(copied, Copied) and 1 in crew, "the first one lives on"
    crew.copied(1, copied.process)


def _make_one_of_two(channel: Channel) -> None:
    """What the worker does, and its copy; neither returns."""
    asked = [channel.receive(PATIENCE) for _ in range(2)]
    if asked != [Divide(1), Divide(2)]:
        os._exit(1)
    copy = channel.copy(1)
    if copy is not None:
        copy.send(Copied(os.getpid()))
        while not isinstance(copy.receive(PATIENCE), End):
            pass
    os._exit(0)
