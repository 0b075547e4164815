"""What a person reads of an answer: the line that comes first, and properties."""

from __future__ import annotations

from collections.abc import Iterable

from clew.base.budget import StopReason
from clew.report.lines import Line, counted, cut
from clew.report.records import Property, Summary

_MANY = 20
_STYLES = {"TRUE": "green", "FALSE": "red", "UNKNOWN": "yellow", "REACHED": "green", "UNREACHABLE": "red"}
END_TEXTS = {
    StopReason.TIME: "the time budget was used up",
    StopReason.MEMORY: "the memory budget was used up",
    StopReason.INSTRUCTIONS: "the instruction budget was used up",
    StopReason.INTERRUPTED: "interrupted",
    StopReason.FAILED: "an internal error",
}


def answer_line(summary: Summary) -> Line:
    """The first line of the report. That of a command with a verdict starts with it."""
    if summary.command in ("verify", "reach"):
        verdict = summary.verdict or "UNKNOWN"
        text = f"{verdict}: {summary.reason}" if summary.reason else verdict
        return text, f"bold {_STYLES.get(verdict, '')}".strip()
    possible = f", {counted(len(summary.possible), 'possible bug')}" if summary.possible else ""
    complete = summary.stopped is None and not summary.losses
    ending = ", all paths explored" if complete else ""
    if summary.stopped is not None:
        ending = f"; stopped early: {END_TEXTS[summary.stopped]}"
    if summary.certain:
        return f"found {counted(len(summary.certain), 'bug')}{possible}{ending}", "bold red"
    explored = "" if complete else " in what was explored"
    found = "no other bug" if any(bug.is_set_aside for bug in summary.bugs) else "no bug"
    return f"{found} found{explored}{possible}{ending}", "bold green" if complete else "bold"


def property_lines(summary: Summary, verbose: bool) -> Iterable[Line]:
    """A line for each property: what was found wrong first, then what is not known."""
    if not summary.properties:
        return
    ordered = sorted(summary.properties, key=lambda item: ("FALSE", "UNKNOWN", "TRUE").index(item.verdict))
    yield counted(len(ordered), "property", "properties"), "bold"
    lines = [(f"  {item.verdict:<8} {_property(item)}", _STYLES.get(item.verdict, "")) for item in ordered]
    yield from cut(lines, None if verbose else _MANY, "  ", see(summary))
    yield "", ""


def _property(item: Property) -> str:
    place = item.location
    where = f"{place}: " if place else ""
    # A collective property is about all the program.
    function = f" in {item.function}" if place else " anywhere"
    return f"{where}{item.kind}{function}" + (f" ({item.reason})" if item.reason else "")


def see(summary: Summary) -> str:
    """Where to read what a list leaves out."""
    return f", see {summary.out}/summary.json"
