"""The way to a Ray cluster: one connection for all commands, and errors that say what to do.

Ray is imported when it is asked for: most runs do without, and it need not be installed.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from clew.base.errors import UserError
from clew.base.option_values import cluster_address

AUTO = "auto"
"""The address for: the cluster that this machine belongs to; if there is none, one of this machine alone."""
_CONNECT_SECONDS = 5.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def connect(address: str, folder: str | None = None) -> Any:
    """Ray, connected to a cluster; a UserError that says what to do if that cannot be.

    ``folder`` travels to the machines, as what runs there start in. A connection that the process has is kept.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ModuleNotFoundError:
        raise UserError("--cluster needs Ray: pip install 'clew[cluster]'") from None
    cluster_address("--cluster", address)
    if address != AUTO:
        _reachable(address)
    if ray.is_initialized():
        return ray
    try:
        with _signals_kept():
            ray.init(
                address=None if address == AUTO else address,
                runtime_env=None if folder is None else {"working_dir": folder},
                log_to_driver=False,
                logging_level="CRITICAL",
            )
    except (OSError, RuntimeError, ValueError) as problem:
        hint = "" if "mismatch" in str(problem) else "; if it asks for a token, set RAY_AUTH_MODE=token"
        raise UserError(f"cannot use the cluster at {address}: {one_line(problem)}{hint}") from None
    # Ray would tell on standard output of every worker that dies; there is no public way to keep it from that.
    ray._private.worker._worker_logs_enabled = False
    return ray


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Within the block, Ray is connected to a cluster; a connection that was there before stays."""
    loaded = sys.modules.get("ray")
    keeps = loaded is not None and loaded.is_initialized()
    ray = connect(address)
    try:
        yield ray
    finally:
        if not keeps:
            ray.shutdown()


def one_line(problem: BaseException | str, most: int = 300) -> str:
    """What Ray says, which may take pages, in one line."""
    return " ".join(str(problem).split())[:most]


def _reachable(address: str) -> None:
    """Ray waits long for an address where nobody listens."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        socket.create_connection((host, int(port)), _CONNECT_SECONDS).close()
    except OSError as problem:
        raise UserError(
            f"nobody listens at {address}: {problem.strerror or problem}; start a cluster with 'ray start --head'"
        ) from None


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Ray puts handlers of its own in place of those that end a run in order."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
