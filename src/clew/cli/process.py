"""The command as a process: streams that cannot raise, a supervisor, and what the exit code is worth."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from clew.cli.early_signals import ABORTED
from clew.cli.exits import FAILURE
from clew.cli.quick_imports import import_quickly
from clew.cli.streams import NAMES, Outlet, fill_gaps, install
from clew.cli.supervision import supervised

if TYPE_CHECKING:
    from clew.report.journal import Journal


def run_process(args: Sequence[str] | None) -> int:
    """The exit code. Standard output or error that is closed is refused; one that is full makes the code 2."""
    import_quickly()
    gaps = [number for number in fill_gaps() if number]
    out, err = install()
    words = sys.argv[1:] if args is None else list(args)
    if gaps:
        return _refuse(gaps, out, err)

    def work(journal: Journal | None) -> int:
        from clew.base.garbage import collect_rarely
        from clew.cli.app import run

        collect_rarely()
        try:
            return run(words, journal)
        except KeyboardInterrupt:
            err.write("clew: error: interrupted\n")
            return ABORTED

    code = supervised(work)
    out.flush()
    err.flush()
    return _judge(code, "--json" in words, out, err)


def _refuse(gaps: list[int], out: Outlet, err: Outlet) -> int:
    """Before any work is done: whatever the result would be, it could not be told."""
    for number in gaps:
        told = err if number == 1 else out
        told.write(f"clew: error: {NAMES[number]} is closed; redirect it to /dev/null if it is not wanted\n")
        told.flush()
    return FAILURE


def _judge(code: int, json: bool, out: Outlet, err: Outlet) -> int:
    """1 means that something was found: nobody is to believe that because a disk is full."""
    for name, stream, other in ((NAMES[1], out, err), (NAMES[2], err, out)):
        if stream.failure is not None:
            code = FAILURE
            if other is err or not json:  # with --json, standard output has the summary and nothing else
                reason = stream.failure.strerror or stream.failure
                other.write(f"clew: error: cannot write to {name}: {reason}\n")
                other.flush()
    return code
