"""What came of the runs of a campaign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from clew.base.dataclass import dataclass
from clew.campaign.listing import Run
from clew.report.formats import format_of

DONE, STOPPED, CUT, FAILED, LOST = "done", "stopped", "cut short", "failed", "lost"
"""A run ended by itself; its own budget ended it; the campaign did; it could not be run; its process or machine went
away."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one run."""

    run: Run
    digest: str
    state: str
    reason: str = ""
    """Why it failed or was lost."""
    verdict: str | None = None
    bugs: int = 0
    tests: int = 0
    covered: int = 0
    branches: int = 0
    seconds: float = 0.0

    @property
    def is_lost(self) -> bool:
        return self.state == LOST

    @property
    def is_unexpected(self) -> bool:
        """Whether someone should look at it: another verdict than was expected, or a bug where none was."""
        if self.run.expect is not None:
            return self.verdict not in (None, "UNKNOWN", self.run.expect)
        return self.bugs > 0

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.run.name,
            "command": self.run.command,
            "files": list(self.run.files),
            "expect": self.run.expect,
            "unexpected": self.is_unexpected,
            **{name: getattr(self, name) for name in _FIELDS},
        }


_FIELDS = ("digest", "state", "reason", "verdict", "bugs", "tests", "covered", "branches", "seconds")


def outcome_of(
    run: Run, digest: str, code: int, summary: Mapping[str, Any] | None, said: str, whole: bool = True
) -> Outcome:
    """The outcome of a process: its exit code (below 0: the signal that ended it), summary, and last words.

    ``whole``: whether it had all the time that it was to have.
    """
    if summary is None or code < 0:
        lost = code < 0 or code not in (0, 1, 2, 3)
        why = f"ended by signal {-code}" if code < 0 else said or f"exit code {code}, and no summary"
        return Outcome(run, digest, LOST if lost else FAILED, why)
    stopped = summary.get("stopped")
    state = DONE if stopped is None else STOPPED if whole and stopped != "interrupted" else CUT
    branches = summary.get("coverage", {}).get("branches", {})
    bugs = [bug for bug in summary.get("bugs", ()) if bug.get("class", "bug") == "bug" and not bug.get("rests_on")]
    return Outcome(
        run,
        digest,
        state,
        str(summary.get("reason") or stopped or ""),
        summary.get("verdict"),
        len(bugs),
        _tests(summary),
        branches.get("covered", 0),
        branches.get("total", 0),
        float(summary.get("stats", {}).get("wall_seconds", summary.get("seconds", 0.0))),
    )


def _tests(summary: Mapping[str, Any]) -> int:
    runs = summary.get("runs")
    return int(summary.get("tests", 0)) if runs is None else sum(run["tests"] for run in runs)


def known_outcomes(data: Mapping[str, Any], runs: Mapping[str, Run], digests: Mapping[str, str]) -> list[Outcome]:
    """Outcomes of an earlier campaign that still hold: of runs that are the same, and ended by themselves or by their
    own budget."""
    kept = (one for one in data.get("runs", ()) if one["name"] in runs and one["state"] in (DONE, STOPPED))
    return [
        Outcome(runs[one["name"]], **{name: one[name] for name in _FIELDS})
        for one in kept
        if one["digest"] == digests[one["name"]]
    ]


def campaign_json(outcomes: Iterable[Outcome], left: Iterable[Run], seconds: float) -> dict[str, object]:
    """All outcomes, in the order of their names, as ``campaign.json`` has them."""
    ordered = sorted(outcomes, key=lambda outcome: outcome.run.name)
    return {
        "format": format_of("campaign"),
        "command": "campaign",
        "runs": [outcome.to_json() for outcome in ordered],
        "left": [run.name for run in left],
        "seconds": round(seconds, 3),
    }
