"""Loops over arrays in ``clew verify``: what holds is proved for all elements, what does not is shown with an index."""

from __future__ import annotations

from pathlib import Path

from clew.base.options import VerifyRequest
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import Summary

HEAD = """\
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
#define N 100000
static int a[N], b[N];
static struct pair { short key; char flag; } pairs[N];
static int any(void) { return __VERIFIER_nondet_int(); }
"""

HOLDING = """
static void init(unsigned n) {
  for (unsigned i = 0; i < n; i++) a[i] = 3 * i + 7;
  for (unsigned i = 0; i < n; i++) assert(a[i] == 3 * i + 7);
  for (int i = n; i < N; i++) assert(a[i] == 0);
}
static void copy_and_shift(void) {
  for (int i = 0; i < N; i++) a[i] = i;
  for (int i = 0; i < N; i++) b[N - 1 - i] = a[i];
  for (int i = 0; i < N - 1; i++) b[i] = b[i + 1];
  for (int i = 0; i < N - 1; i++) assert(b[i] == N - 2 - i);
  assert(b[N - 1] == 0);
}
static void strides(void) {
  for (int i = N - 2; i >= 0; i -= 2) { a[i] = 2; a[i + 1] = 1; }
  for (int *p = b; p != b + N; p++) *p = 5;
  for (int i = 0; i < N; i++) assert(a[i] == 2 - i % 2 && b[i] == 5);
}
static void fields(unsigned n) {
  for (int i = 0; i < n; i++) {
    pairs[i].key = i % 7;
    if (pairs[i].key > 3) pairs[i].flag = 1;
  }
  for (int i = 0; i < N; i++) assert(pairs[i].flag == (i < n && i % 7 > 3));
}
static void inputs(void) {
  for (int i = 0; i < N; i++) { int x = __VERIFIER_nondet_int(); a[i] = x < 0 ? 0 : x; }
  for (int i = 0; i < N; i++) b[i] = a[i] ^ 1;
  for (int i = 0; i < N; i++) { assert(a[i] >= 0); assert((b[i] ^ a[i]) == 1); }
}
static int rows[100][64];
static void nest(void) {
  for (int i = 0; i < 100; i++) for (int j = 0; j < 64; j++) rows[i][j] = i - j;
  for (int i = 0; i < 100; i++) for (int j = 0; j < 64; j++) assert(rows[i][j] == i - j);
}
static void sized(unsigned n) {
  char *p = malloc(n + 1);
  if (!p) return;
  for (unsigned i = 0; i < n; i++) p[i] = 'x';
  p[n] = 0;
  unsigned k = __VERIFIER_nondet_uint();
  if (k <= n) assert(p[k] == (k < n ? 'x' : 0));
  free(p);
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > N) return 0;
  switch (any()) {
    case 5: nest(); break;
    case 6: sized(n); break;
    case 0: init(n); break;
    case 1: copy_and_shift(); break;
    case 2: strides(); break;
    case 3: fields(n); break;
    case 4: inputs(); break;
  }
  return 0;
}
"""

VIOLATED = """
static void init(unsigned n) {
  for (unsigned i = 0; i < n; i++) a[i] = 3 * i + (i == 4242 ? 8 : 7);
  for (unsigned i = 0; i < n; i++) assert(a[i] == 3 * i + 7);
}
static void too_short(unsigned n) {
  for (int i = 1; i < n; i++) a[i] = 1;
  unsigned k = __VERIFIER_nondet_uint();
  if (k > 100 && k <= n && k < N) assert(a[k] == 1);
}
static void inputs(void) {
  for (int i = 0; i < 50; i++) { int x = __VERIFIER_nondet_int(); a[i] = x < 0 && x != -77 ? 0 : x; }
  for (int i = 0; i < 50; i++) assert(a[i] >= 0);
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 50000) return 0;
  switch (any()) {
    case 0: init(n); break;
    case 1: too_short(n); break;
    case 2: inputs(); break;
  }
  return 0;
}
"""

ENTANGLED = """
static int small[16];
static void earlier(int x) {
  small[0] = x;
  for (int i = 1; i < 8; i++) small[i] = small[i - 1] + 1;
  assert(small[7] != 9);
}
static void again(void) {
  for (int i = 0; i < 8; i++) { small[i] = i; small[i + 1] = -1; }
  assert(small[3] == -1);
}
static void limit(void) {
  small[3] = 8;
  for (int i = 0; i < small[3]; i++) small[i] = 2;
  assert(small[5] == 2);
}
static void alias(int *p, int *q) {
  for (int i = 0; i < 6; i++) p[i] = q[i] + 1;
  assert(small[5] == 1);
}
static void wraps(void) {
  for (unsigned char i = 250; i != 4; i++) small[(unsigned char)(i + 6)] = i;
  assert(small[7] == 257);
}
static void leaves(int x) {
  int i;
  for (i = 0; i < 8; i++) { if (i == x) break; small[i] = 1; }
  assert(small[7] == 1);
}
static void row_too_long(void) {
  for (int i = 0; i < 3; i++)
    for (int j = 0;; j++) { small[i * 4 + j] = i + 1; if (j == 4) break; }
  assert(small[12] == 0);
}
static void row_above(void) {
  for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) small[i * 4 + j] = i == 0 ? j : small[i * 4 + j - 4] + 1;
  assert(small[15] != 6);
}
int main(void) {
  int x = any();
  switch (any()) {
    case 0: earlier(x); break;
    case 1: again(); break;
    case 2: limit(); break;
    case 3: alias(small + 1, small); break;
    case 4: wraps(); break;
    case 5: leaves(x); break;
    case 6: row_too_long(); break;
    case 7: row_above(); break;
  }
  return 0;
}
"""


def verified(source: str, folder: Path, strategy: str = "acceleration") -> Summary:
    path = folder / "arrays.c"
    path.write_text(HEAD + source, encoding="utf-8")
    return run_verify(VerifyRequest((path,), seconds=60.0, strategy=strategy), Listener())


def test_elements_are_proved_all_at_once(tmp_path: Path) -> None:
    summary = verified(HOLDING, tmp_path)
    assert summary.verdict == "TRUE"
    assert len(summary.properties) == 10


def test_a_wrong_element_is_shown(tmp_path: Path) -> None:
    summary = verified(VIOLATED, tmp_path)
    assert [item.verdict for item in summary.properties] == ["FALSE"] * 3
    assert all(bug.confirmed for bug in summary.bugs)


def test_rounds_that_are_entangled_prove_nothing_wrong(tmp_path: Path) -> None:
    summary = verified(ENTANGLED, tmp_path)
    assert len(summary.properties) == 8
    assert "TRUE" not in {item.verdict for item in summary.properties}
