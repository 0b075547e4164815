"""The page of ``clew project``: what all functions have shown, with a link to the page of each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from clew.report.lines import counted
from clew.report.page.view import Verdict


def is_project(summary: Mapping[str, Any]) -> bool:
    """Whether a summary is that of a project."""
    return summary.get("command") == "project"


class ProjectView:
    """All that the template of a project asks for."""

    def __init__(self, folder: Path, summary: Mapping[str, Any]) -> None:
        self.folder = folder
        self.summary = summary
        self.certain = [bug for bug in summary["bugs"] if not bug.get("rests_on")]
        self.possible = [bug for bug in summary["bugs"] if bug.get("rests_on")]

    @property
    def verdict(self) -> Verdict:
        runs, left = self.summary["runs"], self.summary["left"]
        unfinished = [run for run in runs if run["state"] != "done"]
        sentence = f"{counted(len(runs), 'function')} run, {len(unfinished)} of them not to their end"
        sentence += f"; {len(left)} not run, since the time was over" if left else ""
        if self.certain:
            return Verdict("bad", f"{counted(len(self.certain), 'bug')} found", sentence)
        if unfinished or left:
            return Verdict("open", "No bug found in what was explored", sentence)
        return Verdict("good", "No bug found", sentence)

    def files(self) -> list[tuple[str, list[Mapping[str, Any]]]]:
        """The functions by file."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        for function in self.summary["functions"]:
            found.setdefault(function["file"], []).append(function)
        return sorted(found.items())

    def page_of(self, name: str) -> str:
        """The page of a function's own run, seen from here; empty where it has none."""
        return next((self.page_in(run["folder"]) for run in self.summary["runs"] if run["function"] == name), "")

    def page_in(self, folder: str) -> str:
        return f"{quote(folder)}/report.html" if (self.folder / folder / "report.html").is_file() else ""
