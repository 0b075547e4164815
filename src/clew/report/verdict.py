"""What a person reads of an answer: properties, what was learned or solved on the way, the verdict."""

from __future__ import annotations

from collections.abc import Iterable

from clew.report.kinds import ORDERLY
from clew.report.records import Property, Summary

Line = tuple[str, str]

_MANY = 20
_STYLES = {"TRUE": "green", "FALSE": "red", "UNKNOWN": "yellow", "REACHED": "green", "UNREACHABLE": "red"}
HINT = "only assertions were checked; --check assert,overflow,memory or --check all looks for other errors, too"


def property_lines(summary: Summary, verbose: bool) -> Iterable[Line]:
    """A line for each property: what was found wrong first, then what is not known."""
    if not summary.properties:
        return
    ordered = sorted(summary.properties, key=lambda item: ("FALSE", "UNKNOWN", "TRUE").index(item.verdict))
    shown = ordered if verbose or len(ordered) <= _MANY + 1 else ordered[:_MANY]
    yield f"{len(ordered):,} {'property' if len(ordered) == 1 else 'properties'}", "bold"
    for item in shown:
        yield f"  {item.verdict:<8} {_property(item)}", _STYLES.get(item.verdict, "")
    if len(shown) < len(ordered):
        yield f"  ... and {len(ordered) - len(shown):,} more, see {summary.out}/summary.json", ""
    yield "", ""


def _property(item: Property) -> str:
    place = item.location
    where = f"{place}: " if place else ""
    # A collective property is about all the program.
    function = f" in {item.function}" if place else " anywhere"
    return f"{where}{item.kind}{function}" + (f" ({item.reason})" if item.reason else "")


def learning_lines(summary: Summary) -> Iterable[Line]:
    """What the run learned, if its technique does that."""
    stats = summary.stats
    if stats.conflicts or stats.learned_clauses:
        average = stats.learned_literals / stats.learned_clauses if stats.learned_clauses else 0.0
        sizes = f" of {average:.1f} literals, {stats.learned_largest} at most" if stats.learned_clauses else ""
        if stats.learned_clauses == 1:
            sizes = f" of {_counted(stats.learned_largest, 'literal')}"
        clauses, conflicts = _counted(stats.learned_clauses, "clause"), _counted(stats.conflicts, "conflict")
        yield f"learned   {clauses}{sizes}, from {conflicts}", ""


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def chain_lines(summary: Summary) -> Iterable[Line]:
    """How a search for a target went about loops."""
    stats = summary.stats
    if stats.chains_all:
        yield (
            f"chains    {stats.chains_root:,} at the root, {stats.chains_all:,} in all; "
            f"{stats.systems_solved:,} systems solved", "",
        )  # fmt: skip
    if stats.states_pruned:
        states = f"{stats.states_pruned:,} state{'' if stats.states_pruned == 1 else 's'}"
        yield f"pruned    {states}, from where nothing leads to the target", ""


def verdict_lines(summary: Summary) -> Iterable[Line]:
    """The end of the report. The last line starts with the verdict."""
    yield "", ""
    if summary.checks and set(summary.checks) <= ORDERLY:
        yield HINT, "dim"
    verdict = summary.verdict or "UNKNOWN"
    yield f"{verdict}: {summary.reason}" if summary.reason else verdict, f"bold {_STYLES.get(verdict, '')}".strip()
