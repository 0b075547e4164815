"""The other end of ``clew.jobs.native.sandbox``: starts its server, hands it tests, and says what it promises."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import clew
from clew.base.errors import InternalError, UserError

_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); from clew.jobs.native.sandbox.serve import main; main(sys.argv[2:])"
)
"""Isolated from the user's settings (-I, -S): the folder that Clew is in is all that it needs."""


class Sandbox:
    """A server that runs tests one by one."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._promises: list[dict[str, Any]] = self._answer()

    @property
    def kept(self) -> tuple[str, ...]:
        """What tests cannot do."""
        held = (str(promise["text"]) for promise in self._promises if promise["holds"])
        return (*held, "limits of time, memory, disk, processes")

    @property
    def broken(self) -> tuple[str, ...]:
        """What they can do all the same, because this system lacks what it takes."""
        return tuple(str(promise["broken"]) for promise in self._promises if not promise["holds"])

    def require(self) -> None:
        """UserError where an essential promise does not hold."""
        missing = [str(one["broken"]) for one in self._promises if one["essential"] and not one["holds"]]
        if missing:
            raise UserError(
                f"this system cannot contain native programs ({'; '.join(missing)}); where the program is trusted, "
                "add --uncontained"
            )

    def run(self, job: dict[str, object]) -> dict[str, Any]:
        """One test."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(job) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise InternalError(f"the sandbox of tests is gone: {error}") from None
        answer = self._answer()
        assert isinstance(answer, dict)
        return answer

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise InternalError("the sandbox of tests ended unexpectedly")
        return json.loads(line)


@contextmanager
def sandboxed(folder: Path, without: Collection[str] = ()) -> Iterator[Sandbox]:
    """A server for tests in ``folder``, which does without some mechanisms as if the system lacked them."""
    home = Path(clew.__file__).resolve().parents[1]
    command = [sys.executable, "-I", "-S", "-c", _START, str(home), str(folder), *without]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", start_new_session=True
    )
    try:
        yield Sandbox(process)
    finally:
        assert process.stdin is not None and process.stdout is not None
        process.terminate()  # it ends whatever still runs below it, then itself
        for stream in (process.stdin, process.stdout):  # before it is waited for: it may have been about to read
            try:
                stream.close()
            except OSError:
                pass  # what was left to send has no reader any more
        process.wait()
