"""What a function is given may have been made by a library function that its caller has called: nothing is certain of
it, though a program that makes no such thing itself has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import TestRequest
from clew.jobs.test import run_test
from clew.report.listener import Listener

HANDLES = {
    "jmp_buf": "#include <setjmp.h>\nint f(jmp_buf b) { longjmp(b, 1); }\nint main(void) { static jmp_buf b; f(b); }\n",
    "regex_t": '#include <regex.h>\nint f(regex_t *e) { return regexec(e, "", 0, 0, 0); }\n'
    "int main(void) { static regex_t e; return f(&e); }\n",
}


@pytest.mark.parametrize("handle", HANDLES)
def test_only_what_is_given_may_be_one(handle: str, tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(HANDLES[handle])
    [bug] = run_test(TestRequest((file,)), Listener()).bugs
    assert (bug.kind, bug.rests_on) == ("other", "")
    given = run_test(TestRequest((file,), function="f"), Listener()).bugs
    assert given and all(bug.rests_on for bug in given)
    assert any("callers pass" in bug.rests_on and bug.kind == "other" for bug in given)
