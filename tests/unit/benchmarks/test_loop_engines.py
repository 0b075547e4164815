"""What engines know about loops: counted rightly, on programs small enough to know it; and the generated series."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import loop_engines
from benchmarks.loop_engines import (
    CHAINS,
    CHOICES,
    ENGINES,
    PHASES,
    RELATIONS,
    SHAPES,
    SUMMARIES,
    EnginesTable,
    SeriesTable,
    relate,
    source,
)
from benchmarks.loop_tasks import loop_tasks
from benchmarks.request import BenchRequest
from benchmarks.run import Run

TWO_LOOPS = """
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 3;
  while (x < n) x += 2;
  for (unsigned i = 0; i < n; i++) y = y * y;
  return x + y;
}
"""


def test_relations_exact_and_in_part(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(TWO_LOOPS, encoding="utf-8")
    found = relate((file,))
    assert (found.count("loops"), found.count("exact"), found.count("part")) == (2, 1, 1)
    assert 0 < found.stats["slowest"] <= found.seconds


@pytest.mark.parametrize("engine", [RELATIONS, CHAINS, pytest.param(SUMMARIES, marks=pytest.mark.thorough)])
def test_every_engine_counts_the_same_loops(engine: str, tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(TWO_LOOPS, encoding="utf-8")
    assert ENGINES[engine]((file,)).count("loops") == 2


def test_a_program_that_does_not_compile(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text("int main(void) {", encoding="utf-8")
    assert "p.c" in ENGINES["chains"]((file,)).failed


def test_source() -> None:
    text = source(PHASES, 3, 2)
    assert "if (i < 1000) { v0 += 1; v1 += 2; }" in text and "else if (i < 2000)" in text and text.count("{ v0") == 3
    assert "if (c == 0) { v0 += 1; }" in source(CHOICES, 2, 1)


@pytest.mark.native
@pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")
@pytest.mark.parametrize("shape", SHAPES)
def test_the_series_compiles(shape: str, tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(source(shape, 4, 3), encoding="utf-8")
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-c", str(file), "-o", str(tmp_path / "p.o")], check=True)


def apart(function: object, files: Sequence[Path]) -> Run:
    stats = {"loops": 4, "exact": 3, "part": 1, "slowest": 0.25}
    return Run(0.5, verdict="TRUE", stats=stats) if function is relate else Run(failed="it broke")


def test_engines_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_engines, "apart", apart)
    tasks = [task for task in loop_tasks() if task.group == "wrap"]
    table = loop_engines.measure_engines(tasks, BenchRequest(), lambda text: None)
    assert isinstance(table, EnginesTable) and len(table.rows[0].subject.files) == len(tasks) / 2
    assert table.lines()[:3] == [
        "          relations                            chains  summaries",
        "loops of  exact  part  none  ms each  slowest   exact      exact",
        "wrap          3     1     0    125.0      250  failed     failed",
    ]
    assert table.findings()[0] == "relations: 3 of 4 loops exact, 1 in part, 0 not; 0.5 s"
    assert table.complaints() == ["FAILED: wrap, chains: it broke", "FAILED: wrap, summaries: it broke"]
    alone = loop_engines.measure_engines(tasks, BenchRequest(plain=False), lambda text: None)
    assert list(alone.rows[0].runs) == [RELATIONS]


def test_the_series(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_engines, "apart", apart)
    table = loop_engines.measure_series(BenchRequest(quick=True), lambda text: None)
    assert isinstance(table, SeriesTable) and [row.name for row in table.rows] == ["1 x 1", "2 x 2", "4 x 4"]
    assert table.lines()[2].split() == ["1", "1", "exact", "500.0", "exact", "500.0"]
    data = json.loads(json.dumps(table.to_json(), allow_nan=False))
    assert data["rows"][0]["runs"][PHASES] == {
        "loops": 4, "exact": 3, "part": 1, "slowest": 0.25, "seconds": 0.5, "failed": "",
    }  # fmt: skip
