"""What a project's runs are given: the files that there was time for, and of the program the part that matters."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import ProjectRequest
from clew.jobs import prepare
from clew.jobs.project.plan import Plan, plan_of
from clew.jobs.sources import resolved
from clew.report.listener import Listener

FILES = {
    "a.c": "int g(int x);\nint h(int x);\nstatic int kept;\nint f(int x) { return g(x) + kept; }\n"
    "static int set(int x) { return kept = h(x); }\nint other(int x) { return set(x); }\n"
    "int apart(int x) { return x; }\n",
    "b.c": "static int (*const table[])(int) = {0};\nint g(int x) { return x > 3 && table[0] ? table[0](x) : 1; }\n",
    "c.c": "int level = 2;\nint h(int x) { return x > level; }\nint unrelated(int x) { return x - 1; }\n",
}


class _Heard(Listener):
    def __init__(self) -> None:
        self.warnings: list[str] = []
        self.compiled: list[tuple[int, int]] = []

    def compiling(self, done: int, total: int) -> None:
        self.compiled.append((done, total))

    def warning(self, text: str) -> None:
        self.warnings.append(text)


@pytest.fixture
def request_for(tmp_path: Path) -> ProjectRequest:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return resolved(ProjectRequest((tmp_path,), seconds=60))


def _plan(request: ProjectRequest) -> tuple[Plan, _Heard]:
    heard = _Heard()
    return plan_of(request, heard), heard


def test_a_run_has_what_matters_to_its_entry(request_for: ProjectRequest) -> None:
    plan, heard = _plan(request_for)
    assert heard.compiled == [(0, 3), (1, 3), (2, 3)]
    part = plan.parts.of("f")
    with_bodies = {name for name, function in part.functions.items() if function.blocks}
    assert with_bodies == {"f", "g", "set", "other"}  # which share a variable with f
    assert "h" in part.functions
    assert "unrelated" not in part.functions
    assert {"kept", "table"} <= set(part.globals)
    assert "level" not in part.globals
    unrelated = plan.parts.of("unrelated").functions.values()
    assert [function.name for function in unrelated if function.blocks] == ["unrelated"]
    assert part.whole is plan.program


def test_all_of_a_small_program_is_the_program_itself(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("static int n;\nint f(int x) { return x + n; }\nint g(int x) { return n = x; }\n")
    plan, _ = _plan(resolved(ProjectRequest((tmp_path / "p.c",), seconds=60)))
    assert plan.parts.of("f") is plan.program


def test_files_that_there_is_no_time_for_are_left_out(
    request_for: ProjectRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "COMPILING", 0.0)
    plan, heard = _plan(request_for)
    assert {entry.shown for entry in plan.entries} == {"f", "other", "apart"}
    (said,) = heard.warnings
    assert said.startswith("2 of 3 files are left out, since there was no time to compile them")


def test_compiling_can_be_interrupted(request_for: ProjectRequest) -> None:
    request_for.interrupt.request()
    with pytest.raises(KeyboardInterrupt):
        _plan(request_for)
