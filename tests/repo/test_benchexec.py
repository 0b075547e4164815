"""The tool-info module for BenchExec: its own check, and the results of real runs."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("benchexec")

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "integrations" / "benchexec"
PROGRAM = """extern void abort(void); void reach_error(void) { abort(); } int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x == 7) reach_error(); return 0; }
"""


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("clew_benchexec.clew").Tool()


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with ``bin/clew``, the one under test."""
    script = tmp_path / "bin" / "clew"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT / "src"}:$PYTHONPATH" exec "{sys.executable}" -m clew "$@"\n')
    script.chmod(0o755)
    return tmp_path


def told(summary: dict[str, Any], code: int = 0, words: tuple[str, ...] = ()) -> SimpleNamespace:
    """A run as BenchExec gives it to the module."""
    exit_code = SimpleNamespace(value=code, signal=None)
    lines = [json.dumps(summary)] if summary else ["clew: error: no"]
    return SimpleNamespace(output=lines, exit_code=exit_code, was_timeout=False, cmdline=list(words))


@pytest.mark.slow
def test_benchexec_is_content(installed: Path) -> None:
    words = ["-m", "benchexec.test_tool_info", "clew_benchexec.clew", "--no-container", "--tool-directory", "."]
    known = os.environ | {"PYTHONPATH": f"{FOLDER}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    ran = subprocess.run([sys.executable, *words], cwd=installed, env=known, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    said = ran.stdout + ran.stderr
    assert "Version: “0." in said
    assert "Error" not in said and "Traceback" not in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("CHECK( init(main()), LTL(G ! call(reach_error())) )", "false(unreach-call)"),
        ("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )", "done"),
    ],
)
def test_a_run(asked: str, expected: str, tool: Any, installed: Path) -> None:
    (installed / "p.c").write_text(PROGRAM)
    (installed / "p.prp").write_text(asked)
    options = {"language": "C", "data_model": "ILP32"}
    prp = str(installed / "p.prp")
    task = SimpleNamespace(property_file=prp, input_files_or_identifier=["p.c"], options=options)
    limits = SimpleNamespace(cputime=60, walltime=None, memory=2_000_000_000)
    words = tool.cmdline(str(installed / "bin" / "clew"), ["--out", "o"], task, limits)
    assert words[words.index("--data-model") + 1] == "ILP32"
    assert int(words[words.index("--time") + 1]) < 60
    ran = subprocess.run(words, cwd=installed, capture_output=True, text=True)
    run = told({}, ran.returncode, tuple(words))
    run.output = ran.stdout.splitlines()
    assert tool.determine_result(run) == expected
    assert tool.get_value_from_output(run.output, "tests") is not None
    assert (installed / "o" / "test-suite.zip").exists() == (expected == "done")


@pytest.mark.parametrize(
    ("cputime", "options", "jobs"),
    [(60, [], ["1"]), (60, ["--jobs", "4"], ["4"]), (None, [], [])],
)
def test_processor_time_is_that_of_one_process(
    cputime: int | None, options: list[str], jobs: list[str], tool: Any
) -> None:
    task = SimpleNamespace(property_file=None, input_files_or_identifier=["p.c"], options={})
    limits = SimpleNamespace(cputime=cputime, walltime=90, memory=None)
    words = tool.cmdline("clew", options, task, limits)
    assert [words[at + 1] for at, word in enumerate(words) if word == "--jobs"] == jobs


@pytest.mark.parametrize(
    ("verdict", "kind", "asked", "expected"),
    [
        ("TRUE", "", "x.prp", "true"),
        ("UNKNOWN", "", "x.prp", "unknown"),
        ("FALSE", "signed-overflow", "x.prp", "false(no-overflow)"),
        ("FALSE", "use-after-free", "x.prp", "false(valid-deref)"),
        ("FALSE", "invalid-free", "x.prp", "false(valid-free)"),
        ("FALSE", "memory-leak", "valid-memsafety.prp", "false(valid-memtrack)"),
        ("FALSE", "memory-leak", "valid-memcleanup.prp", "false(valid-memcleanup)"),
        ("FALSE", "shift", "x.prp", "unknown"),
    ],
)
def test_results(verdict: str, kind: str, asked: str, expected: str, tool: Any) -> None:
    bugs = [{"kind": kind, "class": "bug"}] if kind else []
    run = told({"command": "verify", "verdict": verdict, "bugs": bugs}, 0, ("clew", "verify", "--property", asked))
    assert tool.determine_result(run) == expected


def test_no_result(tool: Any) -> None:
    assert tool.determine_result(told({}, 2)) == "ERROR"
