"""What ``clew verify`` says about functions with replaced loops, against enumeration."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from clew.base.location import Location
from clew.base.options import VerifyRequest
from clew.execute.helpers import build_machine
from clew.jobs.ledger import Ledger
from clew.jobs.phases.acceleration_proof import AccelerationProof
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import DEFAULT_CHECKS
from clew.jobs.prepare import load_checked
from clew.jobs.reexecution import execute, find_entry
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.listener import Listener
from oracle.acceleration_programs import LoopFunction
from unit.execute.support import PRELUDE

INSTRUCTIONS = 2_000_000


@dataclass
class Compared:
    """Counts of answers, and what is wrong."""

    proved: int = 0
    violated: int = 0
    open: int = 0
    exact: int = 0
    """Functions all of whose loops were replaced exactly."""
    wrong: list[str] = field(default_factory=list)


def compare(functions: Sequence[LoopFunction], folder: Path, seconds: float = 20.0) -> Compared:
    """Decide the assertions of all functions by replaced loops alone."""
    file = folder / "loops.c"
    code = "\n".join(function.c for function in functions)
    file.write_text(f"{PRELUDE}#include <assert.h>\n#line 1\n{code}\n", encoding="utf-8")
    request = VerifyRequest((file,), seconds=seconds, compiler_flags=("-w", "-fsigned-char"))
    lines = {}
    for line, text in enumerate(code.splitlines(), 1):
        if found := re.search(r"assert\(.*/\* (\d+) \*/", text):
            lines[line] = int(found[1])
    program = load_checked(replace(request, function=functions[0].name), Listener(), DEFAULT_CHECKS)
    result = Compared()
    for function in functions:
        _one(replace(request, function=function.name), program, function, lines, result)
    return result


def _one(
    request: VerifyRequest, program: Program, function: LoopFunction, lines: dict[int, int], result: Compared
) -> None:
    ledger = Ledger(request, "verify", request.budget())
    phase = AccelerationProof(Context(request, Listener(), ledger.budget, ledger, program))
    phase.run(ledger.budget, None)
    proved = _numbers(ledger.proved(), lines)
    bugs = _numbers(ledger.findings.confirmed(), lines)
    result.exact += phase.ready is not None
    result.proved += len(proved)
    result.violated += len(bugs)
    result.open += function.assertions - len(proved | bugs)
    if wrong := bugs - function.violated:
        result.wrong.append(f"{function.name}: assertion {min(wrong)} is no violation")
    if wrong := proved - bugs & function.violated:
        result.wrong.append(f"{function.name}: assertion {min(wrong)} is not proved")
    if ledger.findings.warnings or ledger.findings.doubtful:
        result.wrong.append(f"{function.name}: {ledger.findings.warnings}")
    machine = build_machine(program, all_models())
    for bug in ledger.findings.bugs:
        seen = execute(machine, find_entry(program, function.name), bug.inputs, INSTRUCTIONS)
        if (seen.end, seen.kind, seen.location) != ("bug", bug.kind, bug.location):
            result.wrong.append(
                f"{function.name}: the inputs of {bug.location} do not show it: {seen.end} {seen.detail}"
            )


def _numbers(keys: set[tuple[str, Location | str]], lines: dict[int, int]) -> set[int]:
    return {lines[where.line] for _, where in keys if isinstance(where, Location)}
