"""Contracts of recursive functions never prove what some input refutes."""

from __future__ import annotations

from pathlib import Path

import clew
from oracle.recursion_programs import generate

FIRST, COUNT = 1, 1


def test_what_is_proved_holds_for_all_inputs(tmp_path: Path) -> None:
    proved = 0
    for seed in range(FIRST, FIRST + COUNT):
        drawn = generate(seed)
        program = tmp_path / f"seed{seed}.c"
        program.write_text(drawn.source, encoding="utf-8")
        result = clew.verify(program, strategy="contracts", time=600.0)
        for item in result.properties:
            line = item.location.line if item.location is not None else 0
            assert item.verdict != ("TRUE" if drawn.fails[line] else "FALSE")
            proved += item.verdict == "TRUE"
    assert proved
