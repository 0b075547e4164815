"""One call of ``clew-cc``: the real compiler with the very same words, and beside it ours, whose code is kept.

Whatever goes wrong on our side, the real compiler's result counts, and nothing is printed: builds look at what
compilers say. Why there is no code of a file is noted in the object.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from clew.base.command_line import CommandLine, parse_command
from clew.base.errors import UserError

_NAME = "clew-cc"


class _RealFailed(Exception):
    """The real compiler has failed: there is nothing to keep."""


class _Real:
    """The real compiler's run, which happens once."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self.status: int | None = None

    def run(self) -> None:
        if self.status is None:
            status = subprocess.call(self._command)
            self.status = status if status >= 0 else 128 - status
        if self.status != 0:
            raise _RealFailed


def run(words: Sequence[str]) -> int:
    """The exit code of the real compiler."""
    try:
        command = [*real_compiler(), *words]
    except (UserError, ValueError) as error:
        return _complaint(f"no compiler: {error}")
    line = _understood(words)
    if line is None or line.reads_input or not line.makes_code or not (line.sources or line.others):
        return _replaced(command)
    real = _Real(command)
    try:
        from clew.cli.cc.keeping import keep_code

        keep_code(line, real.run)
    except Exception:  # of ours, or that the real one has failed: its result counts
        pass
    if real.status is None:
        try:
            real.run()
        except _RealFailed:
            pass
        except OSError as error:
            return _not_started(command, error)
    assert real.status is not None
    return real.status


def _understood(words: Sequence[str]) -> CommandLine | None:
    """The command line, with what is in response files; None if one cannot be read: the real compiler will tell."""
    if any(word.startswith("@") for word in words):
        from clew.frontend.responses import expanded

        try:
            words = expanded(words)
        except UserError:
            return None
    return parse_command(words)


def _replaced(command: Sequence[str]) -> int:
    """The real compiler in place of this process."""
    try:
        os.execvp(command[0], list(command))
    except OSError as error:
        return _not_started(command, error)


def _not_started(command: Sequence[str], error: OSError) -> int:
    return _complaint(f"{command[0]} cannot be started: {error.strerror or error}")


def _complaint(text: str) -> int:
    print(f"{_NAME}: error: {text} (the variable CLEW_CC names the real compiler)", file=sys.stderr)
    return 127


def real_compiler() -> list[str]:
    """What ``CLEW_CC`` names, with what may stand before it; else a compiler of the system, else the one of ours."""
    named = shlex.split(os.environ.get("CLEW_CC", ""))
    if named:
        return named
    for name in ("cc", "gcc", "clang"):
        for folder in os.get_exec_path():
            found = shutil.which(name, path=folder)
            if found is not None and Path(found).resolve().name != _NAME:
                return [found]
    from clew.frontend.toolchain import find_toolchain

    return [*find_toolchain(None).command, "-fno-sanitize=all"]
