"""Work in a process of its own: results come back, and nothing else does."""

from __future__ import annotations

import ctypes
import os
import signal

import pytest

from clew.base.budget import current_memory_mb
from clew.base.forked import Beside, TookTooLong, apart
from clew.base.messages import Frames, frame, limits_frame, limits_of
from clew.base.processes import descendants, resident_mb


def stuck() -> None:
    """Native code that holds Python's lock and does not listen."""
    ctypes.PyDLL(None).sleep(1000)


def test_a_result_comes_back() -> None:
    here = os.getpid()
    assert apart(lambda: (os.getpid() != here, list(range(100_000))), 60.0) == (True, list(range(100_000)))


def test_it_goes_on_beside() -> None:
    copy = Beside(lambda: list(range(100_000)))
    assert copy.result() == copy.result() == list(range(100_000))
    copy.stop()
    assert copy.result() == list(range(100_000))


def test_it_is_done_here_where_a_copy_does_not_pay() -> None:
    copy = Beside(os.getpid, here=True)
    assert copy.is_done and copy.result() == os.getpid()
    assert not (other := Beside(os.getpid)).is_done and other.result() != os.getpid() and other.is_done


def test_who_is_not_needed_is_ended() -> None:
    copy = Beside(stuck)
    (child,) = [one for one in descendants(os.getpid()) if one == copy._child]
    copy.stop()
    assert child not in descendants(os.getpid())
    with pytest.raises(TookTooLong):
        copy.result()


def test_what_fails_has_no_result() -> None:
    with pytest.raises(TookTooLong):
        Beside(lambda: 1 // 0).result()


def test_a_copy_may_ask_for_the_result_of_another() -> None:
    """As an arm does that goes on in a process of its own; to end the work is up to the first process."""
    copy = Beside(lambda: list(range(100_000)))
    kept = Beside(lambda: 7)
    assert apart(lambda: (kept.stop(), sum(copy.result())), 60.0) == (None, sum(range(100_000)))
    copy.stop()
    assert kept.result() == 7


def test_native_code_that_does_not_listen_is_ended() -> None:
    with pytest.raises(TookTooLong):
        apart(stuck, 0.1)


def test_stop_is_asked() -> None:
    asked: list[None] = []

    def stop() -> bool:
        asked.append(None)
        return len(asked) > 2

    with pytest.raises(TookTooLong):
        apart(stuck, 600.0, stop=stop)
    assert len(asked) == 3


def test_memory_is_limited() -> None:
    def grow() -> None:
        taken = []
        while True:
            taken.append(b"x" * 2**22)

    with pytest.raises(TookTooLong):
        apart(grow, 600.0, memory_mb=current_memory_mb() + 100)


def test_a_failure_is_no_result() -> None:
    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(TookTooLong):
        apart(fail, 60.0)
    with pytest.raises(TookTooLong):
        apart(lambda: os.kill(os.getpid(), signal.SIGKILL), 60.0)


def test_nobody_is_left_behind() -> None:
    with pytest.raises(TookTooLong):
        apart(stuck, 0.05)
    assert resident_mb(os.getpid()) > 1
    assert os.getpid() not in descendants(os.getpid())


def test_frames_come_out_whole() -> None:
    data = limits_frame(1.5, None) + frame("T", b"abc") + frame("S", b"")
    for size in (1, 2, 5, 7, len(data)):
        frames = Frames()
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        found = [message for piece in pieces for message in frames.feed(piece)]
        assert [tag for tag, _ in found] == ["L", "T", "S"]
        assert limits_of(found[0][1]) == (1.5, None)
        assert found[1] == ("T", b"abc")
    assert list(Frames().feed(frame("T", b"abcdef")[:-1])) == []
