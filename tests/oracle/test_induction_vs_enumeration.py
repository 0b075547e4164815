"""k-induction never proves what an enumeration of all states refutes; and most of what holds, it proves."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.jobs.phases import induction_proof
from oracle.induction_compare import choose, compare
from oracle.induction_native import enumerate_states
from oracle.induction_programs import draw

FIRST, COUNT = 42, 5


def test_what_is_proved_holds_in_all_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(induction_proof, "ROUNDS", (1,))
    programs = [draw(seed) for seed in range(FIRST, FIRST + COUNT)]
    proved = violated = 0
    for drawn, truth in zip(programs, enumerate_states(programs, tmp_path), strict=True):
        assert truth is not None
        found = compare(drawn, truth, choose(drawn, truth), tmp_path, seconds=600.0, instructions=2_000)
        assert found.wrong == ()
        proved += found.proved
        violated += found.refuted + found.open_false
    assert proved > COUNT and violated > 0


def test_the_enumeration_sees_late_violations(tmp_path: Path) -> None:
    programs = [draw(seed) for seed in range(FIRST, FIRST + COUNT)]
    truths = [truth for truth in enumerate_states(programs, tmp_path) if truth is not None]
    late = [first for truth in truths for place in truth.late for first in place]
    assert 0 in late and max(late) > 100
