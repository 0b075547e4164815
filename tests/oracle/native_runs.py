"""Native runs of Clew beside the interpreter and the program itself: same end, same output, same branches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.execute.coverage import branch_ids
from clew.frontend.cache import Cache
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.jobs.reexecution import run_concrete
from clew.native.executor import End, NativeRun
from clew.native.program import native_executor
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


def compare(source: Path, inputs: Sequence[int], sanitize: tuple[str, ...] = ()) -> Compared:
    """Run a program with 64-bit inputs by the interpreter and natively."""
    options = CompileOptions(flags=engine.FLAGS, sanitize=sanitize)
    program = link(load([source], options, None), options, Cache.default())
    expected = run_concrete(program, [*inputs, *[0] * engine.SPARE])
    data = b"".join((value % (1 << 64)).to_bytes(8, "little") for value in inputs)
    with native_executor(program, program.functions["main"], cache=Cache.default()) as executor:
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
