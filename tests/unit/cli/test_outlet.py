"""Standard streams that others may close."""

from __future__ import annotations

import io

from clew.cli.streams import Outlet


def test_a_stream_that_somebody_has_closed_is_left_alone() -> None:
    """A language server closes what it talks through; the end of the process flushes it nevertheless."""
    outlet = Outlet(io.BytesIO(), encoding="utf-8")
    outlet.write("answer")
    outlet.close()
    outlet.flush()
    assert outlet.failure is None
