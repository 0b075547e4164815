"""Standard output and error that may be closed, full, or without a reader.

A stream that cannot be written to never raises: what fails is remembered, the run goes on (its results are on disk),
and at the end of the process there is one line about it, on the other stream, and exit code 2.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO

NAMES = ("standard input", "standard output", "standard error")


class Outlet(io.TextIOWrapper):
    """A text stream that swallows errors of the system, and keeps the first of them."""

    failure: OSError | None = None

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except OSError as error:
            self.failure = self.failure or error
            return len(text)

    def flush(self) -> None:
        if self.closed:
            return  # by whoever had it: a language server closes what it talks through
        try:
            super().flush()
        except OSError as error:
            self.failure = self.failure or error


def fill_gaps() -> list[int]:
    """Point closed descriptors among the first three nowhere, and say which they were.

    Otherwise the next file that is opened would become standard output or error.
    """
    gaps = []
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            gaps.append(number)
            # The lowest free number, which is this one.
            os.open(os.devnull, os.O_RDONLY if number == 0 else os.O_WRONLY)
            os.set_inheritable(number, True)
    return gaps


def outlet(stream: TextIO | None, number: int) -> Outlet:
    """The stream's successor. Names in C sources may be anything: what the terminal cannot show is escaped."""
    if isinstance(stream, io.TextIOWrapper):
        encoding, lines = stream.encoding, stream.line_buffering
        return Outlet(stream.detach(), encoding=encoding, errors="backslashreplace", line_buffering=lines)
    # Python found the descriptor closed.
    return Outlet(io.FileIO(number, "wb", closefd=False), encoding="utf-8", errors="backslashreplace")


def install() -> tuple[Outlet, Outlet]:
    """From here on, ``sys.stdout`` and ``sys.stderr`` never raise."""
    out, err = outlet(sys.stdout, 1), outlet(sys.stderr, 2)
    sys.stdout, sys.stderr = out, err
    return out, err
