"""Published figures were copied correctly: they add up to the published totals."""

from __future__ import annotations

import pytest

from benchmarks.published import CBMC, DECIDE, KLEE, KLEE_NOW, Published, kite, published, thesis_instances


def total(tool: str, verdict: str) -> float:
    return sum(published()[name][tool].seconds or 0.0 for name in thesis_instances() if name.endswith(verdict))


def test_there_are_35_instances() -> None:
    names = thesis_instances()
    assert sum(name.endswith("_safe") for name in names) == 19
    assert sum(name.endswith("_unsafe") for name in names) == 16
    assert names <= published().keys()


@pytest.mark.parametrize(
    ("tool", "safe", "unsafe"),
    [
        (CBMC, 1410.99, 1602.30),
        (KLEE, 315.60, 4.23),
        (kite("blackbox"), 393.56, 4.59),  # the unsafe totals of these two are without one timeout of 200 s
        (kite("guide"), 160.10, 3.87),
        (kite("learn:5"), 214.53, 12.42),
        (kite("learn:10"), 203.55, 5.50),
        (kite("learn:15"), 192.98, 31.53),
        (KLEE_NOW, 236.37, 3.90),
    ],
)
def test_totals(tool: str, safe: float, unsafe: float) -> None:
    assert total(tool, "_safe") == pytest.approx(safe)
    assert total(tool, "_unsafe") == pytest.approx(unsafe)


def test_what_did_not_end_has_no_figures() -> None:
    figures = published()["s3_srvr_12_unsafe"]
    assert figures[kite("guide")] == Published()
    assert figures[kite("learn:10")] == Published(1.62, None, 5034)


def test_instructions() -> None:
    figures = published()["s3_srvr_1_safe"]
    assert figures[KLEE].instructions == 549_056
    assert [figures[kite(decide)].instructions for decide in DECIDE] == [277_252, 50_935, 46_063, 50_935, 50_935]
    assert figures[KLEE_NOW] == Published(147.08, 123_522, 11_908_159)
