"""What ``clew verify`` says about functions with replaced loops, against enumeration; jumps, against running all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from clew.base.budget import Budget
from clew.base.location import Location
from clew.base.options import TestRequest, VerifyRequest
from clew.execute.helpers import build_machine
from clew.jobs.ledger import Ledger
from clew.jobs.phases.acceleration_proof import AccelerationProof
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import DEFAULT_CHECKS
from clew.jobs.prepare import ExploreSettings, load_checked, prepare_run
from clew.jobs.reexecution import execute, find_entry
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.listener import Listener
from clew.techniques.acceleration.jumping import Jumping
from clew.techniques.acceleration.statistics import AccelerationStatistics
from clew.techniques.technique import Technique
from oracle.acceleration_programs import LoopFunction
from unit.execute.support import PRELUDE

INSTRUCTIONS = 2_000_000
LONG = 20_000
"""Instructions of a function without inputs, after which it is taken for endless."""


@dataclass
class Compared:
    """Counts of answers, and what is wrong."""

    proved: int = 0
    violated: int = 0
    open: int = 0
    exact: int = 0
    """Functions all of whose loops were replaced exactly."""
    wrong: list[str] = field(default_factory=list)


def _written(functions: Sequence[LoopFunction], folder: Path) -> tuple[Path, str]:
    """A file with all functions, and their text in it."""
    file = folder / "loops.c"
    code = "\n".join(function.c for function in functions)
    file.write_text(f"{PRELUDE}#include <assert.h>\n#line 1\n{code}\n", encoding="utf-8")
    return file, code


FLAGS = ("-w", "-fsigned-char")


def compare_jumps(functions: Sequence[LoopFunction], folder: Path) -> tuple[int, list[str]]:
    """Run functions without inputs with jumps and without; how many jumps there were, and what is not the same."""
    file, _ = _written(functions, folder)
    request = TestRequest((file,), compiler_flags=FLAGS, function=functions[0].name)
    program = load_checked(request, Listener())
    jumps, wrong = 0, []
    for function in functions:
        own = replace(request, function=function.name)
        plain, jumping = _explored(own, program, ()), _explored(own, program, (Jumping(),))
        jumps += jumping[1]
        if plain[0] is not None and plain[0] != jumping[0]:
            wrong.append(f"{function.name}: {plain[0]} without jumps, {jumping[0]} with them")
    return jumps, wrong


def _explored(request: TestRequest, program: Program, techniques: tuple[Technique, ...]) -> tuple[object, int]:
    """What a run shows, and how often it jumps. One that is too long shows nothing."""
    budget = Budget(instructions=LONG)
    ready = prepare_run(request, Listener(), budget, ExploreSettings("branch", techniques=techniques), program)
    ready.engine.explore(ready.entry.start(ready.run))
    bugs = frozenset((bug.kind, bug.location, bug.confirmed) for bug in ready.collector.findings.bugs)
    shown = (bugs, frozenset(ready.run.coverage.taken())) if ready.engine.stopped is None else None
    return shown, ready.run.statistics.of(AccelerationStatistics).jumps


def compare(functions: Sequence[LoopFunction], folder: Path, seconds: float = 20.0) -> Compared:
    """Decide the assertions of all functions by replaced loops alone."""
    file, code = _written(functions, folder)
    request = VerifyRequest((file,), seconds=seconds, compiler_flags=FLAGS)
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
