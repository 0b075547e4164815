"""What a person reads of what was not explored, by reason, and of what was taken for granted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clew.report.lines import Line, counted, some
from clew.report.records import LossKind, LossNote, Summary
from clew.report.verdict import see

_MANY, _PLACES = 8, 4
"""Losses that are shown without ``--verbose``, and places of each."""
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
    same: dict[tuple[LossKind, str], list[LossNote]] = {}
    for note in summary.losses:
        same.setdefault((note.kind, note.what), []).append(note)
    shown = list(same.items()) if verbose else list(same.items())[:_MANY]
    for kind in dict.fromkeys([*LOSS_MEANINGS, *(kind for (kind, _), _ in shown)]):
        groups = [(what, notes) for (one, what), notes in shown if one is kind]
        if groups:
            yield f"  {kind}: {LOSS_MEANINGS.get(kind, 'not followed')}", "yellow"
        for what, notes in groups:
            yield f"    {_loss(what, notes, verbose)}", "yellow"
    if len(shown) < len(same):
        yield f"  ... and {len(same) - len(shown)} more{see(summary)}", "yellow"


def _loss(what: str, notes: Sequence[LossNote], verbose: bool) -> str:
    """The same loss at all its places, each line once."""
    places = list(dict.fromkeys(str(note.location) for note in notes if note.location))
    where = f" at {some(places, None if verbose else _PLACES)}" if places else ""
    return f"{what}{where} ({counted(sum(note.count for note in notes), 'path')})"
