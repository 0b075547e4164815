"""Tests as JSON: ``tests/000001.json``, and back.

    {"clew": "0.1.0", "files": ["p.c"], "entry": "main", "reason": "coverage",
     "inputs": [{"name": "x", "type": "int", "value": -5, "bits": 32, "kind": "nondet"}],
     "error": null, "ends": "exit", "exit_code": 0, "output": "e3b0c442...", "covers": [["main", "if.then", 0]]}

Inputs stand in the order in which the program asks for them. ``covers`` names branch outcomes.
``ends``, ``exit_code`` and ``output`` (SHA-256) tell what the engine saw when it ran the test.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from clew import __version__
from clew.base.errors import UserError
from clew.report.records import Bug, InputValue, Test, place


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


def read_test(path: Path) -> tuple[InputValue, ...]:
    """The inputs of a test file, or UserError when it is not one."""
    try:
        inputs = json.loads(path.read_text(encoding="utf-8"))["inputs"]
        return tuple(InputValue.from_json(value) for value in inputs)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} is not a test file of Clew's") from error
