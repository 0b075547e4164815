"""What a release consists of fits together."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

from clew import __version__

ROOT = Path(__file__).resolve().parents[2]


def test_the_citation_is_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == __version__
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()


def test_everything_that_is_named_for_distributions_is_there() -> None:
    built = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    named = [*built["sdist"]["include"], *built["wheel"]["packages"], *built["wheel"]["shared-data"]]
    assert [name for name in named if not (ROOT / name.lstrip("/")).exists()] == []
    # The recipe copies what the wheel is built from, and the wheel needs the page and the licence.
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert not {"src", "docs", "LICENSE", "README.md", "pyproject.toml"} & set(ignored)


def test_versions_are_semantic() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)
