"""GitLab's code quality report: the bugs of ``results.sarif`` in the form that merge requests show."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from clew.base.errors import UserError
from clew.report.baseline import FINGERPRINT
from clew.report.sarif import NAME

_SEVERITIES = {"error": "critical", "warning": "major", "note": "minor"}


def code_quality(folder: Path) -> str:
    """The text of the report of an output folder; UserError where that has no ``results.sarif``."""
    path = folder / NAME
    try:
        log = json.loads(path.read_bytes())
        return json.dumps(list(_findings(log)), indent=1) + "\n"
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError(f"{path} is damaged, or of another version; run again") from None


def _findings(log: Mapping[str, Any]) -> Iterator[dict[str, object]]:
    """Those that have a place, and are not suppressed."""
    for run in log["runs"]:
        for result in run["results"]:
            if result.get("suppressions") or not result.get("locations"):
                continue
            place = result["locations"][0]["physicalLocation"]
            yield {
                "type": "issue",
                "check_name": result["ruleId"],
                "description": result["message"]["text"].split("\n")[0],
                "content": {"body": result["message"]["text"]},
                "categories": ["Bug Risk"],
                "severity": _SEVERITIES.get(result["level"], "info"),
                "fingerprint": result["partialFingerprints"][FINGERPRINT],
                "location": {
                    "path": place["artifactLocation"]["uri"],
                    "lines": {"begin": place["region"]["startLine"]},
                },
            }
