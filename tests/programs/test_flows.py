"""Errors that reach their sink through many control and data flows: all bad halves found, all good halves clean."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import TestRequest
from clew.jobs.test import run_test
from clew.report.listener import Listener
from clew.report.records import Summary
from programs.flows.generate import program
from programs.flows.shapes import SHAPES
from programs.flows.weaknesses import WEAKNESSES, Weakness
from programs.test_programs import read
from targets import target_for

ALL = pytest.mark.parametrize("weakness", WEAKNESSES, ids=lambda weakness: weakness.name)


def explore(file: Path, name: str) -> Summary:
    """All paths: these programs are small, and a path that nobody follows would hide what the test is after."""
    summary = run_test(TestRequest(files=(file,), seconds=600.0, target=target_for(name)), Listener())
    assert summary.stopped is None, f"stopped by {summary.stopped}"
    assert summary.losses == ()
    return summary


@pytest.mark.sample(8)
@ALL
def test_bad_half_is_found(weakness: Weakness, tmp_path: Path) -> None:
    file = tmp_path / "bad.c"
    file.write_text(program(weakness, bad=True), encoding="utf-8")
    expected = read(file).bugs
    assert len(expected) == len(SHAPES)
    summary = explore(file, weakness.name)
    assert {(bug.kind, bug.location.line if bug.location else 0) for bug in summary.bugs} == expected
    assert all(bug.confirmed for bug in summary.bugs)


@pytest.mark.sample(8)
@ALL
def test_good_half_is_clean(weakness: Weakness, tmp_path: Path) -> None:
    file = tmp_path / "good.c"
    file.write_text(program(weakness, bad=False), encoding="utf-8")
    assert explore(file, weakness.name).bugs == ()


def test_generation_is_deterministic() -> None:
    assert [program(weakness, bad=True) for weakness in WEAKNESSES] == [program(w, bad=True) for w in WEAKNESSES]
    assert len(SHAPES) >= 20
