"""What a person reads of an answer: properties and the verdict."""

from __future__ import annotations

from collections.abc import Iterable

from clew.report.kinds import ORDERLY
from clew.report.lines import Line, counted, cut
from clew.report.records import Property, Summary

_MANY = 20
_STYLES = {"TRUE": "green", "FALSE": "red", "UNKNOWN": "yellow", "REACHED": "green", "UNREACHABLE": "red"}
HINT = "only assertions were checked; --check assert,overflow,memory or --check all looks for other errors, too"


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


def verdict_lines(summary: Summary) -> Iterable[Line]:
    """The end of the report. The last line starts with the verdict."""
    yield "", ""
    if summary.checks and set(summary.checks) <= ORDERLY:
        yield HINT, "dim"
    verdict = summary.verdict or "UNKNOWN"
    yield f"{verdict}: {summary.reason}" if summary.reason else verdict, f"bold {_STYLES.get(verdict, '')}".strip()
