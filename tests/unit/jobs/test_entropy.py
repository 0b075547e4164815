"""Clocks and random numbers that decide addresses: settled by tests, which say so, and by no proof."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import TestRequest, VerifyRequest
from clew.execute.entropy import LEFT_OUT
from clew.jobs.test import run_test
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import Summary

HEAD = """
#include <assert.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
int __VERIFIER_nondet_int(void);
#line 1
"""
TABLE = """
static int table[64];
static unsigned hash(unsigned seed, unsigned value) {
    unsigned h = seed;
    for (int i = 0; i < 4; i++, value >>= 8) h ^= (h << 5) + (h >> 2) + (value & 255);
    return h;
}
int main(void) {
    unsigned seed = %s;
    table[hash(seed, 7) %% 64] = 1;
    int x = __VERIFIER_nondet_int();
    if (x > 100) { table[hash(seed, 7) %% 64]++; assert(table[hash(seed, 7) %% 64] != 2 || x == 0x12345); }
    return 0;
}
"""


def explored(folder: Path, code: str, **options: object) -> Summary:
    path = folder / "p.c"
    path.write_text(HEAD + code)
    return run_test(TestRequest(files=(path,), seconds=60.0, **options), Listener())  # type: ignore[arg-type]


def verified(folder: Path, code: str) -> Summary:
    path = folder / "p.c"
    path.write_text(HEAD + code)
    return run_verify(VerifyRequest(files=(path,), seconds=60.0), Listener())


def left_out(summary: Summary) -> bool:
    return LEFT_OUT in {loss.what for loss in summary.losses}


@pytest.mark.parametrize("seed", ["(unsigned)time(0)", "(unsigned)clock() ^ (unsigned)getpid()", "any()"])
def test_a_seed_gets_a_number_where_it_decides_a_place(tmp_path: Path, seed: str) -> None:
    own = "static unsigned any(void) { unsigned n; getrandom(&n, sizeof n, 0); return n; }\n"
    summary = explored(tmp_path, own + TABLE % seed)
    assert [bug.kind for bug in summary.bugs] == ["assert"]
    assert left_out(summary)
    assert "losses name" in summary.reason


def test_what_lies_outside_is_seen_before(tmp_path: Path) -> None:
    code = "int main(void) { int a[4] = {0}; return a[(unsigned)time(0) % 5]; }"
    summary = explored(tmp_path, code)
    assert [bug.kind for bug in summary.bugs] == ["out-of-bounds"]


def test_a_clock_that_decides_no_place_stays_any_value(tmp_path: Path) -> None:
    code = "int main(void) { long t = time(0); if (t == 77) abort(); if (t % 3 == 1) return 1; return 0; }"
    summary = explored(tmp_path, code)
    assert [bug.kind for bug in summary.bugs] == ["abort"]
    assert not left_out(summary)


def test_few_places_remain_a_choice(tmp_path: Path) -> None:
    code = """static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int main(void) { assert(days[(unsigned)time(0) % 12] != 28); return 0; }"""
    summary = explored(tmp_path, code)
    assert [bug.kind for bug in summary.bugs] == ["assert"]
    assert not left_out(summary)


def test_random_numbers_of_the_program_are_not_settled(tmp_path: Path) -> None:
    code = "int main(void) { int a[4] = {0, 0, 0, 5}; int x = a[(unsigned)rand() % 4]; assert(x != 5); return 0; }"
    summary = explored(tmp_path, code)
    assert [bug.kind for bug in summary.bugs] == ["assert"]
    assert not left_out(summary)


@pytest.mark.parametrize(("number", "verdict"), [(5, "FALSE"), (6, "TRUE")])
def test_proofs_settle_nothing(tmp_path: Path, number: int, verdict: str) -> None:
    code = f"int main(void) {{ int a[4] = {{0, 0, 0, 5}}; assert(a[(unsigned)time(0) % 4] != {number}); return 0; }}"
    summary = verified(tmp_path, code)
    assert summary.verdict == verdict
    assert not left_out(summary)
