"""``sources.json``: the source files of a run as they were then. Reports that are made later show these, whatever has
become of the files."""

from __future__ import annotations

import json
from pathlib import Path

from clew.report.reading import read_object
from clew.report.writers import WRITERS, RunResults

NAME = "sources.json"
MOST = 16 << 20
"""Characters of all files together that are kept; a file beyond that is left out."""


@WRITERS.register(NAME, "the source as it was, for reports that are made later")
def write_sources(results: RunResults) -> str:
    """The text of each file that has lines with code, by its name."""
    coverage = results.summary.coverage
    places = [bug.location.file for bug in results.summary.bugs if bug.location is not None]
    kept: dict[str, str] = {}
    room = MOST
    for name in dict.fromkeys([*(line.file for line in coverage.lines), *places, *results.summary.files]):
        text = results.sources.text(name)
        if text and len(text) <= room:
            kept[name] = text
            room -= len(text)
    return "{\n" + ",\n".join(f" {json.dumps(name)}: {json.dumps(text)}" for name, text in kept.items()) + "\n}\n"


def read_sources(folder: Path) -> dict[str, str]:
    """The files that were kept, by name; none where nothing was."""
    return {name: str(text) for name, text in (read_object(folder / NAME) or {}).items()}
