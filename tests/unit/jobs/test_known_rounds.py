"""Bounded runs that become proofs where the number of rounds is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import VerifyRequest
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import Summary
from unit.jobs.test_acceleration import source

COUNTED = """unsigned n = __VERIFIER_nondet_uint() % 12, x = 1, h = 7;
    for (unsigned i = 0; i < n; i++) { x = x * 3 + 1; h ^= x >> 3; }"""
HALVED = """unsigned n = __VERIFIER_nondet_uint(), x = 1, h = 7;
    if (n > 100) return 0;
    while (n) { n /= 2; x = x * 3 + 1; h ^= x >> 3; }"""
ANY = """unsigned n = __VERIFIER_nondet_uint(), x = 1, h = 7;
    for (unsigned i = 0; i < n; i++) { x = x * 3 + 1; h ^= x >> 3; }"""


def verified(folder: Path, body: str, **options: object) -> Summary:
    request = VerifyRequest(source(folder, body), compiler_flags=("-w",), seconds=120.0, **options)  # type: ignore[arg-type]
    return run_verify(request, Listener())


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("body", "holds", "fails"),
    [(COUNTED, "h != 12345", "h != 41239"), (HALVED, "h != 12345", "h != 307")],
)
def test_loops_are_followed_to_their_ends(tmp_path: Path, body: str, holds: str, fails: str) -> None:
    for asserted, verdict in ((holds, "TRUE"), (fails, "FALSE")):
        summary = verified(tmp_path, f"{body} assert({asserted});", unroll=3)
        assert summary.verdict == verdict, summary.reason


def test_induction_where_no_loop_goes_round_twice(tmp_path: Path) -> None:
    body = "int x = __VERIFIER_nondet_int(); do { x &= 3; } while (x > 3); assert(x %s 4);"
    assert verified(tmp_path, body % "<", strategy="induction").verdict == "TRUE"
    assert verified(tmp_path, body % "<= 1 +", strategy="induction").verdict == "TRUE"
    assert verified(tmp_path, body % "!= 3 || 5 ==", strategy="induction").verdict == "FALSE"


def test_others_are_not(tmp_path: Path) -> None:
    summary = verified(tmp_path, f"{ANY} assert(h != 12345);", unroll=3)
    assert (summary.verdict, summary.reason) == ("UNKNOWN", "1 property holds up to the bound of 3 (bounded)")
    summary = verified(tmp_path, f"{COUNTED} assert(h != 12345);", unroll=3, invariants=False)
    assert summary.verdict == "UNKNOWN"
