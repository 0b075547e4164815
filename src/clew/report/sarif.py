"""``results.sarif``: the bugs for code scanning services and editors (SARIF 2.1.0).

A rule per kind of bug, with its CWE numbers and what helps; a result per bug, with the path to it as a code flow, its
call stack, a fingerprint that does not depend on numbers of lines, and what a baseline or a comment in the source says
of it. Files are named as seen from the root of the sources (``%SRCROOT%``), columns count units of UTF-16.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from clew import __version__
from clew.base.location import Location
from clew.report.baseline import FINGERPRINT, Baseline
from clew.report.bugtext import input_lines
from clew.report.excerpt import Sources
from clew.report.fingerprints import fingerprint_of
from clew.report.folder import readable_json
from clew.report.formats import present
from clew.report.kinds import BUG_KINDS
from clew.report.places import here, source_root, uri_of, utf16_column, within
from clew.report.records import POSSIBLE, Bug, StopReason, Summary
from clew.report.rule_help import RULE_HELP
from clew.report.sarif_flow import code_flow, stack_of
from clew.report.writers import WRITERS, RunResults

NAME = "results.sarif"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_CWE = "https://cwe.mitre.org/data/definitions/{}.html"


@WRITERS.register(NAME, "bugs, for code-scanning services and editors")
def write_sarif(results: RunResults) -> str:
    return readable_json(sarif_of(results.summary, results.sources))


def sarif_of(summary: Summary, sources: Sources | None = None) -> dict[str, object]:
    """The whole log: one run."""
    kinds = [kind for kind in BUG_KINDS if any(bug.kind == kind for bug in summary.bugs)]
    made = _Results(sources or Sources(), kinds)
    results = [made.result(bug) for bug in summary.bugs]
    return _log(summary.command, kinds, [made.invocation(summary)], results)


def merged(command: str, logs: Iterable[Mapping[str, Any]], baseline: Baseline | None = None) -> dict[str, object]:
    """One log of several runs: each bug once, as the first of them tells it, beside a baseline."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    notes: list[object] = []
    for log in logs:
        for run in log["runs"]:
            for result in run["results"]:
                key = (result["partialFingerprints"][FINGERPRINT], result["properties"]["class"])
                found.setdefault(key, dict(result))
            for invocation in run["invocations"]:
                notes += invocation.get("toolExecutionNotifications", ())
    kinds = [kind for kind in BUG_KINDS if any(result["ruleId"] == kind for result in found.values())]
    for (fingerprint, told), result in found.items():
        result["ruleIndex"] = kinds.index(result["ruleId"])
        result.pop("baselineState", None)
        if baseline is not None:
            result["baselineState"] = baseline.state_of(fingerprint, told == POSSIBLE)
    invocation = {"executionSuccessful": True, **present(toolExecutionNotifications=notes)}
    return _log(command, kinds, [invocation], list(found.values()))


def _log(command: str, kinds: Sequence[str], invocations: object, results: object) -> dict[str, object]:
    driver = {
        "name": "Clew",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(kind) for kind in kinds],
    }
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"clew/{command}/"},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {_ROOT: {"uri": uri_of(source_root()).rstrip("/") + "/"}},
        "invocations": invocations,
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(kind: str) -> dict[str, object]:
    known = BUG_KINDS[kind]
    tags = ["security", *(f"external/cwe/cwe-{number:03d}" for number in known.cwe)]
    numbers = ", ".join(f"CWE-{number}" for number in known.cwe)
    links = ", ".join(f"[CWE-{number}]({_CWE.format(number)})" for number in known.cwe)
    text = RULE_HELP.get(kind, known.title)
    return {
        "id": kind,
        "name": "".join(word.capitalize() for word in kind.split("-")),
        "shortDescription": {"text": known.title},
        "fullDescription": {"text": f"{known.title} ({numbers})."},
        "help": {"text": f"{text}\n{numbers}", "markdown": f"{text}\n\n{links}"},
        "helpUri": _CWE.format(known.cwe[0]),
        "defaultConfiguration": {"level": known.level},
        "properties": {"tags": tags, "precision": "very-high"},
    }


class _Results:
    """Results and their places."""

    def __init__(self, sources: Sources, kinds: Sequence[str]) -> None:
        self._sources = sources
        self._kinds = kinds
        self._root: Path = source_root()

    def invocation(self, summary: Summary) -> dict[str, object]:
        """How the run ended, and what it did not see."""
        notes = [
            {"level": "note", "message": {"text": f"{note.kind}: {note.what}"}, **self._located(note.location)}
            for note in summary.losses
        ]
        successful = summary.stopped is not StopReason.FAILED
        return {"executionSuccessful": successful, **present(toolExecutionNotifications=notes)}

    def result(self, bug: Bug) -> dict[str, object]:
        fingerprint = bug.fingerprint or fingerprint_of(bug, self._sources, self._root)
        flow = code_flow(bug, self._place)
        accepted = {"kind": "inSource", "status": "accepted", "justification": bug.suppressed}
        return {
            "ruleId": bug.kind,
            "ruleIndex": self._kinds.index(bug.kind),
            "level": "note" if bug.is_possible else BUG_KINDS[bug.kind].level,
            "message": {"text": _message(bug)},
            **self._located(bug.location, bug.function),
            "partialFingerprints": {FINGERPRINT: fingerprint, "primaryLocationLineHash": f"{fingerprint[:16]}:1"},
            "properties": {
                "class": bug.report_class,
                "confirmed": bug.confirmed,
                **present(test=bug.test),
            },
            **present(
                baselineState=bug.baseline,
                suppressions=[accepted] if bug.suppressed else [],
                codeFlows=[{"threadFlows": [{"locations": flow}]}] if flow else [],
                stacks=[stack_of(bug, self._place)] if bug.stack else [],
            ),
        }

    def _located(self, location: Location | None, function: str = "") -> dict[str, object]:
        if location is None or not location.line:
            return {}
        place = self._place(location)
        if function:
            place["logicalLocations"] = [{"name": function, "fullyQualifiedName": function, "kind": "function"}]
        return {"locations": [place]}

    def _place(self, location: Location) -> dict[str, object]:
        region = {"startLine": location.line}
        column = utf16_column(location, self._sources)
        if column:
            region["startColumn"] = column
        return {"physicalLocation": {"artifactLocation": self._artifact(location.file), "region": region}}

    def _artifact(self, name: str) -> dict[str, object]:
        """A relative URI where the file lies below the root of the sources, else an absolute one."""
        path = within(name, self._root)
        if path is None:
            return {"uri": uri_of(here() / name)}
        return {"uri": uri_of(path), "uriBaseId": _ROOT}


def _message(bug: Bug) -> str:
    message = bug.message.strip() or BUG_KINDS[bug.kind].title
    if bug.is_possible:
        message += f" (possible: {bug.rests_on})"
    inputs = input_lines(bug, 6)
    return f"{message}\nInputs: {' '.join(inputs)}" if inputs else message
