"""``clew loops``: which runs say what about which loop. What a run says is stood in for, and why loops end left out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.base.location import Location
from clew.base.options import LoopsRequest, TestRequest
from clew.jobs import loops
from clew.report.listener import Listener
from clew.report.loop_report import LoopReport, Statements, SummaryNote
from clew.report.records import BEST_EFFORT, NOT_SUMMARIZED, SOUND, LoopStatement, Summary

PROGRAM = """int near(int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) s++;
  return s;
}
int far(int n) {
  while (n > 3) n -= 2;
  return n;
}
int main(void) {
  int n = 5;
  while (near(n)) n--;
  return n;
}
"""
Says = Callable[[TestRequest], tuple[LoopStatement, ...]]


def _statement(line: int, status: str = SOUND, reason: str = "") -> LoopStatement:
    return LoopStatement("f", Location("p.c", line, 99), status, reason)


def _report(monkeypatch: pytest.MonkeyPatch, folder: Path, says: Says, **options: object) -> LoopReport:
    def run_test(request: TestRequest, listener: Listener) -> Summary:
        return Summary("test", ("p.c",), loops=says(request))

    monkeypatch.setattr(loops, "run_test", run_test)
    monkeypatch.setattr(loops, "_endings", lambda *_: {})
    monkeypatch.chdir(folder)
    Path("p.c").write_text(PROGRAM)
    return loops.run_loops(LoopsRequest((Path("p.c"),), **options), Listener())  # type: ignore[arg-type]  # options by name


def _summaries(report: LoopReport) -> dict[int, str]:
    """By line."""
    notes = [loop for function in report.functions for loop in function.loops]
    for note in notes:
        notes.extend(note.loops)
    return {note.location.line: note.summary.text for note in notes if note.location and note.summary}


def test_the_program_first_then_functions_it_does_not_come_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    entries: list[str | None] = []

    def says(request: TestRequest) -> tuple[LoopStatement, ...]:
        entries.append(request.function)
        if request.function is None:
            return _statement(3), _statement(4, BEST_EFFORT, "guard x"), _statement(13, NOT_SUMMARIZED, "no input")
        return _statement(8), _statement(3, NOT_SUMMARIZED, "too late")

    report = _report(monkeypatch, tmp_path, says)
    assert entries == [None, "far"]
    assert _summaries(report) == {3: "sound", 4: "best effort (guard x)", 8: "sound", 13: "none (no input)"}
    assert report.stopped is None


def test_what_is_asked_of_a_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The budget of the command is never passed, and the loops are not looked for in another way."""
    seen: list[TestRequest] = []

    def says(request: TestRequest) -> tuple[LoopStatement, ...]:
        seen.append(request)
        return ()

    _report(monkeypatch, tmp_path, says, function="near", compiler_flags=("-DX",))
    (request,) = seen
    assert (request.function, request.compiler_flags, request.summarize) == ("near", ("-DX",), True)
    assert not request.navigate
    assert request.seconds is not None and request.seconds <= 2
    assert request.max_instructions is not None


def test_functions_that_cannot_be_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def says(request: TestRequest) -> tuple[LoopStatement, ...]:
        raise UserError("no")

    report = _report(monkeypatch, tmp_path, says)
    assert set(_summaries(report).values()) == {"not met in a short run"}


def test_no_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def says(request: TestRequest) -> tuple[LoopStatement, ...]:
        raise AssertionError

    report = _report(monkeypatch, tmp_path, says, run=False)
    assert [function.name for function in report.functions] == ["near", "far", "main"]
    assert _summaries(report) == {}
    assert report.functions[0].loops[0].to_json()["summary"] is None


def test_an_interrupt_ends_the_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    entries: list[str | None] = []

    def says(request: TestRequest) -> tuple[LoopStatement, ...]:
        entries.append(request.function)
        request.interrupt.request()
        return (_statement(13),)

    report = _report(monkeypatch, tmp_path, says)
    assert entries == [None]
    assert report.stopped == "interrupted"
    assert _summaries(report)[13] == "sound"


def test_statements_by_place() -> None:
    """Two loops of one line are told apart by their columns; a column nobody knows stands for the line."""
    statements = Statements()
    first, second = (LoopStatement("f", Location("p.c", 3, column), SOUND, "") for column in (5, 20))
    statements.add([first, second, LoopStatement("f", None, SOUND, "")])
    statements.add([LoopStatement("f", Location("p.c", 3, 5), NOT_SUMMARIZED, "later")])
    assert statements.about(Location("p.c", 3, 20)) is second
    assert statements.about(Location("p.c", 3, 5)) is statements.about(Location("p.c", 3, 7)) is first
    assert statements.about(Location("q.c", 3, 5)) is None
    assert statements.about(None) is None


def test_notes_as_json() -> None:
    assert SummaryNote(None).to_json() == {"status": "not met", "reason": ""}
    assert SummaryNote(_statement(3, BEST_EFFORT, "p")).to_json() == {"status": "best-effort", "reason": "p"}
