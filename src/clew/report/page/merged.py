"""The results of a folder as one: those of a run, or of all runs of ``clew project`` together.

What any function of a project covers is covered, and of the reasons why an outcome is not, the one of a run that came
closest is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clew.base.errors import UserError
from clew.report.branches import StoredBranch
from clew.report.lcov import FileCoverage, add_lcov
from clew.report.page.results import Results, StoredBug, read_results, read_shown, same_bug, text_of
from clew.report.reasons import WhyNot

_FAR = (WhyNot.OUT_OF_REACH, WhyNot.NOT_CALLED, "")
"""Reasons of runs that did not come near an outcome."""


def results_of(folder: Path, most_tests: int = 0) -> Results:
    """All of a folder, with at most so many tests of each run; UserError where it holds no results."""
    summary = read_shown(folder)
    if summary.get("command") != "project":
        return read_results(folder, most_tests, summary)
    runs = []
    for run in summary["runs"]:
        try:
            runs.append(read_results(folder / str(run["folder"]), most_tests))
        except UserError:
            continue
    files: dict[str, FileCoverage] = {}
    add_lcov(files, text_of(folder / "coverage.info"))
    sources = {name: lines for run in runs for name, lines in run.sources.items()}
    told = {**summary, "build": runs[0].summary.get("build") if runs else None}
    bugs = list(_bugs(folder, summary, runs))
    return Results(folder, told, _branches(runs), files, sources, [], (), bugs, runs=runs)


def run_of(results: Results, bug: StoredBug) -> tuple[Results, StoredBug]:
    """The run that has found a bug, and the bug as that has it; of results of one run, what is given."""
    for run in results.runs:
        if run.folder == results.folder / str(bug.data.get("folder")):
            for own in run.bugs:
                if same_bug(own.data, bug.data):
                    return run, own
    return results, bug


def _branches(runs: Sequence[Results]) -> list[StoredBranch]:
    """Each outcome once. Those of a macro have one place: they are told apart by their order in their function."""
    found: dict[tuple[object, ...], StoredBranch] = {}
    for run in runs:
        seen: Counter[tuple[object, ...]] = Counter()
        for branch in run.branches:
            seen[branch.id[0], *branch.place] += 1
            key = (*branch.place, seen[branch.id[0], *branch.place])
            if key not in found or _says_more(branch, found[key]):
                found[key] = branch
    return list(found.values())


def _says_more(branch: StoredBranch, other: StoredBranch) -> bool:
    if branch.tests or other.tests:
        return branch.tests > other.tests
    return _why(other) in _FAR and _why(branch) not in _FAR


def _why(branch: StoredBranch) -> str:
    return str((branch.reason or {}).get("why", ""))


def _bugs(folder: Path, summary: Mapping[str, Any], runs: Sequence[Results]) -> Iterator[StoredBug]:
    """Those of the project, each with the path that the run which found it tells."""
    paths = {run.folder: run.bugs for run in runs}
    for number, bug in enumerate(summary["bugs"], 1):
        own = paths.get(folder / str(bug.get("folder")), ())
        yield StoredBug(number, bug, next((one.path for one in own if same_bug(one.data, bug)), ()))
