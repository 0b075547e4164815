"""Test cases of the Juliet suite are found in a folder that is laid out as theirs; the files here are made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import merging
from benchmarks.juliet import find_cases
from benchmarks.plot import ERROR
from benchmarks.request import BenchRequest
from benchmarks.run import explore
from clew.base.errors import UserError

PREFIX = "CWE121_Stack_Based_Buffer_Overflow__CWE129_fgets_"

FLAW = """#include "std_testcase.h"
#ifndef OMITBAD
void bad(int data) {
  int buffer[10] = {0};
  /* POTENTIAL FLAW: Attempt to write to an index that may be
   * too large */
  if (data >= 0)
    buffer[data] = 1;
}
#endif
#ifndef OMITGOOD
void good(int data) {
  int buffer[10] = {0};
  /* POTENTIAL FLAW: Attempt to write, of another half */
  if (data >= 0 && data < 10)
    buffer[data] = 1;
}
#endif
"""
MAIN = """#include "std_testcase.h"
#ifndef OMITBAD
void bad(int data);
#endif
#ifndef OMITGOOD
void good(int data);
#endif
#ifdef INCLUDEMAIN
int main(void) {
  char line[4] = "";
  int data = fgets(line, 4, stdin) ? atoi(line) : 0;
#ifndef OMITGOOD
  good(data);
#endif
#ifndef OMITBAD
  bad(data);
#endif
  return 0;
}
#endif
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    support, cases = tmp_path / "support", tmp_path / "testcases" / "CWE121" / "s01"
    support.mkdir()
    cases.mkdir(parents=True)
    (support / "std_testcase.h").write_text("#include <stdio.h>\n#include <stdlib.h>\n", encoding="utf-8")
    (support / "io.c").write_text("int unused;\n", encoding="utf-8")
    (cases / f"{PREFIX}01.c").write_text(FLAW + MAIN, encoding="utf-8")
    (cases / f"{PREFIX}51a.c").write_text(MAIN, encoding="utf-8")
    (cases / f"{PREFIX}51b.c").write_text(FLAW, encoding="utf-8")
    (cases / f"{PREFIX}62a.cpp").write_text("class No {};\n", encoding="utf-8")
    return tmp_path


def test_cases_of_one_and_of_several_files(suite: Path) -> None:
    one, two = find_cases(suite)
    assert (one.name, [file.name for file in one.files]) == ("01", [f"{PREFIX}01.c", "io.c"])
    assert (two.name, [file.name for file in two.files]) == ("51", [f"{PREFIX}51a.c", f"{PREFIX}51b.c", "io.c"])
    assert two.errors == {("out-of-bounds", f"{PREFIX}51b.c", 8)}
    assert one.settings == {"compiler_flags": (f"-I{suite / 'support'}", "-DINCLUDEMAIN")}


@pytest.mark.slow
def test_they_can_be_run(suite: Path, tmp_path: Path) -> None:
    subjects = merging.chosen(BenchRequest(juliet=suite, only=("51",)), tmp_path)
    found = {one.kind: set(explore(merging.request_of(one, ERROR, 60.0)).errors) for one in subjects}
    flaw = {("out-of-bounds", f"{PREFIX}51b.c", 8)}
    assert found == {"good": set(), "bad": flaw, "both": flaw}


def test_what_is_no_suite_is_refused(suite: Path) -> None:
    with pytest.raises(UserError, match="no such folder"):
        find_cases(suite / "gone")
    with pytest.raises(UserError, match=r"std_testcase\.h and io\.c are missing"):
        find_cases(suite / "testcases")
    with pytest.raises(UserError, match="no test case of the Juliet suite"):
        find_cases(suite / "support")
    path = suite / "testcases" / f"{PREFIX}02.c"
    path.write_text(MAIN, encoding="utf-8")
    with pytest.raises(UserError, match="0 lines are marked as the flaw"):
        find_cases(suite)
