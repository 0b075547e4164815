"""``clew test``: inputs that cover the code, and inputs that crash it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clew.base.options import TestRequest
from clew.cli.command import exploring
from clew.cli.exits import exit_of_test

if TYPE_CHECKING:
    from clew.report.listener import Listener
    from clew.report.records import Summary


def _job(request: TestRequest, listener: Listener) -> Summary:
    """Imports the engine only now: that takes a while, and a signal must find the session at work."""
    from clew.jobs.test import run_test

    return run_test(request, listener)


command = exploring(
    "test",
    TestRequest,
    _job,
    exit_of_test,
    short="Explore C files, write tests, report bugs.",
    help="Explore FILE... (.c, .ll or .bc), write tests, report bugs.",
    codes="0 done, no bug found; 1 bug found; 2 wrong usage or input; 3 stopped early, nothing found.",
)
