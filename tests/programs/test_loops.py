"""Tasks about loops, as ``clew bench loops`` has them: some are decided, of some the verdicts are checked natively."""

from __future__ import annotations

import shutil

import pytest

from benchmarks.loop_tasks import LoopTask, loop_tasks
from clew.base.options import VerifyRequest
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from oracle.loop_tasks_native import problem_of

QUICK = (
    "boundaries/post_decrement", "boundaries/signed_index_unsigned_bound", "wrap/below_zero",
    "wrap/difference_survives", "wrap/unsigned_char_cycle", "widths/mixed_compare",
)  # fmt: skip
"""Decided in a fraction of a second, and so are their twins."""

TASKS = loop_tasks()


def verdict_of(task: LoopTask, seconds: float) -> str | None:
    flags = tuple(word for word in task.options if word.startswith("-D"))
    checks = None if task.check == "assert" else tuple(task.check.split(","))
    request = VerifyRequest(files=task.files, seconds=seconds, compiler_flags=flags, checks=checks)
    return run_verify(request, Listener()).verdict


@pytest.mark.parametrize("task", [task for task in TASKS if task.name in QUICK], ids=lambda task: task.title)
def test_quick_ones_are_decided(task: LoopTask) -> None:
    assert verdict_of(task, 600.0) == task.expected


@pytest.mark.thorough
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.title)
def test_no_verdict_is_wrong(task: LoopTask) -> None:
    assert verdict_of(task, 15.0) in (task.expected, "UNKNOWN")


@pytest.mark.native
@pytest.mark.slow
@pytest.mark.sample(100)
@pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")
@pytest.mark.parametrize("name", sorted({task.name for task in TASKS}))
def test_verdicts_natively(name: str) -> None:
    both = [task for task in TASKS if task.name == name]
    inputs = next(task.inputs for task in both if not task.is_safe)
    assert [problem_of(task, inputs, runs=10, seed=0) for task in both] == ["", ""]
