"""What conflict-driven search learns is true of every path; and the check of that finds what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.explain import memory, steps
from clew.explain.unrolled import Edge
from oracle.clauses import check_clauses
from oracle.verify_compare import Way
from oracle.verify_programs import generate

SEEDS = range(300, 308)
PATHS = 60

JOIN_IN_MEMORY = """\
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static int g, other;
int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  g = 1;
  if (k > 60) g = 2; else other = 5;
  assert(g == 1);
  return 0;
}
"""
JOIN_OF_REGISTERS = """\
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static int other;
int main(void) {
  unsigned char k = __VERIFIER_nondet_uchar();
  int x = 1;
  if (k > 60) x = 2; else other = 5;
  assert(x == 1);
  return 0;
}
"""


def never(edge: Edge) -> bool:
    """Stands in for ``guarded``: how a join was entered is left out of reasons."""
    return False


def saved(source: str, folder: Path) -> Path:
    program = folder / "program.c"
    program.write_text(source, encoding="utf-8")
    return program


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_path_contradicts_a_clause(seed: int, tmp_path: Path) -> None:
    way = Way("conflicts", stir=seed if seed % 2 else None, kept=seed % 4 < 2)
    found = check_clauses(saved(generate(seed).source, tmp_path), PATHS, seed, way)
    assert found.clauses and found.paths
    assert found.violated == []


@pytest.mark.parametrize(("module", "source"), [(memory, JOIN_IN_MEMORY), (steps, JOIN_OF_REGISTERS)])
def test_a_clause_without_a_needed_choice_is_found(
    module: object, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = saved(source, tmp_path)
    way = Way("conflicts", kept=True)
    assert check_clauses(program, PATHS, way=way).violated == []
    monkeypatch.setattr(module, "guarded", never)
    found = check_clauses(program, PATHS, way=way)
    assert found.violated
    assert "main:if.end" in str(found.violated[0])
