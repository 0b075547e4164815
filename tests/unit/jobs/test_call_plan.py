"""A run with --function, from exploration through ``tests.c``'s plan to native agreement."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from clew.base.options import ReplayRequest, TestRequest
from clew.jobs.replay import run_replay
from clew.jobs.test import run_test
from clew.report.folder import OutputFolder
from clew.report.recorder import Recorder
from clew.report.replay_records import Status

pytestmark = pytest.mark.native

PROGRAM = """
struct node { int value; unsigned char tag; struct node *next; double weight; };
struct big { long a[4]; };
static int sum(struct node *n, int k, float f, struct big b, _Bool q, char *s) {
  if (q && f > 1.5f && b.a[2] == 77) return 42;
  if (s && s[0] == 'x') return s[k & 1];
  if (n && n->tag == 9 && n->next && n->next->value == 12345) return n->next->weight > 3.0 ? 5 : 6;
  return 0;
}
int use(int x) { struct big b = {{0}}; return sum(0, x, 0, b, 0, 0); }
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")
def test_every_parameter_arrives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(PROGRAM)
    request = TestRequest((Path("p.c"),), function="sum", array_length=2, seconds=600)
    recorder = Recorder(OutputFolder.claim(Path("o")), request)
    summary = recorder.finish(run_test(request, recorder))
    assert {"FN:4,sum", "FNDA:1,sum", "FNDA:0,use"} <= set(Path("o/coverage.info").read_text().split("\n"))
    assert json.loads(Path("o/summary.json").read_text())["build"]["call"]["result"] == "i32"
    report = run_replay(ReplayRequest(Path("o")))
    assert len(report.tests) == summary.tests
    assert {test.status for test in report.tests} == {Status.AGREED}, report.lines()
    observed = {test.observed for test in report.tests}
    assert {"exit 42", "exit 0"} <= observed
    assert observed & {"exit 5", "exit 6"}, "the choice between them needs no branch"
