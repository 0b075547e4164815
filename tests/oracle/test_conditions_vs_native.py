"""Outcomes of branches are those that the native program sees of the source's operands, however these are negated."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import TestRequest
from clew.jobs.test import run_test
from clew.report.listener import Listener
from clew.report.records import BranchCoverage, Summary
from oracle import native
from oracle.conditions import Conditions, generate

FUNCTIONS = 20
TRUTH = {"true": 1, "false": 2}


@pytest.mark.parametrize(("seed", "target"), [(1, "x86_64-linux-gnu"), (2, "aarch64-linux-gnu")])
def test_outcomes_of_operands(seed: int, target: str, tmp_path: Path) -> None:
    drawn = generate(seed, FUNCTIONS)
    recording, plain = tmp_path / "recording.c", tmp_path / "plain.c"
    recording.write_text(drawn.recording)
    plain.write_text(drawn.plain)
    printed = native.run(native.build(recording, (), tmp_path)).stdout.decode()
    seen = {int(line): int(outcomes) for line, outcomes in (text.split() for text in printed.splitlines())}
    summary = run_test(TestRequest((plain,), checks=("memory",), target=target), Listener())
    compared = 0
    for line, branches in _by_operand(drawn, summary).items():
        assert sum(TRUTH[branch.outcome] for branch in branches if branch.covered) == seen.get(line, 0), line
        compared += any(not branch.covered for branch in branches)
    assert compared > FUNCTIONS  # of those where one outcome is never seen


def _by_operand(drawn: Conditions, summary: Summary) -> dict[int, list[BranchCoverage]]:
    """The branches that decide on the operand of a line, where that is one branch."""
    lines = drawn.plain.splitlines()
    found: dict[int, dict[int, list[BranchCoverage]]] = {}
    for branch in summary.coverage.branches:
        assert branch.location is not None
        if branch.location.line in drawn.operands:
            columns = found.setdefault(branch.location.line, {})
            columns.setdefault(branch.location.column, []).append(branch)
    result = {}
    for line, columns in found.items():
        column = _column(lines[line - 1])
        for at, branches in columns.items():
            if column in (at, 0) and "?" not in lines[line - 1]:
                result[line] = branches
    return result


def _column(operand: str) -> int:
    """Where the value of an operand is computed that has other conditions inside; 0 if it has none."""
    if "g(" in operand:
        return operand.index("g(") + 1
    return operand.index("==") + 1 if "&&" in operand else 0
