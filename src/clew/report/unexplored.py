"""What a person reads of what was not explored, by reason, and of what was taken for granted."""

from __future__ import annotations

from collections.abc import Iterable

from clew.report.lines import Line, counted
from clew.report.records import LossKind, LossNote, Summary
from clew.report.verdict import see

_MANY = 8
LOSS_MEANINGS = {
    LossKind.BOUNDED: "a bound was hit: behaviour beyond it was not looked at",
    LossKind.UNSUPPORTED: "not supported: the paths end there",
    LossKind.EVICTED: "dropped to stay within the memory budget",
    LossKind.SOLVER_UNKNOWN: "the solver could not decide: either way may be missing",
    LossKind.UNDEFINED_FUNCTION: "without a definition: taken to return, and to leave alone what has a value",
    LossKind.UNDEFINED_VARIABLE: "without a definition: taken to have any value",
    LossKind.UNEXPLORED: "paths still waiting when the run ended",
    LossKind.FAILED: "an internal error ended a technique: others went on",
}
"""What each kind of loss means for the result; the order is that of the report."""


def granted_lines(summary: Summary) -> Iterable[Line]:
    """Inputs that options leave out, and what holds for the parameters of a function."""
    for text in summary.narrowed:
        yield f"left out  {text}", ""
    for text in summary.assumed:
        yield f"assumed   {text}", ""


def loss_lines(summary: Summary, verbose: bool) -> Iterable[Line]:
    """What was not explored, by reason."""
    if not summary.losses:
        return
    yield "", ""
    yield "not explored:", "yellow"
    shown = summary.losses if verbose else summary.losses[:_MANY]
    for kind in dict.fromkeys([*LOSS_MEANINGS, *(note.kind for note in shown)]):
        notes = [note for note in shown if note.kind is kind]
        if notes:
            yield f"  {kind}: {LOSS_MEANINGS.get(kind, 'not followed')}", "yellow"
        for note in notes:
            yield f"    {_loss(note)}", "yellow"
    if len(shown) < len(summary.losses):
        yield f"  ... and {len(summary.losses) - len(shown)} more{see(summary)}", "yellow"


def _loss(note: LossNote) -> str:
    where = f" at {note.location}" if note.location else ""
    return f"{note.what}{where} ({counted(note.count, 'path')})"
