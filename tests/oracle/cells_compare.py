"""What is proved of programs with arrays by one cell of these, against running them natively on all inputs."""

from __future__ import annotations

import subprocess
from pathlib import Path

from clew.base.location import Location
from clew.base.options import VerifyRequest
from clew.jobs.ledger import Ledger
from clew.jobs.phases.cell_proof import CellProof
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import DEFAULT_CHECKS, properties_of, verify_settings
from clew.jobs.prepare import load_checked
from clew.report.listener import Listener
from clew.techniques.tasks import Proved
from oracle import native

FLAGS = ("-w", "-fwrapv")
_NATIVE = """
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
static jmp_buf out;
static int failed;
#define assert(condition) ((condition) ? (void)0 : (failed = __LINE__, longjmp(out, 1)))
"""
_LOOP = """
int main(void) {
  for (int x = 0; x < 8; x++) for (int y = 0; y < 8; y++) {
    memset(g, 0, sizeof g); memset(h, 0, sizeof h);
    if (setjmp(out)) printf("%d\\n", failed); else task(x, y);
  }
  return 0;
}
"""
_INPUT = "int __VERIFIER_nondet_int(void);\n"


def failing(head: str, body: str, folder: Path) -> set[int]:
    """Lines of the body whose assertions fail for some inputs."""
    path, target = folder / "native.c", folder / "native.exe"
    text = f"{_NATIVE}{head}static void task(int x, int y) {{\n#line 1\n{body}}}\n{_LOOP}"
    path.write_text(text, encoding="utf-8")
    command = [*native.compiler(), "-std=gnu11", "-O0", *FLAGS, str(path), "-o", str(target)]
    subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    outcome = native.run(target, 60.0)
    assert outcome.exit_code == 0, outcome.stderr
    return {int(line) for line in outcome.stdout.split()}


def proved(head: str, body: str, folder: Path, seconds: float = 20.0) -> set[int]:
    """Lines of the body whose assertions one cell proves."""
    file = folder / "cells.c"
    first = "int x = __VERIFIER_nondet_int() & 7, y = __VERIFIER_nondet_int() & 7;"
    text = f"#include <assert.h>\n{_INPUT}{head}int main(void) {{ {first}\n#line 1\n{body}return 0;\n}}\n"
    file.write_text(text, encoding="utf-8")
    request = VerifyRequest((file,), seconds=seconds, compiler_flags=FLAGS)
    program = load_checked(request, Listener(), DEFAULT_CHECKS)
    ledger = Ledger(request, "verify", request.budget())
    context = Context(request, Listener(), ledger.budget, ledger, program)
    ready = context.prepare_run(verify_settings(request))
    ledger.properties = properties_of(ready.run.machine, ready.run.options.checks, ready.entry.function)
    CellProof(context).run(ledger.budget, None)
    return {
        key[1].line
        for key, answer in ledger.answers.items()
        if isinstance(answer, Proved) and isinstance(key[1], Location)
    }
