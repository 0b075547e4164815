"""Programs whose bugs were once missed, or whose paths were once given up in silence.

What they have in common: the exploration failed in another way than the run of the test that was to confirm it, so
that a real bug counted as unconfirmed and the rest of its path was lost.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import TestRequest
from clew.jobs.test import run_test
from clew.report.listener import Listener
from clew.report.records import Summary, Test

HEAD = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
unsigned char __VERIFIER_nondet_uchar(void);
unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
"""


class _Kept(Listener):
    def __init__(self) -> None:
        self.tests: list[Test] = []

    def test_found(self, test: Test) -> None:
        self.tests.append(test)


def _explore(body: str, folder: Path) -> tuple[Summary, set[int | None]]:
    """The summary, and the exit codes of the tests."""
    file = folder / "program.c"
    file.write_text(HEAD + body + "\n}\n", encoding="utf-8")
    kept = _Kept()
    summary = run_test(TestRequest((file,), goal="path", compiler_flags=("-w",), validate=True), kept)
    assert summary.stopped is None
    return summary, {test.exit_code for test in kept.tests if test.ends == "exit"}


FOUND = {
    "fill of freed memory": ("char *p = malloc(4); free(p); memset(p, 0, n); return 3;", {"use-after-free"}),
    "copy from null": ("char b[300], *p = 0; memcpy(b, p, n); return 3;", {"null-dereference"}),
    "copy to a constant": ('memcpy("abc", "xyz", n & 3); return 3;', {"other"}),
    "copy past a constant": ('memcpy("a", "xyzxyz", n & 7); return 3;', {"other", "out-of-bounds"}),
    "fill of one of several": (
        'char b[3], *p[4] = {b, 0, "c", b + 3}; memset(p[n & 3], 1, n >> 2 & 1); return 3;',
        {"null-dereference", "other", "out-of-bounds"},
    ),
    "string in an object of symbolic size": (
        "char *p = malloc(n + 1); memset(p, 1, n + 1); if (n & 1) p[n] = 0; n = strlen(p); free(p); return 3;",
        {"out-of-bounds"},
    ),
    "text in an object of symbolic size": (
        'char *p = malloc(n % 4 + 1); snprintf(p, 9, "%d", 12); free(p); return 3;',
        {"out-of-bounds"},
    ),
    "reading an object of symbolic size": (
        "char *p = calloc(n % 3 + 1, 1); p[0] = 'a'; printf(\"%s\", p); free(p); return 3;",
        {"out-of-bounds"},
    ),
    "two errors at one place": (
        "char *p = malloc(1), *q = calloc(1, 1); free(p); char *t[] = {0, p, q}; n = *t[n % 3]; free(q); return n + 3;",
        {"null-dereference", "use-after-free"},
    ),
    "some inputs uninitialized": (
        "char b[4], s[4] = {3}; memcpy(b, s, n & 3); if (b[0] == 3) return 3;",
        {"uninitialized"},
    ),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", FOUND)
def test_found_and_confirmed(name: str, tmp_path: Path) -> None:
    body, kinds = FOUND[name]
    summary, codes = _explore(body, tmp_path)
    assert {bug.kind for bug in summary.bugs} == kinds
    assert all(bug.confirmed for bug in summary.bugs)
    assert codes == {3}
    assert not summary.warnings and not summary.losses


FINE = {
    "copy of nothing to a constant": 'if (n) n = 0; memcpy("abc", "xyz", n); memset("abc", 1, n); return 3;',
    "copy of nothing from null": "if (n) n = 0; char b[4]; memcpy(b, 0, n); memcpy(0, b, n); return 3;",
    "copy of nothing to the end": "char *p = malloc(4); if (n) n = 0; memcpy(p + 4, &n, n); free(p); return 3;",
    "a request that cannot be met": "return malloc(~0ul >> 1) || malloc(-(unsigned long)n - 1) ? 4 : 3;",
}


@pytest.mark.parametrize("name", FINE)
def test_no_false_alarm(name: str, tmp_path: Path) -> None:
    summary, codes = _explore(FINE[name], tmp_path)
    assert not summary.bugs and not summary.warnings and not summary.losses
    assert codes == {3}


def test_a_large_object_is_no_null_pointer(tmp_path: Path) -> None:
    """A machine may well give so much: that Clew does not is a loss, and no error of the program's."""
    summary, codes = _explore("char *p = malloc(1ul << 30); *p = 1; free(p); return 3;", tmp_path)
    assert not summary.bugs and not codes
    assert [str(note.kind) for note in summary.losses] == ["unsupported"]


def test_any_size_fails_or_fits(tmp_path: Path) -> None:
    body = "unsigned long m = __VERIFIER_nondet_ulong(); char *p = malloc(m); if (!p) return 4; free(p); return 3;"
    summary, codes = _explore(body, tmp_path)
    assert not summary.bugs
    assert codes == {3, 4}
    assert [str(note.kind) for note in summary.losses] == ["bounded"]


def test_realloc_to_a_symbolic_size_keeps_contents_and_bounds(tmp_path: Path) -> None:
    summary, codes = _explore(
        "char *p = malloc(4); p[0] = 1; p[1] = 2; p[2] = 3; p[3] = 4; char *q = realloc(p, n + 1); int r = 0;"
        " if (n > 2) r = q[2]; if (n == 77) q[78] = 1; free(q); return r;",
        tmp_path,
    )
    assert {bug.kind for bug in summary.bugs} == {"out-of-bounds"}
    assert codes >= {0, 3}
    assert summary.stats.paths_completed <= 4
