"""Loops that are not run iteration by iteration: verdicts by closures, and jumps over long loops of plain numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import ReachRequest, TestRequest, VerifyRequest
from clew.jobs.reach import run_reach
from clew.jobs.test import run_test
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import Summary
from clew.techniques.acceleration.statistics import AccelerationStatistics
from unit.execute.support import PRELUDE

WORK = 1_000_000
"""Instructions: far less than any of these loops takes."""


def source(folder: Path, body: str, before: str = "") -> tuple[Path]:
    file = folder / "p.c"
    code = (
        f'#include <assert.h>\n#include <stdio.h>\n#line 1 "p.c"\n{before}\nint main(void) {{\n{body}\nreturn 0; }}\n'
    )
    file.write_text(PRELUDE + code, encoding="utf-8")
    return (file,)


# Verdicts

EVEN = "unsigned x = 0; while (__VERIFIER_nondet_int()) x += 2;"
CONSTANT = "unsigned x = 0; while (x < 0x0fffffff) x += 2;"
PHASES = "unsigned x = 0, y = 0; while (x < 100000000) { if (x < 50000000) y++; else y += 2; x++; }"
WRAP = "unsigned x = 1; while (x) x++;"
LOCK = "unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0; while (x > 0) { x--; y++; }"
NESTED = "unsigned i, s = 0; for (i = 0; i < 20000; i++) for (unsigned j = 0; j < 5000; j++) s += 2;"
CHECKED = "unsigned x = 0; while (x < 400000000) { assert(x != %s); x += 2; }"


@pytest.mark.sample(3)
@pytest.mark.parametrize("strategy", ["auto", "acceleration"])
@pytest.mark.parametrize(
    ("code", "holds", "fails"),
    [
        (EVEN, "x % 2 == 0", "x != 20"),
        (CONSTANT, "x == 0x10000000", "x % 2 == 1"),
        (PHASES, "y == 150000000", "y == 100000000"),
        (WRAP, "x == 0", "x != 0"),
        (LOCK, "y == n", "y != 77777777"),
        (NESTED, "s == 200000000", "s != 200000000"),
    ],
)
def test_both_ways(tmp_path: Path, code: str, holds: str, fails: str, strategy: str) -> None:
    options = {"compiler_flags": ("-w",), "seconds": 120.0, "strategy": strategy, "max_instructions": WORK}
    for asserted, verdict in ((holds, "TRUE"), (fails, "FALSE")):
        files = source(tmp_path, f"{code} assert({asserted});")
        summary = run_verify(VerifyRequest(files, **options), Listener())  # type: ignore[arg-type]  # by name
        if code == EVEN and verdict == "FALSE" and strategy == "acceleration":
            verdict = "UNKNOWN"  # the inputs of rounds that are left out are not known
        assert summary.verdict == verdict, summary.reason
        assert all(bug.confirmed for bug in summary.bugs)


def test_closures_are_exact_where_invariants_hold(tmp_path: Path) -> None:
    code = "unsigned n = __VERIFIER_nondet_uint(), x = 0x55; for (unsigned i = 0; i < n; i++) x ^= 0xff; assert(%s);"
    for asserted, verdict in (("x == (n % 2 ? 0xaa : 0x55)", "TRUE"), ("x == 0x55 || n != 1000001", "FALSE")):
        request = VerifyRequest(source(tmp_path, code % asserted), compiler_flags=("-w",), strategy="acceleration")
        summary = run_verify(request, Listener())
        assert summary.verdict == verdict, summary.reason
        assert "exact" in summary.reason or verdict == "FALSE"


def test_the_reason_tells_which_loops_were_replaced(tmp_path: Path) -> None:
    request = VerifyRequest(source(tmp_path, EVEN + " assert(x % 2 == 0);"), compiler_flags=("-w",), seconds=120.0)
    summary = run_verify(request, Listener())
    assert "as the loop at p.c:3 was replaced by its closure, exact" in summary.reason
    assert summary.technique == "acceleration"


def test_checks_inside_of_a_loop(tmp_path: Path) -> None:
    for number, verdict in (("123456", "FALSE"), ("123457", "TRUE"), ("400000000", "TRUE")):
        files = source(tmp_path, CHECKED % number)
        request = VerifyRequest(files, compiler_flags=("-w",), seconds=120.0, strategy="acceleration")
        assert run_verify(request, Listener()).verdict == verdict


def test_tests_have_the_inputs_of_the_program_alone(tmp_path: Path) -> None:
    files = source(tmp_path, LOCK + "int z = __VERIFIER_nondet_int(); assert(y != 77777777 || z != 5);")
    request = VerifyRequest(files, compiler_flags=("-w",), seconds=120.0, strategy="acceleration")
    (bug,) = run_verify(request, Listener()).bugs
    assert [value.value for value in bug.inputs] == [77777777, 5]


def test_uninitialized_values_are_not_initialized_by_closures(tmp_path: Path) -> None:
    code = """unsigned last, n = __VERIFIER_nondet_uint(); if (n > 20) return 0;
    for (unsigned i = 0; i < n; i++) if (i == 9) last = i;
    return last > 3;"""
    options = {"compiler_flags": ("-w",), "checks": ("uninitialized",), "strategy": "acceleration"}
    summary = run_verify(VerifyRequest(source(tmp_path, code), seconds=60.0, **options), Listener())  # type: ignore[arg-type]
    assert summary.verdict != "TRUE"


# Jumps


def run(folder: Path, body: str, before: str = "", **options: object) -> tuple[Summary, int]:
    """A run of few instructions, and its jumps."""
    given = {"compiler_flags": ("-w",), "max_instructions": WORK, "seconds": 120.0, **options}
    summary = run_test(TestRequest(source(folder, body, before), **given), Listener())  # type: ignore[arg-type]
    return summary, summary.stats.of(AccelerationStatistics).jumps


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("body", "before"),
    [
        (CONSTANT + "assert(x != 0x10000000);", ""),
        (PHASES + "assert(y != 150000000);", ""),
        (WRAP + "assert(x);", ""),
        ("while (g < 700000000) g += 7; assert(g != 700000000);", "unsigned g;"),
        ("unsigned char k = 0; for (unsigned i = 0; i < 1u << 30; i++) k += 3; assert(k);", ""),
        ("unsigned x = 0, i = 0; while (i < 500000000) { if (i & 1) x += 2; i++; } assert(x != 500000000);", ""),
        ("for (int i = 0; i < 300000000; i++) assert(i != 200000000);", ""),
        ("int i = 0; while (1) { if (i == 299999999) break; i++; } assert(i != 299999999);", ""),
    ],
)
def test_what_comes_after_a_long_loop_is_found(tmp_path: Path, body: str, before: str) -> None:
    summary, jumps = run(tmp_path, body, before)
    assert [(bug.kind, bug.confirmed) for bug in summary.bugs] == [("assert", True)]
    assert jumps and summary.stopped is None
    assert not run(tmp_path, body, before, accelerate=False)[0].bugs, "it is a long way"


def test_every_branch_of_skipped_iterations_was_run(tmp_path: Path) -> None:
    body = """unsigned a = 0, b = 0;
    for (unsigned i = 0; i < 300000000; i++) {
      if (i == 123456789) a++;
      if (i > 250000000) b++;
    }
    if (a != 1) return 1;
    if (b != 49999999) return 2;"""
    summary, jumps = run(tmp_path, body)
    assert jumps and not summary.bugs
    missed = {branch.id for branch in summary.coverage.branches if not branch.covered}
    assert len(missed) == 2, "the two that return"


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "body",
    [
        'for (int i = 0; i < 300000000; i++) if (i % 100000000 == 0) puts("here");',
        "for (int i = 0; i < 300000000; i++) v = i;",
        "double d = 0; while (d < 3e8) d += 1;",
        "unsigned x = 0; while (x < 300000000) x = step(x);",
        "static int a[4]; for (unsigned i = 0; i < 300000000; i++) a[i & 3] = i;",
        pytest.param(
            "unsigned long x = 1; while (x != 12345678901) x = x * 6364136223846793005 + 1442695040888963407;",
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_what_no_relation_tells_is_run(tmp_path: Path, body: str) -> None:
    before = "volatile int v; static unsigned step(unsigned x) { return x + 1; }"
    summary, jumps = run(tmp_path, body, before, max_instructions=WORK // 3)
    assert jumps == 0 and summary.stopped is not None


def test_iterations_that_are_counted_are_run(tmp_path: Path) -> None:
    assert run(tmp_path, CONSTANT, loop_bound=100_000, max_instructions=WORK // 3)[1] == 0


def test_a_target_behind_a_long_loop_is_reached(tmp_path: Path) -> None:
    files = source(tmp_path, CONSTANT + 'if (x == 0x10000000 && __VERIFIER_nondet_int() == 7)\n puts("there");')
    request = ReachRequest(files, line=4, compiler_flags=("-w",), seconds=120.0, strategy="plain")
    summary = run_reach(request, Listener())
    assert summary.verdict == "REACHED", summary.reason
    assert summary.stats.instructions < WORK
