"""Commands that print a description of a program: ``loops`` and ``invariants``."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from io import StringIO
from typing import Any, TypeVar

import click

from clew.base.budget import StopReason
from clew.base.options import Request
from clew.cli.exits import DONE, STOPPED
from clew.cli.salvage import TextWill
from clew.cli.signals import interruptible
from clew.report.description import Description, FunctionNote
from clew.report.formats import head_of
from clew.report.journal import Journal
from clew.report.listener import Listener
from clew.report.screen import Screen
from clew.report.text import print_lines

Report = Description[FunctionNote]
"""What such a command finds out."""
R = TypeVar("R", bound=Request)
Job = Callable[[R, Listener, Callable[[Callable[[], Report]], None]], Report]
"""Given the request, a listener, and whom to tell, again and again, what would be said if the time were over now."""
INTERVAL = 0.5
"""Seconds between two times that this is looked at."""


def describe(job: Job[R], request: R, options: dict[str, Any], command: str, journal: Journal | None) -> int:
    """Do the job and print what it says; the exit code."""
    as_json, due = options["as_json"], 0.0
    if journal is not None:  # before anything takes time
        journal.open(request.seconds, None, TextWill(_nothing(command, as_json)))

    def so_far(report: Callable[[], Report]) -> None:
        nonlocal due
        if journal is not None and time.monotonic() >= due:
            journal.open(request.seconds, None, TextWill(_text(report(), as_json)))
            due = time.monotonic() + INTERVAL

    screen = Screen(sys.stderr, False, options["verbose"])
    try:
        with interruptible(request.interrupt, False):
            report = job(request, screen, so_far)
    finally:
        screen.close()
        if journal is not None:
            journal.close()
    if as_json:
        click.echo(_text(report, True), nl=False)
    else:
        print_lines(report.lines(), sys.stdout)
    return DONE if report.stopped is None else STOPPED


def _nothing(command: str, as_json: bool) -> str:
    """What is said where nothing was found out in time."""
    if as_json:
        empty = {**head_of(command), "functions": [], "stopped": str(StopReason.TIME)}
        return json.dumps(empty) + "\n"
    return f"stopped early ({StopReason.TIME}), before anything was found out\n"


def _text(report: Report, as_json: bool) -> str:
    if as_json:
        return json.dumps(report.to_json(), allow_nan=False) + "\n"
    text = StringIO()
    print_lines(report.lines(), text)
    return text.getvalue()
