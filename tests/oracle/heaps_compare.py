"""Verdicts of ``clew verify --function`` against all small heaps, and bugs against native runs of their tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from clew.base.options import ReplayRequest, VerifyRequest
from clew.jobs.replay import run_replay
from clew.jobs.verify import run_verify
from clew.report.folder import OutputFolder
from clew.report.listener import Listener
from clew.report.recorder import Recorder
from clew.report.replay_records import Status
from oracle.heaps import Batch
from oracle.heaps_native import Truth, enumerate_heaps


@dataclass
class Comparison:
    """What came out for one batch. ``wrong`` must be empty."""

    wrong: list[str] = field(default_factory=list)
    true: int = 0
    false: int = 0
    unknown: int = 0
    missed: int = 0
    """Violations that are there natively, where Clew does not know."""
    heaps: int = 0
    replayed: int = 0


def compare(batch: Batch, folder: Path, seconds: float = 10.0, replay: bool = True) -> Comparison:
    """Run a batch natively and in Clew."""
    file = folder / "p.c"
    file.write_text(batch.source)
    truths = enumerate_heaps(batch, folder)
    result = Comparison(heaps=sum(truth.runs for truth in truths.values()))
    for function in batch.functions:
        _compare_function(batch, function.name, truths[function.name], folder, seconds, replay, result)
    return result


def _compare_function(
    batch: Batch, name: str, truth: Truth, folder: Path, seconds: float, replay: bool, result: Comparison
) -> None:
    request = VerifyRequest((folder / "p.c",), function=name, seconds=seconds, compiler_flags=("-w",))
    out = folder / f"out-{name}"
    recorder = Recorder(OutputFolder.claim(out), request) if replay else Listener()
    summary = run_verify(request, recorder)
    if isinstance(recorder, Recorder):
        summary = recorder.finish(summary)
    verdicts = {p.location.line: p.verdict for p in summary.properties if p.location is not None}
    for number, line in batch.lines[name].items():
        verdict = verdicts.get(line, "TRUE")  # an assertion that no code leads to
        result.true += verdict == "TRUE"
        result.false += verdict == "FALSE"
        result.unknown += verdict == "UNKNOWN"
        if number in truth.violated and verdict == "TRUE":
            result.wrong.append(f"{name}: assertion {number} (line {line}) is violated natively, and said to be TRUE")
        result.missed += number in truth.violated and verdict == "UNKNOWN"
    for text in summary.warnings:
        result.wrong.append(f"{name}: {text}")
    if replay and summary.tests:
        _replay(name, out, result)


def _replay(name: str, out: Path, result: Comparison) -> None:
    """Every test must end natively as Clew says."""
    report = run_replay(ReplayRequest(out))
    result.replayed += len(report.tests)
    for test in report.tests:
        if test.status is not Status.AGREED:
            result.wrong.append(f"{name}: {test.name} replays as {test.status} ({test.observed})")
