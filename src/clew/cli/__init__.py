"""The command line: one thin file per command. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from clew.report.journal import Journal


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Entry point of the console script and of ``python -m clew``; ends the process with the exit code.

    At once: everything is on disk by now, and to take millions of waiting states apart takes Python many seconds.
    """
    import os
    import sys

    from clew.cli.supervision import supervised

    for stream in (sys.stdout, sys.stderr):
        # Names in C sources may be anything: what the terminal cannot show must not end the run.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    words = sys.argv[1:] if args is None else list(args)

    def work(journal: Journal | None) -> int:
        from clew.base.garbage import collect_rarely
        from clew.cli.app import run

        collect_rarely()
        return run(words, journal)

    code = supervised(work)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass  # nobody reads it any more
    os._exit(code)
