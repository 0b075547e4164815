"""Verdicts of ``clew verify`` on programs with endless loops, against what enumeration of their states says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clew.base.options import VerifyRequest
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from oracle.machines import Machine, violated


@dataclass(frozen=True)
class Comparison:
    """``wrong``: what verdicts contradict enumeration; else how many assertions were decided either way."""

    wrong: tuple[str, ...]
    true: int
    false: int
    open: int


def compare(machine: Machine, folder: Path, seconds: float, strategy: str = "merging") -> Comparison:
    """Run one program; TooLarge if it cannot be enumerated."""
    truth = violated(machine)
    path = folder / f"machine{machine.seed}.c"
    path.write_text(machine.source, encoding="utf-8")
    summary = run_verify(VerifyRequest(files=(path,), strategy=strategy, seconds=seconds), Listener())
    verdicts = {item.location.line: item.verdict for item in summary.properties if item.location is not None}
    wrong, counts = [], {"TRUE": 0, "FALSE": 0, "UNKNOWN": 0}
    for number, line in enumerate(machine.asserts):
        expected, verdict = (
            "FALSE" if number in truth else "TRUE",
            verdicts.get(line, "TRUE"),
        )  # Clang leaves out what it sees is dead
        counts[verdict] += 1
        if verdict not in (expected, "UNKNOWN"):
            wrong.append(f"line {line}: {verdict}, but {expected}")
    return Comparison(tuple(wrong), counts["TRUE"], counts["FALSE"], counts["UNKNOWN"])
