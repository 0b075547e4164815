"""When the journal of a run tells how things stand."""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from clew.base.messages import STANDING, Frames
from clew.report import journal
from clew.report.records import Summary


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    yield reader, writer
    os.close(reader)
    os.close(writer)


class Clocks(SimpleNamespace):
    """Time that passes when somebody says so."""

    wall = processor = 0.0

    def monotonic(self) -> float:
        return self.wall

    def thread_time(self) -> float:
        return self.processor


def _told(reader: int) -> int:
    """How many summaries were told since the last look."""
    try:
        found = list(Frames().feed(os.read(reader, 1 << 20)))
    except BlockingIOError:
        return 0
    return sum(tag == STANDING for tag, _ in found)


@pytest.mark.parametrize(("wall", "processor", "again"), [(30.0, 0.001, 2.0), (0.5, 0.5, 110.0)])
def test_a_summary_is_due_again_after_what_it_cost(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch, wall: float, processor: float, again: float
) -> None:
    """A machine that is busy with something else makes no summary dear."""
    clocks = Clocks()
    snapshot: Any = None
    monkeypatch.setattr(journal, "time", clocks)

    def summary() -> Summary:
        clocks.wall += wall
        clocks.processor += processor
        return Summary("test", ("p.c",))

    told = journal.Journal(pipe[1])
    told.so_far(summary)
    told.progress(snapshot)
    assert _told(pipe[0]) == 1
    clocks.wall += again / 2.5
    told.progress(snapshot)
    assert _told(pipe[0]) == 0
    clocks.wall += again
    told.progress(snapshot)
    assert _told(pipe[0]) == 1
