"""C programs with loops that never end, and that violate nothing; each with twins that do.

    // twin: OLD => NEW       with OLD replaced by NEW, an assertion is violated; NEW may be empty

``clew verify`` proves the program, and finds an assertion of each twin violated.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clew.base.options import VerifyRequest
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import Summary

HERE = Path(__file__).resolve().parent / "endless"
TWIN = re.compile(r"^// twin: (?P<old>.*?) =>(?: (?P<new>.*?))?\s*$", re.MULTILINE)
PROGRAMS = sorted(HERE.glob("*.c"))


def verified(path: Path, strategy: str) -> Summary:
    request = VerifyRequest(files=(path,), seconds=300.0, compiler_flags=("-w", f"-I{HERE}"), strategy=strategy)
    return run_verify(request, Listener())


def twins(path: Path) -> list[str]:
    """The sources of the twins of a program."""
    text = path.read_text(encoding="utf-8")
    rest = TWIN.sub("", text)
    found = []
    for twin in TWIN.finditer(text):
        assert rest.count(twin["old"]) == 1, f"{path.name}: {twin['old']!r} is not there once"
        found.append(rest.replace(twin["old"], twin["new"] or ""))
    return found


@pytest.mark.sample(2)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs_hold(path: Path) -> None:
    summary = verified(path, "merging")
    assert summary.verdict == "TRUE"
    assert "is an instance of one seen before" in summary.reason


@pytest.mark.sample(6)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_twins_fail(path: Path, tmp_path: Path) -> None:
    for number, source in enumerate(twins(path)):
        twin = tmp_path / f"{path.stem}{number}.c"
        twin.write_text(source, encoding="utf-8")
        summary = verified(twin, "merging")
        assert summary.verdict == "FALSE", f"twin {number}"
        assert all(bug.confirmed for bug in summary.bugs)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ["traffic_light", "scheduler", "alternating_bit"])
def test_all_techniques_by_turns_prove_them(name: str) -> None:
    assert verified(HERE / f"{name}.c", "auto").verdict == "TRUE"


DEEP = """#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), s = 0;
  for (unsigned i = 0; i < n; i++) s += 5;
  assert(s != 300);
}
"""


def test_what_only_many_rounds_show_is_found(tmp_path: Path) -> None:
    """A state that counts on the very node that it lies below makes that node ask for more."""
    path = tmp_path / "deep.c"
    path.write_text(DEEP, encoding="utf-8")
    assert verified(path, "merging").verdict == "FALSE"
