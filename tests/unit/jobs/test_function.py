"""``--function`` by lazy initialization: verdicts, what narrows them, and tests that show the same natively."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clew.base.options import ReplayRequest, TestRequest, VerifyRequest
from clew.jobs import prepare
from clew.jobs.replay import run_replay
from clew.jobs.test import run_test
from clew.jobs.verify import run_verify
from clew.report.folder import OutputFolder
from clew.report.listener import Listener
from clew.report.recorder import Recorder
from clew.report.records import Summary
from clew.report.replay_records import Status
from reading import ReadOnce

pytestmark = pytest.mark.native

PROGRAM = """
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct n { int v; struct n *next; };
struct s { int x; int y; };
struct tr { struct tr *l, *r; int v; };
struct self { struct self *self; int v; };
struct pr { struct n *a; int *b; int w; };
struct hu { int tag; union { int *p; long i; } u; };
struct sm { int *p; int n; };
struct lg { int *p; long a[4]; };
int g;
static int hidden;
void bump(void) { hidden++; }
int apply(int (*c)(int), int x) { if (c) { int r = c(x); assert(r != 5); } return 0; }
int walk(struct n *p) { int k = 0; while (p) { k++; assert(k < 5); p = p->next; } return k; }
int length(struct n *p) { int k = 0; while (p) { k++; p = p->next; } return k; }
int two(int *a, int *b) { if (a && b) { *a = 1; *b = 2; assert(*a == 1); } return 0; }
int inner(int *b, struct s *a) { if (a && b) { *b = 1; a->y = 2; assert(*b == 1); } return 0; }
int cyclic(struct n *p) {
  int k = 0;
  for (struct n *q = p; q && k < 4; k++) { q = q->next; if (q == p) { assert(k != 2); break; } }
  return k;
}
int shared(struct tr *t) { if (t && t->l && t->r) { t->l->v = 1; t->r->v = 2; assert(t->l->v == 1); } return 0; }
int self(struct self *s) { if (s && s->self == s) { s->v = 1; assert(s->self->v == 1); } return 0; }
int links(int **a, int **b) {
  if (a && b && *a && *b) { **a = 1; **b = 2; assert(**a == 1 || *a == *b); }
  return 0;
}
int array(struct pr *ps) {
  if (ps && ps[0].b && ps[1].a) { ps[1].a->v = 1; *ps[0].b = 2; assert(ps[1].a->v == 1); }
  return 0;
}
int global(int *p) { g = 1; if (p) { *p = 2; assert(g == 1); } return 0; }
int local(int *p) { int x = 1; int *q = &x; if (p) { assert(p != q); *p = 2; assert(x == 1); } return 0; }
int heap(int *p) { int *q = malloc(4); if (p) { assert(p != q); } free(q); return 0; }
int changes(void (*c)(void)) { g = 1; if (c) { c(); assert(g == 1); } return 0; }
int argument(void (*c)(int *)) { int x = 1; if (c) { c(&x); assert(x != 7); } return 0; }
int constant(void (*c)(const int *)) { int x = 1; if (c) { c(&x); assert(x == 1); } return 0; }
int gives(int *(*c)(int *)) {
  int x = 1;
  if (c) { int *q = c(&x); x = 3; if (q) { *q = 4; assert(x == 3); } }
  return 0;
}
int same(void (*c)(void), void (*d)(void)) { if (c && d) { c(); d(); assert(c != d); } return 0; }
int again(void (*c)(void)) { hidden = 1; if (c) { c(); assert(hidden == 1); } return 0; }
int behind(struct n *p, struct n *q, void (*c)(struct n *)) {
  if (p && q && c && p != q) { q->v = 1; int t = p->v; c(p); assert(q->v == 1 || t == 0); }
  return 0;
}
int copied(struct n *p) { if (p) { struct n c = *p; if (c.next) { c.next->v = 5; assert(p->v != 5); } } return 0; }
int in_union(struct hu *h) { if (h && h->u.p) { *h->u.p = 3; assert(h->tag != 3); } return 0; }
int cast(void *v, struct n *q) { struct n *p = v; if (p && q) { q->v = 1; p->v = 2; assert(q->v == 1); } return 0; }
int pieces(struct sm s, int *q) { if (s.p && q) { *s.p = 1; *q = 2; assert(*s.p == 1); } return 0; }
int by_value(struct lg s, int *q) { if (s.p && q) { *s.p = 1; *q = 2; assert(*s.p == 1 && s.a[2] != 9); } return 0; }
struct pad { char c; int i; };
int __own;
static int secret(int x) { return x; }
int given_by_value(void (*c)(struct sm)) {
  int x = 1;
  if (c) { struct sm s = {&x, 1}; c(s); assert(x == 1); }
  return 0;
}
int as_number(void (*c)(unsigned long)) { int x = 1; if (c) { c((unsigned long)&x); assert(x == 1); } return 0; }
int back(int *(*c)(const int *)) {
  int x = 1;
  if (c) { int *r = c(&x); if (r) *r = 9; assert(x == 1); }
  return 0;
}
int only_read(void (*c)(const int *)) { int x = 1; if (c) { c(&x); c(&x); assert(x == 1); } return 0; }
int in_bytes(void *p, void *q) { if (p && q) { *(int *)p = 1; ((int *)q)[1] = 2; assert(*(int *)p == 1); } return 0; }
int padding(struct pad *p) { if (p) assert(((unsigned char *)p)[1] == 0); return 0; }
int nobody_has_it(int (*c)(int)) { if (c == secret) assert(0); return 0; }
int restricted(int *restrict a, int *restrict b) { if (a && b) { *a = 1; *b = 2; assert(*a == 1); } return 0; }
int distance(int *p, int *q) { if (p && q) { *p = 1; *q = 2; if (q - p == 1) assert(0); } return 0; }
int overlap(int *a, int *b) { if (a && b) { b[0] = 2; a[1] = 1; assert(b[0] == 2); } return 0; }
int underscores(int *p) { __own = 1; if (p) { *p = 2; assert(__own == 1); } return 0; }
int order(int *p, int *q) { if (p + 1 == q) { assert(0); } return 0; }
int all(int *p, int n) { int sum = 0; for (int i = 0; p && i < n; i++) sum += p[i] != 0; assert(sum <= 1); return sum; }
int bytes(void *p) { if (p) { assert(((char *)p)[1000] != 7 || !p); } return 0; }
int freed(int *a, int *b) { free(a); if (b) *b = 1; return 0; }
int given(int *p) { return *p; }
static int registered;
static int failing(int v) { assert(v != 5); return 0; }
static int counting(int v) { registered = v; return 0; }
int registers(void (*c)(int (*)(int))) { if (c) c(failing); return 0; }
int counted(void (*c)(int (*)(int))) { if (c) c(counting); assert(registered == 0); return 0; }
int kept(int *(*c)(void)) {
  if (c) { int *p = c(); if (p) { *p = 1; c(); assert(*p == 1); } }
  return 0;
}
int left(void (*c)(struct n **), void (*d)(void)) {
  struct n *p = 0;
  if (c && d) { c(&p); struct n *q = p; p = 0; if (q) { q->v = 1; d(); assert(q->v == 1); } }
  return 0;
}
int deep(struct n *(*c)(void)) {
  if (!c) return 0;
  struct n *p = c();
  if (p && p->next) { struct n *q = p->next; p->next = 0; q->v = 1; c(); assert(q->v == 1); }
  return 0;
}
int passed(int *p, void (*c)(int *), void (*d)(void)) {
  if (p && c && d) { c(p); *p = 1; d(); assert(*p == 1); }
  return 0;
}
int shown_const(int *p, void (*c)(const int *), void (*d)(void)) {
  if (p && p != &g && p != &__own && c && d) { *p = 1; c(p); d(); assert(*p == 1); }
  return 0;
}
union un { int *p; long l; };
struct nu { long l; };
int through_union(void (*c)(union un *)) {
  int a = 1;
  union un x;
  x.p = &a;
  if (c) { c(&x); assert(a == 1); }
  return 0;
}
int through_number(void (*c)(struct nu *)) {
  int a = 1;
  struct nu x = {(long)&a};
  if (c) { c(&x); assert(a == 1); }
  return 0;
}
int through_bytes(void (*c)(unsigned char *)) {
  int a = 1, *p = &a;
  unsigned char b[sizeof p];
  memcpy(b, &p, sizeof p);
  if (c) { c(b); assert(a == 1); }
  return 0;
}
int through_given(struct hu *h, int *q, void (*c)(struct hu *)) {
  if (h && h->tag == 1 && q && c && q != &g && q != &__own && q != &h->tag) { *q = 1; c(h); assert(*q == 1); }
  return 0;
}
struct tagged { int t; union { long i; struct tagged *n; } u; };
int tagged(struct tagged *p) { return p && p->t == 3 && p->u.n ? p->u.n->t : 0; }
int untyped(void *p) { return p && *(int **)p ? **(int **)p : 0; }
int pads(void (*c)(struct pad *)) {
  struct pad x;
  memset(&x, 0, sizeof x);
  if (c) { c(&x); assert(((unsigned char *)&x)[1] == 0); }
  return 0;
}
int real(double *d, float *e) { return *d > 1 || *e > 2; }
int last(const int *a, unsigned n) { if (!a || n < 1) return 0; return a[n - 1]; }
int far(const char *s, size_t n) {
    if (!s || n < 1) return 0;
    char c = s[n - 1];
    assert(n < ((size_t)1 << 60) || n > (size_t)-100);  /* s may point into a string: then s[-1] is there, too */
    return c;
}
int numbers(int x) { int k = 0; while (k < x) k++; assert(x < 0 || k == x); return k; }
"""

KEEPING = """
#include <assert.h>
static int own;
int holds(int *p, void (*c)(int *)) {
  static int *last;
  last = &own;
  if (p && c) { c(p); assert(own == 0); }
  return 0;
}
static int lent;
int lends(int *p, void (*c)(int *)) {
  static int *last;
  last = &lent;
  if (p && c) { c(last); lent = 0; c(p); assert(lent == 0); }
  return 0;
}
static int offered;
static int *offer;
int *offers(void) { return offer; }
int hands(int *p, void (*c)(int *)) {
  offer = &offered;
  if (p && c) { c(p); assert(offered == 0); }
  return 0;
}
"""

VERDICTS = {
    "apply": "FALSE", "walk": "FALSE", "two": "FALSE", "inner": "FALSE", "cyclic": "FALSE", "shared": "FALSE",
    "self": "TRUE", "links": "TRUE", "global": "FALSE", "local": "TRUE", "heap": "TRUE", "changes": "FALSE",
    "argument": "FALSE", "constant": "TRUE", "gives": "FALSE", "same": "FALSE", "again": "UNKNOWN", "behind": "FALSE",
    "copied": "FALSE", "in_union": "FALSE", "cast": "FALSE", "pieces": "FALSE", "by_value": "FALSE",
    "given_by_value": "UNKNOWN", "as_number": "UNKNOWN", "back": "FALSE", "only_read": "TRUE", "in_bytes": "UNKNOWN",
    "padding": "FALSE", "nobody_has_it": "TRUE", "restricted": "TRUE", "distance": "UNKNOWN", "underscores": "FALSE",
    "registers": "UNKNOWN", "counted": "UNKNOWN",
    "kept": "FALSE", "left": "FALSE", "deep": "FALSE", "passed": "FALSE", "shown_const": "TRUE",
    "through_union": "FALSE", "through_number": "UNKNOWN", "through_bytes": "UNKNOWN", "through_given": "FALSE",
    "pads": "FALSE",
    "order": "UNKNOWN", "all": "UNKNOWN", "bytes": "UNKNOWN", "numbers": "TRUE",
}  # fmt: skip


def _file(folder: Path) -> Path:
    file = folder / "p.c"
    file.write_text(PROGRAM, encoding="utf-8")
    return file


def _verify(folder: Path, function: str, **options: Any) -> Summary:
    request = VerifyRequest((_file(folder),), function=function, **{"seconds": 20.0, **options})
    return run_verify(request, Listener())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("functions")


@pytest.fixture(scope="module")
def read_once() -> ReadOnce:
    return ReadOnce()


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize(("function", "verdict"), VERDICTS.items())
def test_verdicts(
    function: str, verdict: str, folder: Path, read_once: ReadOnce, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "_load", read_once)
    summary = _verify(folder, function)
    assert summary.verdict == verdict, summary.reason
    assert not summary.warnings


@pytest.mark.parametrize(("function", "verdict"), [("holds", "UNKNOWN"), ("lends", "FALSE"), ("hands", "FALSE")])
def test_addresses_that_a_program_keeps(function: str, verdict: str, tmp_path: Path) -> None:
    file = tmp_path / "k.c"
    file.write_text(KEEPING, encoding="utf-8")
    assert run_verify(VerifyRequest((file,), function=function, seconds=20.0), Listener()).verdict == verdict


@pytest.mark.slow
def test_arrays_of_structs(tmp_path: Path) -> None:
    assert _verify(tmp_path, "array", array_length=2).verdict == "FALSE"


@pytest.mark.slow
def test_arrays_that_overlap_in_part_are_a_loss(tmp_path: Path) -> None:
    summary = _verify(tmp_path, "overlap", array_length=2)
    assert summary.verdict == "UNKNOWN" and "overlap in part" in summary.reason
    assert _verify(tmp_path, "overlap", array_length=2, no_alias=True).verdict == "TRUE"


@pytest.mark.slow
def test_a_list_is_as_long_as_it_takes(tmp_path: Path) -> None:
    (bug,) = _verify(tmp_path, "walk").bugs
    assert sum(value.kind == "memory" for value in bug.inputs) >= 4  # the fifth need not be looked into


@pytest.mark.slow
def test_options_narrow_and_the_summary_says_so(tmp_path: Path) -> None:
    summary = _verify(tmp_path, "two", no_alias=True)
    assert summary.verdict == "TRUE"
    assert summary.narrowed == ("pointers that point to the same object (--no-alias)",)
    assert summary.to_json()["narrowed"] == list(summary.narrowed)
    plain = _verify(tmp_path, "given", checks=("memory",))
    assert [(bug.kind, bug.is_possible) for bug in plain.bugs] == [("null-dereference", False)]
    assert _verify(tmp_path, "given", checks=("memory",), no_null=True).verdict == "TRUE"


@pytest.mark.slow
def test_depth_is_a_bound(tmp_path: Path) -> None:
    summary = _verify(tmp_path, "walk", depth=2, no_alias=True)
    assert summary.verdict == "UNKNOWN"
    assert "--depth" in summary.reason


@pytest.mark.slow
def test_an_access_beyond_made_up_elements_is_possible_and_a_loss(tmp_path: Path) -> None:
    request = TestRequest((_file(tmp_path),), function="all", seconds=20.0, checks=("memory",), guess=False)
    summary = run_test(request, Listener())
    assert [(bug.kind, bug.is_possible) for bug in summary.bugs] == [("out-of-bounds", True)]
    assert any("--array-length" in note.what for note in summary.losses)


@pytest.mark.slow
@pytest.mark.parametrize("function", ["last", "far"])
def test_an_index_from_outside_leads_to_no_other_object(function: str, tmp_path: Path) -> None:
    summary = _verify(tmp_path, function, checks=("assert", "memory"))
    assert [(bug.kind, bug.is_possible) for bug in summary.bugs] == [("out-of-bounds", True)]
    assert " of input object '*a'" in summary.bugs[0].message or function == "far"
    assert "in no object" not in summary.bugs[0].message
    assert summary.verdict == "UNKNOWN" and "--array-length" in summary.reason
    assert all("--array-length" in item.reason for item in summary.properties if item.kind == "out-of-bounds")
    alone = _verify(tmp_path, "all")
    assert alone.verdict == "UNKNOWN" and "--array-length" in alone.reason, "it is no undefined behaviour"


@pytest.mark.slow
def test_beyond_a_void_pointer_is_only_a_loss(tmp_path: Path) -> None:
    summary = _verify(tmp_path, "bytes", checks=("assert", "memory"))
    assert not summary.bugs
    assert "does not tell" in summary.reason


@pytest.mark.slow
def test_pointers_among_bytes_are_aligned(tmp_path: Path) -> None:
    request = TestRequest((_file(tmp_path),), function="tagged", seconds=20.0)
    summary = run_test(request, Listener())
    assert not summary.bugs and not summary.losses
    summary = run_test(replace(request, function="untyped"), Listener())
    assert not summary.bugs and any("not aligned" in note.what for note in summary.losses)


@pytest.mark.slow
def test_endless_lists_are_never_all_paths(tmp_path: Path) -> None:
    request = TestRequest((_file(tmp_path),), function="length", max_instructions=20_000)
    summary = run_test(request, Listener())
    assert summary.stopped is not None
    assert "all paths explored" not in summary.reason


@pytest.mark.slow
def test_scalars_keep_all_techniques(tmp_path: Path) -> None:
    assert _verify(tmp_path, "numbers").technique != "plain"
    assert _verify(tmp_path, "two").technique == "plain"


@pytest.mark.slow
@pytest.mark.sample(6)
@pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")
@pytest.mark.parametrize(
    "function", ["two", "inner", "gives", "behind", "pieces", "freed", "real", "kept", "deep", "through_union", "pads"]
)
def test_tests_show_the_same_natively(function: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    request = TestRequest((_file(Path()),), function=function, seconds=20.0)
    recorder = Recorder(OutputFolder.claim(Path("o")), request)
    summary = recorder.finish(run_test(request, recorder))
    assert summary.bugs
    report = run_replay(ReplayRequest(Path("o")))
    assert {test.status for test in report.tests} == {Status.AGREED}, report.lines()


STATICS = """#include <assert.h>
static int hidden = 3;
int *where(void) { return &hidden; }
int *inner(void) { static int count = 4; return &count; }
static int other(int x) { return x; }
int (*table)(int) = other;
int check(int *p, int (*f)(int)) {
  if (p == &hidden) { assert(*p != 3); return 1; }
  if (p == inner()) { assert(*p != 4); return 2; }
  if (f == other) return 6;
  return 0;
}
"""


@pytest.mark.sample(2)
@pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")
@pytest.mark.parametrize("files", [{"p.c": STATICS}, {"a.c": "int main(void) { return 0; }", "p.c": STATICS}])
def test_static_variables_are_pointed_to_natively(
    files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Except for those that only their function can name: such a test says so, and is no disagreement."""
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        Path(name).write_text(text)
    request = TestRequest(tuple(map(Path, files)), function="check", seconds=20.0)
    recorder = Recorder(OutputFolder.claim(Path("o")), request)
    recorder.finish(run_test(request, recorder))
    report = run_replay(ReplayRequest(Path("o")))
    shown = sorted((test.predicted, test.observed, str(test.status)) for test in report.tests)
    unset = "cannot be set up: no address of inner.count, which its function alone names"
    inner = ("assert", unset, "undecided")
    if inner not in shown:
        inner = ("assert", "assert: *p != 4", "agreed")  # some compilers give it a name that others can use
    assert shown == [
        ("assert", "assert: *p != 3", "agreed"),
        inner,
        ("exit 0", "exit 0", "agreed"),
        ("exit 6", "exit 6", "agreed"),
    ]
    assert not [note for test in report.tests for note in test.notes]


@pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")
def test_static_variables_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(STATICS)
    request = TestRequest((Path("p.c"),), function="check", seconds=20.0)
    recorder = Recorder(OutputFolder.claim(Path("o")), request)
    (bug,) = [bug for bug in recorder.finish(run_test(request, recorder)).bugs if "3" in bug.message]
    head = Path("o/tests.c").read_text().split("*/")[0]
    assert "-DCLEW_SOURCE" in head
    number = str(int(Path(bug.test).stem))
    subprocess.run(["cc", "-w", "o/tests.c", "p.c", "-o", "plain"], check=True)
    done = subprocess.run(["./plain", number], capture_output=True, text=True)
    assert done.returncode == 96
    assert done.stderr == "clew: no-address of hidden, which is static: see -DCLEW_SOURCE at the top\n"
    subprocess.run(["cc", "-w", '-DCLEW_SOURCE="../p.c"', "o/tests.c", "-o", "whole"], check=True)
    done = subprocess.run(["./whole", number], capture_output=True, text=True)
    assert "assert" in done.stderr and "no-address" not in done.stderr
