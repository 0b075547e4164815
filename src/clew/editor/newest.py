"""The results that an editor shows: those of the newest output folders, each file as the newest run that has it.

A folder of ``clew project`` counts as one run: what any of its functions covers is covered, and of the reasons why an
outcome is not, the one of a run that came closest is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clew.base.errors import UserError
from clew.report.branches import StoredBranch
from clew.report.folder import DEFAULT_PARENT
from clew.report.lcov import FileCoverage, add_lcov
from clew.report.page.results import Results, StoredBug, read_results, read_shown, text_of
from clew.report.reasons import WhyNot

MOST = 12
"""Folders that are looked at, the newest ones."""
_FAR = (WhyNot.OUT_OF_REACH, WhyNot.NOT_CALLED, "")
"""Reasons of runs that did not come near an outcome."""

Stamp = tuple[tuple[Path, int], ...]
"""Folders, and when their summaries were written."""


def folders_of(roots: Iterable[Path], named: Sequence[Path]) -> Stamp:
    """The folders that are ``named``, or those below ``clew-out`` of the workspace's ``roots``; the newest first."""
    found = list(named) or [folder for root in roots for folder in _numbered(root / DEFAULT_PARENT)]
    stamped = [(folder, written) for folder in found if (written := _written(folder))]
    return tuple(sorted(stamped, key=lambda one: -one[1])[:MOST])


def _numbered(parent: Path) -> Iterator[Path]:
    try:
        yield from (entry for entry in parent.iterdir() if entry.is_dir() and not entry.is_symlink())
    except OSError:
        return


def _written(folder: Path) -> int:
    """When the summary was written; 0 where there is none."""
    try:
        return (folder / "summary.json").stat().st_mtime_ns
    except OSError:
        return 0


def newest(stamp: Stamp) -> dict[Path, tuple[Results, str]]:
    """For each source file, the results that speak of it, and its name there."""
    found: dict[Path, tuple[Results, str]] = {}
    for folder, _ in stamp:
        try:
            results = results_of(folder)
        except UserError:
            continue  # damaged, or of another version: others may be whole
        for name in {*results.files, *(str(bug.data["file"]) for bug in results.bugs if bug.data.get("file"))}:
            found.setdefault(_absolute(results.summary, name), (results, name))
    return found


def _absolute(summary: Mapping[str, Any], name: str) -> Path:
    directory = (summary.get("build") or {}).get("directory")
    return Path(directory or Path.cwd(), name).resolve()


def results_of(folder: Path) -> Results:
    """All of a folder, without its tests; UserError where it holds no results."""
    summary = read_shown(folder)
    if summary.get("command") != "project":
        return read_results(folder, 0, summary)
    runs = []
    for run in summary["runs"]:
        try:
            runs.append(read_results(folder / str(run["folder"]), 0))
        except UserError:
            continue
    files: dict[str, FileCoverage] = {}
    add_lcov(files, text_of(folder / "coverage.info"))
    sources = {name: lines for run in runs for name, lines in run.sources.items()}
    told = {**summary, "build": runs[0].summary.get("build") if runs else None}
    return Results(folder, told, _branches(runs), files, sources, [], (), list(_bugs(runs)))


def _branches(runs: Sequence[Results]) -> list[StoredBranch]:
    """Each outcome once."""
    found: dict[tuple[str, int, int, str], StoredBranch] = {}
    for run in runs:
        for branch in run.branches:
            key = (branch.file, branch.line, branch.column, branch.outcome)
            if key not in found or _says_more(branch, found[key]):
                found[key] = branch
    return list(found.values())


def _says_more(branch: StoredBranch, other: StoredBranch) -> bool:
    if branch.tests or other.tests:
        return branch.tests > other.tests
    return _why(other) in _FAR and _why(branch) not in _FAR


def _why(branch: StoredBranch) -> str:
    return str((branch.reason or {}).get("why", ""))


def _bugs(runs: Sequence[Results]) -> Iterator[StoredBug]:
    seen = set()
    for run in runs:
        for bug in run.bugs:
            key = tuple(bug.data.get(name) for name in ("kind", "file", "line", "class"))
            if key not in seen:
                seen.add(key)
                yield StoredBug(len(seen), bug.data, bug.path)
