"""Programs run once, with given inputs."""

from __future__ import annotations

from collections.abc import Sequence

from clew.execute.helpers import build_machine
from clew.jobs.reexecution import ConcreteOutcome, execute, find_entry
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.values import InputValue


def run_concrete(
    program: Program, inputs: Sequence[int | InputValue], max_instructions: int | None = None
) -> ConcreteOutcome:
    """Run a program with a list of inputs (plain numbers, or typed values) and tell how it ended."""
    machine = build_machine(program, all_models())
    values = [item if isinstance(item, InputValue) else InputValue("", "long long", 64, item) for item in inputs]
    return execute(machine, find_entry(program, None), values, max_instructions)
