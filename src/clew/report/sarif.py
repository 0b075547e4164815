"""``results.sarif``: the bugs for code scanning services and editors (SARIF 2.1.0).

A rule per kind of bug, tagged with its CWE numbers; a result per bug, with the call stack as a code flow,
outermost call first. Places are relative to the folder the run was started in, as services want them.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path, PurePath
from urllib.parse import quote

from clew import __version__
from clew.base.location import Location
from clew.report.bugtext import input_lines
from clew.report.excerpt import Sources
from clew.report.folder import readable_json
from clew.report.kinds import BUG_KINDS
from clew.report.records import Bug, StopReason, Summary
from clew.report.writers import WRITERS, RunResults

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "ROOT"


@WRITERS.register("results.sarif", "bugs, for code-scanning services and editors")
def write_sarif(results: RunResults) -> str:
    return readable_json(sarif_of(results.summary, results.sources))


def sarif_of(summary: Summary, sources: Sources | None = None) -> dict[str, object]:
    """The whole log: one run."""
    source = sources or Sources()
    kinds = [kind for kind in BUG_KINDS if any(bug.kind == kind for bug in summary.bugs)]
    driver = {
        "name": "Clew",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(kind) for kind in kinds],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(summary)],
        "results": [_result(bug, kinds, source) for bug in summary.bugs],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(kind: str) -> dict[str, object]:
    known = BUG_KINDS[kind]
    tags = ["security", *(f"external/cwe/cwe-{number:03d}" for number in known.cwe)]
    return {
        "id": kind,
        "name": "".join(word.capitalize() for word in kind.split("-")),
        "shortDescription": {"text": known.title},
        "fullDescription": {"text": f"{known.title} ({', '.join(f'CWE-{number}' for number in known.cwe)})."},
        "defaultConfiguration": {"level": known.level},
        "properties": {"tags": tags},
    }


def _invocation(summary: Summary) -> dict[str, object]:
    """How the run ended, and what it did not see."""
    notes = [
        {"level": "note", "message": {"text": f"{note.kind}: {note.what}"}, **_located(note.location)}
        for note in summary.losses
    ]
    made: dict[str, object] = {"executionSuccessful": summary.stopped is not StopReason.FAILED}
    if notes:
        made["toolExecutionNotifications"] = notes
    return made


def _result(bug: Bug, kinds: Sequence[str], sources: Sources) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": bug.kind,
        "ruleIndex": kinds.index(bug.kind),
        "level": "note" if bug.is_possible else BUG_KINDS[bug.kind].level,
        "message": {"text": _message(bug)},
        **_located(bug.location, bug.function),
        "partialFingerprints": {"clewBug/v1": _fingerprint(bug, sources)},
        "properties": {
            "class": bug.report_class,
            "confirmed": bug.confirmed,
            **({"test": bug.test} if bug.test else {}),
        },
    }
    flow = _flow(bug)
    if flow:
        result["codeFlows"] = [{"threadFlows": [{"locations": flow}]}]
    return result


def _message(bug: Bug) -> str:
    message = bug.message.strip() or BUG_KINDS[bug.kind].title
    if bug.is_possible:
        message += f" (possible: {bug.rests_on})"
    inputs = input_lines(bug, 6)
    return f"{message}\nInputs: {' '.join(inputs)}" if inputs else message


def _flow(bug: Bug) -> list[dict[str, object]]:
    """The calls that lead to the bug, outermost first, and the bug itself."""
    steps: list[dict[str, object]] = []
    for frame in reversed(bug.stack[1:]):
        place = frame.location
        if place is not None and place.line:
            steps.append(_step(Location(place.file, place.line), f"call in {frame.function}"))
    if bug.location is not None and bug.location.line:
        steps.append(_step(bug.location, bug.message.strip() or bug.kind))
    return steps


def _step(location: Location, text: str) -> dict[str, object]:
    return {"location": {**_physical(location), "message": {"text": text}}}


def _located(location: Location | None, function: str = "") -> dict[str, object]:
    if location is None or not location.line:
        return {}
    place = _physical(location)
    if function:
        place["logicalLocations"] = [{"name": function, "kind": "function"}]
    return {"locations": [place]}


def _physical(location: Location) -> dict[str, object]:
    region = {"startLine": location.line} | ({"startColumn": location.column} if location.column else {})
    return {"physicalLocation": {"artifactLocation": _artifact(location.file), "region": region}}


def _artifact(name: str) -> dict[str, object]:
    """A relative URI where the file lies below the current folder, else an absolute one."""
    path = PurePath(name)
    if path.is_absolute():
        try:
            path = path.relative_to(Path.cwd())
        except (ValueError, OSError):
            return {"uri": "file://" + quote(os.fsencode(path.as_posix()))}
    return {"uri": quote(os.fsencode(path.as_posix())), "uriBaseId": _ROOT}


def _fingerprint(bug: Bug, sources: Sources) -> str:
    """Stays the same when lines above the bug come and go: kind, function and the text of the line."""
    where = bug.location
    parts = (bug.kind, where.file if where else "", bug.function, sources.line(where))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]
