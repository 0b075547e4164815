"""The command line: one thin file per command. Nothing heavy is imported before a command needs it.

What comes before ``main`` is Python's own start, where a Ctrl-C gets Python's own answer: so this file imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # what ``typing`` has under this name, without its import
    from collections.abc import Sequence
    from typing import NoReturn


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Entry point of the console script and of ``python -m clew``; ends the process with the exit code.

    At once: everything is on disk by now, and to take millions of waiting states apart takes Python many seconds.
    """
    import os

    try:
        from clew.cli.early_signals import listen

        listen(args)  # before anything that takes time is imported
        from clew.cli.process import run_process

        code = run_process(args)
    except KeyboardInterrupt:  # before the first line of ``listen``
        code = 3
        try:
            os.write(2, b"clew: error: interrupted\n")
        except OSError:
            pass
    os._exit(code)
