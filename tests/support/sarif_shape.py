"""What SARIF 2.1.0 says about the parts of it that Clew writes: which properties there are, and which there must be.

Written down from the specification, since its schema is in no package; a log was also checked with the schema itself.
"""

from __future__ import annotations

from typing import Any

TEXT, NUMBER, YES_NO, BAG = "text", "number", "yes or no", "bag"
LEVELS = "none note warning error"

SHAPES: dict[str, dict[str, str]] = {
    "log": {"$schema": TEXT, "version!": "=2.1.0", "runs!": "[run]"},
    "run": {
        "tool!": "tool", "columnKind": "=utf16CodeUnits unicodeCodePoints", "originalUriBaseIds": "{artifact}",
        "invocations": "[invocation]", "results": "[result]", "automationDetails": "details",
    },
    "details": {"id": TEXT},
    "tool": {"driver!": "driver"},
    "driver": {"name!": TEXT, "version": TEXT, "semanticVersion": TEXT, "rules": "[rule]"},
    "rule": {
        "id!": TEXT, "name": TEXT, "shortDescription": "message", "fullDescription": "message", "help": "message",
        "helpUri": "uri", "defaultConfiguration": "configuration", "properties": BAG,
    },
    "configuration": {"level": f"={LEVELS}"},
    "message": {"text!": TEXT, "markdown": TEXT},
    "invocation": {"executionSuccessful!": YES_NO, "toolExecutionNotifications": "[notification]"},
    "notification": {"message!": "message", "level": f"={LEVELS}", "locations": "[location]"},
    "result": {
        "ruleId": TEXT, "ruleIndex": NUMBER, "level": f"={LEVELS}", "message!": "message", "locations": "[location]",
        "partialFingerprints": "{text}", "codeFlows": "[codeFlow]", "stacks": "[stack]", "properties": BAG,
        "baselineState": "=new unchanged updated absent", "suppressions": "[suppression]",
    },
    "suppression": {"kind!": "=inSource external", "status": "=accepted underReview rejected", "justification": TEXT},
    "codeFlow": {"threadFlows!": "[threadFlow]"},
    "threadFlow": {"locations!": "[step]"},
    "step": {
        "location": "location", "state": "{message}", "nestingLevel": NUMBER, "executionOrder": NUMBER,
        "importance": "=important essential unimportant",
    },
    "stack": {"message": "message", "frames!": "[frame]"},
    "frame": {"location": "location"},
    "location": {"physicalLocation": "physical", "logicalLocations": "[logical]", "message": "message"},
    "logical": {"name": TEXT, "fullyQualifiedName": TEXT, "kind": TEXT},
    "physical": {"artifactLocation": "artifact", "region": "region"},
    "artifact": {"uri": "uri", "uriBaseId": TEXT},
    "region": {"startLine": "place", "startColumn": "place"},
}  # fmt: skip
"""Properties by name of the object; ``!`` marks those that must be there."""


def wrong_with(log: Any) -> list[str]:
    """What is not as it should be, each with its place."""
    return _wrong(log, "log", "")


def _wrong(value: Any, shape: str, at: str) -> list[str]:
    if shape.startswith("["):
        items = value if isinstance(value, list) else None
        return [f"{at}: no list"] if items is None else _all(enumerate(items), shape[1:-1], at)
    if shape.startswith("{"):
        return _all(value.items(), shape[1:-1], at)
    if shape in SHAPES:
        return _object(value, SHAPES[shape], at)
    return [] if _fits(value, shape) else [f"{at}: {value!r} is not {shape}"]


def _all(items: Any, shape: str, at: str) -> list[str]:
    return [wrong for name, item in items for wrong in _wrong(item, shape, f"{at}/{name}")]


def _object(value: Any, shape: dict[str, str], at: str) -> list[str]:
    known = {name.rstrip("!"): inner for name, inner in shape.items()}
    missing = [f"{at}: no {name}" for name in (n[:-1] for n in shape if n.endswith("!")) if name not in value]
    strange = [f"{at}: there is no {name}" for name in value if name not in known]
    inside = [wrong for name in value if name in known for wrong in _wrong(value[name], known[name], f"{at}/{name}")]
    return missing + strange + inside


def _fits(value: Any, shape: str) -> bool:
    if shape.startswith("="):
        return value in shape[1:].split()
    if shape == "uri":
        return isinstance(value, str) and not set(value) & set(' <>"{}|\\^`') and value.isascii()
    if shape == "place":
        return isinstance(value, int) and value >= 1
    kinds = {TEXT: str, NUMBER: int, YES_NO: bool, BAG: dict}
    return isinstance(value, kinds[shape])
