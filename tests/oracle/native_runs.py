"""Native runs of Clew beside the interpreter and the program itself: same end, same output, same branches, as often."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.base.cache import Cache
from clew.execute.codegen.compiled import Compiler
from clew.execute.codegen.emitter import Origin
from clew.execute.context import RunOptions
from clew.execute.coverage import Coverage, branch_ids
from clew.execute.helpers import build_machine
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.jobs.reexecution import execute, find_entry
from clew.models.registry import all_models
from clew.native.executor import End, NativeRun
from clew.native.program import NativeProgram
from clew.program.module import Program
from clew.report.records import BranchId
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
    values = [InputValue("", "long long", 64, value) for value in (*inputs, *[0] * engine.SPARE)]
    pairs = zip(inputs, sizes or [8] * len(inputs), strict=True)
    data = b"".join((value % (1 << 8 * size)).to_bytes(size, "little") for value, size in pairs)
    return _compared(program, values, data)


def compare_stdin(source: Path, data: bytes) -> Compared:
    """Run a program with these bytes of standard input by the interpreter and natively."""
    options = CompileOptions(flags=engine.FLAGS)
    program = link(load([source], options, None), options, Cache.default())
    length = InputValue("stdin length", "unsigned int", 32, len(data))
    values = [length, InputValue("stdin", f"char[{len(data)}]", 8 * len(data), data)]
    return _compared(program, values, data, len(data))


def compare_bytes(source: Path, inputs: Sequence[bytes]) -> Compared:
    """Run a program with inputs of so many bytes by the interpreter and natively."""
    options = CompileOptions(flags=engine.FLAGS)
    program = link(load([source], options, None), options, Cache.default())
    values = [InputValue("", f"char[{len(one)}]", 8 * len(one), one) for one in inputs]
    return _compared(program, values, b"".join(inputs))


class _Counts(Coverage):
    """How often branches are taken: every leaf of generated code stays fresh, so that all of them are reported."""

    def __init__(self, program: Program, compiler: Compiler) -> None:
        super().__init__(program, compiler)
        self.counts: Counter[BranchId] = Counter()
        self.perhaps: Counter[BranchId] = Counter()
        """On the way to an instruction that was interrupted: they may have been reported before."""

    def leaf(self, unit: int, number: int) -> bool:
        new = super().leaf(unit, number)
        self.fresh[unit][number] = True
        code = self._compiler.units[unit]
        self._count(self.counts, code.function, code.leaves[number].edges)
        return new

    def interrupted(self, function: str, origin: Origin) -> bool:
        self._count(self.perhaps, function, origin.edges)
        return super().interrupted(function, origin)

    def _count(self, counts: Counter[BranchId], function: str, edges: Iterable[tuple[str, str]]) -> None:
        for source, target in edges:
            place = self._positions(function, source).get(target)
            if place is not None:
                counts[function, source, place] += 1


def _compared(program: Program, values: Sequence[InputValue], data: bytes, stdin: int | None = None) -> Compared:
    machine, entry = build_machine(program, all_models()), find_entry(program, None)
    counts = _Counts(program, machine.compiler)
    expected = execute(machine, entry, values, options=RunOptions(stdin=stdin), coverage=counts)
    with NativeProgram(program, program.functions["main"], (), Cache.default()).executor(stdin) as executor:
        shown = executor.run(data)
        again = executor.run(data)
    known = branch_ids(program)
    ends = {"exit": End.EXIT, "bug": End.BUG, "dropped": End.ASSUMPTION}
    pairs = {
        "end": (ends.get(expected.end), shown.end),
        "exit code": (expected.exit_code, shown.exit_code),
        "output": (expected.stdout, shown.stdout),
        "branches": (expected.covers & known, shown.branches & known),
        "counts": (_miscounted(counts, shown.counts, known), ""),
        "second run": (shown, again),
    }
    different = [f"{what}: {one!r:.200} {other!r:.200}" for what, (one, other) in pairs.items() if one != other]
    if different:
        different.append(f"{expected.end} {expected.kind} {expected.detail}; {shown.end.name} {shown.detail}")
    return Compared(shown, "; ".join(different))


def _miscounted(expected: _Counts, shown: Mapping[BranchId, int], known: Iterable[BranchId]) -> str:
    """A branch that was taken more or less often natively, as far as native runs count; empty if there is none."""
    for branch in sorted(known):
        least = expected.counts[branch]
        if not min(least, 255) <= shown.get(branch, 0) <= min(least + expected.perhaps[branch], 255):
            return f"{branch} {least} {shown.get(branch, 0)}"
    return ""
