"""An output folder of a real run."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.cli.app import run

CODE = """int __VERIFIER_nondet_int(void);
int table[8];
static void put(int i) {
  /* \u00e9 */ table[i] = 1;
}
int unused(int x) { return x > 3; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n >= 0 && n <= 8)
    put(n);
  if (n > 5 && n < 3)
    return 7;
  return 0;
}
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a program, and the results of a run in ``clew-out/1``."""
    folder = tmp_path_factory.mktemp("workspace")
    (folder / "p.c").write_text(CODE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run(["test", "p.c", "--quiet"]) == 1
    return folder
