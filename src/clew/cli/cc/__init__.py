"""``clew-cc``: a C compiler for builds, which calls the real one and keeps LLVM code in what that makes.

Nothing is imported before it is needed: a build starts this thousands of times.
"""

from __future__ import annotations


def main() -> None:
    """Entry point of the console script; ends the process as the real compiler ends."""
    import sys

    try:
        from clew.cli.cc.wrapper import run

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:  # it has reached the real compiler as well
        sys.exit(130)
