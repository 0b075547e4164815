"""Native runs of programs that try to get out, to crash or to go on for ever: each ends as it should, and the next run
finds everything as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from clew.base.cache import Cache
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.native.build import Building
from clew.native.emit.module import emit_program
from clew.native.executor import End, NativeExecutor
from clew.native.program import NativeProgram
from clew.native.trace import TracedProgram
from clew.program.module import Program

pytestmark = pytest.mark.native
FUEL = 10_000_000
PATIENCE = 300.0
"""Seconds in which fuel is used up even where this process hardly gets to run."""
GREETING = b"text 7 42 0\n"


@pytest.fixture(scope="module")
def program() -> Program:
    return load([Path(__file__).parent / "hostile.c"], CompileOptions(flags=("-w",)), None)


@pytest.fixture(scope="module", params=[NativeProgram, TracedProgram], ids=["plain", "traced"])
def executor(program: Program, request: pytest.FixtureRequest) -> Iterator[NativeExecutor]:
    with request.param(program, program.functions["main"], cache=Cache.default()).executor() as made:
        yield made


ENDS = {
    **dict.fromkeys((1, 2, 3, 4, 14, 15, 16, 20, 21, 23, 24, 25, 36, 39, 40, 44, 46, 47, 48), (End.BUG, "access")),
    **dict.fromkeys((49, 50, 51, 52, 53, 54, 60, 61, 62), (End.BUG, "access")),
    **dict.fromkeys((5, 7, 32), (End.FUEL, "")),
    **dict.fromkeys((6, 13, 41), (End.FAULT, "")),
    **dict.fromkeys((8, 26), (End.MEMORY, "")),
    **dict.fromkeys((9, 11), (End.BUG, "error-call")),
    **dict.fromkeys((17, 18, 19), (End.BUG, "free")),
    22: (End.BUG, "division"),
    **dict.fromkeys((27, 29, 30, 31, 34, 35), (End.BUG, "abort")),
    **dict.fromkeys((33, 45, 55, 56, 57, 58, 64), (End.UNSUPPORTED, "something of the C library")),
    **dict.fromkeys((37, 38, 42, 43, 59, 63), (End.EXIT, "")),
    10: (End.UNSUPPORTED, "a call of something else than it is declared as"),
    12: (End.UNSUPPORTED, "inline assembly"),
    28: (End.UNSUPPORTED, "system(), which native runs do not have"),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("number", sorted(ENDS))
def test_ends_and_leaves_no_trace(number: int, executor: NativeExecutor) -> None:
    fuel = FUEL // 100 if number == 32 else FUEL  # a trace keeps every jump
    shown = executor.run(bytes([number]), fuel, seconds=PATIENCE)
    assert (shown.end, shown.detail) == ENDS[number]
    assert shown.stdout == GREETING
    after = executor.run(b"\0")
    assert (after.end, after.exit_code, after.stdout) == (End.EXIT, 3, GREETING)


def test_an_endless_run_is_cut_by_the_clock(executor: NativeExecutor) -> None:
    assert executor.run(b"\5", seconds=0.2).end is End.TIMEOUT
    assert executor.run(b"\0").exit_code == 3


def test_mutation_survives_all_of_it(executor: NativeExecutor) -> None:
    shown = executor.mutate(1, 1, 1000, 3000, 1 << 40, 60.0)
    assert shown.died is None and shown.runs >= 3000
    assert len(shown.found) > 10
    assert executor.run(b"\0").stdout == GREETING


def test_the_process_has_nothing_but_its_pipes(executor: NativeExecutor) -> None:
    executor.run(b"\0")
    assert executor.process_id is not None
    process = Path(f"/proc/{executor.process_id}")
    assert {int(entry.name) for entry in (process / "fd").iterdir()} == {0, 1}
    status = dict(line.split(":\t", 1) for line in (process / "status").read_text().splitlines() if ":\t" in line)
    assert status["Seccomp"].strip() in ("1", "2") and status["NoNewPrivs"].strip() == "1"
    limits = {line[:25].strip(): line[26:46].strip() for line in (process / "limits").read_text().splitlines()}
    assert limits["Max file size"] == limits["Max processes"] == limits["Max core file size"] == "0"


@pytest.mark.parametrize("call", ["getppid", "fork", "pause"])
def test_machine_code_that_calls_the_kernel_ends_its_process(call: str, program: Program) -> None:
    """As if the checks had failed: what the kernel keeps from it does not depend on them."""
    code = emit_program(program, program.functions["main"])
    start = "define void @clew_program() {\n"
    assert code.text.count(start) == 1
    text = code.text.replace(start, f"declare i32 @{call}()\n{start}  call i32 @{call}()\n")
    with NativeExecutor(Building(text, Cache.default()).finish(), replace(code, text=text)) as executor:
        assert executor.run(b"\0").end is End.DIED
        assert executor.run(b"\0").end is End.DIED
