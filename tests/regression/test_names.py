"""File names of all kinds: they work, or there is one clear line; and none of them steers the terminal."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest

from clew.base.printable import printable
from clew.cli.app import run
from regression.conftest import Outcome

Clew = Callable[..., Outcome]
Write = Callable[..., str]

BUG = "#include <assert.h>\nint main(void) { int x = __VERIFIER_nondet_int(); assert(x != 42); return 0; }"


@pytest.mark.parametrize("raw", [b"a\xff\xfe.c", b"esc\x1b[31m.c", b"quo'te%20.c", b"\xe2\x80\xaeturned.c"])
def test_odd_names_work(clew: Clew, write: Write, raw: bytes) -> None:
    name = write(BUG, os.fsdecode(raw))
    outcome = clew(name)
    assert outcome.code == 1
    assert "\x1b" not in outcome.out and "\u202e" not in outcome.out
    assert f"{printable(name)}:5:" in outcome.out
    assert outcome.summary["bugs"][0]["file"] == name
    sarif = json.loads(Path("out/results.sarif").read_text())
    place = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert unquote_to_bytes(place["artifactLocation"]["uri"]) == raw
    assert b"SF:" + raw + b"\n" in Path("out/coverage.info").read_bytes()
    assert "\x1b" not in Path("out/bugs/000001.txt").read_text()


@pytest.mark.parametrize("raw", [b"new\nline.c", b"tab\t.c", b"back\\slash.c", b"cr\r.c"])
def test_names_that_compilers_refuse(clew: Clew, write: Write, raw: bytes) -> None:
    """They may work with other compilers than ours."""
    outcome = clew(write(BUG, os.fsdecode(raw)))
    assert outcome.code in (1, 2)
    if outcome.code == 2:
        assert outcome.line.startswith("clew: error: ") and "internal error" not in outcome.err


@pytest.mark.parametrize("name", ["\udcff.c", "no\nsuch.c", "esc\x1b[2J.c", "x" * 300 + ".c"])
def test_names_of_nothing_are_refused_in_one_line(clew: Clew, write: Write, name: str) -> None:
    outcome = clew(name)
    outcome.refused()
    assert outcome.err.count("\n") == 1 and "\x1b" not in outcome.err


def test_odd_folders(write: Write, capfd: pytest.CaptureFixture[str]) -> None:
    name = write(BUG)
    for out in ("o\udcff", "o\nline", "o\x1b[31m"):
        assert run(["test", name, "--out", out]) == 1
        assert run(["test", name, "--out", out]) == 2
        said = capfd.readouterr()
        assert "\x1b" not in said.out + said.err
        assert said.err.count("\n") == 1 and "is not empty" in said.err


def test_printable() -> None:
    assert printable("a b\u00e9\t") == "a b\u00e9\t"
    assert printable("\x1b[1m\n\x9b\u202e\udcff\U000e0001") == "\\x1b[1m\\x0a\\x9b\\u202e\\xff\\U000e0001"
    assert printable("a\nb", keep="\n") == "a\nb"
