"""``results.sarif``: what the schema requires, and what services make use of."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clew.base.budget import StopReason
from clew.base.location import Location
from clew.report.excerpt import Sources
from clew.report.kinds import BUG_KINDS
from clew.report.path import PathStep
from clew.report.records import KNOWN, NEW, Bug, Summary
from clew.report.rule_help import RULE_HELP
from clew.report.sarif import merged, sarif_of
from clew.report.sarif_flow import FIRST, LAST
from support.sarif_shape import wrong_with


def _log(summary: Summary, sources: Sources | None = None) -> dict[str, Any]:
    made = json.loads(json.dumps(sarif_of(summary, sources)))
    assert isinstance(made, dict)
    assert wrong_with(made) == []
    return made


def _flow(bug: Bug, summary: Summary) -> list[dict[str, Any]]:
    (result,) = _log(replace(summary, bugs=(bug,)))["runs"][0]["results"]
    found = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert isinstance(found, list)
    return found


def test_a_bug(summary: Summary) -> None:
    log = _log(summary)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    (result,) = run["results"]
    assert (driver["name"], driver["rules"][result["ruleIndex"]]["id"]) == ("Clew", result["ruleId"])
    assert "external/cwe/cwe-617" in driver["rules"][0]["properties"]["tags"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "p.c", "uriBaseId": "%SRCROOT%"}
    assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"].endswith("/")
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


def test_the_path_is_the_code_flow(summary: Summary, bug: Bug) -> None:
    steps = (
        PathStep(Location("p.c", 28), "main", values=(("x", "-5"),)),
        PathStep(Location("p.c", 29), "main", outcome="true"),
        PathStep(Location("p.c", 12), "check", skipped=7),
        PathStep(Location("p.c", 31), "main"),
    )
    flow = _flow(replace(bug, path=steps), summary)
    assert [step["location"]["message"]["text"] for step in flow] == [
        "main: x = -5",
        "main: the condition is true",
        "check: (7 steps are left out)",
        "main",
        "assertion 'x > 0' failed",
    ]
    assert flow[0]["state"] == {"x": {"text": "-5"}}
    assert [step.get("nestingLevel") for step in flow] == [0, 0, 1, 0, None]
    assert [step["executionOrder"] for step in flow] == [1, 2, 3, 4, 5]


def test_the_middle_of_a_long_path_is_left_out(summary: Summary, bug: Bug) -> None:
    flow = _flow(replace(bug, path=tuple(PathStep(Location("p.c", line), "main") for line in range(1, 301))), summary)
    lines = [step["location"]["physicalLocation"]["region"]["startLine"] for step in flow]
    assert lines == [*range(1, FIRST + 1), *range(301 - LAST, 301), 12]
    assert flow[FIRST]["location"]["message"]["text"] == f"main: ({300 - FIRST - LAST} steps are left out)"


def test_columns_count_units_of_utf16(summary: Summary, bug: Bug, tmp_path: Path) -> None:
    line = "/* \U0001f600\u00e9 */ f(x);"
    (tmp_path / "p.c").write_text(f"\n{line}\n", encoding="utf-8")
    column = len(line[: line.index("f(")].encode("utf-8")) + 1
    moved = replace(bug, location=Location("p.c", 2, column))
    log = _log(replace(summary, bugs=(moved,)), Sources(tmp_path))
    region = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert log["runs"][0]["columnKind"] == "utf16CodeUnits"
    assert region == {"startLine": 2, "startColumn": len(line[: line.index("f(")].encode("utf-16-le")) // 2 + 1}


def test_what_a_baseline_and_a_comment_say(summary: Summary, bug: Bug) -> None:
    marked = replace(bug, baseline=NEW, suppressed="on purpose")
    (result,) = _log(replace(summary, bugs=(marked,)))["runs"][0]["results"]
    assert result["baselineState"] == "new"
    assert result["suppressions"] == [{"kind": "inSource", "status": "accepted", "justification": "on purpose"}]


def test_logs_of_several_runs_tell_each_bug_once(summary: Summary, bug: Bug) -> None:
    other = replace(bug, kind="division-by-zero", baseline=KNOWN)
    logs = [_log(replace(summary, bugs=(bug,))), _log(replace(summary, bugs=(other, bug)))]
    log = json.loads(json.dumps(merged("project", logs)))
    assert wrong_with(log) == []
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [rules[result["ruleIndex"]] for result in run["results"]] == ["assert", "division-by-zero"]
    assert "baselineState" not in run["results"][1], "of an earlier comparison"


@pytest.mark.parametrize("kind", BUG_KINDS)
def test_every_kind_says_what_helps(kind: str, summary: Summary, bug: Bug) -> None:
    (rule,) = _log(replace(summary, bugs=(replace(bug, kind=kind),)))["runs"][0]["tool"]["driver"]["rules"]
    assert RULE_HELP[kind] in rule["help"]["markdown"]
    assert rule["helpUri"].endswith(f"/{BUG_KINDS[kind].cwe[0]}.html")


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
