"""``clew verify``: do the program's assertions hold, whatever the inputs?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clew.base.options import VerifyRequest
from clew.cli.command import exploring
from clew.cli.exits import exit_of_verify

if TYPE_CHECKING:
    from clew.report.listener import Listener
    from clew.report.records import Summary


def _job(request: VerifyRequest, listener: Listener) -> Summary:
    """Imports the engine only now: that takes a while, and a signal must find the session at work."""
    from clew.jobs.verify import run_verify

    return run_verify(request, listener)


command = exploring(
    "verify",
    VerifyRequest,
    _job,
    exit_of_verify,
    short="Prove the assertions of C files, or show how they fail.",
    help="Prove that no input makes an assertion of FILE... (.c, .ll or .bc) fail, or find one that does.",
    codes="0 TRUE; 1 FALSE; 2 wrong usage or input; 3 UNKNOWN.",
)
