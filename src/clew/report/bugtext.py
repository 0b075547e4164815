"""A bug as text for people: what, where, by which calls, with which inputs.

out-of-bounds: write of 4 bytes, 4 bytes past the end of 'buf' (16 bytes)
  at p.c:12:5 in fill
  called from:
    main p.c:30
  inputs:
    int n = 5
  confirmed by concrete re-execution
"""

from __future__ import annotations

from clew.base.location import Location
from clew.report.records import Bug, InputValue

_MANY = 40
"""Inputs shown before the rest is only counted; the JSON file has them all."""


def headline(bug: Bug) -> str:
    """One line: where, kind and message."""
    message = bug.message.strip()
    text = f"{bug.kind}: {message}" if message and message != bug.kind else bug.kind
    return f"{spot(bug.location)}: {text}" if bug.location else text


def spot(location: Location | None) -> str:
    """A location with its column where that is known."""
    if location is None:
        return "unknown place"
    return f"{location.file}:{location.line}:{location.column}" if location.column else str(location)


def input_lines(inputs: tuple[InputValue, ...], limit: int = _MANY) -> list[str]:
    """``type name = value`` per input, and a count of those left out."""
    lines = [f"{value.type} {value.name} = {value.shown()}" for value in inputs[:limit]]
    if len(inputs) > limit:
        lines.append(f"... and {len(inputs) - limit} more")
    return lines


def bug_text(bug: Bug) -> str:
    """The content of ``bugs/000001.txt``."""
    lines = [
        f"{bug.kind}: {bug.message}",
        f"  at {spot(bug.location)}" + (f" in {bug.function}" if bug.function else ""),
    ]
    if len(bug.stack) > 1:
        lines += ["  called from:", *(f"    {frame}" for frame in bug.stack[1:])]
    if bug.inputs:
        lines += ["  inputs:", *(f"    {line}" for line in input_lines(bug.inputs))]
    if bug.test:
        lines.append(f"  test: {bug.test}")
    lines.append(
        "  confirmed by concrete re-execution" if bug.confirmed else "  not confirmed by concrete re-execution"
    )
    return "\n".join(lines) + "\n"
