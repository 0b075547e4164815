"""k-induction never proves what an enumeration of all states refutes; and most of what holds, it proves."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.jobs.phases import induction_proof
from oracle.induction_compare import Comparing, Effort, draw_all

FIRST, COUNT = 40, 5


def test_what_is_proved_holds_in_all_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(induction_proof, "ROUNDS", (1,))
    proved = violated = 0
    known = draw_all(range(FIRST, FIRST + COUNT), tmp_path)
    comparing = Comparing([drawn for drawn, _ in known], tmp_path, Effort(seconds=600.0, instructions=2_000))
    for drawn, truth in known:
        found = comparing.compare(drawn, truth)
        assert found.wrong == ()
        proved += found.proved
        violated += found.refuted + found.open_false
    assert proved > COUNT and violated > 0


def test_the_enumeration_sees_late_violations(tmp_path: Path) -> None:
    late = [first for _, truth in draw_all(range(FIRST, FIRST + COUNT), tmp_path) for (first,) in truth.late]
    assert 0 in late and max(late) > 100
