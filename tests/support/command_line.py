"""Command lines run in this process, with what they print."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from clew.cli.app import run


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


Clew = Callable[..., Outcome]


def caller(capfd: pytest.CaptureFixture[str], *head: str) -> Clew:
    """Runs a command line that begins with these words."""

    def call(*args: str) -> Outcome:
        code = run([*head, *args])
        captured = capfd.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call
