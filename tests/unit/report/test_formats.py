"""Formats: every file that is written is as its schema says, and schemas say what the code says."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from clew.base.budget import StopReason
from clew.base.errors import UserError
from clew.report.formats import VERSIONS, format_of
from clew.report.kinds import BUG_KINDS
from clew.report.reading import load_summary
from clew.report.reasons import WhyNot
from clew.report.records import LOOP_STATUSES, LossKind, Summary
from clew.report.values import KINDS, POINTEES
from clew.techniques.statistics import no_statistics
from support.schemas import FOLDER, check, check_folder, schema

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_schemas_are_schemas(path: Path) -> None:
    Draft202012Validator.check_schema(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", VERSIONS)
def test_versions_are_those_of_the_schemas(name: str) -> None:
    assert schema(name)["$id"] == f"urn:clew:{name}:{VERSIONS[name]}"
    assert schema(name)["properties"]["format"]["const"] == format_of(name)


def test_words_are_those_of_the_code() -> None:
    common, summary = schema("common")["$defs"], schema("summary")["properties"]
    assert common["kind"]["enum"] == list(BUG_KINDS)
    assert common["stopped"]["enum"] == [*map(str, StopReason), None]
    assert common["input"]["properties"]["kind"]["enum"] == list(KINDS)
    assert common["input"]["properties"]["points"]["prefixItems"][0]["enum"] == list(POINTEES)
    assert common["loop_status"]["enum"] == list(LOOP_STATUSES)
    assert summary["losses"]["items"]["properties"]["kind"]["enum"] == [str(kind) for kind in LossKind]
    assert set(summary["uncovered"]["items"]["properties"]["why"]["enum"]) == set(WhyNot)


def test_summaries(summary: Summary) -> None:
    """Also of runs that a stand-in has made: they fill what few real ones do."""
    check("summary", summary.to_json())
    check("summary", replace(summary, command="verify", verdict="TRUE", stats=no_statistics(), out="o").to_json())
    with pytest.raises(AssertionError, match=r"summary: \$.verdict"):
        check("summary", summary.to_json() | {"verdict": "true"})
    with pytest.raises(AssertionError, match="surprise"):
        check("summary", summary.to_json() | {"surprise": 1})


def test_results_of_another_version_are_refused(summary: Summary, tmp_path: Path) -> None:
    newer = {**summary.to_json(), "format": "summary/1.9.3"}
    for written, known in ((newer, True), ({**newer, "format": "summary/2.0.0"}, False)):
        (tmp_path / "summary.json").write_text(json.dumps(written))
        if known:
            assert load_summary(tmp_path) == written
        else:
            with pytest.raises(UserError, match=r"another version of Clew \(summary/2.0.0\)"):
                load_summary(tmp_path)


def _clew(folder: Path, *words: str) -> Any:
    done = subprocess.run([sys.executable, "-m", "clew", *words, "--json"], cwd=folder, capture_output=True, text=True)
    assert done.returncode != 2, done.stderr
    return json.loads(done.stdout)


RUNS: tuple[tuple[str, tuple[str, ...], set[str]], ...] = (
    ("summary", ("test", "withdraw.c", "--out", "o"), {"bug", "coverage", "sources", "summary", "test"}),
    (
        "summary",
        ("test", "queue.c", "--function", "take_last", "--max-instructions", "3000", "--out", "o"),
        {"summary"},
    ),
    ("summary", ("verify", "withdraw.c", "--check", "all", "--out", "o"), {"summary", "bug"}),
    ("summary", ("reach", "parcels.c", "--label", "full", "--out", "o"), {"summary", "test"}),
    ("project", ("project", "median.c", "withdraw.c", "--time", "9", "--out", "o"), {"project", "summary", "bug"}),
    ("loops", ("loops", "parcels.c"), set()),
    ("invariants", ("invariants", "halves.c"), set()),
)


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize(("name", "words", "written"), RUNS, ids=[" ".join(words[:2]) for _, words, _ in RUNS])
def test_what_commands_write(name: str, words: tuple[str, ...], written: set[str], tmp_path: Path) -> None:
    for example in (ROOT / "examples").glob("*.c"):
        (tmp_path / example.name).write_bytes(example.read_bytes())
    check(name, _clew(tmp_path, *words))
    assert written <= set(check_folder(tmp_path / "o"))
    if written and words[0] == "test":
        check("replay", _clew(tmp_path, "replay", "o"))
