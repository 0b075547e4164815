"""What is proved about functions over arrays whose loops are replaced, against running them natively on all inputs."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from clew.analysis.loops.closure import Refusal
from clew.analysis.mod_ref import ModRef
from clew.base.location import Location
from clew.base.options import VerifyRequest
from clew.execute.helpers import build_machine
from clew.jobs.ledger import Ledger
from clew.jobs.phases.exhaustive import Exhaustive
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import DEFAULT_CHECKS
from clew.jobs.prepare import load_checked
from clew.models.registry import all_models
from clew.report.listener import Listener
from clew.techniques.acceleration.rewriting import Treatment, accelerate
from clew.techniques.tasks import Proved
from oracle import native
from oracle.array_programs import ArrayFunction

FLAGS = ("-w", "-fsigned-char", "-fwrapv", "-fno-strict-aliasing")
MAIN = """
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
static jmp_buf out;
static int failed;
#define assert(condition) ((condition) ? (void)0 : (failed = __LINE__, longjmp(out, 1)))
"""


@dataclass
class Compared:
    """Counts of assertions, and what is wrong."""

    replaced: int = 0
    """Loops over arrays."""
    left: int = 0
    """Other loops."""
    holding: int = 0
    proved: int = 0
    violated: int = 0
    witnessed: int = 0
    """Of those that are violated: how many of them by inputs that a path of the changed program has, too."""
    wrong: list[str] = field(default_factory=list)


def compare(head: str, functions: Sequence[ArrayFunction], folder: Path, seconds: float = 20.0) -> Compared:
    """Decide the assertions of all functions with loops over arrays replaced."""
    failures = _natively(head, functions, folder)
    file = folder / "arrays.c"
    code = "".join(function.source for function in functions)
    file.write_text(f"#include <assert.h>\n{head}#line 1\n{code}", encoding="utf-8")
    request = VerifyRequest((file,), seconds=seconds, compiler_flags=FLAGS)
    program = load_checked(replace(request, function=functions[0].name), Listener(), DEFAULT_CHECKS)
    machine = build_machine(program, all_models())
    effects = ModRef(machine.program, machine.callees)
    result, line = Compared(), 1
    for function in functions:
        end = line + function.source.count("\n")
        changed = accelerate(effects, function.name, lambda name, header: Refusal("not asked for"))
        treatments = [loop.treatment for loop in changed.loops]
        result.replaced += treatments.count(Treatment.ARRAY)
        result.left += treatments.count(Treatment.LEFT)
        own = replace(request, function=function.name)
        ledger = Ledger(own, "verify", own.budget())
        phase = Exhaustive(Context(own, Listener(), ledger.budget, ledger, changed.program))
        phase.run(ledger.budget, None)
        _judge(result, ledger, failures.get(function.name, {}), range(line, end), function)
        line = end
    return result


def _judge(
    result: Compared, ledger: Ledger, failures: dict[int, set[tuple[int, int]]], lines: range, function: ArrayFunction
) -> None:
    asserted = {number for number, text in enumerate(function.source.splitlines(), lines.start) if "assert(" in text}
    shown = {
        (bug.location.line, tuple(int(value.value) & 7 for value in bug.inputs if isinstance(value.value, int)))
        for bug in ledger.findings.bugs
        if bug.location is not None
    }
    seen = {key[1].line for key in ledger.findings.seen() if isinstance(key[1], Location)}
    proved = {
        key[1].line
        for key, answer in ledger.answers.items()
        if isinstance(answer, Proved) and isinstance(key[1], Location) and key[1].line not in seen
    }
    result.holding += len(asserted - failures.keys())
    result.violated += len(failures)
    result.proved += len(proved)
    result.witnessed += sum(inputs in failures.get(line, ()) for line, inputs in shown)
    result.wrong += [
        f"{function.source}line {line - lines.start + 1} was proved, and fails for {sorted(failures[line])[0]}"
        for line in sorted(proved & failures.keys())
    ]


def _natively(
    head: str, functions: Sequence[ArrayFunction], folder: Path
) -> dict[str, dict[int, set[tuple[int, int]]]]:
    """For each function, the lines of assertions that fail, and the inputs."""
    calls = "".join(
        f"for (int x = 0; x < 8; x++) for (int y = 0; y < 8; y++) {{ memset(a, 0, sizeof a); memset(b, 0, sizeof b); "
        f"memset(ra, 0, sizeof ra); memset(rb, 0, sizeof rb); "
        f'if (setjmp(out)) printf("{function.name} %d %d %d\\n", failed, x, y); else {function.name}(x, y); }}\n'
        for function in functions
    )
    code = "".join(function.source for function in functions)
    path, target = folder / "native.c", folder / "native.exe"
    path.write_text(f"{MAIN}{head}#line 1\n{code}\nint main(void) {{\n{calls}return 0;\n}}\n", encoding="utf-8")
    command = [*native.compiler(), "-std=gnu11", "-O0", *FLAGS, str(path), "-o", str(target)]
    subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    outcome = native.run(target, 60.0)
    assert outcome.exit_code == 0, outcome.stderr
    found: dict[str, dict[int, set[tuple[int, int]]]] = {}
    for name, line, x, y in (text.split() for text in outcome.stdout.decode().splitlines()):
        found.setdefault(name, {}).setdefault(int(line), set()).add((int(x), int(y)))
    return found
