"""``results.sarif``: what the schema requires, and what services make use of."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from clew.base.budget import StopReason
from clew.base.location import Location
from clew.report.records import Summary
from clew.report.sarif import sarif_of


def _log(summary: Summary) -> dict[str, Any]:
    made = json.loads(json.dumps(sarif_of(summary)))
    assert isinstance(made, dict)
    return made


def test_a_bug(summary: Summary) -> None:
    log = _log(summary)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    (result,) = run["results"]
    assert (driver["name"], driver["rules"][result["ruleIndex"]]["id"]) == ("Clew", result["ruleId"])
    assert "external/cwe/cwe-617" in driver["rules"][0]["properties"]["tags"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "p.c", "uriBaseId": "ROOT"}
    assert place["region"] == {"startLine": 12, "startColumn": 5}
    assert result["message"]["text"] == "assertion 'x > 0' failed\nInputs: int x = -5;"
    flow = result["codeFlows"][0]["threadFlows"][0]["locations"]
    lines = [step["location"]["physicalLocation"]["region"]["startLine"] for step in flow]
    assert lines == [30, 12], "outermost call first"
    assert run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"] == "unsupported: inline assembly"


def test_a_possible_bug_is_a_note(summary: Summary) -> None:
    bug = replace(summary.bugs[0], rests_on="depends on what f() returns, which is not defined here")
    (result,) = _log(replace(summary, bugs=(bug,)))["runs"][0]["results"]
    assert result["level"] == "note"
    assert result["properties"]["class"] == "possible"
    assert "depends on what f() returns" in result["message"]["text"]


def test_fingerprints_do_not_depend_on_the_line(summary: Summary) -> None:
    def prints(moved: Summary) -> Any:
        return _log(moved)["runs"][0]["results"][0]["partialFingerprints"]

    bug = summary.bugs[0]
    lower = replace(summary, bugs=(replace(bug, location=Location("p.c", 13)),))
    other = replace(summary, bugs=(replace(bug, kind="abort"),))
    assert prints(summary) == prints(lower) != prints(other)


def test_places(summary: Summary) -> None:
    bug = summary.bugs[0]
    here, elsewhere = str(Path.cwd() / "a b.c"), "/elsewhere/x.c"
    uris = []
    for name in (here, elsewhere):
        log = _log(replace(summary, bugs=(replace(bug, location=Location(name, 1)),)))
        uris.append(log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
    assert uris == ["a%20b.c", "file:///elsewhere/x.c"]
    assert (
        "locations"
        not in _log(replace(summary, bugs=(replace(bug, location=None, stack=()),)))["runs"][0]["results"][0]
    )


def test_no_bug_and_a_failure() -> None:
    log = _log(Summary("test", ("p.c",), stopped=StopReason.FAILED))
    assert log["runs"][0]["results"] == []
    assert log["runs"][0]["invocations"] == [{"executionSuccessful": False}]
