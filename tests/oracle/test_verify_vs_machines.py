"""``clew verify`` on machines in endless loops says what enumeration of their states says."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.machines import TooLarge, generate, violated
from oracle.machines_compare import compare

SECONDS = 20.0


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", [18, *range(100, 123)])
def test_verdicts_are_right(seed: int, tmp_path: Path) -> None:
    try:
        found = compare(generate(seed), tmp_path, SECONDS)
    except TooLarge:
        pytest.skip("too many states to try them all")
    assert found.wrong == ()


def test_enumeration_finds_what_many_rounds_show() -> None:
    """A counter of six bits, and an assertion that fails when it is 63."""
    machine = generate(18)
    source = "FIRST = (0,)\ndef step(state):\n  (v,) = state\n  if v == 63: raise Fail(0)\n  return (v + nondet(2),)\n"
    assert violated(type(machine)(0, "", (1,), source)) == {0}


def test_programs_differ() -> None:
    sources = [generate(seed).source for seed in range(40)]
    assert len(set(sources)) == 40
    assert any("switch" in source for source in sources) and any("ring" in source for source in sources)
