"""The report of a campaign, as a person reads it: what to look at first, then a line for each run, then the total."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from clew.campaign.listing import Run
from clew.campaign.results import CUT, FAILED, LOST, STOPPED, Outcome
from clew.report.lines import counted, some

_MANY = 6
"""Runs that were not begun which are named."""


def campaign_lines(outcomes: Sequence[Outcome], left: Sequence[Run], store: str) -> Iterator[str]:
    """The lines of the report."""
    ordered = sorted(outcomes, key=lambda outcome: outcome.run.name)
    attention = [one for one in ordered if one.is_unexpected or one.state in (FAILED, LOST)]
    for outcome in attention:
        yield f"{outcome.run.name}: {_why(outcome)}"
    if attention:
        yield ""
    width = max((len(one.run.name) for one in ordered), default=0)
    for outcome in ordered:
        yield f"{outcome.run.name:{width}}  {told(outcome)}"
    yield ""
    if left:
        yield f"not begun: {some([run.name for run in left], _MANY)}; --resume goes on"
    yield _total(ordered, store)


def told(outcome: Outcome) -> str:
    """One line about a run."""
    if outcome.state in (FAILED, LOST):
        return f"{outcome.state}: {outcome.reason}"
    parts = [] if outcome.verdict is None else [outcome.verdict]
    if outcome.verdict is None or outcome.bugs:
        parts.append(counted(outcome.bugs, "bug") if outcome.bugs else "no bug")
    if outcome.tests:
        parts.append(counted(outcome.tests, "test"))
    if outcome.branches:
        parts.append(f"{outcome.covered:,} of {outcome.branches:,} branches")
    parts.append(f"{outcome.seconds:.1f} s")
    if outcome.state in (STOPPED, CUT):
        parts.append(outcome.state)
    return ", ".join(parts)


def _why(outcome: Outcome) -> str:
    if outcome.state in (FAILED, LOST):
        return f"{outcome.state}: {outcome.reason}"
    if outcome.run.expect is not None:
        return f"{outcome.verdict}, expected {outcome.run.expect}"
    return f"{counted(outcome.bugs, 'bug')} found"


def _total(ordered: Sequence[Outcome], store: str) -> str:
    verdicts = Counter(one.verdict for one in ordered if one.verdict is not None)
    parts = [f"{number:,} {verdict}" for verdict, number in sorted(verdicts.items())]
    parts += [counted(bugs, "bug")] if (bugs := sum(one.bugs for one in ordered)) else []
    spent = sum(one.seconds for one in ordered)
    return f"{counted(len(ordered), 'run')} in {spent:,.0f} s: {', '.join(parts) or 'no bug'}; results in {store}"
