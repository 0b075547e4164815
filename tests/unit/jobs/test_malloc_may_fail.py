"""``--malloc-may-fail``: which allocations fail is up to inputs, which tests and native runs repeat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clew.base.errors import UserError
from clew.base.options import ReachRequest, ReplayRequest, TestRequest, VerifyRequest
from clew.cli.display import Display
from clew.cli.session import run_session
from clew.jobs.reach import run_reach
from clew.jobs.replay import run_replay
from clew.jobs.test import run_test
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import Summary
from clew.report.replay_records import Status

pytestmark = pytest.mark.native

ALL = """#include <errno.h>
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int() & 3;
  char *p = malloc(n + 1);
  if (!p) return errno == ENOMEM ? 1 : 91;
  p[0] = 7;
  char *q = realloc(p, 32);
  if (!q) return p[0] == 7 ? (free(p), 2) : 92;
  if (q[0] != 7) return 93;
  char *s = strdup("abc");
  if (!s) return free(q), 3;
  if (strcmp(s, "abc")) return 94;
  char *t = strndup(s, 2);
  if (!t) return free(q), free(s), 4;
  int *c = calloc(n, 4);
  if (!c) return free(q), free(s), free(t), 5;
  void *a = aligned_alloc(64, 128);
  if (!a) return free(q), free(s), free(t), free(c), 6;
  void *b = 0;
  int code = posix_memalign(&b, 64, 100);
  if (code) return free(q), free(s), free(t), free(c), free(a), code == ENOMEM && !b ? 7 : 97;
  int *d = reallocarray(c, n + 1, 8);
  if (!d) return free(q), free(s), free(t), free(c), free(a), free(b), 8;
  return free(q), free(s), free(t), free(d), free(a), free(b), 0;
}
"""


def _request(kind: Any, folder: Path, code: str, **options: Any) -> Any:
    (folder / "p.c").write_text(code, encoding="utf-8")
    return kind((folder / "p.c",), **{"seconds": 30.0, "malloc_may_fail": True, "compiler_flags": ("-w",), **options})


def explored(folder: Path, code: str, **options: Any) -> Summary:
    return run_test(_request(TestRequest, folder, code, **options), Listener())


@pytest.mark.slow
def test_every_kind_of_allocation_fails_and_does_so_natively(tmp_path: Path) -> None:
    request = _request(TestRequest, tmp_path, ALL)
    summary = run_session(run_test, request, tmp_path / "out", Display(quiet=True), "test")
    assert summary.bugs == ()
    report = run_replay(ReplayRequest(tmp_path / "out"))
    assert [test.status for test in report.tests] == [Status.AGREED] * len(report.tests)
    assert {test.observed for test in report.tests} >= {f"exit {code}" for code in range(9)}
    assert not any(test.observed.startswith("exit 9") for test in report.tests)


def test_without_the_option_nothing_fails(tmp_path: Path) -> None:
    summary = explored(tmp_path, ALL, malloc_may_fail=False)
    assert summary.bugs == ()
    assert summary.coverage.branches_covered < len(summary.coverage.branches)


UNCHECKED = """#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  *p = 3;
  free(p);
  return 0;
}
"""


def test_what_is_not_checked_is_a_bug(tmp_path: Path) -> None:
    assert explored(tmp_path, UNCHECKED, malloc_may_fail=False).bugs == ()
    (bug,) = explored(tmp_path, UNCHECKED).bugs
    assert (bug.kind, bug.location.line if bug.location else 0, bug.report_class) == ("null-dereference", 4, "bug")
    assert [(value.name, value.value) for value in bug.inputs] == [("malloc fails", 1)]


@pytest.mark.slow
def test_symbolic_sizes_ask_once(tmp_path: Path) -> None:
    code = """#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  char *p = malloc(n), *q = calloc(n, n);
  if (p && n > 100000) p[n - 1] = 1;
  if (!p) return 1;
  if (!q) return 2;
  return 0;
}
"""
    request = _request(TestRequest, tmp_path, code, checks=("assert", "memory"))
    summary = run_session(run_test, request, tmp_path / "out", Display(quiet=True), "test")
    assert summary.bugs == ()
    report = run_replay(ReplayRequest(tmp_path / "out"))
    assert report.agreed
    assert {"exit 0", "exit 1", "exit 2"} <= {test.observed for test in report.tests}


def test_verify_and_reach(tmp_path: Path) -> None:
    code = "#include <assert.h>\n#include <stdlib.h>\nint main(void) {\n  void *p = malloc(4);\n  assert(p);\n}\n"
    assert run_verify(_request(VerifyRequest, tmp_path, code), Listener()).verdict == "FALSE"
    usual = _request(VerifyRequest, tmp_path, code, malloc_may_fail=False)
    assert run_verify(usual, Listener()).verdict == "TRUE"
    reach = {"call": "__assert_fail"}
    assert run_reach(_request(ReachRequest, tmp_path, code, **reach), Listener()).verdict == "REACHED"
    usual = _request(ReachRequest, tmp_path, code, malloc_may_fail=False, **reach)
    assert run_reach(usual, Listener()).verdict == "UNREACHABLE"


def test_strategies_that_know_nothing_of_it_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--malloc-may-fail needs every path"):
        VerifyRequest((tmp_path / "p.c",), strategy="conflicts", malloc_may_fail=True)
    with pytest.raises(UserError, match="--malloc-may-fail needs every path"):
        ReachRequest((tmp_path / "p.c",), line=3, strategy="chains", malloc_may_fail=True)
