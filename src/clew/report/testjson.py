"""Tests as JSON: ``tests/000001.json``; ``reading`` reads them back.

    {"clew": "0.1.0", "files": ["p.c"], "entry": "main", "reason": "coverage",
     "inputs": [{"name": "x", "type": "int", "value": -5, "bits": 32, "kind": "nondet"}],
     "error": null, "ends": "exit", "exit_code": 0, "output": "e3b0c442...", "covers": [["main", "if.then", 0]]}

Inputs stand in the order in which the program asks for them. ``covers`` names branch outcomes.
``ends``, ``exit_code`` and ``output`` (SHA-256) tell what the engine saw when it ran the test.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew import __version__
from clew.report.records import Bug, Test, place


def json_of_test(test: Test, files: Sequence[str], entry: str) -> dict[str, object]:
    """The content of a test file; sets are sorted so that equal tests give equal files."""
    return {
        "clew": __version__,
        "files": list(files),
        "entry": entry,
        "reason": test.reason,
        "inputs": [value.to_json() for value in test.inputs],
        "error": None if test.error is None else _error_to_json(test.error),
        "ends": test.ends or None,
        "exit_code": test.exit_code,
        "output": test.output or None,
        "covers": [list(branch) for branch in sorted(test.covers)],
    }


def _error_to_json(bug: Bug) -> dict[str, object]:
    """What the test ends in; its inputs are the test's own."""
    where = {**place(bug.location), "function": bug.function}
    return {"kind": bug.kind, "message": bug.message, "rests_on": bug.rests_on or None, **where}
