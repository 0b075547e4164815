"""Copies and fills whose length is symbolic, and too large for a formula per byte: on one path, all the same."""

from __future__ import annotations

from pathlib import Path

from clew.base.options import VerifyRequest
from clew.jobs.verify import run_verify
from clew.report.listener import Listener

SOURCE = """
#include <assert.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
static char a[3000], b[5000];
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();
  if (n > 2999 || m > 5000 || k >= 3000) return 0;
  memset(b, 7, m);
  memcpy(a, b, n);
  assert(a[k] == (k < n && k < m ? 7 : 0));
  memmove(a + 1, a, n);
  if (k > 0 && k <= n) assert(a[k] == (k - 1 < m ? 7 : 0));
  if (m == 10 && k > 20) assert(a[k] == 0 && a[10] == 7);
  return 0;
}
"""


def test_one_path_has_all_lengths(tmp_path: Path) -> None:
    path = tmp_path / "lengths.c"
    path.write_text(SOURCE, encoding="utf-8")
    summary = run_verify(VerifyRequest((path,), seconds=60.0, strategy="plain"), Listener())
    assert [item.verdict for item in summary.properties] == ["TRUE", "TRUE", "FALSE"]
    (bug,) = summary.bugs
    values = {value.name: value.value for value in bug.inputs}
    assert values["m"] == 10 and values["n"] < 10
    assert summary.stats.paths_completed < 20
