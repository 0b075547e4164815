"""``witness.yml``: the shape that SV-COMP's format 2.0 asks for."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from clew.base.location import Location
from clew.report.records import Bug, InputValue, LoopInvariant, Summary
from clew.report.witness import specification_of, witness_of

yaml = pytest.importorskip("yaml")

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
FALSE = Summary("verify", ("p.c",), "FALSE", checks=("assert", "error-call"))
SOURCE = "int main(void) {\n  int x = f((1), g(2));  /* ) */\n  y = READ;\n  reach_error();\n}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(SOURCE)


def entry(summary: Summary, bits: int = 64) -> Any:
    text = witness_of(summary, [Path("p.c")], bits, NOW)
    assert text is not None
    (made,) = yaml.safe_load(text)
    return made


def bug(*inputs: InputValue, kind: str = "error-call", line: int = 4) -> Bug:
    return Bug(kind, "", Location("p.c", line, 3, "main"), "main", inputs=inputs, confirmed=True)


def waypoints(*bugs: Bug) -> Any:
    segments = entry(replace(FALSE, bugs=bugs))["content"]
    assert all(list(segment) == ["segment"] and len(segment["segment"]) == 1 for segment in segments)
    return [segment["segment"][0]["waypoint"] for segment in segments]


def test_loop_invariants_are_at_the_keywords_of_loops() -> None:
    Path("p.c").write_text("int main(void) {\n  int x = 0;\n  while (f())\n    x++;\n}\n")
    known = LoopInvariant(Location("p.c", 3, 10, "main"), "main", "x >= 0")
    lost = LoopInvariant(Location("p.c", 2, 3, "main"), "main", "x == 1")
    (item,) = entry(replace(FALSE, verdict="TRUE", loop_invariants=(known, lost)))["content"]
    location = {"file_name": "p.c", "line": 3, "column": 3, "function": "main"}
    assert item["invariant"] == {
        "type": "loop_invariant", "location": location, "value": "x >= 0", "format": "c_expression",
    }  # fmt: skip


def test_correctness() -> None:
    made = entry(replace(FALSE, verdict="TRUE"), bits=32)
    assert (made["entry_type"], made["content"]) == ("invariant_set", [])
    metadata = made["metadata"]
    assert metadata["format_version"] == "2.0"
    assert datetime.fromisoformat(metadata["creation_time"]) == NOW
    assert metadata["producer"]["name"] == "Clew"
    assert metadata["task"] == {
        "input_files": ["p.c"],
        "input_file_hashes": {"p.c": hashlib.sha256(SOURCE.encode()).hexdigest()},
        "specification": "G ! call(reach_error())",
        "data_model": "ILP32",
        "language": "C",
    }


def test_violation() -> None:
    (target,) = waypoints(bug())
    assert target == {"type": "target", "action": "follow", "location": {"file_name": "p.c", "line": 4, "column": 3}}
    assert entry(replace(FALSE, bugs=(bug(),)))["entry_type"] == "violation_sequence"


def test_inputs_are_what_calls_return() -> None:
    nested = InputValue("x", "int", 32, -(1 << 31), place=Location("p.c", 2, 11, "main"))
    macro = InputValue("y", "double", 64, 0.5, place=Location("p.c", 3, 7))
    first, second, last = waypoints(bug(nested, macro))
    assert (first["type"], first["action"]) == ("function_return", "follow")
    assert first["location"] == {"file_name": "p.c", "line": 2, "column": 22, "function": "main"}
    assert first["constraint"] == {"value": "\\result == (-2147483647 - 1)", "format": "acsl_expression"}
    assert second["location"] == {"file_name": "p.c", "line": 3}
    assert second["constraint"]["value"] == "\\result == 0.5"
    assert last["type"] == "target"


def test_inputs_that_cannot_be_said_are_left_out() -> None:
    place = Location("p.c", 2, 11)
    nan = InputValue("x", "double", 64, float("nan"), place=place)
    text = InputValue("b", "char [2]", 16, b"ab", "object", place)
    unplaced = InputValue("z", "int", 32, 1)
    assert [point["type"] for point in waypoints(bug(nan, text, unplaced))] == ["target"]


def test_the_error_call_comes_first() -> None:
    assert waypoints(bug(kind="assert", line=1), bug())[-1]["location"]["line"] == 4


def test_nothing_to_witness() -> None:
    for summary in (
        replace(FALSE, verdict="UNKNOWN"),
        FALSE,
        replace(FALSE, bugs=(replace(bug(), confirmed=False),)),
    ):
        assert witness_of(summary, [Path("p.c")], 64, NOW) is None


def test_names_of_files_are_quoted() -> None:
    text = witness_of(replace(FALSE, verdict="TRUE"), [Path('a: "b".c')], 64, NOW)
    assert text is not None
    assert yaml.safe_load(text)[0]["metadata"]["task"]["input_files"] == ['a: "b".c']


@pytest.mark.parametrize(
    ("kinds", "text"),
    [
        (("assert", "memory-leak"), "G ! call(reach_error())"),
        (("signed-overflow",), "G ! overflow"),
        (("null-dereference",), "G valid-deref"),
        (("double-free",), "G valid-free"),
        (("memory-leak",), "G valid-memtrack"),
        (("shift",), "G def-behavior"),
    ],
)
def test_specifications(kinds: tuple[str, ...], text: str) -> None:
    assert specification_of(kinds) == text
