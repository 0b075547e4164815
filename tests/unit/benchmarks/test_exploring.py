"""One run for the merging table: what it notes, and that nothing it meets ends the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import exploring
from benchmarks.apart import Died
from clew.base.options import TestRequest

CODE = """int klee_int(const char *name);
int main(void) {
  int divisor = klee_int("divisor");
  if (klee_int("more"))
    return 0;
  return 100 / divisor;
}
"""


def request(folder: Path, code: str) -> TestRequest:
    file = folder / "p.c"
    file.write_text(code, encoding="utf-8")
    return TestRequest(files=(file,), seconds=600.0, checks=("div",), goal="path")


def test_a_run(tmp_path: Path) -> None:
    run = exploring.explore(request(tmp_path, CODE))
    assert run.complete and run.errors == (("division-by-zero", "p.c", 6),)
    assert (run.completed, run.merged, run.explored, run.tests) == (3, 0, 3, 3)
    assert run.branches >= 2 and run.seconds > 0


def test_what_does_not_compile_has_no_figures(tmp_path: Path) -> None:
    run = exploring.explore(request(tmp_path, "int main(void) { return nothing; }\n"))
    assert "p.c" in run.failed and not run.complete


@pytest.mark.parametrize(
    ("problem", "said"), [(Died(), "its process died"), (KeyError("a bug"), "KeyError: 'a bug'")], ids=str
)
def test_a_process_that_fails(problem: Exception, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def apart(function: object, asked: TestRequest) -> None:
        raise problem

    monkeypatch.setattr(exploring, "apart", apart)
    assert exploring.measure(request(tmp_path, CODE)).failed == said
