"""Runs on disk, so that a long table can be measured in pieces: a run that is there is not made again.

A file for each program, configuration and seed, with a digest of all that was asked for: what has another one is
measured anew. Which Clew made a run is not looked at: a folder is for one version.
"""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

from benchmarks.case import Case
from benchmarks.curve import curve_of
from benchmarks.run import Run
from clew.base.errors import UserError
from clew.report.folder import write_whole

_LEFT_OUT = ("marks", "curve")


class Kept:
    """The runs in a folder; without one, nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        if folder is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise UserError(f"--out {folder}: {problem.strerror}") from problem

    def get(self, case: Case, way: str, seed: int, digest: str) -> Run | None:
        """The run, if it is there."""
        if self._folder is None:
            return None
        try:
            data = json.loads(self._file(self._folder, case, way, seed).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None
        return run_of(data["run"]) if data["digest"] == digest else None

    def put(self, case: Case, way: str, seed: int, digest: str, run: Run) -> None:
        """Keep a run."""
        if self._folder is None:
            return
        data = {"program": case.name, "way": way, "seed": seed, "digest": digest, "run": run_json(run)}
        file = self._file(self._folder, case, way, seed)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(data).encode())

    def _file(self, folder: Path, case: Case, way: str, seed: int) -> Path:
        return folder / case.name / f"{way.replace(' ', '-')}-{seed}.json"


def run_json(run: Run) -> dict[str, object]:
    """All of a run that ``run_of`` makes one of."""
    data = {item.name: getattr(run, item.name) for item in fields(run) if item.name not in _LEFT_OUT}
    return {**data, "stats": dict(run.stats), "curve": run.curve.to_json()}


def run_of(data: dict[str, Any]) -> Run:
    """What ``run_json`` gave."""
    errors = tuple((kind, file, line) for kind, file, line in data["errors"])
    return Run(**{**data, "errors": errors, "losses": tuple(data["losses"]), "curve": curve_of(data["curve"])})
