"""The results that an editor shows: those of the newest output folders, each file as the newest run that has it.

A folder of ``clew project`` counts as one run (see ``report.page.merged``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clew.base.errors import UserError
from clew.report.folder import DEFAULT_PARENT
from clew.report.page.merged import results_of
from clew.report.page.results import Results

MOST = 12
"""Folders that are looked at, the newest ones."""

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
