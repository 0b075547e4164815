"""What all runs of a project have shown, and the summary of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from clew.base.dataclass import dataclass
from clew.jobs.project.coverage import Covered, ProjectCoverage
from clew.jobs.project.entries import Entry
from clew.report.formats import head_of


@dataclass(frozen=True, slots=True)
class FunctionRun:
    """The run of one entry."""

    entry: Entry
    folder: str
    """Relative to that of the project."""
    summary: Mapping[str, Any] | None
    """Its ``summary.json``; None where there is none."""
    kept: bool = False
    """It was there from an earlier run."""

    @property
    def state(self) -> str:
        """``done``, why it stopped, or ``failed``."""
        if self.summary is None:
            return "failed"
        return str(self.summary["stopped"] or "done")

    def to_json(self) -> dict[str, object]:
        summary = self.summary or {}
        bugs = [bug for bug in summary.get("bugs", ()) if not bug.get("rests_on")]
        return {
            "function": self.entry.shown,
            "file": self.entry.file,
            "line": self.entry.line,
            "folder": self.folder,
            "state": self.state,
            "kept": self.kept,
            "tests": summary.get("tests", 0),
            "bugs": len(bugs),
            "possible": len(summary.get("bugs", ())) - len(bugs),
            "seconds": summary.get("stats", {}).get("wall_seconds", 0),
            "reason": summary.get("reason", "the run left no summary"),
        }


@dataclass(frozen=True, slots=True)
class Cause:
    """The same bug, seen from one or more entries."""

    bug: Mapping[str, Any]
    """As the first of them tells it."""
    entries: tuple[str, ...]
    folder: str

    @property
    def is_possible(self) -> bool:
        return bool(self.bug.get("rests_on"))

    def to_json(self) -> dict[str, object]:
        return {**self.bug, "entries": list(self.entries), "folder": self.folder}


@dataclass(slots=True)
class ProjectResult:
    """All of it."""

    places: Mapping[str, tuple[str, int]]
    """Where each function begins."""
    runs: list[FunctionRun] = field(default_factory=list)
    left: list[Entry] = field(default_factory=list)
    """Entries that no time was left for."""
    coverage: ProjectCoverage = field(default_factory=ProjectCoverage)
    stopped: str = ""
    seconds: float = 0.0

    def add(self, run: FunctionRun, folder: Path) -> None:
        """One more run, whose files are in ``folder``."""
        self.runs.append(run)
        info = folder / "coverage.info"
        if info.is_file():
            self.coverage.add(info.read_text(encoding="utf-8", errors="surrogateescape"))

    def covered(self) -> list[Covered]:
        """The functions that runs could get to."""
        names = {name for run in self.runs for name in run.entry.runs}
        return self.coverage.functions(self.places[name] for name in names if name in self.places)

    def causes(self) -> list[Cause]:
        """Bugs by kind and place, certain ones first, then those that most entries see."""
        found: dict[tuple[Any, ...], list[FunctionRun]] = {}
        bugs: dict[tuple[Any, ...], tuple[Mapping[str, Any], str]] = {}
        for run in self.runs:
            for bug in (run.summary or {}).get("bugs", ()):
                place = (bug.get("file"), bug.get("line"), bug.get("column"))
                key = (bug.get("kind"), *place, bool(bug.get("rests_on")))
                found.setdefault(key, []).append(run)
                bugs.setdefault(key, (bug, run.folder))
        causes = [
            Cause(bug, tuple(dict.fromkeys(run.entry.shown for run in found[key])), folder)
            for key, (bug, folder) in bugs.items()
        ]
        return sorted(causes, key=lambda cause: (cause.is_possible, -len(cause.entries)))

    def to_json(self, files: Sequence[str]) -> dict[str, object]:
        """The project's ``summary.json``."""
        covered = self.covered()
        return {
            **head_of("project"),
            "files": list(files),
            "stopped": self.stopped or None,
            "seconds": round(self.seconds, 2),
            "coverage": {
                "branches": {"covered": sum(f.branches for f in covered), "total": sum(f.total for f in covered)},
                "functions": {"covered": sum(f.run for f in covered), "total": len(covered)},
            },
            "bugs": [cause.to_json() for cause in self.causes()],
            "functions": [function.to_json() for function in covered],
            "runs": [run.to_json() for run in self.runs],
            "left": [entry.asked for entry in self.left],
        }
