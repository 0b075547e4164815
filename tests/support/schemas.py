"""Files that Clew writes, held against the schemas of their formats."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

import clew.report.formats

FOLDER = Path(clew.report.formats.__file__).with_name("schemas")


@cache
def schema(name: str) -> dict[str, Any]:
    """The schema of a format."""
    found = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


@cache
def _validator(name: str) -> Draft202012Validator:
    common = schema("common")
    registry: Registry[Any] = Registry().with_resource(common["$id"], Resource.from_contents(common))
    return Draft202012Validator(schema(name), registry=registry)


def check(name: str, data: object) -> None:
    """AssertionError, with the place, if data is not as a format has it."""
    for problem in _validator(name).iter_errors(data):
        raise AssertionError(f"{name}: {problem.json_path}: {problem.message[:300]}")


def check_folder(folder: Path) -> list[str]:
    """Hold all JSON files of an output folder against their schemas; the names of the formats that were met."""
    met = []
    for path in sorted(folder.rglob("*.json")):
        name = _format(path)
        if name:
            check(name, json.loads(path.read_bytes()))
            met.append(name)
    return met


def _format(path: Path) -> str:
    if path.parent.name in ("tests", "bugs"):
        return path.parent.name.removesuffix("s")
    if path.name == "summary.json":
        return "project" if json.loads(path.read_bytes())["command"] == "project" else "summary"
    return path.stem if path.stem in ("coverage", "sources", "replay", "campaign") else ""
