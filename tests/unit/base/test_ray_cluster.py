"""The way to a cluster: what is missing or wrong is said in one line."""

from __future__ import annotations

import socket
import sys

import pytest

from clew.base.errors import UserError
from clew.base.ray_cluster import connect, one_line


def test_no_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UserError, match="--cluster needs Ray: pip install"):
        connect("auto")


def test_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", sys)  # it does not come to that
    for wrong in ("somewhere", "host:", ":6379", "host:70000", "host:port"):
        with pytest.raises(UserError, match=f"--cluster is 'auto' or HOST:PORT, not '{wrong}'"):
            connect(wrong)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(
            UserError, match=f"nobody listens at {address}: .*; start a cluster with 'ray start --head'"
        ):
            connect(address)


def test_pages_become_a_line() -> None:
    assert one_line("Version mismatch:\n  here:  2.60\n  there: 2.40\n") == "Version mismatch: here: 2.60 there: 2.40"
    assert len(one_line("x" * 1000)) == 300
