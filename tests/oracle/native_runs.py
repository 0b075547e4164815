"""Native runs of Clew beside the interpreter and the program itself: same end, same output, same branches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.execute.context import RunOptions
from clew.execute.coverage import branch_ids
from clew.execute.helpers import build_machine
from clew.frontend.cache import Cache
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.jobs.reexecution import ConcreteOutcome, execute, find_entry, run_concrete
from clew.models.registry import all_models
from clew.native.executor import End, NativeRun
from clew.native.program import native_executor
from clew.program.module import Program
from clew.report.values import InputValue
from clew.runtime import link
from oracle import engine
from oracle.native import TYPES

_CALL = re.compile(r"__VERIFIER_nondet_(\w+)\(\)")


def with_wide_inputs(source: str) -> str:
    """The program with inputs of 64 bits, of which it takes what it needs: so they are the same bytes for everybody."""

    def widened(match: re.Match[str]) -> str:
        word = "__VERIFIER_nondet_ulonglong()"
        return f"(_Bool)({word} & 1)" if match[1] == "bool" else f"({TYPES[match[1]]}){word}"

    return "unsigned long long __VERIFIER_nondet_ulonglong(void);\n" + _CALL.sub(widened, source)


@dataclass(frozen=True)
class Compared:
    """What a run of Clew's executor shows, and how it differs from the interpreter's; empty if it does not."""

    run: NativeRun
    difference: str


def compare(
    source: Path,
    inputs: Sequence[int],
    sanitize: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
    sizes: Sequence[int] = (),
) -> Compared:
    """Run a program by the interpreter and natively, with inputs of 64 bits each, or of so many bytes."""
    options = CompileOptions(flags=(*engine.FLAGS, *flags), sanitize=sanitize)
    program = link(load([source], options, None), options, Cache.default())
    expected = run_concrete(program, [*inputs, *[0] * engine.SPARE])
    pairs = zip(inputs, sizes or [8] * len(inputs), strict=True)
    return _compared(
        program, expected, b"".join((value % (1 << 8 * size)).to_bytes(size, "little") for value, size in pairs)
    )


def compare_stdin(source: Path, data: bytes) -> Compared:
    """Run a program with these bytes of standard input by the interpreter and natively."""
    options = CompileOptions(flags=engine.FLAGS)
    program = link(load([source], options, None), options, Cache.default())
    machine, entry = build_machine(program, all_models()), find_entry(program, None)
    length = InputValue("stdin length", "unsigned int", 32, len(data))
    values = [length, InputValue("stdin", f"char[{len(data)}]", 8 * len(data), data)]
    expected = execute(machine, entry, values, options=RunOptions(stdin=len(data)))
    return _compared(program, expected, data, len(data))


def _compared(program: Program, expected: ConcreteOutcome, data: bytes, stdin: int | None = None) -> Compared:
    with native_executor(program, program.functions["main"], (), stdin, Cache.default()) as executor:
        shown = executor.run(data)
        again = executor.run(data)
    known = branch_ids(program)
    ends = {"exit": End.EXIT, "bug": End.BUG, "dropped": End.ASSUMPTION}
    pairs = {
        "end": (ends.get(expected.end), shown.end),
        "exit code": (expected.exit_code, shown.exit_code),
        "output": (expected.stdout, shown.stdout),
        "branches": (expected.covers & known, shown.branches & known),
        "second run": (shown, again),
    }
    different = [f"{what}: {one!r:.200} {other!r:.200}" for what, (one, other) in pairs.items() if one != other]
    if different:
        different.append(f"{expected.end} {expected.kind} {expected.detail}; {shown.end.name} {shown.detail}")
    return Compared(shown, "; ".join(different))
