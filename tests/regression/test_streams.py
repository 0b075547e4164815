"""Standard output and error that are closed, full or without a reader: one line where there is room, exit code 2."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from regression.conftest import shell

Write = Callable[..., str]

BUG = "#include <assert.h>\nint main(void) { int x = __VERIFIER_nondet_int(); assert(x != 42); return undeclared(); }"
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")


@pytest.mark.parametrize("arguments", ["--version", "test --help", "test p.c --quiet", "test p.c --json"])
@pytest.mark.parametrize(("closed", "name"), [(">&-", "standard output"), ("2>&-", "standard error")])
def test_a_closed_stream_is_refused(write: Write, arguments: str, closed: str, name: str) -> None:
    write(BUG)
    done = shell(f"clew {arguments} {closed}")
    assert done.returncode == 2
    assert done.stdout + done.stderr == f"clew: error: {name} is closed; redirect it to /dev/null if it is not wanted\n"
    assert not Path("clew-out").exists()


def test_no_file_becomes_standard_output(write: Write) -> None:
    """With descriptors closed, the first file that is opened would get their numbers."""
    write(BUG)
    assert shell("clew test p.c <&- >&- 2>&-").returncode == 2
    done = shell("clew test p.c --out out --quiet <&-")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


@needs_full
@pytest.mark.parametrize("arguments", ["--version", "--help"])
def test_a_full_standard_output(write: Write, arguments: str) -> None:
    done = shell(f"clew {arguments} > /dev/full")
    assert done.returncode == 2
    assert done.stderr == "clew: error: cannot write to standard output: No space left on device\n"


@needs_full
def test_a_full_stream_changes_nothing_on_disk(write: Write) -> None:
    write(BUG)
    done = shell("clew test p.c --out a > /dev/full")
    assert done.returncode == 2
    assert done.stderr.endswith("clew: error: cannot write to standard output: No space left on device\n")
    done = shell("clew test p.c --out b 2> /dev/full")
    assert done.returncode == 2
    assert done.stdout.endswith("clew: error: cannot write to standard error: No space left on device\n")
    done = shell("clew test p.c --out c --json 2> /dev/full")
    assert done.returncode == 2
    assert json.loads(done.stdout)["bugs"]
    assert all(json.loads(Path(f"{name}/summary.json").read_text())["bugs"] for name in "abc")


def test_a_reader_that_goes_away(write: Write) -> None:
    done = shell("clew test --help | (exec <&-; sleep 0); exit ${PIPESTATUS[0]}")
    assert done.returncode == 2
    assert done.stderr == "clew: error: cannot write to standard output: Broken pipe\n"
