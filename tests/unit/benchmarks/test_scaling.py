"""The series of generated programs: they are what they are said to be, and falling back is seen."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from benchmarks import scaling
from benchmarks.request import BenchRequest
from benchmarks.run import Run
from benchmarks.scaling import NONE, Scaling, analyse, source
from benchmarks.subject import Subject
from benchmarks.table import Row
from clew.analysis.absint.domains import DOMAINS as REGISTERED

DOMAINS = REGISTERED.names()

pytestmark = pytest.mark.native


def test_source() -> None:
    text = source(3, 2)
    assert text.count("while") == 2 and text.count("if (klee_int") == 2
    assert "    v0 += 1;\n" in text and '    if (klee_int("c1") > 0) v1 += 2;\n' in text and "v3" not in text


@pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")
@pytest.mark.parametrize(("variables", "loops"), [(1, 1), (4, 3)])
def test_the_programs_compile(variables: int, loops: int, tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(source(variables, loops), encoding="utf-8")
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-c", str(file), "-o", str(tmp_path / "p.o")], check=True)


def size(file: Path) -> tuple[int, int]:
    variables, loops = file.stem.removeprefix("v").split("_l")
    return int(variables), int(loops)


def test_every_domain_on_every_program(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []
    seconds = iter([3.0, 1.0, 2.0] * 100)

    def apart(function: object, file: Path, domain: str, limit: float) -> Run:
        assert function is analyse and limit == 9.0 and file.read_text(encoding="utf-8") == source(*size(file))
        asked.append((file.stem, domain))
        return Run(next(seconds), verdict=domain)

    monkeypatch.setattr(scaling, "apart", apart)
    found = scaling.measure(BenchRequest(seconds=9.0, quick=True, repeat=3), lambda text: None)
    assert len(asked) == 3 * len(DOMAINS) * len(found.rows)
    assert asked[:9] == [("v2_l1", domain) for domain in DOMAINS] * 3
    assert found.rows[0].runs["polyhedra"].seconds == 3.0 and found.complaints() == []


def point(variables: int, polyhedra: Run) -> Row:
    cheap = {domain: Run(0.1, verdict=domain) for domain in DOMAINS if domain != "polyhedra"}
    return Row(Subject(f"{variables} x 1", ()), {"polyhedra": polyhedra, **cheap})


SERIES = Scaling(
    (
        point(2, Run(0.25, verdict="polyhedra")),
        point(8, Run(1.5, verdict="octagons", losses=("too large",))),
        point(16, Run(2.5, verdict=NONE)),
        point(32, Run(9.0)),
        point(64, Run(failed="it broke")),
    )
)


def test_text() -> None:
    assert SERIES.lines() == [
        "                  polyhedra         octagons  intervals",
        "variables  loops       s      used         s          s",
        "2          1        0.25                0.10       0.10",
        "8          1        1.50  octagons      0.10       0.10",
        "16         1        2.50      none      0.10       0.10",
        "32         1       >9.00                0.10       0.10",
        "64         1      failed                0.10       0.10",
        "polyhedra: falls back to octagons at 8 x 1 (variables x loops)",
        "polyhedra: falls back to none at 16 x 1 (variables x loops)",
    ]
    assert SERIES.complaints() == ["FAILED: 64 x 1, polyhedra: it broke"]
    assert Scaling().lines() == [] and Scaling().said() == ()
    assert SERIES.said()[0].startswith("scaling: one analysis each")
    assert SERIES.said(3)[0].startswith("scaling: median of 3 analyses each")


def test_json() -> None:
    data = json.loads(json.dumps(SERIES.to_json(), allow_nan=False))
    assert data["points"][1]["runs"]["polyhedra"] == {
        "seconds": 1.5, "domain": "octagons", "notes": ["too large"], "failed": "",
    }  # fmt: skip
    assert data["points"][3]["runs"]["polyhedra"]["domain"] is None


@pytest.mark.parametrize("domain", DOMAINS)
def test_an_analysis(domain: str, tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(source(2, 1), encoding="utf-8")
    found = analyse(file, domain, 60.0)
    assert (found.verdict, found.failed) == (domain, "") and found.seconds > 0


def test_a_program_that_does_not_compile(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text("int main(void) {", encoding="utf-8")
    assert "p.c" in analyse(file, "intervals", 60.0).failed


def test_the_time_limit(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(source(2, 1), encoding="utf-8")
    found = analyse(file, "polyhedra", 0.0001)  # over when the program is loaded
    assert (found.verdict, found.failed) == ("", "")
